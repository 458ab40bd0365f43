#include "column_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "class_solves.hpp"
#include "gssl/core/machine.hpp"

namespace gssl::detail {
namespace {

// Bytes of each vertex: rows and vertices, couplings, status, groups of labels, decision and
// confidence.
constexpr double least_kept = 27.0;
constexpr double most_kept = 64.0;
// Of these, rows and couplings of a copy without the given vertices.
constexpr double copied = 16.0;
// The best class so far: score, sum, number; and each further one of the best.
constexpr double decision = 20.0;
constexpr double best_class = 12.0;
constexpr double score = 8.0;
// Right-hand side, in whose place the answer comes; and its columns, all of them, beside the scores
// where all columns go together.
constexpr double block_column = 8.0;
constexpr double least_block_column = 4.0;
constexpr double least_whole_column = 14.0;
constexpr double whole_column = 24.0;
constexpr double sure = 0.9;
// Of the least that columns of a block take where they are solved sixteen at a time.
constexpr double sure_in_groups = 0.7;

double columns(const ColumnProblem& problem) { return problem.classes; }

// Whether the system is on the graph itself, as far as is known, or for all that is known.
bool is_shared(const ColumnProblem& problem, bool together) {
  return together ? problem.on_graph : problem.shares_graph;
}
bool may_share(const ColumnProblem& problem, bool together) {
  return is_shared(problem, together) ||
         (together ? goes_on_graph(problem.graph, problem.classes, 0.0)
                   : problem.classes <= most_together);
}

// What stays while columns come and go.
double kept_bytes(const ColumnProblem& problem, bool together) {
  const double rows = problem.graph.rows;
  double vertex = most_kept - (is_shared(problem, together) ? copied : 0.0);
  if (!together) vertex += decision + best_class * problem.top;
  if (together || problem.keep_scores) vertex += score * columns(problem);
  const double shared = is_shared(problem, together) ? graph_bytes(problem.graph) : 0.0;
  return vertex * rows + system_bytes(problem.graph) - shared;
}

// What is solved at once: where all columns are, the last one follows from the others.
double solved_columns(const ColumnProblem& problem, const ColumnPlan& plan, bool shared) {
  if (!plan.together) return plan.width;
  const int group = shared ? columns_beside(problem.graph, problem.classes) : 0;
  if (group > 0) return group;
  return problem.classes > 1 ? problem.classes - 1.0 : 1.0;
}

// Bytes of a vertex that are the learner's own: of the columns at work, and of answers that wait
// for the others.
double own_columns(const ColumnProblem& problem, const ColumnPlan& plan, double width,
                   double bytes) {
  const double waiting = plan.together ? std::max(0.0, columns(problem) - 1.0 - width) : 0.0;
  return bytes * width + score * waiting;
}

// The run for the solver, less what is kept beside it; and less its columns where it is to prepare
// nothing that it can do without.
ColumnPlan with_rest(ColumnPlan plan, const ColumnProblem& problem, const RunContext& run) {
  const double width = solved_columns(problem, plan, is_shared(problem, plan.together));
  const double own = own_columns(problem, plan, width, plan.together ? whole_column : block_column);
  const double solver = plan.options.kind == SolverKind::conjugate_gradient
                            ? solver_memory(problem.graph, plan.options.kind, false).column.high
                            : 0.0;
  plan.run = with_taken(
      run, kept_bytes(problem, plan.together) + own * problem.graph.rows + width * solver);
  return plan;
}

}  // namespace

int column_count(const LabeledSet& labeled) {
  return labeled.is_regression() ? 1 : labeled.class_count();
}

MemoryRange planned_memory(const ColumnProblem& problem, const ColumnPlan& plan) {
  const SolverMemory solver =
      solver_memory(problem.graph, plan.options.kind, plan.options.eliminate);
  const double rows = problem.graph.rows;
  const bool shared = is_shared(problem, plan.together);
  const bool may = may_share(problem, plan.together);
  const double width = solved_columns(problem, plan, shared);
  const double least_width = solved_columns(problem, plan, may);
  const double most =
      kept_bytes(problem, plan.together) +
      rows * own_columns(problem, plan, width, plan.together ? whole_column : block_column);
  const double least = kept_bytes(problem, plan.together) - rows * (most_kept - least_kept) +
                       rows * own_columns(problem, plan, least_width,
                                          plan.together ? least_whole_column : least_block_column) -
                       (may && !shared ? graph_bytes(problem.graph) : 0.0);
  const double share = plan.together ? 1.0 : sure_in_groups;
  return MemoryRange{share * sure * least, most} +
         MemoryRange{share * solver.bytes(least_width).low, solver.bytes(width).high};
}

namespace {

// The widest block that fits, whatever was tried before; 0 if not one column does.
int widest(const ColumnProblem& problem, ColumnPlan plan, const RunContext& run) {
  plan.together = false;
  for (plan.width = std::min(columns_at_once, problem.classes); plan.width > 0; --plan.width)
    if (fits(run, planned_memory(problem, plan).high)) break;
  return plan.width;
}

}  // namespace

ColumnPlan plan_columns(const ColumnProblem& problem, const SolverOptions& options,
                        const RunContext& run) {
  ColumnPlan plan;
  plan.together = !problem.blocks || problem.classes <= most_together;
  plan.options = options;
  plan.run = run;
  if (run.memory_limit == 0) return plan;
  if (fits(run, planned_memory(problem, plan).high)) return with_rest(plan, problem, run);
  plan.is_short = true;
  if (problem.blocks) {
    plan.together = false;
    plan.width = widest(problem, plan, run);
    if (plan.width > 0) return with_rest(plan, problem, run);
    // Nothing eliminated, so that there is no second network beside the first.
    if (options.kind == SolverKind::automatic && options.eliminate) {
      plan.options.eliminate = false;
      plan.width = widest(problem, plan, run);
      if (plan.width > 0) return with_rest(plan, problem, run);
    }
    plan.width = 1;
  }
  // Conjugate gradients with the diagonal prepare nothing; another method that was asked for stays.
  if (options.kind == SolverKind::automatic || options.kind == SolverKind::conjugate_gradient) {
    plan.options.kind = SolverKind::conjugate_gradient;
    plan.options.eliminate = false;
    if (!plan.together) plan.width = std::max(1, widest(problem, plan, run));
  }
  const MemoryRange need = planned_memory(problem, plan);
  if (fits(run, need.high)) return with_rest(plan, problem, run);
  throw MemoryError(problem.learner, static_cast<std::size_t>(std::ceil(need.high)),
                    run.memory_limit);
}

}  // namespace gssl::detail
