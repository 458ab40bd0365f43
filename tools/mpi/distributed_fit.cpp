#include "distributed_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/fit_support.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// What every learner starts from.
struct Problem {
  const DistributedGraph& graph;
  const DistributedComponents& components;
  const GivenLabels& given;
  Preconditioning kind;
  const RunContext& run;
  const Communicator& ranks;
  std::vector<char> reached;  // own rows with a label in their component
  int columns = 1;            // classes, or 1 for real targets

  bool regression() const { return given.own.is_regression(); }
  std::size_t rows() const { return index(graph.rows()); }
  std::vector<VertexStatus> status() const {
    std::vector<VertexId> unreached;
    for (VertexId v = 0; v < graph.rows(); ++v)
      if (reached[index(v)] == 0) unreached.push_back(v);
    return detail::vertex_status(graph.rows(), given.own, unreached);
  }
  // The target of given vertex i in a column.
  double target(std::size_t i, int column) const {
    if (regression()) return given.own.target_of()[i];
    return given.own.class_of()[i] == column ? 1.0 : 0.0;
  }
};

// Fills b of one column; the entries are those of system.rows().
using RightHandSide = std::function<std::vector<double>(int column)>;

struct Solved {
  Block values;  // system rows × columns
  Report report;
  double entrywise = 0.0;
};

double norm(const std::vector<double>& values, const Communicator& ranks) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(ranks.sum(sum));
}

// Columns 0 … solved−1 of A X = B. Where one more is implied, because rows of X sum to a constant,
// its residual is minus the sum of theirs: they are solved so much better that it meets the
// tolerance too, and it is told with them.
Solved solve_columns(const Problem& problem, const DistributedSystem& system, int solved,
                     bool one_implied, ColumnSolverOptions options, const RightHandSide& b) {
  const Communicator& ranks = problem.ranks;
  Solved found;
  together(ranks, [&] { found.values = Block(std::int64_t(system.rows().size()), solved); });
  if (system.size() == 0 || solved == 0) {
    found.report.solver.requested = "automatic";
    found.report.solver.used = "none";
    found.report.solver.sentence = "nothing to solve: the given labels decide every vertex";
    return found;
  }
  const Stopwatch watch;
  options.kind = problem.kind;
  ColumnSolver solver(system, options, problem.run, ranks);
  std::vector<double> implied(one_implied ? system.rows().size() : 0, 0.0);
  const double implied_norm = one_implied ? norm(b(solved), ranks) : 0.0;
  for (int k = 0; k < solved; ++k) {
    std::vector<double> column;
    together(ranks, [&] { column = b(k); });
    double tolerance = options.tolerance;
    if (implied_norm > 0.0) {
      constexpr double least = 1e-14;
      const double own = norm(column, ranks);
      if (own > 0.0)
        tolerance = std::clamp(tolerance * implied_norm / (own * solved), least, tolerance);
    }
    const std::vector<double> x = solver.solve(column, tolerance);
    for (std::size_t i = 0; i < x.size(); ++i) found.values(std::int64_t(i), k) = x[i];
    for (std::size_t i = 0; i < implied.size(); ++i) implied[i] += solver.residual()[i];
    if (solver.report().outcome == Outcome::cancelled ||
        solver.report().outcome == Outcome::time_limit)
      break;
    problem.run.report_progress("solve", (k + 1.0) / solved);
  }
  found.report.solver = solver.report();
  if (implied_norm > 0.0)
    found.report.solver.relative_residual =
        std::max(found.report.solver.relative_residual, norm(implied, ranks) / implied_norm);
  found.report.score_error = detail::estimated_score_error(found.report.solver);
  found.report.setup_seconds = solver.setup_seconds();
  found.report.solve_seconds = watch.seconds() - solver.setup_seconds();
  found.entrywise = solver.entrywise_residual();
  return found;
}

