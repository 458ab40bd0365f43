#include "gssl/transductive/warm_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/components.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/reported_solve.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/implied_class.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {
namespace {

using Index = std::size_t;

bool is_zero(std::span<const double> row) {
  return std::ranges::all_of(row, [](double value) { return value == 0.0; });
}

// Throws unless the scores fit; whether the row of some vertex with edges is zero.
bool check_before(const PreviousScores& before, const Graph& graph, const LabeledSet& labeled,
                  const RunContext& run) {
  const Block& scores = before.scores;
  const auto columns = labeled.is_regression() ? std::int64_t{1} : std::ssize(before.class_names);
  if (scores.rows() != graph.vertex_count() || scores.columns() != columns)
    throw Error(ErrorCode::bad_data, "earlier scores: " + std::to_string(scores.rows()) + " x " +
                                         std::to_string(scores.columns()) + " numbers: must be " +
                                         std::to_string(graph.vertex_count()) + " x " +
                                         std::to_string(columns));
  const std::int64_t zero_rows =
      blocked_sum(scores.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
        std::int64_t zeros = 0;
        for (std::int64_t v = begin; v < end; ++v) {
          const std::span<const double> row = scores.row(v);
          if (!std::ranges::all_of(row, [](double score) { return std::isfinite(score); }))
            throw Error(ErrorCode::bad_data, "earlier scores: a number is not finite");
          zeros += is_zero(row) && graph.degree(static_cast<VertexId>(v)) > 0 ? 1 : 0;
        }
        return zeros;
      });
  return zero_rows > 0;
}

void check_mass(const char* learner, MassRule mass) {
  if (mass != MassRule::none)
    throw Error(ErrorCode::usage, std::string(learner) +
                                      ": earlier scores: were rescaled by class masses; begin "
                                      "without, or say mass=none");
}

// The earlier scores under today's classes, in their columns; in their own memory where these are
// the same.
Block by_todays_classes(PreviousScores before, const LabeledSet& labeled, const RunContext& run) {
  if (labeled.is_regression() || before.class_names == labeled.class_names())
    return std::move(before.scores);
  std::vector<std::pair<Index, Index>> columns;  // before, now
  for (Index k = 0; k < before.class_names.size(); ++k) {
    const auto found = std::ranges::find(labeled.class_names(), before.class_names[k]);
    if (found != labeled.class_names().end())
      columns.emplace_back(k, found - labeled.class_names().begin());
  }
  Block scores(before.scores.rows(), labeled.class_count());
  parallel_blocks(scores.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      for (const auto& [was, is] : columns) scores.row(v)[is] = before.scores.row(v)[was];
  });
  return scores;
}

// Vertices without scores take the mean of their neighbors that have some, layer by layer: they are
// new, or nothing reached them yesterday. Given vertices have their target.
void fill_empty_rows(const Graph& graph, const LabeledSet& labeled, Block& scores) {
  const Block targets = labeled.target_block();
  std::vector<bool> known(static_cast<Index>(graph.vertex_count()), false);
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    known[static_cast<Index>(v)] = !is_zero(scores.row(v));
  std::vector<VertexId> layer;
  for (Index i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    if (known[static_cast<Index>(v)]) continue;
    std::ranges::copy(targets.row(static_cast<std::int64_t>(i)), scores.row(v).begin());
    known[static_cast<Index>(v)] = true;
  }
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    if (!known[static_cast<Index>(v)] && std::ranges::any_of(graph.neighbors(v), [&](VertexId u) {
          return known[static_cast<Index>(u)];
        }))
      layer.push_back(v);
  while (!layer.empty()) {
    std::vector<VertexId> next;
    for (const VertexId v : layer) {
      double sum = 0.0;
      const std::span<double> row = scores.row(v);
      graph.visit_row(v, [&](VertexId u, double w) {
        if (!known[static_cast<Index>(u)]) return;
        sum += w;
        for (Index k = 0; k < row.size(); ++k) row[k] += w * scores.row(u)[k];
      });
      for (double& value : row) value /= sum;
    }
    for (const VertexId v : layer) known[static_cast<Index>(v)] = true;
    for (const VertexId v : layer)
      for (const VertexId u : graph.neighbors(v))
        if (!known[static_cast<Index>(u)]) next.push_back(u);
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layer.swap(next);
  }
}

