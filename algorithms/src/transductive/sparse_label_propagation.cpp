#include "gssl/transductive/sparse_label_propagation.hpp"

#include <cmath>
#include <utility>

#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/label_groups.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

// Steps of x over steps of the flow; any value converges. With few labels a flow is long and
// settles slowly if x follows in small steps: 10 takes a seventh of the steps that 1 takes on the
// digits.
constexpr double balance = 10.0;
constexpr int check_every = 25;  // steps between two looks at the gap, which costs one more

struct Bounds {
  std::vector<double> variation;  // Σ w |x_u − x_v| of each class: from above
  std::vector<double> flow;       // from below
  Bounds& operator+=(const Bounds& other) {
    variation.resize(other.variation.size());
    flow.resize(other.flow.size());
    for (std::size_t k = 0; k < variation.size(); ++k) {
      variation[k] += other.variation[k];
      flow[k] += other.flow[k];
    }
    return *this;
  }
};

// One group: min over x in [0, 1] of Σ w |x_u − x_v| with x fixed at the labels. The flow of an
// edge stands in the rows of both ends, with opposite signs and in units of w.
class TotalVariationProblem {
 public:
  TotalVariationProblem(const Graph& graph, const detail::LabelGroups& groups,
                        const std::vector<char>& given, int threads)
      : graph_(graph), groups_(groups), given_(given), threads_(threads) {}

  // x and `ahead` hold the labels and 0 elsewhere; flow is 0. Returns the steps taken, and the
  // bounds reached in `bounds`.
  std::int64_t solve(int g, Block& x, Block& ahead, Block& flow, double gap,
                     std::int64_t max_iterations, const RunContext& run, Bounds& bounds) const {
    for (std::int64_t step = 0;; ++step) {
      const bool last = step == max_iterations || run.should_stop();
      if (last || step % check_every == 0) {
        bounds = measure(g, x, flow);
        if (last || closed(bounds, gap)) return step;
        const auto [variation, flow_value] = totals(bounds);
        run.report_progress("sparse label propagation",
                            std::log(1.0 - flow_value / variation) / std::log(gap));
      }
      advance_flow(g, ahead, flow);
      advance_x(g, x, ahead, flow);
    }
  }

  static bool closed(const Bounds& bounds, double gap) {
    const auto [variation, flow] = totals(bounds);
    return variation - flow <= gap * variation;
  }

 private:
  static std::pair<double, double> totals(const Bounds& bounds) {
    double variation = 0.0;
    double flow = 0.0;
    for (std::size_t k = 0; k < bounds.flow.size(); ++k) {
      variation += bounds.variation[k];
      flow += bounds.flow[k];
    }
    return {variation, flow};
  }
  template <class Body>
  void for_rows(int g, Body&& body) const {
    const std::span<const VertexId> members = groups_.members(g);
    parallel_blocks(static_cast<std::int64_t>(members.size()), threads_,
                    [&](std::int64_t begin, std::int64_t end) {
                      std::vector<double> sums;  // scratch of the block
                      for (std::int64_t i = begin; i < end; ++i)
                        body(members[static_cast<std::size_t>(i)], sums);
                    });
  }

  // y ← clip(y + (x̃_v − x̃_u)/(2·balance)) with the flow from v to u: σ_uv = 1/(2 w_uv balance).
  void advance_flow(int g, const Block& ahead, Block& flow) const {
    for_rows(g, [&](VertexId v, std::vector<double>&) {
      const std::span<const double> here = ahead.row(v);
      for (EdgeIndex e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        const std::span<const double> there = ahead.row(graph_.neighbor_at(e));
        const std::span<double> y = flow.row(e);
        for (std::size_t k = 0; k < y.size(); ++k)
          y[k] = std::clamp(y[k] + 0.5 / balance * (here[k] - there[k]), -1.0, 1.0);
      }
    });
  }

