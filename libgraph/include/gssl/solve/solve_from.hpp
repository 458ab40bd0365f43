#pragma once
// A X = B from an X that was right before A or B changed in a few rows: tomorrow's run from
// yesterday's answer.
//
//   SolveFromReport report = solve_from(system, {.tolerance = 1e-10}, b, x, run);
//   report.largest_region;   // rows of the largest system that was solved; 0: x met the tolerance
//   report.global;           // the change was not local after all
//   double bound = score_error_bound(*system, report.residual, run);
//
// The residual R = B − A X of the old answer is large only where something changed, and so, where
// vertices are held by ground or by labels near them, is the correction. A region is grown around
// the rows of large residual, A δ = R is solved on it with δ = 0 outside (one system for all of its
// pieces, by make_solver_and_solve), and the residual that this leaves at its rim says whether and
// from where to grow on. Each round doubles how far it grows. A region past most_rows of the rows,
// or one that promises to get there, makes the correction a solve on the whole system, to the
// digits that are missing and no more. An answer whose residual is 10⁸ ‖b‖ is left for zeros.
// Everything stops at ‖b − Ax‖₂ ≤ tolerance·‖b‖₂ in every column, as a solve from nothing does,
// whatever the residual was at first.
//
// Cost: two products with A on all columns, and the regions. Memory: one block like B, and a number
// for each row.

#include <memory>

#include "gssl/solve/linear_solver.hpp"

namespace gssl {

struct SolveFromOptions {
  SolverOptions solver;    // of the regions, and of the whole; max_iterations is for each solve
  double most_rows = 0.2;  // a region of a larger share of the rows is the whole; [0, 1]
  // Whether the columns of the answer sum to one, as of classes (but for components without ground),
  // so that one of them is what the others leave where the whole is solved.
  bool sums_to_one = false;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct SolveFromReport {
  SolveReport solve;            // used: "local", or the solver of the whole system
  double first_residual = 0.0;  // max over columns of ‖b − Ax‖/‖b‖ of the x that was given
  std::int64_t rounds = 0;      // regions solved
  VertexId changed_rows = 0;    // rows of large residual at first
  VertexId largest_region = 0;  // rows
  bool global = false;
  Block residual;  // b − Ax of the answer
};

// x must have the shape of b and be finite; rows of singular components (without ground) must be
// zero in both. Throws ErrorCode::usage on a null system or another shape, ErrorCode::bad_data on a
// number that is not finite.
SolveFromReport solve_from(const std::shared_ptr<const GroundedLaplacian>& system,
                           const SolveFromOptions& options, const Block& b, Block& x,
                           const RunContext& run = {});

// A number that no entry of X is further from the answer of A X = B than, up to rounding, where
// R = B − A X. With G = A⁻¹, whose entries are ≥ 0, the error of column j at v is Σ_u G_vu r_uj, and
// G_vu ≤ G_uu ≤ ρ_u, the resistance of a path from u to the ground: so it is at most Σ_u |r_uj| ρ_u.
// Paths are of fewest edges. O(cn + m). Infinite where a row of a singular component has a residual.
double score_error_bound(const GroundedLaplacian& system, const Block& r,
                         const RunContext& run = {});

}  // namespace gssl
