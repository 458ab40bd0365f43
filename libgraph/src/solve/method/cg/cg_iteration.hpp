#pragma once
// The steps of conjugate_gradient.hpp for one group of columns. As a textbook has them, for one
// column, with the functions below that do each:
//
//   r = b − A x                     take_right_hand_side() where x = 0, else recompute_residual()
//   p = M⁻¹ r,  rz = rᵀM⁻¹r         start_directions()
//   until ‖r‖ ≤ target:             drop_stopped()
//     q = A p,  α = rz / pᵀq        take_step_lengths()
//     r = r − α q,  then rᵀM⁻¹r     move_residual()
//     β = the new rz / the old      step()
//     x = x + α p,  p = M⁻¹r + β p  move_solution_and_directions()
//   believe ‖r‖ if ‖b − A x‖ agrees check_claims(), replace_residual()

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "cg_columns.hpp"
#include "conjugate_gradient.hpp"
#include "gssl/core/index.hpp"
#include "gssl/linalg/residual.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/column_loops.hpp"
#include "swept_cg.hpp"

namespace gssl::solve {

// A column that believes twice that it is done, and is not nearer than half the way, has stalled;
// so has one with a preconditioner that is not nearer after a period.
inline constexpr double least_gain = 0.5;
using Norms = std::vector<double>;

// Where b − Ax is more than this many times r, r says nothing.
inline constexpr double most_drift = 2.0;
// A true residual this much above what was believed asks for as much more.
inline constexpr double overshoot = 1.1;

// What all groups share: the matrix, its preconditioner, and the diagonal in the form it is used.
struct Operator {
  const GroundedLaplacian& a;
  const Preconditioner* preconditioner;  // null: the diagonal
  const SweptSystem* split = nullptr;    // the iteration is on Ã, preconditioned by 1/p
  Norms scale;  // 1/d; around a preconditioner 1, or 1/√d if it is scaled; empty with a split

  Operator(const GroundedLaplacian& matrix, const Preconditioner* approximate_inverse)
      : a(matrix), preconditioner(approximate_inverse) {
    scale.reserve(a.diagonal().size());
    for (const double d : a.diagonal())
      scale.push_back(preconditioner == nullptr  ? 1.0 / d
                      : preconditioner->scaled() ? 1.0 / std::sqrt(d)
                                                 : 1.0);
  }
  Operator(const GroundedLaplacian& matrix, const SweptSystem& halves)
      : a(matrix), preconditioner(nullptr), split(&halves) {}

  // That of each row; p of a split.
  const double* scales() const { return split != nullptr ? split->pivots().data() : scale.data(); }
};

// Columns of b while they are at work, side by side. `Real`: of the preconditioner's blocks. Where
// they are all of x they are worked on in place: x is theirs until flush().
template <class Real>
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
        own_x_(width == x.columns() ? Block() : Block(b.rows(), width)),
        x_(width == x.columns() ? x : own_x_),
        width_(width),
        columns_(width) {
    r_ = q_ = p_ = Block(b.rows(), columns_);
    if (op.preconditioner != nullptr) {
      scaled_.resize(index(b.rows() * columns_));
      preconditioned_.resize(scaled_.size());
    }
    column_.resize(index(columns_));
    std::iota(column_.begin(), column_.end(), first);
    for (const std::int64_t j : column_) state_.push_back({.target = targets[index(j)]});
    if (&x_ == &own_x_)
      for (std::int64_t v = 0; v < b.rows(); ++v)
        for (std::int64_t k = 0; k < width; ++k) x_(v, k) = x(v, first + k);
    if (std::ranges::all_of(x_.values(), [](double value) { return value == 0.0; })) {
      take_right_hand_side();
    } else {
      recompute_residual();
    }
    if (op.split != nullptr) {
      const Norms norms = unsplit_norms(r_);
      for (std::size_t j = 0; j < state_.size(); ++j) {
        if (state_[j].norm > 0.0) state_[j].unit = norms[j] / state_[j].norm;
        state_[j].norm = norms[j];
      }
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
      replace_residual();
    }
  }