// Each given vertex has c as ground, and a current of c times its target.
NetworkProblem soft_problem(const Graph& graph, const LabeledSet& labeled, double c) {
  NetworkProblem problem{.graph = graph,
                         .ground = std::vector<double>(Index(graph.vertex_count()), 0.0),
                         .fed = labeled.vertices(),
                         .current = labeled.target_block()};
  for (const VertexId v : labeled.vertices()) problem.ground[Index(v)] = c;
  for (std::int64_t i = 0; i < problem.current.rows(); ++i)
    for (double& value : problem.current.row(i)) value *= c;
  return problem;
}

// The largest; where the last column is 1 less the others, their errors may add up in it.
double bound_of_scores(std::span<const double> bounds, bool last_is_implied) {
  if (last_is_implied) {
    const auto solved = bounds.first(bounds.size() - 1);
    return std::accumulate(solved.begin(), solved.end(), 0.0);
  }
  return bounds.empty() ? 0.0 : std::ranges::max(bounds);
}

// The answer of the problem from the guess x, with its report.
WarmFit solve_problem(const NetworkProblem& problem, const SolveFromOptions& options, Block& x,
                      const RunContext& run) {
  WarmFit warm;
  const Stopwatch watch;
  warm.solve = solve_from(problem, options, x, run);
  if (warm.solve.solve.outcome == Outcome::converged)
    warm.error_bound = bound_of_scores(warm.solve.error_bounds, options.sums_to_one);
  take_solve(warm.fit.report, warm.solve.solve);
  warm.fit.report.score_error = detail::estimated_score_error(warm.solve.solve);
  warm.fit.report.solve_seconds = watch.seconds();
  if (warm.error_bound)
    warm.fit.report.certificates.push_back({"error_bound", {*warm.error_bound}});
  return warm;
}

struct ChangesOfRows : ScoreChanges {
  void operator+=(const ChangesOfRows& next) {
    flips.insert(flips.end(), next.flips.begin(), next.flips.end());
    sum += next.sum;
    largest = std::max(largest, next.largest);
  }
};

}  // namespace

WarmFit fit_from(const HarmonicOptions& options, const Graph& graph, const LabeledSet& labeled,
                 PreviousScores before, const RunContext& run) {
  options.validate();
  detail::check_problem("harmonic", graph, labeled, detail::Regression::supported);
  check_mass("harmonic", options.mass);
  const Stopwatch setup;
  const bool has_empty_rows =
      check_before(before, graph, labeled, run) || before.class_names != labeled.class_names();
  const bool hard = !(options.soft > 0.0);
  Block scores = by_todays_classes(std::move(before), labeled, run);
  if (hard) detail::set_given_rows(scores, labeled, run.thread_count());
  if (has_empty_rows) fill_empty_rows(graph, labeled, scores);
  const NetworkProblem problem = hard ? NetworkProblem{.graph = graph, .held = labeled.vertices()}
                                      : soft_problem(graph, labeled, options.soft);
  const double setup_seconds = setup.seconds();
  WarmFit warm = solve_problem(
      problem, {.solver = detail::solver_options(options), .sums_to_one = !labeled.is_regression()},
      scores, run);
  std::vector<VertexStatus> status =
      detail::vertex_status(graph.vertex_count(), labeled, warm.solve.unreached);
  detail::bound_scores(scores, status, labeled, run.thread_count());
  Report report = std::move(warm.fit.report);
  report.setup_seconds = setup_seconds;
  warm.fit = detail::finish_fit(std::move(scores), std::move(status), labeled,
                                hard ? detail::GivenLabels::hard : detail::GivenLabels::soft,
                                std::move(report), run.thread_count());
  warm.fit.class_names = labeled.class_names();
  return warm;
}

