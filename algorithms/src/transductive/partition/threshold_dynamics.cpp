#include "threshold_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/shortest_paths.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/largest.hpp"
#include "support/vertex_status.hpp"
#include "volume_prices.hpp"

namespace gssl::detail {

namespace {

constexpr double tie = 1e-9;  // of the largest value in the group
// Prices that follow every step may lead around in circles. After so many changes in a group its
// volumes may be off by a tenth, so that the steps can end as with free volumes; after as many
// again the group stays as it is, with its volumes right and no fixed point.
constexpr std::int64_t patience = 20;
constexpr double wide_slack = 0.1;

// Vertices of each class, which add up block by block.
struct ClassVolumes {
  std::vector<double> of;
  ClassVolumes& operator+=(const ClassVolumes& other) {
    of.resize(std::max(of.size(), other.of.size()), 0.0);
    for (std::size_t k = 0; k < other.of.size(); ++k) of[k] += other.of[k];
    return *this;
  }
};

// The thresholds of one run: prices are kept from step to step.
class Threshold {
 public:
  Threshold(const LabelGroups& groups, const Block& volumes, const std::vector<char>& fixed,
            double slack, const Block& start, const RunContext& run)
      : groups_(groups),
        volumes_(volumes),
        fixed_(fixed),
        slack_(slack),
        run_(run),
        threads_(run.thread_count()),
        prices_(groups.count(), start.columns()) {
    for (int g = 0; g < groups.count(); ++g) classes_.push_back(allowed(g));
    price_changes_.assign(index(groups.count()), 0);
    if (has_volumes()) find_free(start);
  }

  bool has_volumes() const { return volumes_.rows() > 0; }
  std::int64_t price_changes() const {  // the most of any group
    return price_changes_.empty() ? 0 : *std::ranges::max_element(price_changes_);
  }

  // Next memberships; returns how many rows changed.
  std::int64_t step(const Block& value, Block& x) {
    std::int64_t changed = 0;
    for (int g = 0; g < groups_.count(); ++g) {
      if (stuck(g)) continue;
      const double margin = tie * largest(g, value);
      if (has_volumes() && classes_[index(g)].size() > 1 && !free_[index(g)].empty() &&
          off(g, value, margin))
        reprice(g, value);
      if (run_.should_stop()) return changed + 1;  // prices may be any
      changed += assign(g, value, margin, x);
    }
    return changed;
  }

  bool any_stuck() const { return price_changes() >= 2 * patience; }

  // max_k |vol_k − V_k| / n of the group.
  double volume_error(int g, const Block& x) const {
    const std::vector<double> held = class_volumes(x, groups_.members(g), threads_);
    double worst = 0.0;
    for (std::size_t k = 0; k < held.size(); ++k)
      worst = std::max(worst, std::abs(held[k] - volumes_(g, static_cast<std::int64_t>(k))));
    return worst / static_cast<double>(groups_.members(g).size());
  }

 private:
  std::vector<int> allowed(int g) const {
    std::vector<int> classes;
    for (int k = 0; k < prices_.columns(); ++k)
      if (groups_.has_class(g, k) && (!has_volumes() || volumes_(g, k) > 0.0)) classes.push_back(k);
    return classes;
  }

  // The vertices that may move and the volumes left for them.
  void find_free(const Block& start) {
    free_.resize(index(groups_.count()));
    room_.resize(index(groups_.count()));
    for (int g = 0; g < groups_.count(); ++g) {
      std::vector<VertexId> fixed;
      for (const VertexId v : groups_.members(g))
        (fixed_[static_cast<std::size_t>(v)] != 0 ? fixed : free_[index(g)]).push_back(v);
      const auto count = static_cast<double>(free_[index(g)].size());
      const std::vector<double> taken = class_volumes(start, fixed, threads_);
      double sum = 0.0;
      for (const int k : classes_[index(g)]) {
        room_[index(g)].push_back(
            std::max(volumes_(g, k) - taken[index(k)], 1e-3 * volumes_(g, k)));
        sum += room_[index(g)].back();
      }
      for (double& room : room_[index(g)]) room *= count / sum;
    }
  }

  bool stuck(int g) const { return price_changes_[index(g)] >= 2 * patience; }

  // Whether the volumes at these prices are not the ones asked for.
  bool off(int g, const Block& value, double margin) const {
    const double slack =
        price_changes_[index(g)] < patience ? slack_ : std::max(slack_, wide_slack);
    const std::vector<int>& classes = classes_[index(g)];
    const std::vector<VertexId>& free = free_[index(g)];
    const ClassVolumes inside =
        blocked_sum(std::ssize(free), threads_, [&](std::int64_t begin, std::int64_t end) {
          ClassVolumes part{std::vector<double>(classes.size(), 0.0)};
          for (std::int64_t i = begin; i < end; ++i) {
            const Choice choice = choose(g, free[static_cast<std::size_t>(i)], value, margin);
            for (std::size_t j = 0; j < classes.size(); ++j)
              if (net(g, free[static_cast<std::size_t>(i)], value, classes[j]) >= choice.least)
                part.of[j] += choice.share;
          }
          return part;
        });
    for (std::size_t j = 0; j < classes.size(); ++j)
      if (std::abs(inside.of[j] - room_[index(g)][j]) > slack * volumes_(g, classes[j]) + 1.0)
        return true;
    return false;
  }

