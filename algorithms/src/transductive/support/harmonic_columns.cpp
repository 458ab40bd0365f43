#include "harmonic_columns.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "class_columns.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

class HarmonicSweep {
 public:
  HarmonicSweep(HarmonicColumns problem, VertexId vertex_count, const LabeledSet& labeled,
                const SolverOptions& options, const RunContext& run)
      : rows_(std::move(problem.vertex_of)),
        given_(problem.given),
        add_right_hand_side_(std::move(problem.add_right_hand_side)),
        labeled_(labeled),
        run_(run),
        status_(vertex_status(vertex_count, labeled, problem.unreached)),
        solver_(std::move(problem.system), labeled.class_count(), options, run, report_),
        plain_(static_cast<std::int64_t>(rows_.size())) {
    report_.setup_seconds = problem.setup_seconds;
  }

  void rescale_to(std::vector<double> proportion);
  Fit fit(bool keep_scores);

 private:
  std::int64_t row_count() const { return static_cast<std::int64_t>(rows_.size()); }
  VertexId vertex(std::int64_t r) const { return rows_[static_cast<Index>(r)]; }
  VertexStatus status(std::int64_t r) const { return status_[static_cast<Index>(vertex(r))]; }
  Block right_hand_side(int first, int count) const {
    Block b(row_count(), count);
    add_right_hand_side_(first, b);
    return b;
  }
  // The decision that holds for a row.
  bool takes_scaled(std::int64_t r) const {
    return scaled_ && status(r) == VertexStatus::inferred && scaled_->sum(r) > 0.0;
  }
  const RunningDecision& of(std::int64_t r) const { return takes_scaled(r) ? *scaled_ : plain_; }
  void take(Block x, int first, Block* scores);
  void normalize(Block& scores) const;
  void conclude(Fit& fit) const;

  std::vector<VertexId> rows_;
  GivenLabels given_;
  std::function<void(int first, Block& b)> add_right_hand_side_;
  const LabeledSet& labeled_;
  const RunContext& run_;
  std::vector<VertexStatus> status_;
  Report report_;
  ColumnSolver solver_;
  RunningDecision plain_;
  std::vector<double> scale_;  // of each class; empty: none
  std::optional<RunningDecision> scaled_;
};

// What each class is multiplied by: its proportion over its mass.
void HarmonicSweep::rescale_to(std::vector<double> proportion) {
  Block indicator(row_count(), 1);
  for (std::int64_t r = 0; r < row_count(); ++r)
    indicator(r, 0) = status(r) == VertexStatus::inferred ? 1.0 : 0.0;
  if (std::ranges::none_of(indicator.values(), [](double one) { return one > 0.0; })) return;
  const Block z = solver_.solve(indicator);
  for_class_columns(labeled_.class_count(), solver_, [&](int first, int count) {
    const Block b = right_hand_side(first, count);
    for (int k = 0; k < count; ++k) {
      const double mass =
          blocked_sum(row_count(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
            double sum = 0.0;
            for (std::int64_t r = begin; r < end; ++r) sum += z(r, 0) * b(r, k);
            return sum;
          });
      const Index c = static_cast<Index>(first) + static_cast<Index>(k);
      double& share = proportion[c];
      if (mass > 0.0)
        share /= mass;
      else if (share > 0.0)
        report_.warnings.push_back("class '" + labeled_.class_names()[c] +
                                   "' has no mass to rescale: no inferred vertex leans to it");
    }
  });
  scale_ = std::move(proportion);
  scaled_.emplace(row_count());
}

// The exact solution obeys the maximum principle; rounding or an early stop may not.
void HarmonicSweep::take(Block x, int first, Block* scores) {
  const int threads = run_.thread_count();
  const auto each_row = [&](auto&& body) {
    parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) body(r, x.row(r));
    });
  };
  each_row([](std::int64_t, std::span<double> row) {
    for (double& value : row) value = std::clamp(value, 0.0, 1.0);
  });
  plain_.take(x, first, threads);
  if (scores != nullptr)
    each_row([&](std::int64_t r, std::span<double> row) {
      std::ranges::copy(row, scores->row(vertex(r)).begin() + first);
    });
  if (!scaled_) return;
  each_row([&](std::int64_t, std::span<double> row) {
    for (Index k = 0; k < row.size(); ++k) row[k] *= scale_[static_cast<Index>(first) + k];
  });
  scaled_->take(x, first, threads);
}

void HarmonicSweep::normalize(Block& scores) const {
  parallel_blocks(row_count(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const bool scaled = takes_scaled(r);
      const double sum = of(r).sum(r);
      const std::span<double> row = scores.row(vertex(r));
      for (Index k = 0; k < row.size(); ++k) {
        if (scaled) row[k] *= scale_[k];
        if (sum > 0.0) row[k] /= sum;
      }
    }
  });
}

