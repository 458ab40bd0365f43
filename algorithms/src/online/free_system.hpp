#pragma once
// The Laplacian on the free vertices of one component, all other vertices held, and conjugate
// gradients for it that end as soon as enough is known. Internal: not installed.
//
//   FreeSystem system(grouped, degree);
//   system.solve(free, r, x, [&](double ratio) { return ratio <= target; }, run);
//
// Preconditioned by the diagonal plus a coarse system: what is constant on each piece of the
// component is solved for exactly. That takes
// away the slow errors, which differ from cluster to cluster, and little else.
// Vectors have an entry for each vertex of the graph; only those of `free` are read or changed.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "online/grouped_graph.hpp"

namespace gssl::detail {

class FreeSystem {
 public:
  // Is told the largest |r_u| / d_u; true ends the solve.
  using Enough = std::function<bool(double)>;

  // Both must outlive it.
  FreeSystem(const GroupedGraph& grouped, const std::vector<double>& degree);
  ~FreeSystem();

  // Adds to x until A x = b up to a small residual; r = b − A x comes in and goes out. False if
  // rounding ended it. Throws as run.throw_if_stopped(). A step takes O(rows and their edges).
  bool solve(std::span<const VertexId> free, std::vector<double>& r, std::vector<double>& x,
             const Enough& enough, const RunContext& run);
  // Entries of rows that solves went through.
  double work() const { return work_; }

 private:
  class Coarse;
  double multiply(std::span<const VertexId> free);
  double precondition(std::span<const VertexId> free, const std::vector<double>& r);
  double advance(std::span<const VertexId> free, double length, std::vector<double>& r,
                 std::vector<double>& x) const;

  const GroupedGraph& grouped_;
  const Graph& graph_;
  const std::vector<double>& degree_;
  std::unique_ptr<Coarse> coarse_;
  std::vector<double> p_, q_, z_;  // p_ is 0 but for free vertices, and between solves
  double work_ = 0.0;
};

}  // namespace gssl::detail