  void reprice(int g, const Block& value) {
    std::vector<double> known;
    for (const int k : classes_[index(g)]) known.push_back(prices_(g, k));
    const std::vector<double> found = volume_prices(value, free_[index(g)], classes_[index(g)],
                                                    room_[index(g)], run_, std::move(known));
    for (std::size_t i = 0; i < found.size(); ++i) prices_(g, classes_[index(g)][i]) = found[i];
    ++price_changes_[index(g)];
  }

  double largest(int g, const Block& value) const {
    return groups_
        .sum_over(g, threads_,
                  [&](VertexId v) {
                    Largest row;
                    for (const int k : classes_[index(g)]) row += Largest{std::abs(value(v, k))};
                    return row;
                  })
        .value;
  }

  double net(int g, VertexId v, const Block& value, int k) const {
    return value(v, k) - prices_(g, k);
  }

  // What a class needs to get the vertex, and the part of it that each of them gets.
  struct Choice {
    double least;
    double share;
  };
  Choice choose(int g, VertexId v, const Block& value, double margin) const {
    double best = -std::numeric_limits<double>::infinity();
    for (const int k : classes_[index(g)]) best = std::max(best, net(g, v, value, k));
    double tied = 0.0;
    for (const int k : classes_[index(g)]) tied += net(g, v, value, k) >= best - margin;
    return {best - margin, 1.0 / tied};
  }

  std::int64_t assign(int g, const Block& value, double margin, Block& x) const {
    return groups_.sum_over(g, threads_, [&](VertexId v) {
      if (fixed_[static_cast<std::size_t>(v)] != 0) return std::int64_t{0};
      const Choice choice = choose(g, v, value, margin);
      bool changed = false;
      for (const int k : classes_[index(g)]) {
        const double share = net(g, v, value, k) >= choice.least ? choice.share : 0.0;
        changed = changed || share != x(v, k);
        x(v, k) = share;
      }
      return std::int64_t{changed};
    });
  }

  const LabelGroups& groups_;
  const Block& volumes_;
  const std::vector<char>& fixed_;
  double slack_;
  const RunContext& run_;
  int threads_;
  Block prices_;
  std::vector<std::vector<int>> classes_;
  std::vector<std::vector<VertexId>> free_;
  std::vector<std::vector<double>> room_;
  std::vector<std::int64_t> price_changes_;  // of each group
};

double energy(const LabelGroups& groups, int g, const Block& x, const Block& value,
              const Block& offset, int threads) {
  return -0.5 * groups.sum_over(g, threads, [&](VertexId v) {
    double part = 0.0;
    for (std::int64_t k = 0; k < x.columns(); ++k) part += x(v, k) * (value(v, k) + offset(v, k));
    return part;
  });
}

}  // namespace

ClassPartition threshold_dynamics(const LabelGroups& groups, const Diffusion& diffuse,
                                  const Block& offset, Block start, const Block& volumes,
                                  const std::vector<char>& fixed, const ThresholdOptions& options,
                                  const RunContext& run) {
  const int threads = run.thread_count();
  ClassPartition result;
  Threshold threshold(groups, volumes, fixed, options.slack, start, run);
  result.membership = std::move(start);
  result.energy.resize(index(groups.count()));
  double share = 0.0;  // of the way to a step that changes nothing, on a scale of logarithms
  while (true) {
    diffuse(result.membership, result.value);
    run.throw_if_stopped(options.learner, "before the partition came to rest");
    for (int g = 0; g < groups.count(); ++g)
      result.energy[index(g)].push_back(
          energy(groups, g, result.membership, result.value, offset, threads));
    if (result.fixed_point || result.steps == options.max_iterations) break;
    const std::int64_t changed = threshold.step(result.value, result.membership);
    result.fixed_point = changed == 0 && !threshold.any_stuck();
    if (changed == 0) break;
    ++result.steps;
    const auto rows = static_cast<double>(result.membership.rows());
    share =
        std::max({share, 1.0 - std::log(static_cast<double>(changed)) / std::log(rows + 1.0),
                  static_cast<double>(result.steps) / static_cast<double>(options.max_iterations)});
    run.report_progress(options.learner,
                        std::lerp(options.progress_from, options.progress_to, share));
  }
  result.price_changes = threshold.price_changes();
  if (threshold.has_volumes())
    for (int g = 0; g < groups.count(); ++g)
      result.volume_error.push_back(threshold.volume_error(g, result.membership));
  return result;
}

Block assign(const LabelGroups& groups, const Block& value, const Block& volumes,
             const std::vector<char>& fixed, const Block& start, const RunContext& run) {
  Threshold threshold(groups, volumes, fixed, 0.0, start, run);
  Block x = start;
  threshold.step(value, x);
  return x;
}

std::vector<double> class_volumes(const Block& x, std::span<const VertexId> vertices, int threads,
                                  const std::vector<double>& weight) {
  const auto classes = static_cast<std::size_t>(x.columns());
  ClassVolumes sum =
      blocked_sum(std::ssize(vertices), threads, [&](std::int64_t begin, std::int64_t end) {
        ClassVolumes part{std::vector<double>(classes, 0.0)};
        for (std::int64_t i = begin; i < end; ++i) {
          const VertexId v = vertices[static_cast<std::size_t>(i)];
          const auto row = x.row(v);
          const double times = weight.empty() ? 1.0 : weight[static_cast<std::size_t>(v)];
          for (std::size_t k = 0; k < classes; ++k) part.of[k] += times * row[k];
        }
        return part;
      });
  sum.of.resize(classes, 0.0);
  return std::move(sum.of);
}

Block volumes_for(const LabelGroups& groups, MassRule mass, const std::vector<double>& priors) {
  if (mass == MassRule::none) return {};
  Block volumes = groups.proportions(mass, priors);
  for (int g = 0; g < groups.count(); ++g)
    for (double& volume : volumes.row(g)) volume *= static_cast<double>(groups.members(g).size());
  return volumes;
}

Block cells_around_labels(const Graph& graph, const LabelGroups& groups, const LabeledSet& labeled,
                          const Block& volumes, const RunContext& run) {
  const std::int64_t classes = labeled.class_count();
  std::vector<std::vector<VertexId>> members(static_cast<std::size_t>(classes));
  std::vector<char> given(static_cast<std::size_t>(graph.vertex_count()), 0);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    given[static_cast<std::size_t>(v)] = 1;
    members[static_cast<std::size_t>(labeled.class_of()[i])].push_back(v);
  }
  Block nearness(graph.vertex_count(), classes);
  parallel_blocks(
      classes, run.thread_count(),
      [&](std::int64_t k, std::int64_t) {
        run.throw_if_stopped("shortest paths", "before all classes had their cells");
        const ShortestPaths paths =
            shortest_paths(graph, members[static_cast<std::size_t>(k)], EdgeLength::inverse, run);
        for (std::size_t v = 0; v < paths.distance.size(); ++v)
          if (std::isfinite(paths.distance[v]))
            nearness(static_cast<std::int64_t>(v), k) = -paths.distance[v];
      },
      1);
  run.throw_if_stopped("shortest paths", "before all classes had their cells");
  Block start(graph.vertex_count(), classes);
  set_given_rows(start, labeled, run.thread_count());
  return assign(groups, nearness, volumes, given, start, run);
}