  // Σ_u w_uv y_vu: what flows out of v.
  void outflow(VertexId v, const Block& flow, std::vector<double>& sums) const {
    sums.assign(static_cast<std::size_t>(flow.columns()), 0.0);
    for (EdgeIndex e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
      const double w = graph_.weight_at(e);
      const std::span<const double> y = flow.row(e);
      for (std::size_t k = 0; k < y.size(); ++k) sums[k] += w * y[k];
    }
  }

  // x ← clip(x − balance·outflow/d) and x̃ = 2x − x of before: τ_v = balance/d_v.
  void advance_x(int g, Block& x, Block& ahead, const Block& flow) const {
    for_rows(g, [&](VertexId v, std::vector<double>& sums) {
      if (given_[static_cast<std::size_t>(v)] != 0) return;
      outflow(v, flow, sums);
      const double degree = groups_.degrees()[static_cast<std::size_t>(v)];
      for (std::size_t k = 0; k < sums.size(); ++k) {
        double& value = x.row(v)[k];
        const double next = std::clamp(value - balance * sums[k] / degree, 0.0, 1.0);
        ahead.row(v)[k] = 2.0 * next - value;
        value = next;
      }
    });
  }

  // A free vertex would take whichever of 0 and 1 the outflow makes cheaper.
  Bounds measure(int g, const Block& x, const Block& flow) const {
    const auto columns = static_cast<std::size_t>(x.columns());
    const std::span<const VertexId> members = groups_.members(g);
    return blocked_sum(
        static_cast<std::int64_t>(members.size()), threads_,
        [&](std::int64_t begin, std::int64_t end) {
          Bounds sum{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
          std::vector<double> out;
          for (std::int64_t i = begin; i < end; ++i) {
            const VertexId v = members[static_cast<std::size_t>(i)];
            graph_.visit_row(v, [&](VertexId u, double w) {
              for (std::size_t k = 0; k < columns; ++k)
                sum.variation[k] += 0.5 * w * std::abs(x.row(v)[k] - x.row(u)[k]);
            });
            outflow(v, flow, out);
            for (std::size_t k = 0; k < columns; ++k)
              sum.flow[k] += given_[static_cast<std::size_t>(v)] != 0 ? x.row(v)[k] * out[k]
                                                                      : std::min(0.0, out[k]);
          }
          return sum;
        });
  }

  const Graph& graph_;
  const detail::LabelGroups& groups_;
  const std::vector<char>& given_;
  int threads_;
};

// Where all labels are of one class so is everything, and nothing jumps; false elsewhere.
bool fill_single_class(const detail::LabelGroups& groups, int g, Block& x) {
  std::int64_t only = -1;
  for (std::int64_t k = 0; k < x.columns(); ++k) {
    if (!groups.has_class(g, static_cast<int>(k))) continue;
    if (only >= 0) return false;
    only = k;
  }
  for (const VertexId v : groups.members(g)) x(v, only) = 1.0;
  return true;
}

// Rows that the labels do not touch share alike; returns how many.
std::int64_t fill_empty_rows(const detail::LabelGroups& groups, Block& scores, int threads) {
  std::int64_t empty = 0;
  for (int g = 0; g < groups.count(); ++g)
    empty += groups.sum_over(g, threads, [&](VertexId v) {
      const std::span<double> row = scores.row(v);
      double sum = 0.0;
      for (const double value : row) sum += value;
      if (sum > 1e-3) return std::int64_t{0};
      double present = 0.0;
      for (std::size_t k = 0; k < row.size(); ++k)
        present += groups.has_class(g, static_cast<int>(k));
      for (std::size_t k = 0; k < row.size(); ++k)
        row[k] = groups.has_class(g, static_cast<int>(k)) ? 1.0 / present : 0.0;
      return std::int64_t{1};
    });
  return empty;
}

const OptionBinding<SparseLabelPropagationOptions>& sparse_label_propagation_binding() {
  static const auto options =
      OptionBinding<SparseLabelPropagationOptions>("sparse-label-propagation")
          .real(&SparseLabelPropagationOptions::gap, "gap", detail::open_unit,
                "duality gap to reach, relative to the total variation")
          .integer(&SparseLabelPropagationOptions::max_iterations, "max_iterations", {.low = 1},
                   "step limit");
  return options;
}

}  // namespace

