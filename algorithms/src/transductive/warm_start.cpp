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

void check_before(const PreviousScores& before, const Graph& graph, const LabeledSet& labeled) {
  const Block& scores = before.scores;
  const auto columns = labeled.is_regression() ? std::int64_t{1} : std::ssize(before.class_names);
  if (scores.rows() != graph.vertex_count() || scores.columns() != columns)
    throw Error(ErrorCode::bad_data, "earlier scores: " + std::to_string(scores.rows()) + " x " +
                                         std::to_string(scores.columns()) + " numbers: must be " +
                                         std::to_string(graph.vertex_count()) + " x " +
                                         std::to_string(columns));
  for (const double score : scores.values())
    if (!std::isfinite(score))
      throw Error(ErrorCode::bad_data, "earlier scores: a number is not finite");
}

void check_mass(const char* learner, MassRule mass) {
  if (mass != MassRule::none)
    throw Error(ErrorCode::usage, std::string(learner) +
                                      ": earlier scores: were rescaled by class masses; begin "
                                      "without, or say mass=none");
}

// Of some vertices the earlier scores under today's classes, in their columns.
Block by_todays_classes(const PreviousScores& before, const LabeledSet& labeled,
                        std::span<const VertexId> vertices, const RunContext& run) {
  std::vector<std::pair<std::int64_t, std::int64_t>> columns;  // before, now
  if (labeled.is_regression()) columns.emplace_back(0, 0);
  for (Index k = 0; k < before.class_names.size() && !labeled.is_regression(); ++k) {
    const auto found = std::ranges::find(labeled.class_names(), before.class_names[k]);
    if (found != labeled.class_names().end())
      columns.emplace_back(k, found - labeled.class_names().begin());
  }
  Block scores(std::ssize(vertices), labeled.is_regression() ? 1 : labeled.class_count());
  parallel_blocks(scores.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> from = before.scores.row(vertices[static_cast<Index>(i)]);
      const std::span<double> row = scores.row(i);
      for (const auto& [was, is] : columns)
        row[static_cast<Index>(is)] = from[static_cast<Index>(was)];
    }
  });
  return scores;
}

bool is_zero(std::span<const double> row) {
  return std::ranges::all_of(row, [](double value) { return value == 0.0; });
}

