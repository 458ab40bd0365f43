#include "poisson_columns.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "class_columns.hpp"
#include "gssl/core/parallel.hpp"
#include "learner_options.hpp"
#include "support/largest.hpp"
#include "support/vertex_status.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

// Potentials below this share of the largest of their group count as 0.
constexpr double least_share = 1e-9;

class PoissonSweep {
 public:
  PoissonSweep(const Graph& graph, const LabelGroups& groups, const LabeledSet& labeled,
               const PoissonOptions& options, const KeptScores& keep, Report report,
               const ColumnPlan& plan)
      : groups_(groups),
        labeled_(labeled),
        keep_(keep),
        run_(plan.run),
        rows_(graph.vertex_count()),
        report_(std::move(report)),
        solver_(GroundedLaplacian(std::make_shared<const Graph>(graph), {}), labeled.class_count(),
                plan, report_),
        best_(rows_, keep.top),
        largest_(static_cast<Index>(groups.count()), 0.0) {
    if (options.mass == MassRule::priors)
      priors_ = groups.proportions(options.mass, options.priors);
  }

  Fit fit();

 private:
  Block sources(int first, int count) const;
  double factor(int g, int k) const;
  void to_scores(Block& x, int first);
  bool alike(VertexId v) const {
    return best_.largest(v) <= least_share * largest_[static_cast<Index>(groups_.of(v))];
  }
  void keep_best(VertexId v, double equal_share) const;
  void conclude(Fit& fit) const;

  const LabelGroups& groups_;
  const LabeledSet& labeled_;
  const KeptScores& keep_;
  const RunContext& run_;
  std::int64_t rows_;
  Report report_;
  ClassBlockSolver solver_;
  RunningDecision best_;
  std::vector<double> largest_;  // potential of each group, without its sign
  Block priors_;                 // groups × classes, or empty
};

// What flows in at the labels of a class, less what flows out at all labels of the group.
Block PoissonSweep::sources(int first, int count) const {
  Block b(rows_, count);
  for (Index i = 0; i < labeled_.size(); ++i) {
    const VertexId v = labeled_.vertices()[i];
    const int g = groups_.of(v);
    for (int k = 0; k < count; ++k)
      b(v, k) = (labeled_.class_of()[i] == first + k ? 1.0 : 0.0) -
                groups_.label_count(g, first + k) / groups_.label_count(g);
  }
  return b;
}

// What the potentials of a class are multiplied by; 0 where the group has no label of it.
double PoissonSweep::factor(int g, int k) const {
  if (!groups_.has_class(g, k)) return 0.0;
  if (priors_.rows() == 0) return 1.0;
  return priors_(g, k) * groups_.label_count(g) / groups_.label_count(g, k);
}

// Potentials of zero weighted mean in each group; what is positive of them is a score.
void PoissonSweep::to_scores(Block& x, int first) {
  const int threads = run_.thread_count();
  const std::int64_t count = x.columns();
  Block mean(groups_.count(), count), by(groups_.count(), count);
  for (int g = 0; g < groups_.count(); ++g) {
    for (std::int64_t k = 0; k < count; ++k) {
      const double moment = groups_.sum_over(g, threads, [&](VertexId v) {
        return groups_.degrees()[static_cast<Index>(v)] * x(v, k);
      });
      mean(g, k) =
          moment / (groups_.mean_degree(g) * static_cast<double>(groups_.members(g).size()));
      by(g, k) = factor(g, first + static_cast<int>(k));
    }
    const Largest largest = groups_.sum_over(g, threads, [&](VertexId v) {
      Largest row;
      for (std::int64_t k = 0; k < count; ++k)
        row.value = std::max(row.value, std::abs((x(v, k) - mean(g, k)) * by(g, k)));
      return row;
    });
    double& so_far = largest_[static_cast<Index>(g)];
    so_far = std::max(so_far, largest.value);
  }
  groups_.for_members(threads, [&](VertexId v) {
    const int g = groups_.of(v);
    for (std::int64_t k = 0; k < count; ++k)
      x(v, k) = std::max(0.0, (x(v, k) - mean(g, k)) * by(g, k));
  });
  for (const VertexId v : groups_.unreached()) std::ranges::fill(x.row(v), 0.0);
}

