#pragma once
// How many conjugate gradient iterations a system will take, from a few of them.
//
// The coefficients of a few steps from a random start are a Gauss quadrature of the spectrum (Golub
// and Meurant 2010, doi:10.1515/9781400833887): its nodes come with the number of eigenvalues near
// them. Conjugate gradients deal with a few outliers at the lower end one after the other, and then
// converge as the condition number of the rest says; where the nodes show a spectrum that goes on
// below them, its edge is extrapolated.

#include "solve/method/cg/conjugate_gradient.hpp"

namespace gssl::solve {

// Of a given right-hand side a node's weight does not count eigenvalues; but a node that has
// settled is one, and how far it is from settled says how far below it the spectrum may go on.
enum class Start { random, given };

// Iterations with the diagonal until the residual has fallen by `tolerance`, from the coefficients
// of k ≥ 2 steps on `rows` rows; from 8 of a random start right within a factor of about 2, but up
// to 5 times too many where the spectrum thins out downward, as with labels here and there on a mesh.
double forecast_iterations(const CgCoefficients& found, Start start, double rows, double tolerance);

// The same from `steps` ≥ 3 steps on a random right-hand side; from fewer where at most `few`
// iterations are beyond doubt, and from up to 24 where it depends on the reading whether they are
// that few. Read as a given one, it hopes that low eigenvalues are few.
double forecast_iterations(const GroundedLaplacian& system, std::int64_t steps, double tolerance,
                           int threads, double few = 0.0, Start start = Start::random);

// The same of swept steps.
double forecast_iterations(const GroundedLaplacian& system, const SweptSystem& split,
                           std::int64_t steps, double tolerance, int threads, double few = 0.0);

// The same with a preconditioner, from the rate of a few steps; infinite if it breaks down.
double forecast_iterations(const GroundedLaplacian& system, const Preconditioner& preconditioner,
                           double tolerance, int threads);

}  // namespace gssl::solve