DistributedFit finish(const Problem& problem, Block scores, detail::GivenLabels labels,
                      Solved solved) {
  DistributedFit found;
  found.entrywise_residual = solved.entrywise;
  together(problem.ranks, [&] {
    found.fit = detail::finish_fit(std::move(scores), problem.status(), problem.given.own, labels,
                                   std::move(solved.report));
  });
  return found;
}

template <class Options>
ColumnSolverOptions solver_options(const Options& options) {
  return {.tolerance = options.tolerance, .max_iterations = options.max_iterations};
}

// The range that harmonic scores lie in: 0 to 1, or that of the real targets.
Block target_range(const Problem& problem, int columns) {
  Block range(2, columns, problem.given.lowest);
  for (double& value : range.row(1)) value = problem.regression() ? problem.given.highest : 1.0;
  return range;
}

// What given vertices send into the rows that are solved for: the arcs between them, found once.
class Coupling {
 public:
  explicit Coupling(const Problem& problem)
      : graph_(problem.graph), column_of_(problem.rows(), -1) {
    std::vector<double> target(problem.rows(), 0.0);
    const LabeledSet& own = problem.given.own;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::size_t v = index(own.vertices()[i]);
      column_of_[v] = problem.regression() ? 0 : own.class_of()[i];
      target[v] = problem.regression() ? own.target_of()[i] : 1.0;
    }
    const std::vector<int> ghost_column = graph_.fetch(column_of_, problem.ranks);
    const std::vector<double> ghost_target = graph_.fetch(target, problem.ranks);
    for (VertexId v = 0; v < graph_.rows(); ++v)
      if (!is_given(v) && problem.reached[index(v)] != 0)
        add_row(v, target, ghost_column, ghost_target);
  }

  bool is_given(VertexId v) const { return column_of_[index(v)] >= 0; }

  // The column's right-hand side on the rows that are not given.
  std::vector<double> right_hand_side(int column) const {
    std::vector<double> b(index(rows_), 0.0);
    for (const Arc& arc : arcs_)
      if (arc.column == column) b[index(arc.row)] += arc.value;
    return b;
  }

 private:
  struct Arc {
    VertexId row;
    int column;
    double value;
  };

  void add_row(VertexId v, const std::vector<double>& target, const std::vector<int>& ghost_column,
               const std::vector<double>& ghost_target) {
    for (EdgeIndex e = graph_.offsets[index(v)]; e < graph_.offsets[index(v) + 1]; ++e) {
      const VertexId u = graph_.neighbors[index(e)];
      const bool own = u < graph_.rows();
      const std::size_t at = index(own ? u : u - graph_.rows());
      const int column = (own ? column_of_ : ghost_column)[at];
      if (column >= 0)
        arcs_.push_back({rows_, column, graph_.weight(e) * (own ? target : ghost_target)[at]});
    }
    ++rows_;
  }

  const DistributedGraph& graph_;
  std::vector<int> column_of_;  // of own vertices; -1: not given
  std::vector<Arc> arcs_;
  VertexId rows_ = 0;
};

DistributedFit fit_hard(const Problem& problem, const HarmonicOptions& options) {
  const Coupling coupling(problem);
  std::vector<char> is_row = problem.reached;
  for (std::size_t v = 0; v < is_row.size(); ++v)
    if (coupling.is_given(static_cast<VertexId>(v))) is_row[v] = 0;
  const DistributedSystem system(problem.graph, is_row, std::vector<double>(is_row.size(), 0.0),
                                 problem.ranks);
  const int columns = problem.regression() ? 1 : problem.columns - 1;
  Solved solved =
      solve_columns(problem, system, columns, !problem.regression(), solver_options(options),
                    [&](int column) { return coupling.right_hand_side(column); });
  Block scores;
  together(problem.ranks, [&] {
    scores = detail::scores_from_columns(std::move(solved.values), system.rows(),
                                         target_range(problem, columns), problem.given.own,
                                         problem.graph.rows());
    detail::set_given_rows(scores, problem.given.own);
  });
  return finish(problem, std::move(scores), detail::GivenLabels::hard, std::move(solved));
}

