#pragma once
// The steps of conjugate_gradient.hpp for one group of columns.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "block_kernels.hpp"
#include "conjugate_gradient.hpp"

namespace gssl::solve {

// A column that believes twice that it is done, and is not nearer than half the way, has stalled;
// so has one with a preconditioner that is not nearer after a period.
inline constexpr double least_gain = 0.5;
// Columns of a group: more of them share a pass, fewer keep their rows in the cache.
inline constexpr std::int64_t group_width = 5;

using Norms = std::vector<double>;

// What all groups share: the matrix, its preconditioner, and the diagonal in the form it is used.
struct Operator {
  const GroundedLaplacian& a;
  const Preconditioner* preconditioner;  // null: the diagonal
  Norms scale;  // 1/d; around a preconditioner 1, or 1/√d if it is scaled

  Operator(const GroundedLaplacian& matrix, const Preconditioner* approximate_inverse)
      : a(matrix), preconditioner(approximate_inverse) {
    scale.reserve(a.diagonal().size());
    for (const double d : a.diagonal())
      scale.push_back(preconditioner == nullptr  ? 1.0 / d
                      : preconditioner->scaled() ? 1.0 / std::sqrt(d)
                                                 : 1.0);
  }
};

// The columns [first, first + width) of b while they are at work, side by side. `Real` is the type
// of the preconditioner's blocks, `Direction` that of the directions. A direction of floats is what
// its rounded values are: x and r move along it in double, and r stays b − Ax. What the rounding
// spoils is how nearly conjugate the directions are: by 1e-7 times the root of the condition
// number.
template <class Real, class Direction = double>
class Iteration {
 public:
  // `error` gets the estimated ‖error‖_A of each column when it leaves.
  Iteration(const Operator& op, const Block& b, Block& x, const Norms& targets, Norms& error,
            std::int64_t first, std::int64_t width, int threads)
      : op_(op),
        b_(b),
        x_out_(x),
        error_(error),
        threads_(threads),
        x_(b.rows(), width),
        columns_(width) {
    r_ = Block(b.rows(), columns_);
    q_ = r_;
    p_.resize(index(b.rows() * columns_));
    if (op.preconditioner != nullptr) {
      scaled_.resize(index(b.rows() * columns_));
      preconditioned_.resize(scaled_.size());
    }
    column_.resize(index(columns_));
    std::iota(column_.begin(), column_.end(), first);
    for (const std::int64_t j : column_) state_.push_back({.target = targets[index(j)]});
    for (std::int64_t v = 0; v < b.rows(); ++v)
      for (std::int64_t k = 0; k < width; ++k) x_(v, k) = x(v, first + k);
    if (std::ranges::all_of(x_.values(), [](double value) { return value == 0.0; })) {
      take_right_hand_side();
    } else {
      recompute_residual();
    }
    for (ColumnState& s : state_) {
      s.last_true = s.norm;
      s.broken = !std::isfinite(s.norm);
      s.stop = s.broken || s.norm <= s.target;
    }
    drop_stopped();
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
  // Those of the last step of the first column at work.
  void append_coefficients(CgCoefficients& to) const {
    to.alpha.push_back(state_.front().alpha);
    to.beta.push_back(state_.front().beta);
    to.residual.push_back(std::sqrt(state_.front().rz));
  }

  void step(bool replace) {
    take_step_lengths();
    for (ColumnState& s : state_) s.stop = s.broken;
    drop_stopped();
    if (done()) return;
    for (ColumnState& s : state_) s.rz_before = s.rz;
    move_residual();
    // x moves together with p, one step late; p is renewed after the new residual is known.
    for (ColumnState& s : state_) s.beta = s.rz_before > 0.0 ? s.rz / s.rz_before : 0.0;
    move_solution_and_directions();
    for (ColumnState& s : state_) {
      s.gains.push_back(s.alpha * s.rz_before);
      s.claims = !(s.norm > s.target);
    }
    if (std::ranges::any_of(state_, &ColumnState::claims)) {
      check_claims();
    } else if (replace) {
      recompute_residual();
    }
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
    bool claims = false;  // to have met its target
    double norm = 0.0;    // ‖r‖
    double rz = 0.0;      // rᵀM⁻¹r
    double rz_before = 0.0;
    double alpha = 0.0;
    double beta = 0.0;
    double last_true = 0.0;          // ‖b − Ax‖ when it last claimed to be done
    std::vector<double> gains = {};  // by how much each step lowered ‖error‖²_A
  };

  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t rows() const { return b_.rows(); }

  // One number of each column, where a loop over rows finds them quickly.
  using Coefficients = std::array<double, group_width>;
  Coefficients coefficients(double ColumnState::*number) const {
    Coefficients list{};
    for (std::size_t j = 0; j < state_.size(); ++j) list[j] = state_[j].*number;
    return list;
  }

  // Calls body with the number of columns as a type: a width that the compiler knows is a loop that
  // needs no loop.
  template <class Body>
  void with_width(Body&& body) const {
    switch (columns_) {
      case 1: return body(std::integral_constant<int, 1>{});
      case 2: return body(std::integral_constant<int, 2>{});
      case 3: return body(std::integral_constant<int, 3>{});
      case 4: return body(std::integral_constant<int, 4>{});
      case group_width: return body(std::integral_constant<int, group_width>{});
    }
  }

  // Calls body(v, k, i) for each value of the rows [begin, end), where i is its place.
  template <class Body>
  void each_value(std::int64_t begin, std::int64_t end, Body&& body) const {
    with_width([&]<int Width>(std::integral_constant<int, Width>) {
      for (std::int64_t v = begin; v < end; ++v)
        for (int k = 0; k < Width; ++k) body(v, k, v * Width + k);
    });
  }

  // The same with a body that returns numbers, which are added to sum[k], sum[columns + k], ….
  template <class Body>
  void sum_values(std::int64_t begin, std::int64_t end, double* sum, Body&& body) const {
    with_width([&]<int Width>(std::integral_constant<int, Width>) {
      using Terms = decltype(body(begin, begin, begin));
      std::array<Terms, Width> total{};
      for (std::int64_t v = begin; v < end; ++v)
        for (int k = 0; k < Width; ++k) {
          const Terms terms = body(v, k, v * Width + k);
          for (std::size_t t = 0; t < terms.size(); ++t) total[k][t] += terms[t];
        }
      for (int k = 0; k < Width; ++k)
        for (std::size_t t = 0; t < total[k].size(); ++t) sum[t * Width + k] += total[k][t];
    });
  }

  // Stores a new value of the residual at row v; returns its part of ‖r‖², and of rᵀD⁻¹r unless
  // there is a preconditioner, which gets it scaled.
  std::array<double, 2> take_residual(std::int64_t v, std::int64_t i, double value) {
    r_.data()[i] = value;
    const double scaled = value * op_.scale[index(v)];
    if (op_.preconditioner != nullptr) scaled_[index(i)] = static_cast<Real>(scaled);
    return {value * value, value * scaled};
  }

  // Calls body(begin, end, sum) on blocks of rows, which take_residual() each value; then norms
  // and rᵀM⁻¹r are known.
  template <class Body>
  void renew_residual(Body&& body) {
    column_sums(rows(), 2 * columns_, threads_, sums_, body);
    for (std::size_t j = 0; j < state_.size(); ++j) {
      state_[j].norm = std::sqrt(sums_[j]);
      state_[j].rz = sums_[index(columns_) + j];
    }
    if (op_.preconditioner == nullptr) return;
    op_.preconditioner->apply(scaled_.data(), preconditioned_.data(), columns_, threads_, scratch_);
    column_sums(rows(), columns_, threads_, sums_,
                [&](std::int64_t begin, std::int64_t end, double* sum) {
                  sum_values(begin, end, sum, [&](std::int64_t, std::int64_t, std::int64_t i) {
                    return std::array{static_cast<double>(scaled_[index(i)]) *
                                      static_cast<double>(preconditioned_[index(i)])};
                  });
                });
    for (std::size_t j = 0; j < state_.size(); ++j) state_[j].rz = sums_[j];
  }

  // r = b, where x = 0.
  void take_right_hand_side() {
    renew_residual([&](std::int64_t begin, std::int64_t end, double* sum) {
      sum_values(begin, end, sum, [&](std::int64_t v, std::int64_t k, std::int64_t i) {
        return take_residual(v, i, b_(v, column_[index(k)]));
      });
    });
  }

  // r = b − A x, from scratch.
  void recompute_residual() {
    renew_residual([&](std::int64_t begin, std::int64_t end, double* sum) {
      op_.a.apply_rows(x_.data(), r_.data(), columns_, begin, end);
      sum_values(begin, end, sum, [&](std::int64_t v, std::int64_t k, std::int64_t i) {
        return take_residual(v, i, b_(v, column_[index(k)]) - r_.data()[i]);
      });
    });
  }

  // r −= alpha q.
  void move_residual() {
    const Coefficients alpha = coefficients(&ColumnState::alpha);
    renew_residual([&](std::int64_t begin, std::int64_t end, double* sum) {
      sum_values(begin, end, sum, [&](std::int64_t v, std::int64_t k, std::int64_t i) {
        return take_residual(v, i, r_.data()[i] - alpha[index(k)] * q_.data()[i]);
      });
    });
  }

  // Columns that claim to be done leave if b − Ax agrees; if one does not, all start afresh from
  // the true residual.
  void check_claims() {
    column_sums(rows(), columns_, threads_, sums_,
                [&](std::int64_t begin, std::int64_t end, double* sum) {
                  op_.a.apply_rows(x_.data(), q_.data(), columns_, begin, end);
                  sum_values(begin, end, sum, [&](std::int64_t v, std::int64_t k, std::int64_t i) {
                    const double r = b_(v, column_[index(k)]) - q_.data()[i];
                    return std::array{r * r};
                  });
                });
    bool all_true = true;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      const double norm = std::sqrt(sums_[j]);
      s.stop = s.claims && norm <= s.target;
      if (!s.claims || s.stop) continue;
      s.stop = s.broken = !(norm <= least_gain * s.last_true);
      s.last_true = norm;
      all_true = false;
    }
    drop_stopped();
    if (all_true || done()) return;
    recompute_residual();
    start_directions();
  }