WarmFit fit_from(const LocalGlobalOptions& options, const Graph& graph, const LabeledSet& labeled,
                 PreviousScores before, const RunContext& run) {
  options.validate();
  detail::check_problem("local-global", graph, labeled, detail::Regression::unsupported);
  check_mass("local-global", options.mass);
  const Stopwatch setup;
  check_before(before, graph, labeled, run);
  const VertexId n = graph.vertex_count();
  const double beta = (1.0 - options.alpha) / options.alpha;
  NetworkProblem problem{.graph = graph,
                         .ground = std::vector<double>(Index(n)),
                         .fed = labeled.vertices(),
                         .current = labeled.target_block()};
  Block x = by_todays_classes(std::move(before), labeled, run);
  x.own_values();  // every row is scaled
  // What they were is no guess: nothing flows to them.
  const std::vector<VertexId> unreached =
      detail::unreached_vertices(connected_components(graph), labeled);
  for (const VertexId v : unreached) std::ranges::fill(x.row(v), 0.0);
  std::vector<double> root_degree(static_cast<Index>(n));
  for (VertexId v = 0; v < n; ++v) {
    const double degree = graph.weighted_degree(v), root = std::sqrt(degree);
    root_degree[Index(v)] = root;
    problem.ground[Index(v)] = beta * degree;
    for (double& value : x.row(v)) value = root > 0.0 ? value / root : 0.0;
  }
  for (std::int64_t i = 0; i < problem.current.rows(); ++i)
    for (double& value : problem.current.row(i))
      value *= beta * root_degree[Index(labeled.vertices()[Index(i)])];
  const double setup_seconds = setup.seconds();
  WarmFit warm = solve_problem(problem, {.solver = detail::solver_options(options)}, x, run);

  for (VertexId v = 0; v < n; ++v)
    for (double& score : x.row(v)) score = std::max(0.0, score * root_degree[Index(v)]);
  for (Index i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    if (graph.degree(v) == 0) x(v, labeled.class_of()[i]) = 1.0 - options.alpha;
  }
  // The bound is of x; a score is that times the root of the degree.
  if (warm.error_bound && !root_degree.empty()) {
    *warm.error_bound *= *std::ranges::max_element(root_degree);
    warm.fit.report.certificates.back().values = {*warm.error_bound};
  }
  Report report = std::move(warm.fit.report);
  report.setup_seconds = setup_seconds;
  warm.fit = detail::finish_fit(std::move(x), detail::vertex_status(n, labeled, unreached), labeled,
                                detail::GivenLabels::soft, std::move(report), run.thread_count());
  warm.fit.class_names = labeled.class_names();
  return warm;
}

ScoreChanges compare_scores(const PreviousScores& before, const Fit& now, int threads) {
  const Block& scores = now.scores.values;
  if (before.scores.rows() > scores.rows())
    throw Error(ErrorCode::usage, "earlier scores: " + std::to_string(before.scores.rows()) +
                                      " rows for " + std::to_string(scores.rows()) +
                                      " vertices: must not be more");
  const std::vector<double> none(Index(before.scores.columns()), 0.0);
  // Column of today for each of before, and those that are new.
  std::vector<std::int64_t> column;
  std::vector<bool> is_new(now.class_names.size(), true);
  for (const std::string& name : before.class_names) {
    const auto found = std::ranges::find(now.class_names, name);
    column.push_back(found == now.class_names.end() ? -1 : found - now.class_names.begin());
    if (column.back() >= 0) is_new[static_cast<Index>(column.back())] = false;
  }
  const bool real = before.class_names.empty() && before.scores.columns() == 1;
  if (real) column = {0};
  const bool same_classes = before.class_names == now.class_names && !real;
  const auto compare_row = [&](VertexId v, ScoreChanges& changes) {
    const auto differ = [&](double difference) {
      changes.sum += std::abs(difference);
      changes.largest = std::max(changes.largest, std::abs(difference));
    };
    const std::span<const double> old =
        v < before.scores.rows() ? before.scores.row(v) : std::span<const double>(none);
    const std::int64_t is = now.decision[Index(v)];
    const auto best = std::ranges::max_element(old);
    // Most rows: nothing was corrected there.
    if (same_classes && is == best - old.begin() && *best > 0.0 &&
        std::ranges::equal(old, scores.row(v)))
      return;
    double sum = 0.0;
    for (Index k = 0; k < old.size(); ++k) {
      differ((column[k] < 0 ? 0.0 : scores(v, column[k])) - old[k]);
      sum += std::max(old[k], 0.0);
    }
    for (Index k = 0; k < is_new.size(); ++k)
      if (is_new[k]) differ(scores(v, static_cast<std::int64_t>(k)));
    if (real) return;
    const bool had = sum > 0.0;
    const std::int64_t was = had ? column[Index(best - old.begin())] : -1;
    if (was == is && (was >= 0 || !had)) return;
    changes.flips.push_back({.vertex = v,
                             .before = had ? before.class_names[Index(best - old.begin())] : "?",
                             .now = now.label(v),
                             .confidence_before = had ? *best / sum : 0.0,
                             .confidence_now = now.confidence[Index(v)]});
  };
  return blocked_sum(scores.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    ChangesOfRows changes;
    for (std::int64_t v = begin; v < end; ++v) compare_row(static_cast<VertexId>(v), changes);
    return changes;
  });
}

}  // namespace gssl
