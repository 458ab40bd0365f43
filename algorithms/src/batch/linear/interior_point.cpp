#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "batch/linear/margin_problem.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

constexpr int most_steps = 100;
constexpr double short_of_border = 0.995;

// Slacks r of y f ≥ 1 − ξ beside α, and ξ beside C − α: each product is 0 in the end, and μ on the
// way there.
struct Slacks {
  std::vector<double> alpha, r, xi;

  explicit Slacks(std::size_t rows) : alpha(rows), r(rows), xi(rows) {}
};

// A symmetric matrix of few rows as its lower half, row by row.
class SmallFactor {
 public:
  explicit SmallFactor(std::size_t n) : n_(n), values_(n * n) {}

  double* row(std::size_t i) { return values_.data() + i * n_; }

  // A pivot that rounding left nothing of holds its unknown at 0.
  void factor() {
    constexpr double rounding = 1e-15;
    for (std::size_t i = 0; i < n_; ++i) {
      double* const to = row(i);
      const double whole = to[i];
      for (std::size_t j = 0; j <= i; ++j) {
        const double* const other = row(j);
        double sum = to[j];
        for (std::size_t k = 0; k < j; ++k) sum -= to[k] * other[k];
        if (j < i)
          to[j] = sum / other[j];
        else
          to[i] = sum > rounding * whole ? std::sqrt(sum) : 1e150;
      }
    }
  }

  void solve(std::vector<double>& x) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= row(i)[k] * x[k];
      x[i] /= row(i)[i];
    }
    for (std::size_t i = n_; i-- > 0;) {
      x[i] /= row(i)[i];
      for (std::size_t k = 0; k < i; ++k) x[k] -= row(i)[k] * x[i];
    }
  }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

// The unknowns v are w, and b where there is one, of rows z: x less its mean where the bias is free,
// and a 1 behind.
class InteriorPoint {
 public:
  InteriorPoint(const MarginProblem& problem, const MarginOptions& options, const RunContext& run)
      : problem_(problem),
        options_(options),
        run_(run),
        columns_(static_cast<std::size_t>(problem.rows->columns())),
        unknowns_(columns_ + (problem.bias == Bias::none ? 0 : 1)),
        mean_(columns_, 0.0),
        own_(unknowns_, 1.0),
        v_(unknowns_, 0.0),
        now_(problem.sign.size()),
        factor_(unknowns_) {
    if (problem.bias == Bias::free) {
      own_.back() = 0.0;
      double total = 0.0;
      for (const double cost : problem.cost) total += cost;
      mean_ = problem.rows->transposed_times(problem.cost, 1);
      for (double& value : mean_) value /= total;
    }
    for (std::size_t i = 0; i < rows(); ++i) {
      now_.alpha[i] = 0.5 * problem.cost[i];
      now_.r[i] = 1.0;
      now_.xi[i] = 2.0;
    }
  }

  MarginSolution solve() {
    MarginSolution best;
    for (int step = 0;; ++step) {
      MarginSolution found = look();
      if (step == 0 || found.gap < best.gap) best = std::move(found);
      best.passes = step;
      if (best.gap <= options_.tolerance * best.objective) return best;
      best.outcome = Outcome::iteration_limit;
      if (const auto why = run_.stop()) {
        best.outcome = *why;
        return best;
      }
      if (step == most_steps || !move()) return best;
      best.outcome = Outcome::converged;
    }
  }

 private:
  std::size_t rows() const { return problem_.sign.size(); }
  double room(std::size_t i) const { return problem_.cost[i] - now_.alpha[i]; }

  // Row z_i in full.
  void spread(std::size_t i, std::vector<double>& z) const {
    for (std::size_t c = 0; c < columns_; ++c) z[c] = -mean_[c];
    if (unknowns_ > columns_) z[columns_] = 1.0;
    problem_.rows->row(static_cast<std::int64_t>(i)).add_to(z.data(), 1.0);
  }

  // z_i·v of all rows.
  std::vector<double> values(const std::vector<double>& v) const {
    std::vector<double> f = problem_.rows->times({v.data(), columns_}, 1);
    double shift = unknowns_ > columns_ ? v[columns_] : 0.0;
    for (std::size_t c = 0; c < columns_; ++c) shift -= mean_[c] * v[c];
    for (double& value : f) value += shift;
    return f;
  }

  // Σ u_i z_i
  std::vector<double> sums(const std::vector<double>& u) const {
    std::vector<double> sum = problem_.rows->transposed_times(u, 1);
    double all = 0.0;
    for (const double value : u) all += value;
    for (std::size_t c = 0; c < columns_; ++c) sum[c] -= all * mean_[c];
    if (unknowns_ > columns_) sum.push_back(all);
    return sum;
  }

  // (w, b) of now with its gap, beside α that is put where it leans to.
  MarginSolution look() {
    constexpr double near = 1e-7;
    MarginSolution found;
    f_ = values(v_);
    std::vector<double> alpha = now_.alpha;
    for (std::size_t i = 0; i < rows(); ++i) {
      const double cost = problem_.cost[i];
      if (alpha[i] < near * cost) alpha[i] = 0.0;
      if (alpha[i] > (1.0 - near) * cost) alpha[i] = cost;
      found.support += alpha[i] > 0.0 ? 1 : 0;
    }
    found.w.assign(v_.begin(), v_.begin() + static_cast<std::ptrdiff_t>(columns_));
    if (unknowns_ > columns_) found.b = v_[columns_];
    for (std::size_t c = 0; c < columns_; ++c) found.b -= mean_[c] * v_[c];
    const MarginValue value = margin_value(problem_, found.w, found.b, f_, std::move(alpha), 1);
    found.objective = value.primal;
    found.gap = value.gap;
    return found;
  }

