#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "batch/linear/margin_problem.hpp"

namespace gssl::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A free constant makes up for any shift of the rows, and around their mean m far fewer passes are
// needed. No row is moved: with v = Σ α y x and s = Σ α y the weights are w = v − s·m, and
// (x − m)·w = x·v − s x·m − m·v + s m·m.
class DualDescent {
 public:
  DualDescent(const MarginProblem& problem, const MarginOptions& options, Rng rng,
              const RunContext& run)
      : problem_(problem),
        options_(options),
        run_(run),
        rng_(rng),
        alpha_(problem.sign.size(), 0.0),
        curvature_(problem.sign.size()),
        active_(problem.sign.size()),
        v_(static_cast<std::size_t>(problem.rows->columns()), 0.0),
        mean_of_row_(problem.sign.size(), 0.0) {
    if (problem.bias == Bias::free) take_mean();
    std::iota(active_.begin(), active_.end(), 0);
    measure_rows();
  }

  MarginSolution solve() {
    solution_.outcome = descend();
    solution_.support =
        static_cast<std::int64_t>(std::ranges::count_if(alpha_, [](double a) { return a > 0.0; }));
    return std::move(solution_);
  }

 private:
  void take_mean() {
    const int threads = problem_.rows->threads_for(run_.thread_count());
    const double total = std::accumulate(problem_.cost.begin(), problem_.cost.end(), 0.0);
    mean_ = problem_.rows->transposed_times(problem_.cost, threads);
    for (double& value : mean_) value /= total;
    mean_of_row_ = problem_.rows->times(mean_, threads);
    mean_square_ = std::inner_product(mean_.begin(), mean_.end(), mean_.begin(), 0.0);
  }

  // A constant feature √ρ has the multiplier b₀ and the weight √ρ·Σ α y; its size is that of a row.
  void measure_rows() {
    double mean = 0.0;
    for (std::size_t i = 0; i < curvature_.size(); ++i) {
      curvature_[i] = std::max(0.0, problem_.rows->row(static_cast<std::int64_t>(i)).square() -
                                        2.0 * mean_of_row_[i] + mean_square_);
      mean += curvature_[i] / static_cast<double>(curvature_.size());
    }
    if (problem_.bias == Bias::regularized) penalty_ = 1.0;
    if (problem_.bias == Bias::free) penalty_ = mean > 0.0 ? mean : 1.0;
    for (std::size_t i = 0; i < curvature_.size(); ++i)
      curvature_[i] += penalty_ + own_curvature(i);
  }

  double own_curvature(std::size_t i) const {
    return problem_.loss == MarginLoss::hinge ? 0.0 : 0.5 / problem_.cost[i];
  }
  double upper(std::size_t i) const {
    return problem_.loss == MarginLoss::hinge ? problem_.cost[i] : infinity;
  }
  double bias() const { return multiplier_ + penalty_ * signed_sum_; }

  // Passes until the projected gradients of all rows are within `reach` of each other, then a look
  // at the gap; `reach` falls until the gap is small enough.
  Outcome descend() {
    double reach = 0.1;
    while (true) {
      const auto ended = pass();
      if (ended) {
        look();
        return *ended;
      }
      const bool all = active_.size() == alpha_.size();
      const bool last = solution_.passes >= options_.passes;
      if (largest_ - smallest_ <= reach || last) {
        if (all || last) {
          const double share = look();
          if (share <= options_.tolerance) return Outcome::converged;
          if (last) return Outcome::iteration_limit;
          if (problem_.bias == Bias::free) multiplier_ += penalty_ * signed_sum_;
          reach *= std::clamp(options_.tolerance / share, 0.1, 0.5);
        }
        wake_all();
      } else {
        upper_bound_ = largest_ > 0.0 ? largest_ : infinity;
        lower_bound_ = smallest_ < 0.0 ? smallest_ : -infinity;
      }
    }
  }

  void wake_all() {
    active_.resize(alpha_.size());
    std::iota(active_.begin(), active_.end(), 0);
    upper_bound_ = infinity;
    lower_bound_ = -infinity;
  }

