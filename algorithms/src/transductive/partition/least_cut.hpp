#pragma once
// Threshold dynamics from several starts. They end in the first partition that no step changes, and
// which one that is depends on where they began: of digits with one label a class the cuts of two
// ends differ by a tenth in the mean, and the lower one is right more often. So of each group of
// labels the partition that cuts least is kept; groups do not influence each other.
//
//   ClassPartition best = least_cut_dynamics(
//       graph, groups, diffuse, offset,
//       {[&] { return poisson_start(…); }, [&] { return cells_around_labels(…); }}, volumes, fixed,
//       options, run, report);
//
// With free volumes the first start alone is taken: the least cut would be that which gives all to
// one class. Memory beside one run of the dynamics: 2nK numbers. Internal: not installed.

#include <functional>
#include <vector>

#include "threshold_dynamics.hpp"

namespace gssl::detail {

using PartitionStart = std::function<Block()>;  // makes memberships when their turn has come

// Adds the certificate `start_cuts`, the cut that each start led to, over all groups. The first
// start wins a tie.
ClassPartition least_cut_dynamics(const Graph& graph, const LabelGroups& groups,
                                  const Diffusion& diffuse, const Block& offset,
                                  const std::vector<PartitionStart>& starts, const Block& volumes,
                                  const std::vector<char>& fixed, const ThresholdOptions& options,
                                  const RunContext& run, Report& report);

// Σ w_uv (1 − ⟨x_u, x_v⟩) over the edges of group g: what is cut, where memberships are whole.
double group_cut(const Graph& graph, const LabelGroups& groups, int g, const Block& membership,
                 int threads);

}  // namespace gssl::detail
