#include "gssl/transductive/compressed_propagation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/residual.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"

namespace gssl {
namespace {

// What one step found.
struct Step {
  double change = 0.0;           // the largest of a score
  std::vector<double> residual;  // of each column: Σ over free v of (d_v · change)²
  std::vector<double> targets;  // of each column: Σ over free v of (Σ over given u of w_uv x_u)²
  Step& operator+=(const Step& other) {
    change = std::max(change, other.change);
    const auto add = [](std::vector<double>& sum, const std::vector<double>& more) {
      if (sum.empty()) sum.assign(more.size(), 0.0);
      for (std::size_t k = 0; k < more.size(); ++k) sum[k] += more[k];
    };
    add(residual, other.residual);
    add(targets, other.targets);
    return *this;
  }
};

class Propagation {
 public:
  Propagation(const CompressedGraph& graph, const LabeledSet& labeled,
              const std::vector<VertexStatus>& status, const RunContext& run)
      : graph_(graph), status_(status), run_(run), scores_(start(labeled)), next_(scores_) {}

  // F ← D⁻¹ W F on the vertices that labels reach. Step::targets, the same at every step, is found at
  // the first.
  Step step(bool first) {
    const auto columns = static_cast<std::size_t>(scores_.columns());
    Step found = blocked_sum(
        graph_.vertex_count(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
          Step part{0.0, std::vector<double>(columns, 0.0), {}};
          if (first) part.targets.assign(columns, 0.0);
          Row row;
          graph_.sweep(static_cast<VertexId>(begin), static_cast<VertexId>(end),
                       [&](VertexId v, auto&& visit) {
                         if (status(v) != VertexStatus::inferred) return;
                         row.take(visit, !graph_.has_unit_weights());
                         average(v, row, part);
                         if (first) add_targets(row, part.targets);
                       });
          return part;
        });
    std::swap(scores_, next_);
    return found;
  }

  Block release() && { return std::move(scores_); }

 private:
  VertexStatus status(VertexId v) const { return status_[static_cast<std::size_t>(v)]; }

  // The neighbors of a vertex, unpacked, so that their scores can be fetched before they are added.
  struct Row {
    std::vector<VertexId> neighbors;
    std::vector<double> weights;  // none if all are 1
    std::vector<double> sum;

    template <class Visit>
    void take(Visit&& visit, bool weighted) {
      neighbors.clear();
      weights.clear();
      visit([&](VertexId u, double w) {
        neighbors.push_back(u);
        if (weighted) weights.push_back(w);
      });
    }
    double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
  };

  // A width that is known, the sums stay in registers; 0: any.
  template <std::size_t width>
  void add_scores(const Row& row, std::span<double> sum) const {
    constexpr std::size_t ahead = 16;  // neighbors
    const std::size_t columns = width > 0 ? width : sum.size();
    const double* const scores = std::as_const(scores_).values().data();
    const auto at = [&](std::size_t i) {
      return scores + static_cast<std::size_t>(row.neighbors[i]) * columns;
    };
    std::array<double, std::max(width, std::size_t{1})> few{};
    double* const to = width > 0 ? few.data() : sum.data();
    for (std::size_t i = 0; i < row.neighbors.size(); ++i) {
      if (i + ahead < row.neighbors.size()) __builtin_prefetch(at(i + ahead));
      for (std::size_t k = 0; k < columns; ++k) to[k] += row.weight(i) * at(i)[k];
    }
    if (width > 0) std::copy_n(to, columns, sum.data());
  }

  void average(VertexId v, Row& row, Step& part) {
    std::vector<double>& sum = row.sum;
    sum.assign(part.residual.size(), 0.0);
    switch (sum.size()) {
      case 1: add_scores<1>(row, sum); break;
      case 2: add_scores<2>(row, sum); break;
      default: add_scores<0>(row, sum);
    }
    double degree = 0.0;
    for (std::size_t i = 0; i < row.neighbors.size(); ++i) degree += row.weight(i);
    for (std::size_t k = 0; k < sum.size(); ++k) {
      const double value = sum[k] / degree;
      const double delta = value - scores_(v, static_cast<std::int64_t>(k));
      next_(v, static_cast<std::int64_t>(k)) = value;
      part.change = std::max(part.change, std::abs(delta));
      part.residual[k] += degree * delta * (degree * delta);
    }
  }

