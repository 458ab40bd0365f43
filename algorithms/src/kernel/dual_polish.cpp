#include "kernel/dual_polish.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/dense_cholesky.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t most_free = 2'000;
constexpr int rounds = 3;  // each takes the rounding of the one before

// The variables strictly between their bounds, each of an item of its own; else none.
std::vector<std::size_t> free_variables(const DualProblem& problem,
                                        const std::vector<double>& alpha) {
  std::vector<std::size_t> free;
  std::vector<char> taken(index(problem.gram->size()), 0);
  for (std::size_t t = 0; t < alpha.size(); ++t) {
    if (alpha[t] <= 0.0 || alpha[t] >= problem.bound[t]) continue;
    char& mark = taken[index(problem.item[t])];
    if (std::exchange(mark, 1) != 0) return {};
    free.push_back(t);
  }
  return free;
}

class Polish {
 public:
  Polish(const DualProblem& problem, std::vector<std::size_t> free, const RunContext& run)
      : problem_(problem), free_(std::move(free)), run_(run), n_(problem.gram->size()) {
    rows_.resize(free_.size() * index(n_));
    std::vector<std::int32_t> which;
    std::vector<double*> to;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      which.push_back(problem.item[free_[i]]);
      to.push_back(rows_.data() + i * index(n_));
    }
    problem.gram->rows(which, to, run);
  }

  // K + κ11ᵀ: where Σ Δβ is given, κ moves the common g alone, and the matrix is regular where K is
  // so for sums of 0.
  DenseCholesky<double> factor() const {
    const std::size_t q = free_.size();
    double lift = 0.0;
    for (std::size_t i = 0; i < q; ++i) lift = std::max(lift, entry(i, i));
    LowerRows<double> matrix(static_cast<std::int64_t>(q));
    for (std::size_t i = 0; i < q; ++i) {
      double* row = matrix.row(static_cast<std::int64_t>(i));
      for (std::size_t j = 0; j <= i; ++j) row[j] = entry(i, j) + lift;
    }
    return {std::move(matrix), run_};
  }

  // Solves (K + κ11ᵀ)Δβ + b1 = g, 1ᵀΔβ = −Σ y α. False where a variable leaves its bounds.
  bool step(const DenseCholesky<double>& factor, Polished& now) const {
    const std::size_t q = free_.size();
    Block x(static_cast<std::int64_t>(q), 2, 1.0);
    for (std::size_t i = 0; i < q; ++i) {
      const std::size_t t = free_[i];
      x(static_cast<std::int64_t>(i), 0) =
          -problem_.sign[t] * problem_.linear[t] - now.f[index(problem_.item[t])];
    }
    factor.solve(x, run_.thread_count());
    double left = 0.0, ones = 0.0;
    for (std::size_t t = 0; t < now.alpha.size(); ++t) left += problem_.sign[t] * now.alpha[t];
    for (std::int64_t i = 0; i < x.rows(); ++i) {
      left += x(i, 0);
      ones += x(i, 1);
    }
    std::vector<double> change(q);
    for (std::size_t i = 0; i < q; ++i) {
      const auto row = x.row(static_cast<std::int64_t>(i));
      change[i] = row[0] - left / ones * row[1];
      double& alpha = now.alpha[free_[i]];
      alpha += problem_.sign[free_[i]] * change[i];
      if (!(alpha > 0.0 && alpha < problem_.bound[free_[i]])) return false;
    }
    parallel_blocks(n_, run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t i = 0; i < q; ++i)
        add_multiple(end - begin, change[i], rows_.data() + i * index(n_) + begin,
                     now.f.data() + begin);
    });
    return true;
  }

 private:
  double entry(std::size_t i, std::size_t j) const {
    return rows_[i * index(n_) + index(problem_.item[free_[j]])];
  }

  const DualProblem& problem_;
  std::vector<std::size_t> free_;
  const RunContext& run_;
  std::int64_t n_;
  std::vector<double> rows_;  // of the free variables' items
};

}  // namespace

std::optional<Polished> polished(const DualProblem& problem, const std::vector<double>& alpha,
                                 const std::vector<double>& f, double memory,
                                 const RunContext& run) {
  std::vector<std::size_t> free = free_variables(problem, alpha);
  const double bytes = 8.0 * static_cast<double>(free.size()) * static_cast<double>(f.size());
  if (free.empty() || free.size() > most_free || bytes > memory) return std::nullopt;
  const Polish polish(problem, std::move(free), run);
  const auto factor = polish.factor();
  if (!factor.positive()) return std::nullopt;
  Polished now{alpha, f};
  for (int round = 0; round < rounds; ++round)
    if (!polish.step(factor, now)) return std::nullopt;
  return now;
}

}  // namespace gssl::detail