// A column with one number for each given vertex, zero elsewhere.
template <class Value>
RightHandSide sources(const Problem& problem, const DistributedSystem& system, Value&& value) {
  std::vector<std::int64_t> place(problem.rows(), -1);
  for (std::size_t i = 0; i < system.rows().size(); ++i)
    place[index(system.rows()[i])] = std::int64_t(i);
  return [&problem, &system, place = std::move(place), value](int column) {
    std::vector<double> b(system.rows().size(), 0.0);
    const std::vector<VertexId>& vertices = problem.given.own.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (place[index(vertices[i])] >= 0) b[index(place[index(vertices[i])])] = value(i, column);
    return b;
  };
}

DistributedFit fit_soft(const Problem& problem, const HarmonicOptions& options) {
  std::vector<double> ground(problem.rows(), 0.0);
  for (const VertexId v : problem.given.own.vertices()) ground[index(v)] = options.soft;
  const DistributedSystem system(problem.graph, problem.reached, ground, problem.ranks);
  const int columns = problem.regression() ? 1 : problem.columns - 1;
  Solved solved = solve_columns(
      problem, system, columns, !problem.regression(), solver_options(options),
      sources(problem, system,
              [&](std::size_t i, int column) { return options.soft * problem.target(i, column); }));
  Block scores;
  together(problem.ranks, [&] {
    scores = detail::scores_from_columns(std::move(solved.values), system.rows(),
                                         target_range(problem, columns), problem.given.own,
                                         problem.graph.rows());
  });
  return finish(problem, std::move(scores), detail::GivenLabels::soft, std::move(solved));
}

DistributedFit fit_local_global(const Problem& problem, const LocalGlobalOptions& options) {
  const double beta = (1.0 - options.alpha) / options.alpha;
  std::vector<char> is_row = problem.reached;
  std::vector<double> ground(is_row.size()), root(is_row.size());
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    const double degree = problem.graph.weighted_degree(v);
    ground[index(v)] = beta * degree;
    root[index(v)] = std::sqrt(degree);
    if (degree == 0.0) is_row[index(v)] = 0;
  }
  const DistributedSystem system(problem.graph, is_row, ground, problem.ranks);
  const std::vector<VertexId>& vertices = problem.given.own.vertices();
  Solved solved =
      solve_columns(problem, system, problem.columns, false, solver_options(options),
                    sources(problem, system, [&](std::size_t i, int column) {
                      return beta * root[index(vertices[i])] * problem.target(i, column);
                    }));
  Block scores;
  together(problem.ranks, [&] {
    scores = Block(problem.graph.rows(), problem.columns);
    for (std::size_t i = 0; i < system.rows().size(); ++i)
      for (int k = 0; k < problem.columns; ++k)
        scores(system.rows()[i], k) =
            std::max(0.0, solved.values(std::int64_t(i), k) * root[index(system.rows()[i])]);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (root[index(vertices[i])] == 0.0)
        scores(vertices[i], problem.given.own.class_of()[i]) = 1.0 - options.alpha;
  });
  return finish(problem, std::move(scores), detail::GivenLabels::soft, std::move(solved));
}

// The components with labels, and what poisson needs of each, the same on every rank.
class Groups {
 public:
  explicit Groups(const Problem& problem) : problem_(problem) {
    const LabeledSet& own = problem.given.own;
    const auto& root_of = problem.components.root_of;
    std::vector<std::int64_t> roots;
    for (const VertexId v : own.vertices()) roots.push_back(root_of[index(v)]);
    distinct(roots);
    roots_ = problem.ranks.gather_all(roots);
    distinct(roots_);
    group_of_.assign(problem.rows(), -1);
    for (std::size_t v = 0; v < group_of_.size(); ++v)
      if (problem.reached[v] != 0)
        group_of_[v] =
            static_cast<int>(std::ranges::lower_bound(roots_, root_of[v]) - roots_.begin());
    labels_.assign(roots_.size() * index(problem.columns), 0.0);
    for (std::size_t i = 0; i < own.size(); ++i)
      labels_[at(of(own.vertices()[i]), own.class_of()[i])] += 1.0;
    problem.ranks.sum(std::span<double>(labels_));
  }

