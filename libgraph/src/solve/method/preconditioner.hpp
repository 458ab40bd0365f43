#pragma once
// An approximate inverse for conjugate gradients: z = M⁻¹ r with one symmetric positive definite M.
// Blocks are row-major floats, one row for each row of the system: half the traffic of doubles, and
// the iteration around it corrects what the rounding spoils.
//
//   std::unique_ptr<Preconditioner> m = make_approximate_cholesky(system, seed, threads);
//   std::vector<float> scratch;             // grown by the first call, used again by the next ones
//   m->apply(r, z, columns, threads, scratch);

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gssl/core/error.hpp"

namespace gssl::solve {

class Preconditioner {
 public:
  virtual ~Preconditioner() = default;

  // z = M⁻¹ r for rows × columns blocks; r and z must be different. A column's result depends
  // neither on the other columns nor on `threads`. Safe to call from several threads at once, each
  // with its own scratch. One of the two is there: the second where rounding to float would drown
  // the answer.
  virtual void apply(const float*, float*, std::int64_t /*columns*/, int /*threads*/,
                     std::vector<float>& /*scratch*/) const {
    GSSL_ASSERT(!needs_double() && "implemented");
  }
  virtual void apply(const double*, double*, std::int64_t, int, std::vector<double>&) const {
    GSSL_ASSERT(needs_double() && "implemented");
  }
  virtual bool needs_double() const { return false; }

  // M stands for D^-1/2 A D^-1/2, D being the diagonal of A, instead of for A: with entries of
  // about 1 whatever the weights are.
  virtual bool scaled() const { return false; }
};

}  // namespace gssl::solve