Fit fit_partition(const LabelGroups& groups, const ClassPartition& partition,
                  const LabeledSet& labeled, GivenLabels given, Report report, int threads) {
  Block scores = partition.value;
  positive_shares(groups, scores, threads);
  groups.for_members(threads, [&](VertexId v) {
    for (std::int64_t k = 0; k < scores.columns(); ++k)
      scores(v, k) = std::min(1.0, (2.0 * partition.membership(v, k) + scores(v, k)) / 3.0);
  });
  if (given == GivenLabels::hard) set_given_rows(scores, labeled, threads);
  std::vector<VertexStatus> status =
      vertex_status(static_cast<VertexId>(scores.rows()), labeled, groups.unreached());
  return finish_fit(std::move(scores), std::move(status), labeled, given, std::move(report));
}

namespace {

// Of all groups; one that has come to rest stays where it is.
std::vector<double> total_energy(const ClassPartition& partition) {
  std::size_t steps = 0;
  for (const std::vector<double>& group : partition.energy) steps = std::max(steps, group.size());
  std::vector<double> total(steps, 0.0);
  for (const std::vector<double>& group : partition.energy)
    for (std::size_t i = 0; i < steps; ++i) total[i] += group[std::min(i, group.size() - 1)];
  return total;
}

}  // namespace

void report_partition(const ClassPartition& partition, Report& report) {
  const std::vector<double> energy = total_energy(partition);
  Ending& ending = report;
  report.score_error.reset();  // that of the start, if any
  ending.iterations = partition.steps;
  if (!partition.fixed_point && ending.outcome == Outcome::converged)
    ending.outcome = Outcome::iteration_limit;
  ending.sentence =
      std::string(partition.fixed_point ? "nothing changes after " : "still changing after ") +
      std::to_string(partition.steps) + " steps, energy " + to_brief_text(energy.back());
  report.certificates.push_back({"energy", energy});
  if (partition.volume_error.empty()) return;
  const double worst = *std::ranges::max_element(partition.volume_error);
  ending.sentence += ", volumes off by at most " + to_brief_text(100.0 * worst) +
                     " % of a component, prices changed " +
                     std::to_string(partition.price_changes) + " times";
  report.certificates.push_back({"volume_error", partition.volume_error});
  if (partition.price_changes >= patience && worst > 0.02)
    report.warnings.push_back("class volumes are off by up to " + to_brief_text(100.0 * worst) +
                              " % of a component: no prices hold them all; raise slack, or give "
                              "other class proportions");
}

}  // namespace gssl::detail
