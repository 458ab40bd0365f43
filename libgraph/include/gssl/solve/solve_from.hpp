#pragma once
// The potentials of a network from some that were right before a few of its edges, or of what is
// given, changed: tomorrow's run from yesterday's answer.
//
//   const NetworkProblem problem{.graph = graph, .held = {0, 9}};     // x of 0 and 9 is given
//   SolveFromReport report = solve_from(problem, {.solver = {.tolerance = 1e-10}}, x, run);
//   report.largest_region;   // rows of the largest system that was solved; 0: x met the tolerance
//   report.global;           // the change was not local after all
//   report.error_bounds;     // of each column: no entry is further from the exact one
//
// The residual of the old answer is large only where something changed, and so, where vertices are
// held or have ground near them, is the correction. A region is grown around the rows of large
// residual, the system of its rows is solved for the correction, with none outside (one system for
// all of its pieces, by make_solver_and_solve), and the residual that this leaves at its rim says
// whether and from where to grow on, and how far: a round grows as far as the one before, to four
// times as far. A region past most_rows of the rows, or one that promises to get there, makes the
// correction a solve on all rows, to the digits that are missing and no more; so do changes so many
// and so far apart that regions wide enough for those digits would be most of the graph, by what a
// current loses on its way. An answer whose residual is 10⁸ ‖b‖ is left for zeros. Everything stops
// at ‖b − Ax‖₂ ≤ tolerance·‖b‖₂ in every column that counts, as a solve from nothing does, whatever
// the residual was at first; A and b are those of the free vertices, with what flows in from the held
// ones in b.
//
// Rows that need no correction are read and not written to; where most need one, values of x that
// an owner holds are copied first (Block::own_values), and what the owner holds stays as it was.
// Cost: one look at all edges for c columns, one more for the rows of the regions and what is near
// them. Memory: up to 41 bytes a vertex and the regions; where the whole is solved, its system and
// two blocks like x.

#include <memory>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

// Σ_u w_vu (x_v − x_u) + ground_v x_v = current into v, at every vertex v that is not held.
struct NetworkProblem {
  Graph graph;
  std::vector<double> ground = {};  // ≥ 0, of each vertex; empty: none
  std::vector<VertexId> held = {};  // x of these is given and stays
  // The vertices that a current flows into, and what flows into each: a row, c columns. What flows
  // into a held one changes nothing.
  std::vector<VertexId> fed = {};
  Block current = {};
};

struct SolveFromOptions {
  SolverOptions solver;    // of the regions, and of the whole; max_iterations is for each solve
  double most_rows = 0.2;  // a region of a larger share of the rows is the whole; [0, 1]
  // Whether the columns of the answer sum to one, as of classes, so that the last is what the others
  // leave: it is neither measured nor solved for, and is 1 less the others in every row corrected.
  bool sums_to_one = false;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct SolveFromReport {
  SolveReport solve;  // used: "local", or the solver of the whole system
  // Max over columns of ‖b − Ax‖/‖b‖ of the x that was given, rows that are unreached set to zero; 1
  // where it was left for zeros.
  double first_residual = 0.0;
  std::int64_t rounds = 0;      // regions solved
  VertexId changed_rows = 0;    // rows of large residual at first
  VertexId largest_region = 0;  // rows
  bool global = false;
  std::vector<VertexId> unreached;  // no path leads to what is held or has ground: x became zero
  // No entry of column j of x is further from the exact one than error_bounds[j], up to rounding:
  // with r the residual and G = A⁻¹, whose entries are ≥ 0, its error at v is Σ_u G_vu r_uj, and
  // G_vu ≤ G_uu ≤ ρ_u, the resistance of a path from u to what is held or to earth: so it is at most
  // Σ_u |r_uj| ρ_u. Paths are found breadth-first and need not be the best.
  std::vector<double> error_bounds;
};

// x: a row for each vertex, as many columns as `current`, where there is one. Throws ErrorCode::usage
// on a shape that does not fit, ErrorCode::bad_data on a vertex that is unknown or there twice, a
// current or x of a held vertex that is not finite, and a ground < 0, and ErrorCode::cancelled. x of
// the others may be anything: what is of no use is left for zeros. A time limit that ends it before
// the tolerance is in the outcome.
SolveFromReport solve_from(const NetworkProblem& problem, const SolveFromOptions& options, Block& x,
                           const RunContext& run = {});

}  // namespace gssl
