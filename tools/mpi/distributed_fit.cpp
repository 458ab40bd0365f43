#include "distributed_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/error.hpp"
#include "support/given_rows.hpp"
#include "support/unfinished.hpp"
#include "system_problem.hpp"
#include "together.hpp"
#include "transductive/support/implied_class.hpp"

namespace gssl::mpi {
namespace {

// The range that harmonic scores lie in: 0 to 1, or that of the real targets.
Block target_range(const DistributedProblem& problem, int columns) {
  Block range(2, columns, problem.given.lowest);
  for (double& value : range.row(1)) value = problem.regression() ? problem.given.highest : 1.0;
  return range;
}

// What given vertices send into the rows that are solved for: the arcs between them, found once.
class Coupling {
 public:
  explicit Coupling(const DistributedProblem& problem)
      : graph_(problem.graph), column_of_(problem.rows(), -1) {
    std::vector<double> target(problem.rows(), 0.0);
    const LabeledSet& own = problem.given.own;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::size_t v = index(own.vertices()[i]);
      column_of_[v] = problem.regression() ? 0 : own.class_of()[i];
      target[v] = problem.regression() ? own.target_of()[i] : 1.0;
    }
    add_ghosts(column_of_, problem.ranks);
    add_ghosts(target, problem.ranks);
    for (const int column : column_of_) given_.push_back(column >= 0 ? 1 : 0);
    for (VertexId v = 0; v < graph_.rows(); ++v)
      if (!is_given(v) && problem.reached[index(v)] != 0) add_row(v, target);
  }

  bool is_given(VertexId v) const { return given_[index(v)] != 0; }

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

  template <class T>
  void add_ghosts(std::vector<T>& values, const Communicator& ranks) const {
    const std::vector<T> ghosts = graph_.fetch(values, ranks);
    values.insert(values.end(), ghosts.begin(), ghosts.end());
  }

  void add_row(VertexId v, const std::vector<double>& target) {
    for (EdgeIndex e = graph_.offsets[index(v)]; e < graph_.offsets[index(v) + 1]; ++e) {
      const VertexId u = graph_.neighbors[index(e)];
      if (is_given(u))
        arcs_.push_back({rows_, column_of_[index(u)], graph_.weight(e) * target[index(u)]});
    }
    ++rows_;
  }

  const DistributedGraph& graph_;
  std::vector<int> column_of_;  // of own vertices, then of ghosts; -1: not given
  std::vector<char> given_;     // the same in a byte, which stays in the cache
  std::vector<Arc> arcs_;
  VertexId rows_ = 0;
};

DistributedFit fit_hard(const DistributedProblem& problem, const HarmonicOptions& options) {
  const Coupling coupling(problem);
  std::vector<char> is_row = problem.reached;
  for (std::size_t v = 0; v < is_row.size(); ++v)
    if (coupling.is_given(static_cast<VertexId>(v))) is_row[v] = 0;
  DistributedSystem system(problem.graph, is_row, std::vector<double>(is_row.size(), 0.0),
                           problem.ranks);
  const int columns = problem.regression() ? 1 : problem.columns - 1;
  SolvedColumns solved =
      solve_columns(problem, system, columns, !problem.regression(), solver_options(options),
                    [&](int column) { return coupling.right_hand_side(column); });
  Block scores;
  together(problem.ranks, [&] {
    scores = detail::scores_from_columns(std::move(solved.values), system.rows(),
                                         target_range(problem, columns), problem.given.own,
                                         problem.graph.rows(), 1);
    detail::set_given_rows(scores, problem.given.own, 1);
  });
  return finish(problem, std::move(scores), detail::GivenLabels::hard, std::move(solved));
}

DistributedFit fit_soft(const DistributedProblem& problem, const HarmonicOptions& options) {
  std::vector<double> ground(problem.rows(), 0.0);
  for (const VertexId v : problem.given.own.vertices()) ground[index(v)] = options.soft;
  DistributedSystem system(problem.graph, problem.reached, ground, problem.ranks);
  const int columns = problem.regression() ? 1 : problem.columns - 1;
  SolvedColumns solved = solve_columns(
      problem, system, columns, !problem.regression(), solver_options(options),
      sources(problem, system,
              [&](std::size_t i, int column) { return options.soft * problem.target(i, column); }));
  Block scores;
  together(problem.ranks, [&] {
    scores = detail::scores_from_columns(std::move(solved.values), system.rows(),
                                         target_range(problem, columns), problem.given.own,
                                         problem.graph.rows(), 1);
  });
  return finish(problem, std::move(scores), detail::GivenLabels::soft, std::move(solved));
}

DistributedFit fit_local_global(const DistributedProblem& problem,
                                const LocalGlobalOptions& options) {
  const double beta = (1.0 - options.alpha) / options.alpha;
  std::vector<char> is_row = problem.reached;
  std::vector<double> ground(is_row.size()), root(is_row.size());
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    const double degree = problem.graph.weighted_degree(v);
    ground[index(v)] = beta * degree;
    root[index(v)] = std::sqrt(degree);
    if (degree == 0.0) is_row[index(v)] = 0;
  }
  DistributedSystem system(problem.graph, is_row, ground, problem.ranks);
  const std::vector<VertexId>& vertices = problem.given.own.vertices();
  SolvedColumns solved =
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
                   const DistributedLabels& given, Preconditioning kind, const RunContext& run,
                   const Communicator& ranks) {
  DistributedProblem problem{
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