  // Hands x back, each column in its place.
  void flush() {
    for (std::size_t j = 0; j < state_.size(); ++j)
      error_[index(column_[j])] = estimated_error(state_[j].gains);
    std::array<double, group_width> row{};
    // From the last row down: a row at work lies below its place in x.
    for (std::int64_t v = rows(); v-- > 0;) {
      std::copy_n(x_.data() + v * columns_, columns_, row.begin());
      for (std::int64_t k = 0; k < columns_; ++k) x_out_(v, column_[index(k)]) = row[index(k)];
      for (std::size_t i = 0; i < left_.size(); ++i) x_out_(v, left_[i]) = left_x(i)[v];
    }
  }

 private:
  template <class>
  friend struct CgState;

  struct ColumnState {
    double target = 0.0;
    bool stop = false;
    bool broken = false;
    bool claims = false;  // to have met its target
    double unit = 1.0;  // what ‖r‖ is multiplied by, to be that of A's residual and not of Ã's
    double norm = 0.0;  // ‖r‖
    double rz = 0.0;    // rᵀM⁻¹r
    double rz_before = 0.0;
    double alpha = 0.0;
    double beta = 0.0;
    double last_true = 0.0;  // ‖b − Ax‖ when it last claimed to be done
    double last_drift = std::numeric_limits<double>::infinity();  // and when r was last not b − Ax
    std::vector<double> gains = {};  // by how much each step lowered ‖error‖²_A
  };

  std::int64_t rows() const { return b_.rows(); }

  using Coefficients = std::array<double, group_width>;
  Coefficients coefficients(double ColumnState::*number) const {
    Coefficients list{};
    for (std::size_t j = 0; j < state_.size(); ++j) list[j] = state_[j].*number;
    return list;
  }

  // Stores a new value of the residual at row v; returns its part of ‖r‖², and of rᵀD⁻¹r unless
  // there is a preconditioner, which gets it scaled.
  struct TakeResidual {
    double* r;
    const double* scale;
    Real* scaled;  // null: no preconditioner

    std::array<double, 2> operator()(std::int64_t v, std::int64_t i, double value) const {
      r[i] = value;
      const double product = value * scale[v];
      if (scaled != nullptr) scaled[i] = static_cast<Real>(product);
      return {value * value, value * product};
    }
  };
  TakeResidual take_residual() {
    return {r_.data(), op_.scales(), op_.preconditioner != nullptr ? scaled_.data() : nullptr};
  }

  // y = A x, then body(begin, end, sum) on blocks of rows, which adds to `numbers` sums.
  template <class Body>
  void multiply(const Block& x, Block& y, std::int64_t numbers, Body&& body) {
    if (op_.split != nullptr) {
      op_.split->apply(x.data(), y.data(), columns_, threads_, halves_);
      column_sums(rows(), numbers, threads_, sums_, body);
      return;
    }
    column_sums(rows(), numbers, threads_, sums_,
                [&](std::int64_t begin, std::int64_t end, double* sum) {
                  op_.a.apply_rows(x.data(), y.data(), columns_, begin, end);
                  body(begin, end, sum);
                });
  }

  // The norms of A's residual, where r is that of Ã. In the scratch of multiply().
  Norms unsplit_norms(const Block& r) {
    const std::int64_t length = rows() * columns_;
    const std::int64_t needed = op_.split->is_cut(threads_) ? 2 * length : length;
    if (halves_.size() < index(needed)) halves_.resize(index(needed));
    double* const whole = halves_.data();
    op_.split->undo_forward(r.data(), whole, columns_, threads_, whole + length);
    column_sums(
        rows(), columns_, threads_, sums_, [&](std::int64_t begin, std::int64_t end, double* sum) {
          sum_values(columns_, begin, end, sum,
                     [whole](auto, auto, auto i) { return std::array{whole[i] * whole[i]}; });
        });
    Norms norms(state_.size());
    for (std::size_t j = 0; j < norms.size(); ++j) norms[j] = std::sqrt(sums_[j]);
    return norms;
  }

