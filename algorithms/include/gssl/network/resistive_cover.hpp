#pragma once
// Covering a graph by few balls of small resistance, greedily: each center is the vertex that is
// furthest from the centers before it.
//
//   gssl::ResistiveCover cover(graph, run);
//   while (cover.radius() > 0.5) cover.add_center();
//   cover.centers();        // every vertex is within resistance 0.5 of one of them
//
// With k centers the radius is at most twice the least that k balls can have, since resistance is a
// metric (T. Gonzalez 1985, doi:10.1016/0304-3975(85)90224-5). Vertices of one ball are within
// 2·radius of one another. A component without a center is infinitely far, so that each gets one
// first. Ties go to the smaller number. The factor of the graph is kept; a center costs a solve.

#include <memory>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

class ResistiveCover {
 public:
  // No center yet. `graph` must outlive it. Throws ErrorCode::out_of_memory where the factor does
  // not fit, and as RunContext::throw_if_stopped().
  explicit ResistiveCover(const Graph& graph, const RunContext& run = {});

  // The furthest vertex becomes a center; nothing once every vertex is one.
  void add_center();

  const std::vector<VertexId>& centers() const { return centers_; }
  // Largest resistance from a vertex to its nearest center: of all centers, or of the first k,
  // 1 ≤ k ≤ centers(). Infinite where a component has no center; 0 for a graph without vertices.
  double radius() const;
  double radius(std::int64_t k) const { return radii_[static_cast<std::size_t>(k - 1)]; }
  // Of each vertex.
  const std::vector<double>& distance() const { return distance_; }
  // Entries of the factor.
  double factor_entries() const { return factor_->size().nonzeros; }

 private:
  VertexId furthest() const;

  RunContext run_, one_thread_;
  std::shared_ptr<const NetworkFactor> factor_;
  std::vector<VertexId> component_;
  std::vector<double> diagonal_;  // r(v, root)
  std::vector<VertexId> centers_;
  std::vector<double> radii_;
  std::vector<double> distance_;
};

// The least of k + 2·R_k·energy over all k, with the k that gives it. A mistake bound of minimum
// seminorm interpolation at p = 2, for a labeling of −1 and +1 of that energy.
struct CoverBound {
  double bound = 0.0;
  std::int64_t centers = 0;
  double radius = 0.0;
};
// Adds centers as far as they can still help, but no more than `most_centers` in all.
CoverBound best_cover_bound(ResistiveCover& cover, double energy, std::int64_t most_centers);

}  // namespace gssl
