#pragma once
// A region of free vertices of a graph, grown along its edges, and the Laplacian on it with all
// other vertices held: conjugate gradients by the diagonal, until every row is small beside its
// degree. Internal: not installed.
//
//   RegionSystem region(graph, degree);
//   region.grow(seeds, hops, labeled);
//   region.assemble();
//   region.solve(r, target, x, run);        // A x = r, until |r_u| ≤ target d_u
//   region.clear();
//
// Time and memory by the region, but for one number a vertex.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

class RegionSystem {
 public:
  // Both must outlive it.
  RegionSystem(const Graph& graph, const std::vector<double>& degree);

  // Adds the seeds and what is within `hops` edges of them, never through or to a labeled vertex.
  void grow(std::span<const VertexId> seeds, std::int64_t hops, const std::vector<bool>& labeled);
  void clear();

  const std::vector<VertexId>& rows() const { return rows_; }
  bool holds(VertexId v) const { return place_[static_cast<std::size_t>(v)] != no_vertex; }

  // The system on the rows that are there now.
  void assemble();
  // x of the rows, from 0; r becomes the residual. False if rounding or the number of steps ended it
  // first. Throws as run.throw_if_stopped().
  bool solve(std::vector<double>& r, double target, std::vector<double>& x, const RunContext& run);

 private:
  bool is_small(const std::vector<double>& r, double target) const;
  double multiply(const std::vector<double>& p, std::vector<double>& q) const;

  const Graph& graph_;
  const std::vector<double>& degree_;
  std::vector<VertexId> rows_;
  std::vector<VertexId> place_;  // of a vertex in rows_, or no_vertex
  // Rows of the system, without the diagonal.
  std::vector<std::int64_t> offsets_;
  std::vector<VertexId> columns_;
  std::vector<double> weights_, diagonal_;
  std::vector<double> p_, q_;
};

}  // namespace gssl::detail
