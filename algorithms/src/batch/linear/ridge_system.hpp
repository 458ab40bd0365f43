#pragma once
// Ridge on one training set for any number of penalties: the Gram matrix X'X and X'Y are computed
// once, and each λ takes a Cholesky factor of d³/3 operations. Internal: not installed.
//
//   if (RidgeSystem::suits(data.points, data.targets)) {
//     const RidgeSystem system(data, Bias::free, run);
//     std::unique_ptr<Model> model = system.model(0.1, run);    // null: where λ drowns
//   }
//
// The numbers are those of RidgeLearner with the primal solver, without its certificates. 8d² bytes.

#include <memory>
#include <vector>

#include "batch/linear/design.hpp"

namespace gssl::detail {

class RidgeSystem {
 public:
  // Whether the primal solver is the cheapest and takes dense rows.
  static bool suits(std::int64_t rows, const Points& points);

  // Throws what Design does, and when the run is stopped.
  RidgeSystem(const Dataset& data, Bias bias, const RunContext& run);

  // Nothing where the matrix is not positive definite in double precision, so that ridge takes
  // another way. λ > 0.
  std::unique_ptr<Model> model(double lambda, const RunContext& run) const;

 private:
  Design design_;  // without its rows
  Matrix gram_;
  Matrix right_;
  bool classes_;
  std::vector<std::int32_t> learned_;
};

}  // namespace gssl::detail
