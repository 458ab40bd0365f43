#pragma once
// The harmonic fit of many classes, a few columns at a time (class_columns.hpp). Mass is rescaled
// without a second pass over the columns: with A x_c = b_c and A z = 1 at the inferred vertices,
//
//   Σ x_c(v) over the inferred v = zᵀ b_c,
//
// so one more column gives the masses of all classes before the first of them is solved, of each
// component apart, too, since A does not couple them.
//
//   HarmonicColumns problem = hard_columns(graph, labeled);
//   Fit fit = fit_harmonic_columns(std::move(problem), n, labeled, {}, {.scores = true}, plan, run);
//
// Local and global consistency is of the same form: its scores are the answers times √degree.
//
// Internal: not installed.

#include <functional>
#include <vector>

#include "class_columns.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "label_groups.hpp"
#include "support/unfinished.hpp"

namespace gssl::detail {

struct HarmonicColumns {
  GroundedLaplacian system;
  std::vector<VertexId> vertex_of;  // row of the system → vertex; empty: the same
  std::vector<VertexId> unreached = {};
  GivenLabels given = GivenLabels::hard;
  // Adds the right-hand sides of the classes first, first + 1, … to the columns of b.
  std::function<void(int first, Block& b)> add_right_hand_side = {};
  // Makes scores of the answers of the classes first, first + 1, …; empty: clamps them to [0, 1].
  std::function<void(int first, Block& x)> to_scores = {};
  std::vector<double> score_weight = {};  // score over answer, of each row; empty: 1
  bool holds_given = false;  // rows of given vertices are in the system, and 0 in every answer
  bool shares = true;        // the scores of a row are divided by their sum
  ClassBlockSolver::Solve solve = {};  // empty: a linear solver
  double setup_seconds = 0.0;
};

// What the masses of the classes are rescaled to: one row over all inferred vertices, or one for
// each group. Without rows: nothing is.
struct MassTarget {
  Block proportion = {};
  const LabelGroups* groups = nullptr;
};

// What is kept beside decision and confidence.
struct KeptScores {
  bool scores = false;
  TopClasses* best = nullptr;  // filled with `top` classes of each vertex
  int top = 0;
};

// L_uu X = W_uℓ Y. `labeled` must outlive it.
HarmonicColumns hard_columns(const Graph& graph, const LabeledSet& labeled);
// The same on the graph itself, where a copy without the given vertices is worth sparing: they are
// tied to earth by so much that they are 0 to more digits than a number has.
HarmonicColumns shared_columns(const Graph& graph, const LabeledSet& labeled);
// Whether it is: many vertices, few of them given.
bool shares_graph(const NetworkSize& graph, int classes, double given);
inline bool shares_graph(const Graph& graph, const LabeledSet& labeled) {
  return shares_graph(graph, labeled.class_count(), static_cast<double>(labeled.size()));
}
// (L + c·diag(labeled)) X = c·Y, c > 0. Both must outlive it.
HarmonicColumns soft_columns(const Graph& graph, const LabeledSet& labeled, double c);

// Decision, confidence and report do not depend on what is kept.
Fit fit_harmonic_columns(HarmonicColumns problem, VertexId vertex_count, const LabeledSet& labeled,
                         const MassTarget& mass, const KeptScores& keep, const ColumnPlan& plan);

// One row of proportions, or none.
MassTarget mass_target(const std::vector<double>& proportion);

}  // namespace gssl::detail
