#include "class_solves.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/residual.hpp"
#include "harmonic_columns.hpp"
#include "implied_class.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/reported_solve.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"

namespace gssl::detail {
namespace {

// On sparser graphs a column is nearly as large as the graph, and little would be saved; where more
// are given a copy without them is smaller.
constexpr double least_degree = 16.0;
// A copy of nearly all pairs of vertices is large, however few these are, and hardly smaller without
// the given ones; there a column is nothing beside the graph. Of both directions.
constexpr double many_entries = 2e7;
constexpr double given_of_pairs = 0.1;
// Columns that solvers take side by side in doubles, and two groups of them: more go in floats,
// which such a ground is too much for. Bytes of one at work; and what share of a graph with weights
// all may take together, two groups side by side, or else a group beside the answers of the others.
constexpr int widest_group = 5;
constexpr int most_in_doubles = 2 * widest_group;
constexpr int least_group = 2;
constexpr double working_column = 64.0;
constexpr double share_of_all = 0.6;
constexpr double share_of_group = 0.4;

// What the system was made of, and the columns so far.
class ClassColumns {
 public:
  ClassColumns(ClassSystem& problem, const SolverOptions& options, const RunContext& run,
               Report& report)
      : problem_(problem),
        system_(std::make_shared<const GroundedLaplacian>(std::move(problem.system))),
        options_(options),
        run_(run),
        report_(report),
        solved_(problem.classes - 1),
        tolerance_(options.tolerance) {
    options_.columns = solved_;
  }

  // All but the last class; its residual is minus the sum of the others'. With these at half the
  // tolerance, its share of that sum can be given to each and still leave it within the tolerance.
  void solve();
  // Looks at the last class, and mends it.
  void imply_last();

  std::vector<Block> release() && { return std::move(x_); }
  std::unique_ptr<LinearSolver> take_solver() { return std::move(solver_); }

 private:
  int width(int first) const;
  bool cannot_miss();
  Block last_right_hand_side() const { return problem_.right_hand_side(solved_, 1); }
  double implied_residual(const Block& last);
  void mend(const std::vector<double>& norms);
  void measure(const std::vector<double>& norms);
  void take_residual(double relative) {
    std::optional<double>& worst = report_.system_numbers().relative_residual;
    worst = std::max(worst, std::optional(relative));
  }

