#include "least_cut.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gssl/core/index.hpp"

namespace gssl::detail {

namespace {

// A cut that is less by rounding alone is not less.
constexpr double clearly_less = 1.0 - 1e-9;

std::vector<double> cuts_of(const Graph& graph, const LabelGroups& groups, const Block& membership,
                            int threads) {
  std::vector<double> cuts;
  cuts.reserve(index(groups.count()));
  for (int g = 0; g < groups.count(); ++g)
    cuts.push_back(group_cut(graph, groups, g, membership, threads));
  return cuts;
}

void copy_group(const LabelGroups& groups, int g, const Block& from, Block& to) {
  for (const VertexId v : groups.members(g)) std::ranges::copy(from.row(v), to.row(v).begin());
}

// Takes group g of the other partition.
void take_group(const LabelGroups& groups, int g, ClassPartition& other, ClassPartition& best) {
  copy_group(groups, g, other.membership, best.membership);
  copy_group(groups, g, other.value, best.value);
  best.energy[index(g)] = std::move(other.energy[index(g)]);
  if (!best.volume_error.empty()) best.volume_error[index(g)] = other.volume_error[index(g)];
}

}  // namespace

double group_cut(const Graph& graph, const LabelGroups& groups, int g, const Block& membership,
                 int threads) {
  return groups.sum_over(g, threads, [&](VertexId v) {
    const auto own = membership.row(v);
    double cut = 0.0;
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u < v) return;
      const auto other = membership.row(u);
      cut += w * (1.0 - std::inner_product(own.begin(), own.end(), other.begin(), 0.0));
    });
    return cut;
  });
}

ClassPartition least_cut_dynamics(const Graph& graph, const LabelGroups& groups,
                                  const Diffusion& diffuse, const Block& offset,
                                  const std::vector<PartitionStart>& starts, const Block& volumes,
                                  const std::vector<char>& fixed, const ThresholdOptions& options,
                                  const RunContext& run, Report& report) {
  const int threads = run.thread_count();
  const std::size_t count = volumes.rows() == 0 ? 1 : starts.size();
  const auto dynamics_from = [&](std::size_t s) {
    ThresholdOptions own = options;
    own.progress_from = static_cast<double>(s) / static_cast<double>(count);
    own.progress_to = static_cast<double>(s + 1) / static_cast<double>(count);
    return threshold_dynamics(groups, diffuse, offset, starts[s](), volumes, fixed, own, run);
  };
  ClassPartition best = dynamics_from(0);
  if (count == 1) return best;
  std::vector<double> least = cuts_of(graph, groups, best.membership, threads);
  std::vector<double> totals{std::accumulate(least.begin(), least.end(), 0.0)};
  for (std::size_t s = 1; s < count; ++s) {
    ClassPartition other = dynamics_from(s);
    const std::vector<double> cuts = cuts_of(graph, groups, other.membership, threads);
    totals.push_back(std::accumulate(cuts.begin(), cuts.end(), 0.0));
    int taken = 0;
    for (int g = 0; g < groups.count(); ++g) {
      if (!(cuts[index(g)] < clearly_less * least[index(g)])) continue;
      least[index(g)] = cuts[index(g)];
      take_group(groups, g, other, best);
      ++taken;
    }
    if (taken == 0) continue;
    const bool all = taken == groups.count();
    best.steps = all ? other.steps : std::max(best.steps, other.steps);
    best.price_changes =
        all ? other.price_changes : std::max(best.price_changes, other.price_changes);
    best.fixed_point = other.fixed_point && (all || best.fixed_point);
  }
  report.certificates.push_back({"start_cuts", std::move(totals)});
  return best;
}

}  // namespace gssl::detail
