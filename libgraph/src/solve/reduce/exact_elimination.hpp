#pragma once
// Exact elimination of vertices with few neighbors from a resistor network: at most two until there
// are no more, then at most four in rounds while that removes a fair share of the vertices. What
// remains is again a grounded Laplacian, so that nothing is ever subtracted and no digit is lost:
// with conductances wᵢ to its neighbors, ground g and d = Σ wᵢ + g, removing a vertex
//
//   adds  wᵢ·wⱼ/d  between neighbors i and j  (in parallel with what is there),
//   adds  wᵢ·g/d   to the ground of neighbor i,
//   adds  wᵢ/d·b   to the right-hand side of neighbor i,
//
// and later x = b/d + Σ wᵢ/d·xᵢ. Forests, cycles and all series-parallel graphs vanish; a star of
// three becomes a triangle; four neighbors get at most two edges more than they lose, and on a grid
// none, with half the vertices gone. O(n + m) time, 13 bytes per vertex removed and 12 per
// neighbor.
//
//   Elimination e(system, order, threads);
//   Block reduced_b = e.reduce(b, threads);  // b is folded forward in place
//   … solve e.reduced() …
//   Block x = e.extend(b, reduced_x, threads);

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "solve/method/reduced_solver.hpp"
#include "solve/order/renumbering.hpp"

namespace gssl::solve {

inline constexpr int most_neighbors = 4;

// The vertices removed, in order.
struct EliminationSteps {
  std::vector<VertexId> vertex;
  std::vector<double> pivot;                 // d
  std::vector<std::uint8_t> neighbor_count;  // of each step
  std::vector<VertexId> neighbor;            // of one step after the other
  std::vector<double> factor;                // wᵢ/d

  std::size_t size() const { return vertex.size(); }
};

struct StagedSteps {
  std::vector<EliminationSteps> within;  // ranges of rows, no two with one in common
  EliminationSteps rest;                 // after all of those

  std::size_t size() const;
};

// Whether vertices of few neighbors hold a fair share of the matrix, so that the rest is worth
// building anew.
bool elimination_pays(const Graph& graph);

class Elimination {
 public:
  // Removes nothing; reduced() is `system` itself.
  explicit Elimination(SharedSystem system) : reduced_(std::move(system)) {}
  // Of the system in that order. Precondition: every component has a ground.
  Elimination(const SharedSystem& system, Renumbering& order, int threads);

  const SharedSystem& reduced() const { return reduced_; }
  std::int64_t eliminated_count() const { return static_cast<std::int64_t>(steps_.size()); }

  // Folds b forward, in place, and returns its rows at the kept vertices.
  Block reduce(Block& b, int threads) const;
  // The rows of x at the kept vertices.
  Block restrict_to_kept(const Block& x) const;
  // The whole solution, from the folded b and the solution of the reduced system.
  Block extend(const Block& folded_b, const Block& reduced_x, int threads) const;

 private:
  template <class Body>
  void within_ranges(int threads, Body&& body) const;

  SharedSystem reduced_;
  std::vector<VertexId> kept_;
  StagedSteps steps_;
};

}  // namespace gssl::solve
