#pragma once
// Functions of a Laplacian M whose largest eigenvalues belong to the smallest ones of M, for the
// Lanczos iteration to work on.
//
//   std::unique_ptr<SpectralOperator> a = make_filter(laplacian, {.edge = 0.3, .degree = 10});
//   a->apply(x, y, run);         // y = p(M) x; x without a part in the null space

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "connected_laplacian.hpp"
#include "factor/float_factor.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/factor/network_factor.hpp"

namespace gssl::solve {

class SpectralOperator {
 public:
  virtual ~SpectralOperator() = default;
  // For blocks of any width; y is resized. Same bytes at any thread count. y is of no use if the
  // run was stopped.
  virtual void apply(const Block& x, Block& y, const RunContext& run) = 0;
  // Columns of x for which a product costs least beside what they bring.
  virtual std::int64_t block_width() const = 0;
  // The eigenvalue of M that an eigenvalue θ > 0 of this operator belongs to.
  virtual double value_of(double theta) const = 0;
};

// The Chebyshev polynomial p of M that is small on [edge, bound], falls from p(0) = 1 to it, and
// has this degree. degree ≥ 1 products for each application.
struct FilterShape {
  double edge = 0.0;
  int degree = 1;
};
std::unique_ptr<SpectralOperator> make_filter(const ConnectedLaplacian& laplacian,
                                              FilterShape shape);

// (M + shift)⁻¹ off the null space of M, by a factor of doubles; null as make_network_factor says.
// With shift 0 an eigenvalue of 1e-20 would leave no digit of those near 1.
std::unique_ptr<SpectralOperator> make_exact_inverse(
    const ConnectedLaplacian& laplacian, double shift, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept);

// The same with shift 0 and a factor of floats. `laplacian` is put into the order of elimination,
// in which no right-hand side has to be moved, and stays in it: row r was row order[r]. Where the
// factor is not accepted both are as they were.
std::unique_ptr<SpectralOperator> make_ordered_inverse(
    ConnectedLaplacian& laplacian, std::vector<VertexId>& order, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept);

// The same by the LinearSolver, to a relative residual of `tolerance`; `used` becomes its name.
std::unique_ptr<SpectralOperator> make_iterative_inverse(const ConnectedLaplacian& laplacian,
                                                         double shift, double tolerance,
                                                         const RunContext& run, std::string& used);

}  // namespace gssl::solve