  // Norms and rᵀM⁻¹r, after each value was given to take_residual() and the sums taken.
  void use_residual() {
    for (std::size_t j = 0; j < state_.size(); ++j) {
      state_[j].norm = state_[j].unit * std::sqrt(sums_[j]);
      state_[j].rz = sums_[index(columns_) + j];
    }
    if (op_.preconditioner == nullptr) return;
    op_.preconditioner->apply(scaled_.data(), preconditioned_.data(), columns_, threads_, scratch_);
    column_sums(
        rows(), columns_, threads_, sums_, [&](std::int64_t begin, std::int64_t end, double* sum) {
          sum_values(columns_, begin, end, sum,
                     [r = scaled_.data(), z = preconditioned_.data()](auto, auto, auto i) {
                       return std::array{static_cast<double>(r[i]) * static_cast<double>(z[i])};
                     });
        });
    for (std::size_t j = 0; j < state_.size(); ++j) state_[j].rz = sums_[j];
  }

  // The same, with body(begin, end, sum) on blocks of rows to take them.
  template <class Body>
  void renew_residual(Body&& body) {
    column_sums(rows(), 2 * columns_, threads_, sums_, body);
    use_residual();
  }

  // r = b, where x = 0.
  void take_right_hand_side() {
    renew_residual([&, take = take_residual()](std::int64_t begin, std::int64_t end, double* sum) {
      sum_values(columns_, begin, end, sum,
                 [&b = b_, &column = column_, take](auto v, auto k, auto i) {
                   return take(v, i, b(v, column[index(k)]));
                 });
    });
  }

  // r = b − A x, from scratch.
  void recompute_residual() {
    multiply(x_, r_, 2 * columns_, [&, take = take_residual()](auto begin, auto end, double* sum) {
      sum_values(columns_, begin, end, sum,
                 [&b = b_, &column = column_, take](auto v, auto k, auto i) {
                   return take(v, i, b(v, column[index(k)]) - take.r[i]);
                 });
    });
    use_residual();
  }

  // r −= alpha q.
  void move_residual() {
    const Coefficients alpha = coefficients(&ColumnState::alpha);
    renew_residual([&, take = take_residual()](std::int64_t begin, std::int64_t end, double* sum) {
      sum_values(columns_, begin, end, sum, [alpha, q = q_.data(), take](auto v, auto k, auto i) {
        return take(v, i, take.r[i] - alpha[index(k)] * q[i]);
      });
    });
  }

