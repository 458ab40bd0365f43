#include <algorithm>
#include <cmath>

#include "batch/linear/margin_problem.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// Weights and, as the last entry, the bias: where there is none it stays 0.
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b, int threads) {
  return blocked_sum(
      static_cast<std::int64_t>(a.size()), threads, [&](std::int64_t begin, std::int64_t end) {
        double sum = 0.0;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
          sum += a[i] * b[i];
        return sum;
      });
}

void add(Vector& a, double factor, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

class Newton {
 public:
  Newton(const MarginProblem& problem, const MarginOptions& options, const RunContext& run)
      : problem_(problem),
        options_(options),
        run_(run),
        threads_(problem.rows->threads_for(run.thread_count())),
        columns_(static_cast<std::size_t>(problem.rows->columns())),
        x_(columns_ + 1, 0.0),
        f_(problem.sign.size(), 0.0),
        alpha_(problem.sign.size()),
        bend_(problem.sign.size()) {}

  MarginSolution solve() {
    MarginSolution solution;
    solution.outcome = iterate(solution);
    solution.w.assign(x_.begin(), x_.end() - 1);
    solution.b = x_.back();
    solution.support =
        static_cast<std::int64_t>(std::ranges::count_if(alpha_, [](double a) { return a > 0.0; }));
    return solution;
  }

 private:
  bool has_bias() const { return problem_.bias != Bias::none; }
  double bias_penalty() const { return problem_.bias == Bias::regularized ? 1.0 : 0.0; }

  Outcome iterate(MarginSolution& solution) {
    while (true) {
      differentiate();
      const MarginValue value = measured();
      solution.objective = value.primal;
      solution.gap = value.gap;
      if (value.gap <= options_.tolerance * value.primal) return Outcome::converged;
      if (solution.passes >= options_.passes) return Outcome::iteration_limit;
      if (const auto why = run_.stop()) return *why;
      ++solution.passes;
      const Vector step = direction();
      if (const auto why = run_.stop()) return *why;
      // No descent left in double precision: the gap says what was reached.
      if (!search(step, value.primal)) return Outcome::iteration_limit;
    }
  }

  // P(x) and its gap. With α_i = −C·loss'(m) the dual part of a row is C·loss(m) + α m (Fenchel), and
  // X'αy is in the gradient; a free bias needs another α.
  MarginValue measured() const {
    if (problem_.bias == Bias::free)
      return margin_value(problem_, {x_.begin(), x_.end() - 1}, x_.back(), f_, alpha_, threads_);
    MarginValue value;
    value.primal = penalty_of(x_) + loss_;
    double dual = fenchel_;
    for (std::size_t c = 0; c < columns_; ++c)
      dual -= 0.5 * (gradient_[c] - x_[c]) * (gradient_[c] - x_[c]);
    const double bias = gradient_[columns_] - bias_penalty() * x_[columns_];
    dual -= 0.5 * bias_penalty() * bias * bias;
    value.gap = std::max(0.0, value.primal - dual);
    return value;
  }

  // α_i = −C_i·loss'(y_i f_i), the second derivatives, the gradient and the preconditioner.
  void differentiate() {
    loss_ = fenchel_ = 0.0;
    for (std::size_t i = 0; i < f_.size(); ++i) {
      const double margin = problem_.sign[i] * f_[i];
      const double cost = problem_.cost[i];
      double loss = 0.0;
      if (problem_.loss == MarginLoss::logistic) {
        const double e = std::exp(-std::abs(margin));
        const double share = (margin > 0.0 ? e : 1.0) / (1.0 + e);  // 1/(1 + exp(margin))
        alpha_[i] = cost * share;
        bend_[i] = cost * e / ((1.0 + e) * (1.0 + e));
        loss = cost * (std::max(0.0, -margin) + std::log1p(e));
      } else {
        const double lack = std::max(0.0, 1.0 - margin);
        alpha_[i] = 2.0 * cost * lack;
        bend_[i] = lack > 0.0 ? 2.0 * cost : 0.0;
        loss = cost * lack * lack;
      }
      loss_ += loss;
      fenchel_ += loss + alpha_[i] * margin;
    }
    Vector pull(alpha_);
    for (std::size_t i = 0; i < pull.size(); ++i) pull[i] *= -problem_.sign[i];
    gradient_ = with_bias(pull);
    add_penalty(x_, gradient_);
    diagonal_ = problem_.rows->squares_times(bend_, threads_);
    for (double& entry : diagonal_) entry += 1.0;
    diagonal_.push_back(has_bias() ? bias_penalty() + sum(bend_) : 1.0);
    // No row bends: the constant is then moved as one row of every class would move it.
    if (!(diagonal_.back() > 0.0)) diagonal_.back() = 1.0;
  }

  static double sum(const Vector& values) {
    double total = 0.0;
    for (const double value : values) total += value;
    return total;
  }

  // (X'u, Σu) and (w, …) + penalties.
  Vector with_bias(const Vector& u) const {
    Vector product = problem_.rows->transposed_times(u, threads_);
    product.push_back(has_bias() ? sum(u) : 0.0);
    return product;
  }
  void add_penalty(const Vector& x, Vector& to) const {
    for (std::size_t c = 0; c < columns_; ++c) to[c] += x[c];
    if (has_bias()) to[columns_] += bias_penalty() * x[columns_];
  }
  Vector values_of(const Vector& x) const {
    Vector f = problem_.rows->times({x.data(), columns_}, threads_);
    if (has_bias())
      for (double& value : f) value += x[columns_];
    return f;
  }

  // Rows that do not bend are not read.
  Vector hessian_times(const Vector& x) const {
    Vector u(bend_.size());
    parallel_blocks(
        static_cast<std::int64_t>(u.size()), threads_, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const double bend = bend_[static_cast<std::size_t>(i)];
            if (bend == 0.0) continue;
            u[static_cast<std::size_t>(i)] =
                bend * (problem_.rows->row(i).dot(x.data()) + (has_bias() ? x[columns_] : 0.0));
          }
        });
    Vector product = with_bias(u);
    add_penalty(x, product);
    return product;
  }

  // H s = −g by preconditioned conjugate gradients, to a tenth, later to less.
  Vector direction() {
    Vector s(x_.size(), 0.0);
    Vector r(gradient_);
    for (double& value : r) value = -value;
    Vector z = scaled(r);
    Vector d = z;
    double size = dot(r, z, threads_);
    if (first_ == 0.0) first_ = size;
    const double share = first_ > 0.0 ? std::min(0.1, std::sqrt(std::sqrt(size / first_))) : 0.0;
    const double enough = share * share * size;
    for (int step = 0; step < 1000 && size > enough; ++step) {
      if (run_.should_stop()) break;
      const Vector image = hessian_times(d);
      const double curvature = dot(d, image, threads_);
      if (!(curvature > 0.0)) break;
      const double length = size / curvature;
      add(s, length, d);
      add(r, -length, image);
      z = scaled(r);
      const double next = dot(r, z, threads_);
      for (std::size_t c = 0; c < d.size(); ++c) d[c] = z[c] + next / size * d[c];
      size = next;
    }
    return s;
  }

  Vector scaled(const Vector& r) const {
    Vector z(r);
    for (std::size_t c = 0; c < z.size(); ++c) z[c] /= diagonal_[c];
    return z;
  }

  // Halves the step until P falls by a hundredth of what its slope promises.
  bool search(const Vector& step, double objective) {
    const double slope = dot(gradient_, step, threads_);
    const Vector change = values_of(step);
    double length = 1.0;
    for (int halving = 0; halving < 40; ++halving, length *= 0.5) {
      Vector x(x_);
      add(x, length, step);
      Vector f(f_);
      add(f, length, change);
      const double value = penalty_of(x) + problem_.total_loss(f, threads_);
      if (value <= objective + 0.01 * length * slope) {
        const bool moved = value < objective;
        x_ = std::move(x);
        // Not summed up from steps, whose rounding would gather.
        f_ = values_of(x_);
        return moved;
      }
    }
    return false;
  }

  double penalty_of(const Vector& x) const {
    double square = 0.0;
    for (std::size_t c = 0; c < columns_; ++c) square += x[c] * x[c];
    return 0.5 * (square + bias_penalty() * x[columns_] * x[columns_]);
  }

  const MarginProblem& problem_;
  const MarginOptions& options_;
  const RunContext& run_;
  int threads_;
  std::size_t columns_;
  Vector x_;
  Vector f_;
  Vector alpha_;
  Vector bend_;  // C·loss''
  Vector gradient_;
  Vector diagonal_;       // of the Hessian
  double loss_ = 0.0;     // Σ C·loss
  double fenchel_ = 0.0;  // Σ C·loss + α m
  double first_ = 0.0;
};

}  // namespace

MarginSolution newton(const MarginProblem& problem, const MarginOptions& options,
                      const RunContext& run) {
  return Newton(problem, options, run).solve();
}

}  // namespace gssl::detail
