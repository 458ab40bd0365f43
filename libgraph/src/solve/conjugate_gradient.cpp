#include "conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "block_kernels.hpp"
#include "gssl/core/rng.hpp"

namespace gssl::solve {
namespace {

// The residual is recomputed from b − Ax this often, so that the recurrence cannot drift away.
constexpr std::int64_t replacement_period = 50;
// A column that believes twice that it is done, and is not nearer than half the way, has stalled.
constexpr double least_gain = 0.5;

using Norms = std::vector<double>;

// The columns still at work, side by side, and everything that belongs to them.
class Iteration {
 public:
  Iteration(const GroundedLaplacian& a, const Block& b, Block& x, const Norms& targets, int threads)
      : a_(a), b_(b), x_out_(x), threads_(threads), x_(x), columns_(b.columns()) {
    inverse_diagonal_.reserve(a.diagonal().size());
    for (const double d : a.diagonal()) inverse_diagonal_.push_back(1.0 / d);
    r_ = Block(b.rows(), columns_);
    p_ = r_;
    q_ = r_;
    column_.resize(index(columns_));
    std::iota(column_.begin(), column_.end(), 0);
    for (std::int64_t j = 0; j < columns_; ++j)
      state_.push_back({.target = targets[index(j)], .stop = false, .broken = false});
    recompute_residual();
    for (ColumnState& s : state_) s.last_true = s.norm;
    drop_finished(true);
    start_directions();
  }

  bool done() const { return columns_ == 0; }
  bool any_broken() const { return any_broken_; }

  // Largest norm/target of the columns at work.
  double worst() const {
    double worst = 0.0;
    for (const ColumnState& s : state_) worst = std::max(worst, s.norm / s.target);
    return worst;
  }
  double norm_of_first() const { return state_.empty() ? 0.0 : state_.front().norm; }

  void step(bool replace) {
    take_step_lengths();
    drop_broken();
    if (done()) return;
    move_residual();
    // x moves together with p, one step late; p is renewed after the new residual is known.
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      s.beta = s.rz > 0.0 ? sums_[2 * j + 1] / s.rz : 0.0;
      s.norm = std::sqrt(sums_[2 * j]);
      s.rz = sums_[2 * j + 1];
    }
    move_solution_and_directions();
    const bool claims =
        std::ranges::any_of(state_, [](const ColumnState& s) { return !(s.norm > s.target); });
    if (!replace && !claims) return;
    const std::vector<ColumnState> before = state_;
    recompute_residual();
    bool restart = false;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      const bool claimed = !(before[j].norm > s.target);
      if (!claimed || s.norm <= s.target) continue;
      if (!(s.norm <= least_gain * s.last_true)) s.broken = true;
      s.last_true = s.norm;
      restart = true;
    }
    drop_finished(false);
    if (restart) start_directions();
  }

  // Hands the columns still at work back.
  void flush() {
    for (std::size_t j = 0; j < state_.size(); ++j) write_back(j);
  }

 private:
  struct ColumnState {
    double target = 0.0;
    bool stop = false;
    bool broken = false;
    double norm = 0.0;  // ‖r‖
    double rz = 0.0;    // rᵀD⁻¹r
    double alpha = 0.0;
    double beta = 0.0;
    double last_true = 0.0;  // ‖b − Ax‖ when it last believed to be done
  };

  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t rows() const { return b_.rows(); }

  // r = b − A x and its norms, from scratch.
  void recompute_residual() {
    const std::int64_t c = columns_;
    column_sums(rows(), 2 * c, threads_, sums_,
                [&](std::int64_t begin, std::int64_t end, double* sum) {
                  a_.apply_rows(x_.data(), r_.data(), c, begin, end);
                  for (std::int64_t v = begin; v < end; ++v) {
                    double* r = r_.data() + v * c;
                    for (std::int64_t k = 0; k < c; ++k) {
                      r[k] = b_(v, column_[index(k)]) - r[k];
                      sum[2 * k] += r[k] * r[k];
                      sum[2 * k + 1] += r[k] * r[k] * inverse_diagonal_[index(v)];
                    }
                  }
                });
    for (std::size_t j = 0; j < state_.size(); ++j) {
      state_[j].norm = std::sqrt(sums_[2 * j]);
      state_[j].rz = sums_[2 * j + 1];
    }
  }

  void start_directions() {
    for (ColumnState& s : state_) s.alpha = s.beta = 0.0;
    move_solution_and_directions();
  }