  std::optional<Outcome> pass() {
    ++solution_.passes;
    shuffle(active_, rng_);
    largest_ = -infinity;
    smallest_ = infinity;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < active_.size(); ++at) {
      if (at % 4096 == 0)
        if (const auto why = run_.stop()) {
          active_.resize(alpha_.size());
          return why;
        }
      // Two rows ahead: rows come in random order.
      if (at + 2 < active_.size()) problem_.rows->row(active_[at + 2]).prefetch();
      if (visit(static_cast<std::size_t>(active_[at]))) active_[kept++] = active_[at];
    }
    active_.resize(kept);
    return std::nullopt;
  }

  // Whether the row stays active.
  bool visit(std::size_t i) {
    const VectorView row = problem_.rows->row(static_cast<std::int64_t>(i));
    const double y = problem_.sign[i];
    const double before = alpha_[i];
    const double most = upper(i);
    const double shift = signed_sum_ * (mean_square_ - mean_of_row_[i]) - mean_dot_;
    const double gradient =
        y * (row.dot(v_.data()) + shift + bias()) - 1.0 + own_curvature(i) * before;
    double projected = gradient;
    if (before <= 0.0) {
      if (gradient > upper_bound_) return false;
      projected = std::min(gradient, 0.0);
    } else if (before >= most) {
      if (gradient < lower_bound_) return false;
      projected = std::max(gradient, 0.0);
    }
    largest_ = std::max(largest_, projected);
    smallest_ = std::min(smallest_, projected);
    if (std::abs(projected) <= 1e-12) return true;
    // A row of zeros without bias has no curvature: its loss is what it is, and α goes to its bound.
    const double step =
        curvature_[i] > 0.0 ? gradient / curvature_[i] : std::copysign(most, gradient);
    const double after = std::clamp(before - step, 0.0, most);
    alpha_[i] = after;
    const double change = (after - before) * y;
    signed_sum_ += change;
    mean_dot_ += change * mean_of_row_[i];
    row.add_to(v_.data(), change);
    return true;
  }

  // The gap over P.
  double look() {
    const int threads = problem_.rows->threads_for(run_.thread_count());
    solution_.w = v_;
    for (std::size_t c = 0; c < mean_.size(); ++c) solution_.w[c] -= signed_sum_ * mean_[c];
    solution_.b = bias() - (mean_dot_ - signed_sum_ * mean_square_);
    std::vector<double> f = problem_.rows->times(solution_.w, threads);
    for (double& value : f) value += solution_.b;
    const MarginValue value = margin_value(problem_, solution_.w, solution_.b, f, alpha_, threads);
    solution_.objective = value.primal;
    solution_.gap = value.gap;
    return value.primal > 0.0 ? value.gap / value.primal : 0.0;
  }

  const MarginProblem& problem_;
  const MarginOptions& options_;
  const RunContext& run_;
  Rng rng_;
  MarginSolution solution_;
  std::vector<double> alpha_;
  std::vector<double> curvature_;
  std::vector<std::int32_t> active_;
  std::vector<double> v_;            // Σ α y x
  std::vector<double> mean_;         // m; empty: 0
  std::vector<double> mean_of_row_;  // x·m
  double mean_square_ = 0.0;         // m·m
  double mean_dot_ = 0.0;            // m·v
  double penalty_ = 0.0;             // ρ
  double multiplier_ = 0.0;          // b₀
  double signed_sum_ = 0.0;          // Σ α y
  double largest_ = 0.0;             // projected gradient of the last pass
  double smallest_ = 0.0;
  double upper_bound_ = infinity;  // beyond which a row at its bound is left out
  double lower_bound_ = -infinity;
};

}  // namespace

MarginSolution descend_dual(const MarginProblem& problem, const MarginOptions& options, Rng rng,
                            const RunContext& run) {
  return DualDescent(problem, options, rng, run).solve();
}

}  // namespace gssl::detail