  ClassSystem& problem_;
  std::shared_ptr<const GroundedLaplacian> system_;
  SolverOptions options_;
  const RunContext& run_;
  Report& report_;
  int solved_;
  double tolerance_;
  std::vector<double> norms_;  // of the right-hand sides solved
  std::vector<Block> x_;
  std::unique_ptr<LinearSolver> solver_;
  Block residual_;  // of the last class
};

// Of the block that begins with this class. What is stopped on the way is of use only if all
// columns have come as far.
int ClassColumns::width(int first) const {
  const int rest = solved_ - first;
  const bool prepared = solver_ != nullptr && report_.system && report_.system->method &&
                        *report_.system->method != SolverMethod::conjugate_gradient;
  if (problem_.group == 0 || run_.deadline.has_value() || prepared) return rest;
  const int groups = (solved_ + problem_.group - 1) / problem_.group;
  const int at = static_cast<int>(std::ssize(x_));
  return (at + 1) * solved_ / groups - at * solved_ / groups;
}

// Of two classes the one with the smaller right-hand side.
bool ClassColumns::cannot_miss() {
  if (solved_ != 1) return false;
  const int threads = run_.thread_count();
  return column_norms(problem_.right_hand_side(0, 1), threads)[0] <=
         column_norms(last_right_hand_side(), threads)[0];
}

void ClassColumns::solve() {
  if (!cannot_miss()) options_.tolerance *= 0.5;
  for (int first = 0; first < solved_;) {
    const int count = width(first);
    // The answer takes the place of the right-hand side.
    Block& x = x_.emplace_back(problem_.right_hand_side(first, count));
    std::ranges::copy(column_norms(x, run_.thread_count()), std::back_inserter(norms_));
    const Stopwatch watch;
    double setup = 0.0;
    if (solver_ == nullptr) {
      FirstSolve first_solve = make_solver_and_solve(system_, options_, x, x, run_);
      take_solve(report_, std::move(first_solve.report));
      solver_ = std::move(first_solve.solver);
      setup = first_solve.setup_seconds;
    } else {
      merge(report_, solver_->solve(x, x, run_));
    }
    report_.setup_seconds += setup;
    report_.solve_seconds += watch.seconds() - setup;
    first += count;
  }
}

// Of the column that makes each row add up to one.
double ClassColumns::implied_residual(const Block& last) {
  Block rest(system_->size(), 1, 1.0);
  for (const Block& x : x_)
    for (std::int64_t v = 0; v < x.rows(); ++v)
      for (const double value : x.row(v)) rest(v, 0) -= value;
  // Where answers are 0 but for rounding, what rounding leaves says nothing.
  for (const VertexId v : problem_.zero_rows) rest(v, 0) = 0.0;
  residual(*system_, last, rest, residual_, run_.thread_count());
  for (const VertexId v : problem_.zero_rows) residual_(v, 0) = 0.0;
  return column_norms(residual_, run_.thread_count())[0];
}

// Solves for what the implied column leaves of its right-hand side, and takes that from the others
// in proportion to theirs, so that the rows go on adding up to one.
void ClassColumns::mend(const std::vector<double>& norms) {
  Block change;
  const SolveReport again = solver_->solve(residual_, change, run_);
  Ending& report = report_;
  report.iterations += again.iterations;
  report.outcome = worse(report.outcome, again.outcome);
  if (again.outcome != Outcome::converged) report.sentence = again.sentence;
  const double all = std::accumulate(norms.begin(), norms.end(), 0.0);
  std::size_t first = 0;
  for (Block& x : x_) {
    for (std::int64_t v = 0; v < x.rows(); ++v)
      for (std::int64_t c = 0; c < x.columns(); ++c)
        x(v, c) -= change(v, 0) * norms[first + index(c)] / all;
    first += index(x.columns());
  }
}

// What the columns leave that were changed.
void ClassColumns::measure(const std::vector<double>& norms) {
  int first = 0;
  for (const Block& x : x_) {
    const auto count = static_cast<int>(x.columns());
    Block r;
    const std::vector<double> left =
        residual(*system_, problem_.right_hand_side(first, count), x, r, run_.thread_count());
    for (std::size_t c = 0; c < left.size(); ++c)
      if (norms[index(first) + c] > 0.0) take_residual(left[c] / norms[index(first) + c]);
    first += count;
  }
}

void ClassColumns::imply_last() {
  if (options_.tolerance == tolerance_) return;
  const Stopwatch watch;
  const Block last = last_right_hand_side();
  const double norm = column_norms(last, run_.thread_count())[0];
  double implied = implied_residual(last);
  // Columns that are right though rounding keeps their residuals up imply one that is, too.
  const bool mendable =
      report_.outcome == Outcome::converged && report_.relative_residual() <= options_.tolerance;
  if (implied > tolerance_ * norm && mendable) {
    mend(norms_);
    implied = implied_residual(last);
    measure(norms_);
  }
  if (norm > 0.0) take_residual(implied / norm);
  report_.solve_seconds += watch.seconds();
}

Block columns_of(const Block& all, int first, int count) {
  Block part(all.rows(), count);
  for (std::int64_t r = 0; r < all.rows(); ++r)
    std::ranges::copy(all.row(r).subspan(index(first), index(count)), part.row(r).begin());
  return part;
}

ClassSystem shared_system(const Graph& graph, const LabeledSet& labeled) {
  HarmonicColumns columns = shared_columns(graph, labeled);
  const VertexId rows = columns.system.size();
  ClassSystem problem{.system = std::move(columns.system),
                      .classes = labeled.class_count(),
                      .vertex_of = std::move(columns.vertex_of),
                      .unreached = std::move(columns.unreached)};
  if (columns.holds_given) {
    problem.zero_rows = labeled.vertices();
    problem.zero_rows.insert(problem.zero_rows.end(), problem.unreached.begin(),
                             problem.unreached.end());
  }
  problem.right_hand_side = [rows, add = std::move(columns.add_right_hand_side)](int first,
                                                                                 int count) {
    Block b(rows, count);
    add(first, b);
    return b;
  };
  return problem;
}

}  // namespace

bool goes_on_graph(const NetworkSize& graph, int classes, double given) {
  const double entries = 2.0 * graph.edges;
  const bool few = given <= (graph.rows > many_rows ? few_given : given_of_pairs) * graph.rows;
  return classes > 1 && classes <= most_in_doubles + 1 && few &&
         (graph.rows > many_rows || entries > many_entries) &&
         entries > least_degree * graph.rows && graph.kept_rows == graph.rows;
}

int columns_beside(const NetworkSize& graph, int classes) {
  const NetworkSize weighted(graph.rows, graph.edges, false);
  const double columns = graph_bytes(weighted) / (working_column * graph.rows);
  if (classes - 1 <= share_of_all * columns) return 0;
  const int group = static_cast<int>(std::min<double>(widest_group, share_of_group * columns));
  return group < least_group || group >= classes - 1 ? 0 : group;
}

bool goes_on_graph(const Graph& graph, const LabeledSet& labeled, const SolverOptions& options) {
  const bool any_method =
      options.kind == SolverKind::automatic || options.kind == SolverKind::conjugate_gradient;
  return any_method && !labeled.is_regression() &&
         goes_on_graph(graph, labeled.class_count(), static_cast<double>(labeled.size()));
}

ClassSystem class_system(const Graph& graph, const LabeledSet& labeled, bool on_graph) {
  if (on_graph) {
    ClassSystem problem = shared_system(graph, labeled);
    problem.group = columns_beside(graph, problem.classes);
    return problem;
  }
  auto made = std::make_shared<DirichletProblem>(make_dirichlet_problem(graph, labeled.vertices()));
  GroundedLaplacian system = std::move(made->system);
  return {.system = std::move(system),
          .classes = labeled.class_count(),
          .right_hand_side =
              [made, targets = labeled.target_block()](int first, int count) {
                return made->right_hand_side(columns_of(targets, first, count));
              },
          .vertex_of = made->free_vertices,
          .unreached = made->unreached,
          .dirichlet = made};
}

std::vector<Block> solve_classes(ClassSystem problem, SolverOptions options, const RunContext& run,
                                 Report& report, std::unique_ptr<LinearSolver>* prepared) {
  const std::int64_t rows = problem.system.size();
  if (rows == 0 || problem.classes < 2) {
    report_nothing_to_solve(options, report);
    return {Block(rows, problem.classes - 1)};
  }
  ClassColumns columns(problem, options, run, report);
  columns.solve();
  columns.imply_last();
  report.score_error = estimated_score_error(report);
  if (prepared != nullptr) *prepared = columns.take_solver();
  return std::move(columns).release();
}

Fit fit_dirichlet(const Graph& graph, const LabeledSet& labeled, const SolverOptions& options,
                  const RunContext& run) {
  Report report;
  const Stopwatch setup;
  ClassSystem problem = class_system(graph, labeled, goes_on_graph(graph, labeled, options));
  report.setup_seconds = setup.seconds();
  const std::vector<VertexId> vertex_of = std::move(problem.vertex_of);
  const std::vector<VertexId> unreached = std::move(problem.unreached);
  std::vector<Block> x;
  if (labeled.is_regression())
    x.push_back(
        solve(std::move(problem.system), problem.right_hand_side(0, 1), options, run, report));
  else
    x = solve_classes(std::move(problem), options, run, report);
  Block scores = scores_from_columns(std::move(x), vertex_of, reduced_targets(labeled), labeled,
                                     graph.vertex_count(), run.thread_count());
  set_given_rows(scores, labeled, run.thread_count());
  return finish_fit(std::move(scores), vertex_status(graph.vertex_count(), labeled, unreached),
                    labeled, GivenLabels::hard, std::move(report), run.thread_count());
}

}  // namespace gssl::detail
