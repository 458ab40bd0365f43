#pragma once
// Exact elimination of vertices with at most two neighbors from a resistor network, until none is
// left. What remains is again a grounded Laplacian, so that nothing is ever subtracted and no digit
// is lost: with conductances w₁, w₂ to its neighbors, ground g and d = w₁ + w₂ + g, removing a
// vertex
//
//   adds  w₁·w₂/d  between the two neighbors   (resistors in series, in parallel with what is
//   there) adds  wᵢ·g/d   to the ground of neighbor i adds  wᵢ/d·b   to the right-hand side of
//   neighbor i
//
// and later x = b/d + w₁/d·x₁ + w₂/d·x₂. Forests, cycles and all series-parallel graphs vanish.
// O(n + m) time, about 40 bytes per vertex removed.
//
//   Elimination e(system, threads);
//   Block reduced_b = e.reduce(b);       // b is folded forward in place
//   … solve e.reduced() …
//   Block x = e.extend(b, reduced_x);

#include <vector>

#include "gssl/core/block.hpp"
#include "reduced_solver.hpp"

namespace gssl::solve {

// One vertex removed. A neighbor that is absent is no_vertex, with factor 0.
struct EliminationStep {
  VertexId vertex = no_vertex;
  VertexId neighbor[2] = {no_vertex, no_vertex};
  double factor[2] = {0.0, 0.0};  // wᵢ/d
  double pivot = 0.0;             // d
};

class Elimination {
 public:
  // Removes nothing; reduced() is `system` itself.
  explicit Elimination(SharedSystem system) : reduced_(std::move(system)) {}
  // Precondition: every component of `system` has a ground.
  Elimination(SharedSystem system, int threads);

  const SharedSystem& reduced() const { return reduced_; }
  std::int64_t eliminated_count() const { return static_cast<std::int64_t>(steps_.size()); }
  // Row of the reduced system → vertex; empty when nothing was removed.
  const std::vector<VertexId>& kept() const { return kept_; }

  // Folds b forward, in place, and returns its rows at the kept vertices.
  Block reduce(Block& b) const;
  // The rows of x at the kept vertices.
  Block restrict_to_kept(const Block& x) const;
  // The whole solution, from the folded b and the solution of the reduced system.
  Block extend(const Block& folded_b, const Block& reduced_x) const;

 private:
  SharedSystem reduced_;
  std::vector<VertexId> kept_;
  std::vector<EliminationStep> steps_;
};

}  // namespace gssl::solve
