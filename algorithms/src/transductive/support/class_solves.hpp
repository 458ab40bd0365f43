#pragma once
// The columns of K classes whose answers add up to one in each row: K−1 are solved, a few at a time
// where that saves memory, and the last is what they leave of one.
//
//   ClassSystem problem = class_system(graph, labeled, goes_on_graph(graph, labeled, options));
//   const std::vector<Block> x = solve_classes(std::move(problem), options, run, report);
//   Block scores = scores_from_columns(x, …);
//
// On a large graph of many edges the system is on the graph itself, so that no copy of it is made,
// and a group of columns takes no more than a share of what the graph does. The first group chooses
// the method; where that prepares more than the columns take, the others follow together. Internal:
// not installed.

#include <functional>
#include <memory>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/solve/solver_memory.hpp"

namespace gssl::detail {

struct ClassSystem {
  GroundedLaplacian system;
  int classes = 0;
  // Of the classes first, first + 1, ….
  std::function<Block(int first, int count)> right_hand_side = {};
  std::vector<VertexId> vertex_of = {};  // row of the system → vertex; empty: the same
  std::vector<VertexId> unreached = {};
  std::vector<VertexId> zero_rows = {};  // where every answer is 0, and they add up to nothing
  int group = 0;                         // columns solved at once; 0: all
  std::shared_ptr<const DirichletProblem> dirichlet = {};  // but its system; null on the graph
};

// Whether a system is worth having on the graph itself: many vertices, few of them given, many
// edges, some classes, and a method that does not ask for more; and how many columns are then solved
// at once, or 0: all.
bool goes_on_graph(const NetworkSize& graph, int classes, double given);
bool goes_on_graph(const Graph& graph, const LabeledSet& labeled, const SolverOptions& options);
int columns_beside(const NetworkSize& graph, int classes);

// Hard labels, L_uu X = W_uℓ Y, free of the components without a label. Both must outlive it.
ClassSystem class_system(const Graph& graph, const LabeledSet& labeled, bool on_graph);

// The columns of all classes but the last, side by side in one block or in several. Sees to it that
// the last, one minus their sum, meets the tolerance, too. Times and outcome go to `report`.
// `prepared` receives the solver, for more of the same, unless there was nothing to solve.
std::vector<Block> solve_classes(ClassSystem problem, SolverOptions options, const RunContext& run,
                                 Report& report, std::unique_ptr<LinearSolver>* prepared = nullptr);

// Scores, decisions and confidence of hard labels, or of real targets.
Fit fit_dirichlet(const Graph& graph, const LabeledSet& labeled, const SolverOptions& options,
                  const RunContext& run);

}  // namespace gssl::detail