  int count() const { return static_cast<int>(roots_.size()); }
  int of(VertexId v) const { return group_of_[index(v)]; }
  std::size_t at(int group, int column) const {
    return index(group) * index(problem_.columns) + index(column);
  }
  double labels(int group, int column) const { return labels_[at(group, column)]; }
  double labels(int group) const {
    double sum = 0.0;
    for (int k = 0; k < problem_.columns; ++k) sum += labels(group, k);
    return sum;
  }
  // The vertex of largest degree of each group, the first of them.
  std::vector<std::int64_t> hubs(const std::vector<double>& degree) const {
    std::vector<double> largest(roots_.size(), -1.0);
    for (std::size_t v = 0; v < degree.size(); ++v)
      if (group_of_[v] >= 0)
        largest[index(group_of_[v])] = std::max(largest[index(group_of_[v])], degree[v]);
    problem_.ranks.max(std::span<double>(largest));
    std::vector<std::int64_t> hub(roots_.size(), problem_.graph.vertices());
    for (std::size_t v = degree.size(); v-- > 0;)
      if (group_of_[v] >= 0 && degree[v] == largest[index(group_of_[v])])
        hub[index(group_of_[v])] = problem_.graph.begin + std::int64_t(v);
    problem_.ranks.min(std::span<std::int64_t>(hub));
    return hub;
  }

 private:
  static void distinct(std::vector<std::int64_t>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  const Problem& problem_;
  std::vector<std::int64_t> roots_;  // ascending
  std::vector<int> group_of_;        // of own rows; −1 where unreached
  std::vector<double> labels_;       // groups × classes
};

// Potentials less their mean by degrees, with the last column that makes rows sum to zero.
Block centered(const Problem& problem, const Groups& groups, const std::vector<double>& degree,
               const Block& x) {
  const std::int64_t last = x.columns();
  std::vector<double> sums(index(groups.count()) * index(last + 1), 0.0);
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    if (groups.of(v) < 0) continue;
    double* const sum = sums.data() + index(groups.of(v)) * index(last + 1);
    for (std::int64_t k = 0; k < last; ++k) sum[k] += degree[index(v)] * x(v, k);
    sum[last] += degree[index(v)];
  }
  problem.ranks.sum(std::span<double>(sums));
  Block potentials(x.rows(), last + 1);
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    if (groups.of(v) < 0) continue;
    const double* const sum = sums.data() + index(groups.of(v)) * index(last + 1);
    double rest = 0.0;
    for (std::int64_t k = 0; k < last; ++k) {
      potentials(v, k) = sum[last] > 0.0 ? x(v, k) - sum[k] / sum[last] : 0.0;
      rest -= potentials(v, k);
    }
    potentials(v, last) = rest;
  }
  return potentials;
}

// Shares of the classes in the positive part of each row, as positive_shares() of one machine.
void take_positive_shares(const Problem& problem, const Groups& groups, Block& scores) {
  constexpr double nothing = 1e-9;
  std::vector<double> largest(index(groups.count()), 0.0);
  for (VertexId v = 0; v < problem.graph.rows(); ++v)
    if (groups.of(v) >= 0)
      for (const double value : scores.row(v))
        largest[index(groups.of(v))] = std::max(largest[index(groups.of(v))], std::abs(value));
  problem.ranks.max(std::span<double>(largest));
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    const int g = groups.of(v);
    if (g < 0) continue;
    const std::span<double> row = scores.row(v);
    double sum = 0.0, present = 0.0;
    for (int k = 0; k < problem.columns; ++k) {
      double& score = row[index(k)];
      const bool here = groups.labels(g, k) > 0.0;
      present += here ? 1.0 : 0.0;
      score = here && score > nothing * largest[index(g)] ? score : 0.0;
      sum += score;
    }
    for (int k = 0; k < problem.columns; ++k)
      row[index(k)] =
          sum > 0.0 ? row[index(k)] / sum : (groups.labels(g, k) > 0.0 ? 1.0 / present : 0.0);
  }
}