void SparseLabelPropagationOptions::validate() const {
  sparse_label_propagation_binding().validate(*this);
}

SparseLabelPropagationLearner::SparseLabelPropagationLearner(SparseLabelPropagationOptions options)
    : options_(options) {
  options_.validate();
}

Fit SparseLabelPropagationLearner::fit(const Graph& graph, const LabeledSet& labeled,
                                       const RunContext& run) const {
  detail::check_problem("sparse-label-propagation", graph, labeled,
                        detail::Regression::unsupported);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const std::int64_t classes = labeled.class_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  std::vector<char> given(static_cast<std::size_t>(graph.vertex_count()), 0);
  for (const VertexId v : labeled.vertices()) given[static_cast<std::size_t>(v)] = 1;
  Block x(graph.vertex_count(), classes);
  detail::set_given_rows(x, labeled, run.thread_count());
  Block ahead = x;
  Block flow(2 * graph.edge_count(), classes);
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  const TotalVariationProblem problem(graph, groups, given, threads);
  Bounds total{std::vector<double>(static_cast<std::size_t>(classes), 0.0),
               std::vector<double>(static_cast<std::size_t>(classes), 0.0)};
  Ending& ending = report;
  ending.requested = ending.used = "primal-dual";
  for (int g = 0; g < groups.count(); ++g) {
    if (fill_single_class(groups, g, x)) continue;
    Bounds bounds;
    const std::int64_t steps =
        problem.solve(g, x, ahead, flow, options_.gap, options_.max_iterations, run, bounds);
    ending.iterations = std::max(ending.iterations, steps);
    total += bounds;
    if (!TotalVariationProblem::closed(bounds, options_.gap))
      ending.outcome = run.stop().value_or(Outcome::iteration_limit);
  }
  double variation = 0.0;
  double gap = 0.0;
  Certificate gaps{"duality_gap", {}};
  for (std::size_t k = 0; k < total.flow.size(); ++k) {
    gaps.values.push_back(total.variation[k] - total.flow[k]);
    variation += total.variation[k];
    gap += gaps.values.back();
  }
  ending.sentence = "primal-dual: " + std::string(to_string(ending.outcome)) + " after " +
                    std::to_string(ending.iterations) + " steps, total variation " +
                    to_brief_text(variation) + ", duality gap " + to_brief_text(gap);
  report.certificates.push_back({"total_variation", total.variation});
  report.certificates.push_back(std::move(gaps));
  const std::int64_t empty = fill_empty_rows(groups, x, threads);
  if (empty > 0)
    report.warnings.push_back(std::to_string(empty) +
                              " vertices are reached by no class: the cheapest jumps are around "
                              "the given labels; give more labels, or use poisson");
  report.solve_seconds = solving.seconds();
  return detail::finish_fit(
      std::move(x), detail::vertex_status(graph.vertex_count(), labeled, groups.unreached()),
      labeled, detail::GivenLabels::hard, std::move(report));
}

LearnerEntry sparse_label_propagation_entry() {
  LearnerEntry entry;
  entry.name = "sparse-label-propagation";
  entry.summary = "least total variation: constant on clusters, jumps where few edges cross";
  entry.reference =
      "A. Jung, A. O. Hero III, A. C. Mara, S. Jahromi, A. Heimowitz, Y. C. Eldar. Semi-supervised "
      "learning in network-structured data via total variation minimization. IEEE Trans. Signal "
      "Process. 67(24), 2019, doi:10.1109/TSP.2019.2953593";
  entry.options = sparse_label_propagation_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<SparseLabelPropagationLearner>(
        sparse_label_propagation_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