  // q = A p, alpha = rᵀD⁻¹r / pᵀq.
  void take_step_lengths() {
    const std::int64_t c = columns_;
    column_sums(rows(), c, threads_, sums_, [&](std::int64_t begin, std::int64_t end, double* sum) {
      a_.apply_rows(p_.data(), q_.data(), c, begin, end);
      for (std::int64_t v = begin; v < end; ++v) {
        const double* p = p_.data() + v * c;
        const double* q = q_.data() + v * c;
        for (std::int64_t k = 0; k < c; ++k) sum[k] += p[k] * q[k];
      }
    });
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      s.alpha = s.rz / sums_[j];
      if (!(sums_[j] > 0.0) || !std::isfinite(s.alpha)) s.broken = true;
    }
  }

  // r −= alpha q; sums of r² and r²/d.
  void move_residual() {
    const std::int64_t c = columns_;
    column_sums(rows(), 2 * c, threads_, sums_,
                [&](std::int64_t begin, std::int64_t end, double* sum) {
                  for (std::int64_t v = begin; v < end; ++v) {
                    double* r = r_.data() + v * c;
                    const double* q = q_.data() + v * c;
                    const double inverse = inverse_diagonal_[index(v)];
                    for (std::int64_t k = 0; k < c; ++k) {
                      r[k] -= state_[index(k)].alpha * q[k];
                      const double square = r[k] * r[k];
                      sum[2 * k] += square;
                      sum[2 * k + 1] += square * inverse;
                    }
                  }
                });
  }

  // x += alpha p, p = D⁻¹r + beta p.
  void move_solution_and_directions() {
    const std::int64_t c = columns_;
    parallel_blocks(rows(), threads_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        double* x = x_.data() + v * c;
        double* p = p_.data() + v * c;
        const double* r = r_.data() + v * c;
        const double inverse = inverse_diagonal_[index(v)];
        for (std::int64_t k = 0; k < c; ++k) {
          const ColumnState& s = state_[index(k)];
          x[k] += s.alpha * p[k];
          p[k] = inverse * r[k] + s.beta * p[k];
        }
      }
    });
  }

  void write_back(std::size_t j) {
    for (std::int64_t v = 0; v < rows(); ++v)
      x_out_(v, column_[j]) = x_.data()[v * columns_ + static_cast<std::int64_t>(j)];
  }

  // Columns that met their target (r is the true residual here) or broke down leave.
  void drop_finished(bool at_start) {
    for (ColumnState& s : state_)
      s.stop = s.broken || s.norm <= s.target || (at_start && !std::isfinite(s.norm));
    if (at_start)
      for (ColumnState& s : state_) s.broken = s.broken || !std::isfinite(s.norm);
    drop_stopped();
  }
  void drop_broken() {
    for (ColumnState& s : state_) s.stop = s.broken;
    drop_stopped();
  }

  // Closes the gaps in place: a value never moves to a higher address.
  void drop_stopped() {
    std::vector<std::size_t> stay;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      any_broken_ = any_broken_ || state_[j].broken;
      if (state_[j].stop) {
        write_back(j);
      } else {
        stay.push_back(j);
      }
    }
    if (stay.size() == state_.size()) return;
    const auto narrow = static_cast<std::int64_t>(stay.size());
    for (Block* block : {&x_, &r_, &p_, &q_}) {
      double* values = block->data();
      for (std::int64_t v = 0; v < rows(); ++v)
        for (std::size_t j = 0; j < stay.size(); ++j)
          values[v * narrow + static_cast<std::int64_t>(j)] =
              values[v * columns_ + static_cast<std::int64_t>(stay[j])];
    }
    for (std::size_t j = 0; j < stay.size(); ++j) {
      state_[j] = state_[stay[j]];
      column_[j] = column_[stay[j]];
    }
    state_.resize(stay.size());
    column_.resize(stay.size());
    columns_ = narrow;
  }

  const GroundedLaplacian& a_;
  const Block& b_;
  Block& x_out_;
  int threads_;
  Block x_;  // of the columns at work, like r, p and q: rows × columns_, the memory for all of b
  Block r_, p_, q_;
  std::int64_t columns_;
  std::vector<double> inverse_diagonal_;
  std::vector<std::int64_t> column_;  // place in b
  std::vector<ColumnState> state_;
  Norms sums_;
  bool any_broken_ = false;
};

class ConjugateGradient final : public ReducedSolver {
 public:
  ConjugateGradient(SharedSystem system, std::int64_t max_iterations)
      : system_(std::move(system)), max_iterations_(max_iterations) {}

  InnerResult solve(const Block& b, Block& x, const Norms& targets,
                    const RunContext& run) const override {
    Iteration iteration(*system_, b, x, targets, run.thread_count());
    InnerResult result;
    const double first = iteration.worst();
    while (!iteration.done()) {
      if (run.should_stop()) {
        result.outcome = run.cancelled() ? Outcome::cancelled : Outcome::time_limit;
        break;
      }
      if (result.iterations >= max_iterations_) {
        result.outcome = Outcome::iteration_limit;
        break;
      }
      ++result.iterations;
      iteration.step(result.iterations % replacement_period == 0);
      if (run.progress && result.iterations % 8 == 0)
        run.report_progress("solve", progress_fraction(first, iteration.worst()));
    }
    iteration.flush();
    if (result.outcome == Outcome::converged && iteration.any_broken()) {
      result.outcome = Outcome::breakdown;
      result.note = "rounding stopped the conjugate gradients";
    }
    return result;
  }

 private:
  SharedSystem system_;
  std::int64_t max_iterations_;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_conjugate_gradient(SharedSystem system,
                                                       std::int64_t max_iterations) {
  return std::make_unique<ConjugateGradient>(std::move(system), max_iterations);
}

std::vector<double> probe_conjugate_gradient(const SharedSystem& system, std::int64_t iterations,
                                             int threads) {
  Block b(system->size(), 1);
  Rng rng(1);
  for (std::int64_t v = 0; v < b.rows(); ++v) b(v, 0) = rng.uniform() - 0.5;
  Block x(b.rows(), 1);
  Iteration iteration(*system, b, x, {0.0}, threads);
  std::vector<double> norms{iteration.norm_of_first()};
  for (std::int64_t i = 0; i < iterations && !iteration.done(); ++i) {
    iteration.step(false);
    norms.push_back(iteration.norm_of_first());
  }
  return norms;
}

}  // namespace gssl::solve