DistributedFit fit_poisson(const Problem& problem, const PoissonOptions& options) {
  const Groups groups(problem);
  std::vector<double> degree(problem.rows());
  for (VertexId v = 0; v < problem.graph.rows(); ++v)
    degree[index(v)] = problem.graph.weighted_degree(v);
  std::vector<char> is_row = problem.reached;
  for (const std::int64_t hub : groups.hubs(degree))
    if (hub >= problem.graph.begin && hub < problem.graph.begin + problem.graph.rows())
      is_row[index(hub - problem.graph.begin)] = 0;
  const DistributedSystem system(problem.graph, is_row, std::vector<double>(is_row.size(), 0.0),
                                 problem.ranks);
  const std::vector<VertexId>& vertices = problem.given.own.vertices();
  Solved solved = solve_columns(
      problem, system, problem.columns - 1, false, solver_options(options),
      sources(problem, system, [&](std::size_t i, int column) {
        const int g = groups.of(vertices[i]);
        return problem.target(i, column) - groups.labels(g, column) / groups.labels(g);
      }));
  Block x;
  together(problem.ranks, [&] {
    x = Block(problem.graph.rows(), problem.columns - 1);
    for (std::size_t i = 0; i < system.rows().size(); ++i)
      for (std::int64_t k = 0; k < x.columns(); ++k)
        x(system.rows()[i], k) = solved.values(std::int64_t(i), k);
  });
  Block scores = centered(problem, groups, degree, x);
  take_positive_shares(problem, groups, scores);
  return finish(problem, std::move(scores), detail::GivenLabels::soft, std::move(solved));
}

template <class Options>
void check_options(const MadeLearner& made, const Options& options) {
  if (options.mass != MassRule::none)
    throw Error(ErrorCode::usage, made.entry->name +
                                      ": gssl-mpi rescales no scores: leave out mass and priors, "
                                      "or use gssl label on one machine");
  if (options.solver != SolverKind::automatic && options.solver != SolverKind::conjugate_gradient)
    throw Error(ErrorCode::usage, made.entry->name +
                                      ": gssl-mpi solves by conjugate gradients: leave out "
                                      "solver, or say solver=cg, and choose by --preconditioner");
}

}  // namespace

SystemLearner system_learner(const MadeLearner& made) {
  if (const auto* harmonic = made.as<HarmonicLearner>()) {
    check_options(made, harmonic->options());
    return harmonic->options();
  }
  if (const auto* local_global = made.as<LocalGlobalLearner>()) {
    check_options(made, local_global->options());
    return local_global->options();
  }
  if (const auto* poisson = made.as<PoissonLearner>()) {
    check_options(made, poisson->options());
    return poisson->options();
  }
  throw Error(ErrorCode::usage, "--method " + made.entry->name +
                                    ": gssl-mpi has harmonic, local-global and poisson; use gssl "
                                    "label on one machine");
}

DistributedFit fit(const SystemLearner& learner, const DistributedInput& input,
                   const GivenLabels& given, Preconditioning kind, const RunContext& run,
                   const Communicator& ranks) {
  Problem problem{
      .graph = input.graph,
      .components = input.components,
      .given = given,
      .kind = kind,
      .run = run,
      .ranks = ranks,
      .reached = spread_marks(input.graph, input.components, given.own.vertices(), ranks),
      .columns = given.own.is_regression() ? 1 : given.own.class_count()};
  if (given.own.is_regression() && !std::holds_alternative<HarmonicOptions>(learner))
    refuse(ErrorCode::usage, "--regression: only harmonic learns from real targets");
  if (const auto* options = std::get_if<HarmonicOptions>(&learner))
    return options->soft > 0.0 ? fit_soft(problem, *options) : fit_hard(problem, *options);
  if (const auto* options = std::get_if<LocalGlobalOptions>(&learner))
    return fit_local_global(problem, *options);
  return fit_poisson(problem, std::get<PoissonOptions>(learner));
}

}  // namespace gssl::mpi
