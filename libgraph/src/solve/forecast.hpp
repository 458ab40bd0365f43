#pragma once
// How many conjugate gradient iterations a system will take, from a few of them.
//
// The coefficients of a few steps from a random start are a Gauss quadrature of the spectrum (Golub
// and Meurant 2010, doi:10.1515/9781400833887): its nodes come with the number of eigenvalues near
// them. Conjugate gradients deal with a few outliers at the lower end one after the other, and then
// converge as the condition number of the rest says; where the nodes show a spectrum that goes on
// below them, its edge is extrapolated.

#include "conjugate_gradient.hpp"

namespace gssl::solve {

// Iterations with the diagonal until the residual has fallen by `tolerance`; right within a factor
// of about 2, for `steps` ≥ 3 iterations of one column. Three are enough where `few`
// iterations or less are beyond doubt.
double forecast_iterations(const GroundedLaplacian& system, std::int64_t steps, double tolerance,
                           int threads, double few = 0.0);

// The same with a preconditioner, from the rate of a few steps; infinite if it breaks down.
double forecast_iterations(const GroundedLaplacian& system, const Preconditioner& preconditioner,
                           double tolerance, int threads);

}  // namespace gssl::solve
