#pragma once
// How many columns of a fit are solved at once, and by what, so that the memory of the run is
// enough: all of them; or blocks of columns, as wide as fits; or blocks with nothing eliminated
// before; or blocks by conjugate gradients with the diagonal alone, which prepare next to nothing. Where not even one column of these fits, the
// MemoryError names the bytes that would.
//
//   const ColumnPlan plan = plan_columns({.learner = "harmonic", .graph = graph, …}, options, run);
//   if (plan.together) …
//   ClassBlockSolver solver(system, classes, plan, report);
//
// Where nothing is short the plan is the same on every machine. Internal: not installed.

#include <string_view>

#include "gssl/core/run_context.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/solve/solver_memory.hpp"

namespace gssl::detail {

// Two groups of the columns that solvers take side by side in floats.
inline constexpr int columns_at_once = 32;

// More classes are worth solving in several blocks.
inline constexpr int most_together = 40;
// Columns of the scores.
int column_count(const LabeledSet& labeled);

// Of more vertices, and few classes in blocks, the system is on the graph itself (shares_graph).
inline constexpr double many_rows = 100'000.0;
// Of which this share is given, or less.
inline constexpr double few_given = 0.01;

struct ColumnProblem {
  std::string_view learner;  // begins the message of a refusal
  NetworkSize graph;
  int classes = 1;  // columns; 1 for real targets
  bool keep_scores = true;
  int top = 0;                // best classes kept of each vertex
  bool rescaled = false;      // decisions are kept before and after the masses are rescaled
  bool shares_graph = false;  // in blocks the system is on the graph itself, and not on a copy
  bool on_graph = false;      // together, too (class_solves.hpp)
  bool blocks = true;         // may go in blocks; else all columns together or not at all
};

struct ColumnPlan {
  bool together = true;
  int width = columns_at_once;  // of a block, where not together
  SolverOptions options;        // may be without elimination, and `automatic` cg
  RunContext run;               // less what is kept beside the solver
  bool is_short = false;        // it would be another one with more memory
};

// What the plan takes, beside the graph and the labels: between which bounds.
MemoryRange planned_memory(const ColumnProblem& problem, const ColumnPlan& plan);

ColumnPlan plan_columns(const ColumnProblem& problem, const SolverOptions& options,
                        const RunContext& run);

}  // namespace gssl::detail