void HarmonicSweep::conclude(Fit& fit) const {
  fit.decision.assign(status_.size(), -1);
  fit.confidence.assign(status_.size(), 0.0);
  for (std::int64_t r = 0; r < row_count(); ++r) {
    if (has_no_answer(status(r))) continue;
    fit.decision[static_cast<Index>(vertex(r))] = of(r).decision(r);
    fit.confidence[static_cast<Index>(vertex(r))] = of(r).confidence(r);
  }
  if (given_ == GivenLabels::soft) return;
  for (Index i = 0; i < labeled_.size(); ++i) {
    const auto v = static_cast<Index>(labeled_.vertices()[i]);
    fit.decision[v] = labeled_.class_of()[i];
    fit.confidence[v] = 1.0;
    if (fit.scores.values.rows() > 0)
      fit.scores.values(labeled_.vertices()[i], labeled_.class_of()[i]) = 1.0;
  }
}

Fit HarmonicSweep::fit(bool keep_scores) {
  Fit fit;
  const int classes = labeled_.class_count();
  if (keep_scores) fit.scores.values = Block(static_cast<std::int64_t>(status_.size()), classes);
  const KeptClasses kept{.put =
                             [&](Record& record) {
                               plain_.put("plain", record);
                               if (scaled_) scaled_->put("scaled", record);
                               if (keep_scores) record.put("scores", fit.scores.values);
                             },
                         .take =
                             [&](const Record& record) {
                               plain_.take("plain", record);
                               if (scaled_) scaled_->take("scaled", record);
                               if (keep_scores) fit.scores.values = record.block("scores");
                             }};
  for_class_columns(classes, solver_, run_, kept, [&](int first, int count) {
    take(solver_.solve(right_hand_side(first, count)), first,
         keep_scores ? &fit.scores.values : nullptr);
  });
  if (keep_scores) normalize(fit.scores.values);
  // Classes that were not looked at could have won anywhere.
  if (solver_.stopped_early())
    for (VertexStatus& status : status_)
      if (status == VertexStatus::inferred) status = VertexStatus::unfinished;
  conclude(fit);
  fit.scores.status = std::move(status_);
  fit.report = std::move(report_);
  return fit;
}

}  // namespace

HarmonicColumns hard_columns(const Graph& graph, const LabeledSet& labeled) {
  const Stopwatch setup;
  DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
  HarmonicColumns columns{.system = std::move(problem.system),
                          .vertex_of = problem.free_vertices,
                          .unreached = problem.unreached};
  // The system is moved out; the couplings are what is needed of the rest.
  columns.add_right_hand_side = [&labeled, offset = std::move(problem.coupling_offset),
                                 label = std::move(problem.coupling_label),
                                 weight = std::move(problem.coupling_weight)](int first, Block& b) {
    for (std::int64_t r = 0; r < b.rows(); ++r) {
      const auto begin = static_cast<Index>(offset[static_cast<Index>(r)]);
      const auto end = static_cast<Index>(offset[static_cast<Index>(r) + 1]);
      for (Index e = begin; e < end; ++e) {
        const int k = labeled.class_of()[static_cast<Index>(label[e])] - first;
        if (k >= 0 && k < b.columns()) b(r, k) += weight[e];
      }
    }
  };
  columns.setup_seconds = setup.seconds();
  return columns;
}

HarmonicColumns soft_columns(const Graph& graph, const LabeledSet& labeled, double c) {
  const Stopwatch setup;
  std::vector<double> ground(static_cast<Index>(graph.vertex_count()), 0.0);
  for (const VertexId v : labeled.vertices()) ground[static_cast<Index>(v)] = c;
  HarmonicColumns columns{
      .system = GroundedLaplacian(std::make_shared<const Graph>(graph), std::move(ground)),
      .vertex_of = std::vector<VertexId>(static_cast<Index>(graph.vertex_count())),
      .given = GivenLabels::soft};
  columns.unreached = unreached_vertices(columns.system.components(), labeled);
  std::iota(columns.vertex_of.begin(), columns.vertex_of.end(), VertexId{0});
  columns.add_right_hand_side = [&labeled, c](int first, Block& b) {
    for (Index i = 0; i < labeled.size(); ++i) {
      const int k = labeled.class_of()[i] - first;
      if (k >= 0 && k < b.columns()) b(labeled.vertices()[i], k) += c;
    }
  };
  columns.setup_seconds = setup.seconds();
  return columns;
}

Fit fit_harmonic_columns(HarmonicColumns problem, VertexId vertex_count, const LabeledSet& labeled,
                         std::vector<double> proportion, bool keep_scores,
                         const SolverOptions& options, const RunContext& run) {
  HarmonicSweep sweep(std::move(problem), vertex_count, labeled, options, run);
  if (!proportion.empty()) sweep.rescale_to(std::move(proportion));
  return sweep.fit(keep_scores);
}

}  // namespace gssl::detail