bool has_empty_row(const Block& scores) {
  for (std::int64_t v = 0; v < scores.rows(); ++v)
    if (is_zero(scores.row(v))) return true;
  return false;
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

// The system of a learner, its right-hand side and where its rows are in the scores.
struct LearnerSystem {
  std::shared_ptr<const GroundedLaplacian> system;
  Block b;
  std::vector<VertexId> vertex_of;
  std::vector<VertexId> unreached;
  bool rows_sum_to_one = false;
};

LearnerSystem hard_problem(const Graph& graph, const LabeledSet& labeled) {
  DirichletProblem dirichlet = make_dirichlet_problem(graph, labeled.vertices());
  Block b = dirichlet.right_hand_side(labeled.target_block());
  return {.system = std::make_shared<const GroundedLaplacian>(std::move(dirichlet.system)),
          .b = std::move(b),
          .vertex_of = std::move(dirichlet.free_vertices),
          .unreached = std::move(dirichlet.unreached),
          .rows_sum_to_one = !labeled.is_regression()};
}

LearnerSystem on_all_vertices(const Graph& graph, const LabeledSet& labeled,
                              std::vector<double> ground, Block b) {
  LearnerSystem problem{
      .system = std::make_shared<const GroundedLaplacian>(std::make_shared<const Graph>(graph),
                                                          std::move(ground)),
      .b = std::move(b),
      .vertex_of = std::vector<VertexId>(static_cast<Index>(graph.vertex_count())),
      .unreached = {}};
  std::iota(problem.vertex_of.begin(), problem.vertex_of.end(), VertexId{0});
  problem.unreached = detail::unreached_vertices(problem.system->components(), labeled);
  return problem;
}

LearnerSystem soft_problem(const Graph& graph, const LabeledSet& labeled, double c) {
  const Block targets = labeled.target_block();
  Block b(graph.vertex_count(), targets.columns());
  std::vector<double> ground(static_cast<Index>(graph.vertex_count()), 0.0);
  for (Index i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    ground[static_cast<Index>(v)] = c;
    for (std::int64_t k = 0; k < b.columns(); ++k)
      b(v, k) = c * targets(static_cast<std::int64_t>(i), k);
  }
  LearnerSystem problem = on_all_vertices(graph, labeled, std::move(ground), std::move(b));
  problem.rows_sum_to_one = !labeled.is_regression();
  return problem;
}

// The answer of the problem from the guess x, with its report.
WarmFit solve_problem(const LearnerSystem& problem, const SolverOptions& solver, Block& x,
                      const RunContext& run) {
  WarmFit warm;
  const Stopwatch watch;
  if (problem.b.rows() == 0) {
    detail::report_nothing_to_solve(solver, warm.solve.solve);
    warm.error_bound = 0.0;
  } else {
    const SolveFromOptions options{.solver = solver, .sums_to_one = problem.rows_sum_to_one};
    warm.solve = solve_from(problem.system, options, problem.b, x, run);
    if (warm.solve.solve.outcome == Outcome::converged)
      warm.error_bound = score_error_bound(*problem.system, warm.solve.residual, run);
    warm.solve.residual = Block();
  }
  take_solve(warm.fit.report, warm.solve.solve);
  warm.fit.report.score_error = detail::estimated_score_error(warm.solve.solve);
  warm.fit.report.solve_seconds = watch.seconds();
  if (warm.error_bound)
    warm.fit.report.certificates.push_back({"error_bound", {*warm.error_bound}});
  return warm;
}

Block rows_at(const Block& scores, const std::vector<VertexId>& vertices) {
  Block rows(std::ssize(vertices), scores.columns());
  for (Index i = 0; i < vertices.size(); ++i)
    std::ranges::copy(scores.row(vertices[i]), rows.row(static_cast<std::int64_t>(i)).begin());
  return rows;
}

// Nothing reaches them; what they were is no guess.
void clear_rows(Block& scores, const std::vector<VertexId>& vertices) {
  for (const VertexId v : vertices) std::ranges::fill(scores.row(v), 0.0);
}

// What the solve begins with.
Block first_guess(const LearnerSystem& problem, const Graph& graph, const LabeledSet& labeled,
                  const PreviousScores& before, const RunContext& run) {
  const VertexId n = graph.vertex_count();
  if (problem.unreached.empty() || std::ssize(problem.vertex_of) < n) {  // no row is unreached
    Block x = by_todays_classes(before, labeled, problem.vertex_of, run);
    if (!has_empty_row(x)) return x;
  }
  std::vector<VertexId> all(static_cast<Index>(n));
  std::iota(all.begin(), all.end(), VertexId{0});
  Block guess = by_todays_classes(before, labeled, all, run);
  clear_rows(guess, problem.unreached);
  fill_empty_rows(graph, labeled, guess);
  return rows_at(guess, problem.vertex_of);
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
                 const PreviousScores& before, const RunContext& run) {
  options.validate();
  detail::check_problem("harmonic", graph, labeled, detail::Regression::supported);
  check_mass("harmonic", options.mass);
  check_before(before, graph, labeled);
  const Stopwatch setup;
  const LearnerSystem problem = options.soft > 0.0 ? soft_problem(graph, labeled, options.soft)
                                                   : hard_problem(graph, labeled);
  Block x = first_guess(problem, graph, labeled, before, run);
  const double setup_seconds = setup.seconds();
  WarmFit warm = solve_problem(problem, detail::solver_options(options), x, run);

  const Block targets = detail::reduced_targets(labeled);
  Block scores = detail::scores_from_columns(std::move(x), problem.vertex_of, targets, labeled,
                                             graph.vertex_count(), run.thread_count());
  const bool hard = !(options.soft > 0.0);
  if (hard) detail::set_given_rows(scores, labeled);
  Report report = std::move(warm.fit.report);
  report.setup_seconds = setup_seconds;
  warm.fit = detail::finish_fit(
      std::move(scores), detail::vertex_status(graph.vertex_count(), labeled, problem.unreached),
      labeled, hard ? detail::GivenLabels::hard : detail::GivenLabels::soft, std::move(report));
  warm.fit.class_names = labeled.class_names();
  return warm;
}

WarmFit fit_from(const LocalGlobalOptions& options, const Graph& graph, const LabeledSet& labeled,
                 const PreviousScores& before, const RunContext& run) {
  options.validate();
  detail::check_problem("local-global", graph, labeled, detail::Regression::unsupported);
  check_mass("local-global", options.mass);
  check_before(before, graph, labeled);
  const Stopwatch setup;
  const VertexId n = graph.vertex_count();
  const double beta = (1.0 - options.alpha) / options.alpha;
  std::vector<double> root_degree(static_cast<Index>(n)), ground(static_cast<Index>(n));
  for (VertexId v = 0; v < n; ++v) {
    const double degree = graph.weighted_degree(v);
    root_degree[static_cast<Index>(v)] = std::sqrt(degree);
    ground[static_cast<Index>(v)] = beta * degree;
  }
  Block b(n, labeled.class_count());
  for (Index i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    b(v, labeled.class_of()[i]) = beta * root_degree[static_cast<Index>(v)];
  }
  const LearnerSystem problem = on_all_vertices(graph, labeled, std::move(ground), std::move(b));
  Block x = by_todays_classes(before, labeled, problem.vertex_of, run);
  clear_rows(x, problem.unreached);
  for (VertexId v = 0; v < n; ++v)
    for (double& value : x.row(v)) {
      const double root = root_degree[static_cast<Index>(v)];
      value = root > 0.0 ? value / root : 0.0;
    }
  const double setup_seconds = setup.seconds();
  WarmFit warm = solve_problem(problem, detail::solver_options(options), x, run);

  for (VertexId v = 0; v < n; ++v)
    for (double& score : x.row(v))
      score = std::max(0.0, score * root_degree[static_cast<Index>(v)]);
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
  warm.fit = detail::finish_fit(std::move(x), detail::vertex_status(n, labeled, problem.unreached),
                                labeled, detail::GivenLabels::soft, std::move(report));
  warm.fit.class_names = labeled.class_names();
  return warm;
}

ScoreChanges compare_scores(const PreviousScores& before, const Fit& now, int threads) {
  const Block& scores = now.scores.values;
  if (before.scores.rows() != scores.rows())
    throw Error(ErrorCode::usage, "earlier scores: " + std::to_string(before.scores.rows()) +
                                      " rows for " + std::to_string(scores.rows()) +
                                      " vertices: must be one for each");
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
  const auto compare_row = [&](VertexId v, ScoreChanges& changes) {
    const auto differ = [&](double difference) {
      changes.sum += std::abs(difference);
      changes.largest = std::max(changes.largest, std::abs(difference));
    };
    const std::span<const double> old = before.scores.row(v);
    double sum = 0.0;
    for (Index k = 0; k < old.size(); ++k) {
      differ((column[k] < 0 ? 0.0 : scores(v, column[k])) - old[k]);
      sum += std::max(old[k], 0.0);
    }
    for (Index k = 0; k < is_new.size(); ++k)
      if (is_new[k]) differ(scores(v, static_cast<std::int64_t>(k)));
    if (real) return;
    const auto best = std::ranges::max_element(old);
    const bool had = sum > 0.0;
    const std::string was = had ? before.class_names[Index(best - old.begin())] : "?";
    if (const std::string is = now.label(v); is != was)
      changes.flips.push_back({.vertex = v,
                               .before = was,
                               .now = is,
                               .confidence_before = had ? *best / sum : 0.0,
                               .confidence_now = now.confidence[static_cast<Index>(v)]});
  };
  return blocked_sum(scores.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    ChangesOfRows changes;
    for (std::int64_t v = begin; v < end; ++v) compare_row(static_cast<VertexId>(v), changes);
    return changes;
  });
}

}  // namespace gssl