  void start_directions() {
    for (ColumnState& s : state_) s.alpha = s.beta = 0.0;
    move_solution_and_directions();
  }

  // q = A p, alpha = rᵀM⁻¹r / pᵀq.
  void take_step_lengths() {
    column_sums(rows(), columns_, threads_, sums_,
                [&](std::int64_t begin, std::int64_t end, double* sum) {
                  op_.a.apply_rows(p_.data(), q_.data(), columns_, begin, end);
                  sum_values(begin, end, sum, [&](std::int64_t, std::int64_t, std::int64_t i) {
                    return std::array{static_cast<double>(p_[index(i)]) * q_.data()[i]};
                  });
                });
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      s.alpha = s.rz / sums_[j];
      if (!(sums_[j] > 0.0) || !std::isfinite(s.alpha)) s.broken = true;
    }
  }

  // x += alpha p, p = M⁻¹r + beta p.
  void move_solution_and_directions() {
    const Coefficients alpha = coefficients(&ColumnState::alpha);
    const Coefficients beta = coefficients(&ColumnState::beta);
    const auto move = [&](const auto* z) {
      parallel_blocks(rows(), threads_, [&](std::int64_t begin, std::int64_t end) {
        each_value(begin, end, [&](std::int64_t v, std::int64_t k, std::int64_t i) {
          Direction& p = p_[index(i)];
          const auto along = static_cast<double>(p);
          x_.data()[i] += alpha[index(k)] * along;
          p = static_cast<Direction>(op_.scale[index(v)] * static_cast<double>(z[i]) +
                                     beta[index(k)] * along);
        });
      });
    };
    if (op_.preconditioner == nullptr) {
      move(r_.data());
    } else {
      move(preconditioned_.data());
    }
  }