// `equal_share`: of the classes of the group, or 0 where the potentials decide.
void PoissonSweep::keep_best(VertexId v, double equal_share) const {
  const std::span<int> classes = keep_.best->classes(v);
  const std::span<double> scores = keep_.best->scores(v);
  if (equal_share == 0.0) {
    std::ranges::copy(best_.top_classes(v), classes.begin());
    std::ranges::transform(best_.top_scores(v), scores.begin(), [sum = best_.sum(v)](double score) {
      return std::min(1.0, score / sum);
    });
    return;
  }
  Index at = 0;
  for (int k = 0; k < labeled_.class_count() && at < classes.size(); ++k) {
    if (!groups_.has_class(groups_.of(v), k)) continue;
    classes[at] = k;
    scores[at++] = equal_share;
  }
}

void mark_tied(VertexStatus& status) {
  if (status == VertexStatus::inferred) status = VertexStatus::tied;
}

// Rows of equal shares are written out, the others divided by their sum.
void PoissonSweep::conclude(Fit& fit) const {
  const int classes = labeled_.class_count();
  std::vector<int> present(static_cast<Index>(groups_.count()), 0);
  std::vector<int> lowest(static_cast<Index>(groups_.count()), -1);
  for (int g = 0; g < groups_.count(); ++g)
    for (int k = classes - 1; k >= 0; --k)
      if (groups_.has_class(g, k)) {
        ++present[static_cast<Index>(g)];
        lowest[static_cast<Index>(g)] = k;
      }
  fit.decision.assign(static_cast<Index>(rows_), -1);
  fit.confidence.assign(static_cast<Index>(rows_), 0.0);
  groups_.for_members(run_.thread_count(), [&](VertexId v) {
    const int g = groups_.of(v);
    const bool equal = alike(v);
    const double share = 1.0 / present[static_cast<Index>(g)];
    fit.decision[static_cast<Index>(v)] = equal ? lowest[static_cast<Index>(g)] : best_.decision(v);
    fit.confidence[static_cast<Index>(v)] = equal ? share : best_.confidence(v);
    if (equal ? present[static_cast<Index>(g)] > 1 : best_.is_tied(v))
      mark_tied(fit.scores.status[static_cast<Index>(v)]);
    if (keep_.top > 0) keep_best(v, equal ? share : 0.0);
    if (fit.scores.values.rows() == 0) return;
    const std::span<double> row = fit.scores.values.row(v);
    for (int k = 0; k < classes; ++k) {
      double& score = row[static_cast<Index>(k)];
      score = equal ? (groups_.has_class(g, k) ? share : 0.0) : std::min(1.0, score / best_.sum(v));
    }
  });
}

Fit PoissonSweep::fit() {
  Fit fit;
  const bool keep_scores = keep_.scores;
  if (keep_.top > 0) *keep_.best = TopClasses(rows_, keep_.top);
  const int classes = labeled_.class_count();
  if (keep_scores) fit.scores.values = Block(rows_, classes);
  const KeptClasses kept{.put =
                             [&](Record& record) {
                               best_.put("best", record);
                               record.put("largest", std::vector<double>(largest_));
                               if (keep_scores) record.put("scores", fit.scores.values);
                             },
                         .take =
                             [&](const Record& record) {
                               best_.take("best", record);
                               largest_ = record.reals("largest", std::ssize(largest_));
                               if (keep_scores) fit.scores.values = record.block("scores");
                             }};
  const auto take = [&](Block x, int first) {
    to_scores(x, first);
    best_.take(x, first, run_.thread_count());
    if (!keep_scores) return;
    for (std::int64_t v = 0; v < rows_; ++v)
      std::ranges::copy(x.row(v), fit.scores.values.row(v).begin() + first);
  };
  for_class_columns(
      classes, solver_, run_, kept, [&](int first, int count) { return sources(first, count); },
      take);
  fit.scores.status = vertex_status(static_cast<VertexId>(rows_), labeled_, groups_.unreached());
  conclude(fit);
  // Classes that were not looked at could have won anywhere.
  if (solver_.stopped_early())
    for (Index v = 0; v < fit.decision.size(); ++v) {
      if (is_found(fit.scores.status[v])) fit.scores.status[v] = VertexStatus::unfinished;
      if (fit.scores.status[v] != VertexStatus::unfinished) continue;
      fit.decision[v] = -1;
      fit.confidence[v] = 0.0;
    }
  fit.report = std::move(report_);
  return fit;
}

}  // namespace

Fit fit_poisson_columns(const Graph& graph, const LabelGroups& groups, const LabeledSet& labeled,
                        const PoissonOptions& options, const KeptScores& keep, Report report,
                        const ColumnPlan& plan) {
  return PoissonSweep(graph, groups, labeled, options, keep, std::move(report), plan).fit();
}

}  // namespace gssl::detail