  // A Newton step to products of μ = 0 says how far they can fall, a second one goes there. False
  // where numbers end.
  bool move() {
    prepare();
    const std::size_t n = rows();
    std::vector<double> p(n), q(n);
    double mu = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = -now_.alpha[i] * now_.r[i];
      q[i] = -room(i) * now_.xi[i];
      mu -= (p[i] + q[i]) / (2.0 * static_cast<double>(n));
    }
    Slacks change(n);
    newton(p, q, change);
    double length = std::min(1.0, reach(change));
    double least = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      least += ((now_.alpha[i] + length * change.alpha[i]) * (now_.r[i] + length * change.r[i]) +
                (room(i) - length * change.alpha[i]) * (now_.xi[i] + length * change.xi[i])) /
               (2.0 * static_cast<double>(n));
    const double share = least / mu;
    const double aim = share * share * share * mu;
    for (std::size_t i = 0; i < n; ++i) {
      p[i] += aim - change.alpha[i] * change.r[i];
      q[i] += aim + change.alpha[i] * change.xi[i];
    }
    const std::vector<double> step = newton(p, q, change);
    length = std::min(1.0, short_of_border * reach(change));
    if (!(length > 1e-12)) return false;
    for (std::size_t k = 0; k < unknowns_; ++k) v_[k] += length * step[k];
    for (std::size_t i = 0; i < n; ++i) {
      now_.alpha[i] += length * change.alpha[i];
      now_.r[i] += length * change.r[i];
      now_.xi[i] += length * change.xi[i];
    }
    return true;
  }

  // What both steps of a move share: 1/d_i = r/α + ξ/(C − α), and a factor of own + Σ d z zᵀ. Rows
  // of the matrix go to threads, each over all rows of the problem.
  void prepare() {
    const std::size_t n = rows();
    lean_.resize(n);
    std::vector<double> signed_alpha(n);
    for (std::size_t i = 0; i < n; ++i) {
      lean_[i] = 1.0 / (now_.r[i] / now_.alpha[i] + now_.xi[i] / room(i));
      signed_alpha[i] = now_.alpha[i] * problem_.sign[i];
    }
    lack_ = sums(signed_alpha);
    for (std::size_t k = 0; k < unknowns_; ++k) lack_[k] -= own_[k] * v_[k];
    parallel_blocks(
        static_cast<std::int64_t>(unknowns_), run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          const auto first = static_cast<std::size_t>(begin);
          const auto last = static_cast<std::size_t>(end);
          std::vector<double> z(unknowns_);
          for (std::size_t a = first; a < last; ++a) std::fill_n(factor_.row(a), unknowns_, 0.0);
          for (std::size_t i = 0; i < n; ++i) {
            spread(i, z);
            for (std::size_t a = first; a < last; ++a) {
              const double scale = lean_[i] * z[a];
              double* const to = factor_.row(a);
              for (std::size_t c = 0; c <= a; ++c) to[c] += scale * z[c];
            }
          }
          for (std::size_t a = first; a < last; ++a) factor_.row(a)[a] += own_[a];
        },
        32);
    factor_.factor();
  }

  // The step of v at which αr and (C − α)ξ change by p and q, to first order.
  std::vector<double> newton(const std::vector<double>& p, const std::vector<double>& q,
                             Slacks& change) {
    const std::size_t n = rows();
    std::vector<double> pull(n), u(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double off = problem_.sign[i] * f_[i] - 1.0 + now_.xi[i] - now_.r[i];
      pull[i] = p[i] / now_.alpha[i] - q[i] / room(i) - off;
      u[i] = lean_[i] * pull[i] * problem_.sign[i];
    }
    std::vector<double> step = sums(u);
    for (std::size_t k = 0; k < unknowns_; ++k) step[k] += lack_[k];
    factor_.solve(step);
    const std::vector<double> f = values(step);
    for (std::size_t i = 0; i < n; ++i) {
      change.alpha[i] = lean_[i] * (pull[i] - problem_.sign[i] * f[i]);
      change.r[i] = (p[i] - now_.r[i] * change.alpha[i]) / now_.alpha[i];
      change.xi[i] = (q[i] + now_.xi[i] * change.alpha[i]) / room(i);
    }
    return step;
  }

  // How much of the change leaves everything above 0.
  double reach(const Slacks& change) const {
    double length = 1e300;
    const auto hold = [&](double value, double step) {
      if (step < 0.0) length = std::min(length, -value / step);
      if (!std::isfinite(step)) length = 0.0;
    };
    for (std::size_t i = 0; i < rows(); ++i) {
      hold(now_.alpha[i], change.alpha[i]);
      hold(room(i), -change.alpha[i]);
      hold(now_.r[i], change.r[i]);
      hold(now_.xi[i], change.xi[i]);
    }
    return length;
  }

  const MarginProblem& problem_;
  const MarginOptions& options_;
  const RunContext& run_;
  std::size_t columns_;
  std::size_t unknowns_;
  std::vector<double> mean_;
  std::vector<double> own_;  // 1, of a free bias 0
  std::vector<double> v_;
  Slacks now_;
  SmallFactor factor_;
  std::vector<double> f_;     // z·v
  std::vector<double> lean_;  // d
  std::vector<double> lack_;  // Σ α y z − own·v
};

}  // namespace

MarginSolution interior_point(const MarginProblem& problem, const MarginOptions& options,
                              const RunContext& run) {
  return InteriorPoint(problem, options, run).solve();
}

}  // namespace gssl::detail