  // Columns that claim to be done leave if b − Ax agrees; if one does not, all start afresh from
  // the true residual, unless only its unit was wrong.
  void check_claims() {
    multiply(x_, q_, columns_, [&](std::int64_t begin, std::int64_t end, double* sum) {
      sum_values(columns_, begin, end, sum, [&](std::int64_t v, std::int64_t k, std::int64_t i) {
        double& r = q_.data()[i];
        r = b_(v, column_[index(k)]) - r;
        return std::array{r * r};
      });
    });
    Norms norms(state_.size());
    for (std::size_t j = 0; j < norms.size(); ++j) norms[j] = std::sqrt(sums_[j]);
    const Norms own = norms;
    if (op_.split != nullptr) norms = unsplit_norms(q_);
    bool all_true = true;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      s.stop = s.claims && norms[j] <= s.target;
      if (!s.claims || s.stop) continue;
      if (s.unit * own[j] <= s.target) {
        s.unit = overshoot * norms[j] / own[j];
        continue;
      }
      s.stop = s.broken = !(norms[j] <= least_gain * s.last_true);
      s.last_true = norms[j];
      all_true = false;
    }
    drop_stopped();
    if (all_true || done()) return;
    recompute_residual();
    start_directions();
  }

  // Directions that belong to an r far below b − Ax would be followed much too far: all start
  // afresh. A column in which that happens again half as near at best has stalled.
  void replace_residual() {
    Norms believed;
    for (const ColumnState& s : state_) believed.push_back(s.norm);
    recompute_residual();
    bool drifted = false;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      ColumnState& s = state_[j];
      if (s.norm <= most_drift * believed[j]) continue;
      drifted = true;
      s.stop = s.broken = !(s.norm <= least_gain * s.last_drift);
      s.last_drift = s.norm;
    }
    if (!drifted) return;
    drop_stopped();
    if (!done()) start_directions();
  }

  void start_directions() {
    for (ColumnState& s : state_) s.alpha = s.beta = 0.0;
    move_solution_and_directions();
  }

  // q = A p, alpha = rᵀM⁻¹r / pᵀq.
  void take_step_lengths() {
    multiply(p_, q_, columns_, [&](std::int64_t begin, std::int64_t end, double* sum) {
      sum_values(columns_, begin, end, sum, [p = p_.data(), q = q_.data()](auto, auto, auto i) {
        return std::array{p[i] * q[i]};
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
        each_value(columns_, begin, end,
                   [=, p = p_.data(), x = x_.data(), scale = op_.scales()](auto v, auto k, auto i) {
                     x[i] += alpha[index(k)] * p[i];
                     p[i] = scale[v] * static_cast<double>(z[i]) + beta[index(k)] * p[i];
                   });
      });
    };
    if (op_.preconditioner == nullptr) {
      move(r_.data());
    } else {
      move(preconditioned_.data());
    }
  }

  // x of the i-th column that has left: behind what r takes of the others.
  double* left_x(std::size_t i) {
    return r_.data() + rows() * (width_ - 1 - static_cast<std::int64_t>(i));
  }
  const double* left_x(std::size_t i) const { return const_cast<Iteration*>(this)->left_x(i); }

  // Closes the gaps in place: a value never moves to a higher address. x of those that leave goes to
  // the room that this makes behind r.
  void drop_stopped() {
    std::vector<std::size_t> stay, gone;
    for (std::size_t j = 0; j < state_.size(); ++j) {
      any_broken_ = any_broken_ || state_[j].broken;
      (state_[j].stop ? gone : stay).push_back(j);
    }
    if (gone.empty()) return;
    const auto narrow = static_cast<std::int64_t>(stay.size());
    const auto close_gaps = [&](auto* values) {
      for (std::int64_t v = 0; v < rows(); ++v)
        for (std::size_t j = 0; j < stay.size(); ++j)
          values[v * narrow + static_cast<std::int64_t>(j)] =
              values[v * columns_ + static_cast<std::int64_t>(stay[j])];
    };
    for (Block* block : {&r_, &q_, &p_}) close_gaps(block->data());
    if (op_.preconditioner != nullptr) close_gaps(preconditioned_.data());
    for (const std::size_t j : gone) leave(j);
    close_gaps(x_.data());
    for (std::size_t j = 0; j < stay.size(); ++j) {
      state_[j] = state_[stay[j]];
      column_[j] = column_[stay[j]];
    }
    state_.resize(stay.size());
    column_.resize(stay.size());
    columns_ = narrow;
  }

  void leave(std::size_t j) {
    error_[index(column_[j])] = estimated_error(state_[j].gains);
    left_.push_back(column_[j]);
    double* const to = left_x(left_.size() - 1);
    for (std::int64_t v = 0; v < rows(); ++v)
      to[v] = x_.data()[v * columns_ + static_cast<std::int64_t>(j)];
  }

  const Operator& op_;
  const Block& b_;
  Block& x_out_;
  Norms& error_;
  int threads_;
  Block own_x_;
  Block& x_;  // of the columns at work, like all that follow: rows × columns_
  Block r_, q_, p_;
  std::vector<Real> scaled_, preconditioned_,
      scratch_;         // r and M⁻¹r as the preconditioner sees them
  std::int64_t width_;  // the columns of b that it began with
  std::int64_t columns_;
  std::vector<std::int64_t> column_;  // place in b
  std::vector<std::int64_t> left_;    // places of those that are no longer at work
  std::vector<ColumnState> state_;
  Norms sums_, halves_;  // scratch
  bool any_broken_ = false;
};

}  // namespace gssl::solve
