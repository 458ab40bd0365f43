#pragma once
// The choice of `automatic`: candidates with the seconds that they are predicted to take, looked at
// in the order of what finding out costs. Approximate Cholesky is known at once, and is the one to
// beat; the first candidate that beats it is taken.
//
//   candidate                  predicted seconds                     known after
//   tiny factor                not weighed                           nothing
//   swept cg, few hold most    steps × step                          8 swept steps
//   cg on the column at hand   steps left × step                     the steps themselves
//   multigrid, if likely best  cycles × 2.2 × step                   its set-up and a few cycles
//   exact factor               flops, entries × columns              an ordering, if that may pay
//   cg with the diagonal       steps × step                          8 steps
//   swept cg                   swept steps × step                    a split and 8 swept steps
//   multigrid                  cycles × 2.2 × step                   its set-up and a few cycles
//   approximate Cholesky       set-up × edges + 25 × 3.5 × step      nothing
//
// A step is one of conjugate gradients with the diagonal on all columns expected. Multigrid is
// likely best where there are so few edges a vertex that an ordering may be tried, and its usual
// cycles beat what the others are guessed to take: its set-up costs less than an ordering. The
// constants are those of gssl/solve/cost_model.hpp.

#include "choose_solver.hpp"

namespace gssl::solve {

// As choose_solver(), of a system with at least one row.
Choice choose_automatically(const SharedSystem& reduced, const SolverOptions& options,
                            const RunContext& run, FirstColumns* first);

}  // namespace gssl::solve