  // ‖error‖_A some steps ago, from below: what the steps since then gained (Strakoš and Tichý
  // 2002). The error now is smaller still. Not a number if no step was made.
  static double error_estimate(const std::vector<double>& gains) {
    if (gains.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto delay = std::min(gains.size(), gains.size() / 8 + 1);
    double sum = 0.0;
    for (auto gain = gains.end() - static_cast<std::ptrdiff_t>(delay); gain != gains.end(); ++gain)
      sum += *gain;
    return std::sqrt(sum);
  }

  void write_back(std::size_t j) {
    error_[index(column_[j])] = error_estimate(state_[j].gains);
    for (std::int64_t v = 0; v < rows(); ++v)
      x_out_(v, column_[j]) = x_.data()[v * columns_ + static_cast<std::int64_t>(j)];
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
    const auto close_gaps = [&](auto* values) {
      for (std::int64_t v = 0; v < rows(); ++v)
        for (std::size_t j = 0; j < stay.size(); ++j)
          values[v * narrow + static_cast<std::int64_t>(j)] =
              values[v * columns_ + static_cast<std::int64_t>(stay[j])];
    };
    for (Block* block : {&x_, &r_, &q_}) close_gaps(block->data());
    close_gaps(p_.data());
    if (op_.preconditioner != nullptr) close_gaps(preconditioned_.data());
    for (std::size_t j = 0; j < stay.size(); ++j) {
      state_[j] = state_[stay[j]];
      column_[j] = column_[stay[j]];
    }
    state_.resize(stay.size());
    column_.resize(stay.size());
    columns_ = narrow;
  }

  const Operator& op_;
  const Block& b_;
  Block& x_out_;
  Norms& error_;
  int threads_;
  Block x_;  // of the columns at work, like all that follow: rows × columns_
  Block r_, q_;
  std::vector<Direction> p_;
  std::vector<Real> scaled_, preconditioned_,
      scratch_;  // r and M⁻¹r as the preconditioner sees them
  std::int64_t columns_;
  std::vector<std::int64_t> column_;  // place in b
  std::vector<ColumnState> state_;
  Norms sums_;
  bool any_broken_ = false;
};

}  // namespace gssl::solve