  void add_targets(const Row& row, std::vector<double>& targets) const {
    std::vector<double> given(targets.size(), 0.0);
    for (std::size_t i = 0; i < row.neighbors.size(); ++i) {
      if (status(row.neighbors[i]) != VertexStatus::given) continue;
      const std::span<const double> scores = std::as_const(scores_).row(row.neighbors[i]);
      for (std::size_t k = 0; k < given.size(); ++k) given[k] += row.weight(i) * scores[k];
    }
    for (std::size_t k = 0; k < given.size(); ++k) targets[k] += given[k] * given[k];
  }

  // Zero where nothing is given, but for columns in which all labels agree, whose answer is known.
  Block start(const LabeledSet& labeled) const {
    const Block targets = labeled.target_block();
    Block scores(graph_.vertex_count(), targets.columns());
    for (std::int64_t c = 0; c < targets.columns(); ++c) {
      bool common = true;
      for (std::int64_t i = 1; i < targets.rows(); ++i)
        common = common && targets(i, c) == targets(0, c);
      for (VertexId v = 0; common && v < graph_.vertex_count(); ++v)
        if (status(v) == VertexStatus::inferred) scores(v, c) = targets(0, c);
    }
    detail::set_given_rows(scores, labeled, run_.thread_count());
    return scores;
  }

  const CompressedGraph& graph_;
  const std::vector<VertexStatus>& status_;
  const RunContext& run_;
  Block scores_;
  Block next_;
};

double relative_residual(const Step& step) {
  return std::sqrt(worst_ratio(step.residual, step.targets));  // both are squares
}

SolveReport propagate(Propagation& work, double threshold, std::int64_t max_iterations,
                      const RunContext& run) {
  SolveReport report;
  report.requested = report.used = "label-propagation";
  report.outcome = Outcome::iteration_limit;
  Step last;
  double first = 0.0;  // change of the first step over what is allowed
  while (report.iterations < max_iterations) {
    if (const auto why = run.stop()) {
      report.outcome = *why;
      break;
    }
    const bool first_step = report.iterations == 0;
    Step now = work.step(first_step);
    if (!first_step) now.targets = std::move(last.targets);
    last = std::move(now);
    ++report.iterations;
    const double ratio = last.change / threshold;
    if (report.iterations == 1) first = ratio;
    run.report_progress("label propagation",
                        1.0 - std::log(std::max(ratio, 1.0)) / std::log(std::max(first, 2.0)));
    if (last.change <= threshold) {
      report.outcome = Outcome::converged;
      break;
    }
  }
  report.relative_residual = relative_residual(last);  // of the scores before the last step
  report.sentence = "over compressed rows: " + std::string(to_string(report.outcome)) + " after " +
                    std::to_string(report.iterations) + " steps, last change " +
                    to_brief_text(last.change) + " (stops at " + to_brief_text(threshold) +
                    "), relative residual " + to_brief_text(*report.relative_residual);
  return report;
}

}  // namespace

Fit propagate_labels(const CompressedGraph& graph, const LabeledSet& labeled,
                     const LabelPropagationOptions& options, const RunContext& run) {
  options.validate();
  labeled.check_against(graph.vertex_count());
  Report report;
  const Stopwatch setup;
  std::vector<VertexStatus> status =
      detail::vertex_status(graph.vertex_count(), labeled,
                            detail::unreached_vertices(connected_components(graph, run), labeled));
  Propagation work(graph, labeled, status, run);
  double scale = 0.0;
  const Block targets = labeled.target_block();
  for (const double target : targets.values()) scale = std::max(scale, std::abs(target));
  report.setup_seconds = setup.seconds();
  const Stopwatch solving;
  take_solve(report, propagate(work, options.tolerance * scale, options.max_iterations, run));
  report.solve_seconds = solving.seconds();
  Fit fit = detail::finish_fit(std::move(work).release(), std::move(status), labeled,
                               detail::GivenLabels::hard, std::move(report));
  fit.class_names = labeled.class_names();
  return fit;
}

}  // namespace gssl
