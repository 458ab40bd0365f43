#pragma once
// Algebraic multigrid as a preconditioner: vertices are gathered into aggregates, the aggregates
// are the vertices of a smaller system, and so on until a dense inverse is cheap. One application
// is one cycle down and up again, with a damped Jacobi step before and after each coarse
// correction.
//
// How an aggregate passes its value on to its vertices depends on the weights of the edges:
//
//   nearly equal    the piecewise constant is smoothed by a Jacobi step, and each level is visited
//   (≤ 16 : 1)      once: on meshes the iterations do not grow with the size (Vaněk, Mandel and
//                   Brezina 1996, doi:10.1007/BF02238511)
//   of any          piecewise constants along heaviest edges, so that every coarse system is again
//   contrast        a graph with a ground, with no more edges than the finer one; levels below the
//                   second are visited twice (Koutis, Miller and Tolliver 2011,
//                   doi:10.1016/j.cviu.2011.05.013)
//
//   std::unique_ptr<Preconditioner> m = make_multigrid(system, threads);
//   if (m == nullptr) …                       // this graph wants another method
//
// Time: a few passes over the matrix to set up, the work of about 5 products for each application.
// Memory: about 45 bytes per edge, and in apply 8n bytes for each of at most 8 columns.

#include <memory>

#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "solve/method/preconditioner.hpp"

namespace gssl::solve {

// Precondition: every component of `system` has a ground. Shares its graph. Nothing when multigrid
// does not suit it: the aggregates hardly shrink it (hubs), the coarse systems fill in, a diagonal
// entry leaves [1e-25, 1e25] (floats), or rounding has eaten the ground of a coarse system. The
// result does not depend on `threads`. Nothing, too, if the run was stopped on the way.
std::unique_ptr<Preconditioner> make_multigrid(const GroundedLaplacian& system, int threads,
                                               const RunContext& run = {});

}  // namespace gssl::solve
