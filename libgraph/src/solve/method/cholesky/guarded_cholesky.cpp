#include "guarded_cholesky.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "gssl/linalg/residual.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"

namespace gssl::solve {
namespace {

// One step for each hanging cluster, and some for the rounding.
constexpr std::int64_t most_steps = 12;

class FactorPreconditioner final : public Preconditioner {
 public:
  FactorPreconditioner(std::shared_ptr<const ReducedSolver> factor, std::int64_t rows)
      : factor_(std::move(factor)), rows_(rows) {}

  using Preconditioner::apply;
  void apply(const double* r, double* z, std::int64_t columns, int,
             std::vector<double>&) const override {
    Block b(rows_, 1), x(rows_, 1);
    RunContext alone;
    alone.threads = 1;
    for (std::int64_t j = 0; j < columns; ++j) {
      for (std::int64_t v = 0; v < rows_; ++v) b.data()[v] = r[v * columns + j];
      factor_->solve(b, x, {}, alone);
      for (std::int64_t v = 0; v < rows_; ++v) z[v * columns + j] = x.data()[v];
    }
  }
  bool needs_double() const override { return true; }

 private:
  std::shared_ptr<const ReducedSolver> factor_;
  std::int64_t rows_;
};

class GuardedCholesky final : public ReducedSolver {
 public:
  GuardedCholesky(SharedSystem system, std::shared_ptr<const ReducedSolver> factor)
      : system_(std::move(system)),
        factor_(std::move(factor)),
        iteration_(make_conjugate_gradient(
            system_, std::make_shared<FactorPreconditioner>(factor_, system_->size()),
            most_steps)) {}

  std::unique_ptr<ReducedSolver> updated(SharedSystem system,
                                         const RunContext& run) const override {
    std::shared_ptr<const ReducedSolver> factor = factor_->updated(system, run);
    if (factor == nullptr) return nullptr;
    return std::make_unique<GuardedCholesky>(std::move(system), std::move(factor));
  }
  bool updates_fully() const override { return true; }

  InnerResult solve(const Block& b, Block& x, const std::vector<double>& targets,
                    const RunContext& run) const override {
    InnerResult result = factor_->solve(b, x, targets, run);
    Block r;
    if (worst_ratio(residual(*system_, b, x, r, run.thread_count()), targets) > 1.0) {
      for (double& value : std::span(x.data(), x.values().size()))
        if (!std::isfinite(value)) value = 0.0;
      result = iteration_->solve(b, x, targets, run);
      // What is left, PreparedSolver measures and names.
      if (result.outcome == Outcome::iteration_limit) result.outcome = Outcome::breakdown;
    }
    // Steps along what the factor sees tell nothing of what it does not.
    result.error.assign(targets.size(), std::numeric_limits<double>::quiet_NaN());
    return result;
  }

 private:
  SharedSystem system_;
  std::shared_ptr<const ReducedSolver> factor_;
  std::unique_ptr<ReducedSolver> iteration_;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_guarded_cholesky(
    SharedSystem system, const std::function<bool(const FactorEstimate&)>& accept,
    const RunContext& run) {
  std::shared_ptr<const ReducedSolver> factor = make_cholesky(system, accept, run);
  if (factor == nullptr) return nullptr;
  return std::make_unique<GuardedCholesky>(std::move(system), std::move(factor));
}

}  // namespace gssl::solve
