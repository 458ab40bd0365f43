#include "conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cg_iteration.hpp"
#include "gssl/core/rng.hpp"

namespace gssl::solve {
namespace {

// The residual is recomputed from b − Ax this often, so that the recurrence cannot drift away.
constexpr std::int64_t replacement_period = 50;

class ConjugateGradient final : public ReducedSolver {
 public:
  ConjugateGradient(SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
                    std::int64_t max_iterations, Directions directions)
      : system_(std::move(system)),
        preconditioner_(std::move(preconditioner)),
        operator_(*system_, preconditioner_.get()),
        max_iterations_(max_iterations),
        directions_(directions) {}

  // The preconditioner belongs to the old matrix, and so does the scale around it.
  std::unique_ptr<ReducedSolver> updated(SharedSystem system) const override {
    auto solver = std::make_unique<ConjugateGradient>(std::move(system), preconditioner_,
                                                      max_iterations_, directions_);
    if (preconditioner_ != nullptr) solver->operator_.scale = operator_.scale;
    return solver;
  }

  // One group for each thread, or all threads for one group; either way the same bytes.
  InnerResult solve(const Block& b, Block& x, const Norms& targets,
                    const RunContext& run) const override {
    const std::int64_t groups = detail::block_count(b.columns(), group_width);
    std::vector<InnerResult> results(index(groups));
    Norms error(targets.size());
    const int outer = groups > 1 ? run.thread_count() : 1;
    const int inner = groups > 1 ? 1 : run.thread_count();
    parallel_blocks(
        groups, outer,
        [&](std::int64_t group, std::int64_t) {
          const std::int64_t first = group * b.columns() / groups;
          const std::int64_t width = (group + 1) * b.columns() / groups - first;
          const auto iterate_as = [&]<class Real, class Direction>(Real, Direction) {
            Iteration<Real, Direction> iteration(operator_, b, x, targets, error, first, width,
                                                 inner);
            results[index(group)] = iterate(iteration, run, group == 0);
          };
          if (directions_ == Directions::in_float) {
            iterate_as(float{}, float{});
          } else if (preconditioner_ != nullptr && preconditioner_->needs_double()) {
            iterate_as(double{}, double{});
          } else {
            iterate_as(float{}, double{});
          }
        },
        1);
    InnerResult result{.error = std::move(error)};
    for (const InnerResult& one : results) {
      result.iterations = std::max(result.iterations, one.iterations);
      if (one.outcome != Outcome::converged) result.outcome = one.outcome, result.note = one.note;
    }
    return result;
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  template <class Real, class Direction>
  InnerResult iterate(Iteration<Real, Direction>& iteration, const RunContext& run,
                      bool tells) const {
    InnerResult result;
    const double first = iteration.worst();
    double checked = first;
    while (!iteration.done()) {
      if (run.should_stop()) {
        result.outcome = stopped(run).outcome;
        break;
      }
      if (result.iterations >= max_iterations_) {
        result.outcome = Outcome::iteration_limit;
        break;
      }
      ++result.iterations;
      const bool checks = result.iterations % replacement_period == 0;
      iteration.step(checks);
      if (checks && preconditioner_ != nullptr) {
        const double before = std::exchange(checked, iteration.worst());
        if (!(checked <= least_gain * before)) {
          result.outcome = Outcome::breakdown;
          result.note = "the preconditioner does not help";
          break;
        }
      }
      if (tells && run.progress && result.iterations % 8 == 0)
        run.report_progress("solve", progress_fraction(first, iteration.worst()));
    }
    iteration.flush();
    if (result.outcome == Outcome::converged && iteration.any_broken()) {
      result.outcome = Outcome::breakdown;
      result.note = "rounding stopped the conjugate gradients";
    }
    return result;
  }

  SharedSystem system_;
  std::shared_ptr<const Preconditioner> preconditioner_;
  Operator operator_;
  std::int64_t max_iterations_;
  Directions directions_;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
    std::int64_t max_iterations, Directions directions) {
  return std::make_unique<ConjugateGradient>(std::move(system), std::move(preconditioner),
                                             max_iterations, directions);
}

CgCoefficients probe_conjugate_gradient(const GroundedLaplacian& system,
                                        const Preconditioner* preconditioner, std::int64_t steps,
                                        int threads,
                                        const std::function<bool(const CgCoefficients&)>& enough) {
  Block b(system.size(), 1), x(system.size(), 1);
  Rng rng(1);
  for (VertexId v = 0; v < system.size(); ++v)
    b(v, 0) = std::sqrt(system.diagonal()[static_cast<std::size_t>(v)]) * (rng.uniform() - 0.5);
  const Operator op(system, preconditioner);
  Norms error(1);
  Iteration<float> iteration(op, b, x, {0.0}, error, 0, 1, threads);
  CgCoefficients coefficients;
  for (std::int64_t i = 0; i < steps && !iteration.done(); ++i) {
    iteration.step(false);
    coefficients.ended = iteration.done();
    if (coefficients.ended) break;
    iteration.append_coefficients(coefficients);
    if (enough && enough(coefficients)) break;
  }
  coefficients.broken = iteration.any_broken();
  return coefficients;
}

}  // namespace gssl::solve
