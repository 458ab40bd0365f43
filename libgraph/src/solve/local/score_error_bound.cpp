#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gssl/solve/solve_from.hpp"
#include "linalg/block_kernels.hpp"

namespace gssl {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// The resistance of a path from each vertex to earth, by its own ground or over few edges: the
// least one where all weights are equal. Breadth-first from the ground; of the vertices of the layer
// before, the best is taken. O(n + m).
std::vector<double> resistance_to_ground(const GroundedLaplacian& system, const RunContext& run) {
  std::vector<double> found(static_cast<std::size_t>(system.size()), never);
  std::vector<VertexId> layer, next;
  for (VertexId v = 0; v < system.size(); ++v)
    if (const double ground = system.ground()[static_cast<std::size_t>(v)]; ground > 0.0) {
      found[static_cast<std::size_t>(v)] = 1.0 / ground;
      layer.push_back(v);
    }
  while (!layer.empty()) {
    run.throw_if_stopped("error bound", "before every vertex was reached");
    next.clear();
    for (const VertexId v : layer) {
      const double here = found[static_cast<std::size_t>(v)];
      system.graph().visit_row(v, [&](VertexId u, double w) {
        double& there = found[static_cast<std::size_t>(u)];
        if (there == never) next.push_back(u);
        there = std::min(there, here + 1.0 / w);
      });
    }
    layer.swap(next);
  }
  return found;
}

}  // namespace

double score_error_bound(const GroundedLaplacian& system, const Block& r, const RunContext& run) {
  const std::vector<double> resistance = resistance_to_ground(system, run);
  std::vector<double> sums;
  solve::column_sums(r.rows(), r.columns(), run.thread_count(), sums,
                     [&](std::int64_t begin, std::int64_t end, double* sum) {
                       for (std::int64_t v = begin; v < end; ++v)
                         for (std::int64_t j = 0; j < r.columns(); ++j)
                           if (r(v, j) != 0.0)
                             sum[j] += std::abs(r(v, j)) * resistance[static_cast<std::size_t>(v)];
                     });
  return sums.empty() ? 0.0 : *std::ranges::max_element(sums);
}

}  // namespace gssl
