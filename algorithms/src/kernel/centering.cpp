#include "gssl/kernel/centering.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gssl/core/index.hpp"

namespace gssl {
namespace {

// Entries of another Gram matrix less the means of row and column, plus the mean of all.
class CenteredGram final : public Gram {
 public:
  CenteredGram(const Gram& gram, Centering means) : gram_(gram), means_(std::move(means)) {}
  CenteredGram(std::unique_ptr<Gram> part, Centering means)
      : part_(std::move(part)), gram_(*part_), means_(std::move(means)) {}

  std::int64_t size() const override { return gram_.size(); }
  void rows(std::span<const std::int32_t> which, std::span<double* const> to,
            const RunContext& run) const override {
    gram_.rows(which, to, run);
    center(which, size(), to);
  }
  void rows(std::span<const std::int32_t> which, std::span<float* const> to,
            const RunContext& run) const override {
    gram_.rows(which, to, run);
    center(which, size(), to);
  }
  void leading(std::span<const std::int32_t> which, std::int64_t end, std::span<double* const> to,
               const RunContext& run) const override {
    gram_.leading(which, end, to, run);
    center(which, end, to);
  }
  // What is left may be small beside the means.
  bool fits_float() const override { return false; }
  std::vector<double> diagonal(const RunContext& run) const override {
    std::vector<double> all = gram_.diagonal(run);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += means_.of_all - 2.0 * means_.of_item[i];
    return all;
  }
  std::unique_ptr<Gram> select(std::span<const std::int32_t> items) const override {
    Centering some{.of_item = {}, .of_all = means_.of_all};
    for (const std::int32_t i : items) some.of_item.push_back(means_.of_item[index(i)]);
    return std::make_unique<CenteredGram>(gram_.select(items), std::move(some));
  }

 private:
  template <class Real>
  void center(std::span<const std::int32_t> which, std::int64_t end,
              std::span<Real* const> to) const {
    for (std::size_t i = 0; i < which.size(); ++i) {
      const double here = means_.of_all - means_.of_item[index(which[i])];
      for (std::size_t j = 0; j < index(end); ++j)
        to[i][j] = static_cast<Real>(static_cast<double>(to[i][j]) + (here - means_.of_item[j]));
    }
  }

  std::unique_ptr<Gram> part_;
  const Gram& gram_;
  Centering means_;
};

double weight_of(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

double total_weight(std::span<const double> weights, std::size_t count) {
  return weights.empty() ? static_cast<double>(count)
                         : std::accumulate(weights.begin(), weights.end(), 0.0);
}

}  // namespace

Centering centering_of(const Gram& gram, std::span<const double> weights, const RunContext& run) {
  constexpr std::int64_t rows_at_once = 256;
  const std::int64_t n = gram.size();
  const double total = total_weight(weights, index(n));
  Centering means{.of_item = std::vector<double>(index(n)), .of_all = 0.0};
  std::vector<double> rows(index(std::min(n, rows_at_once) * n));
  for (std::int64_t first = 0; first < n; first += rows_at_once) {
    std::vector<std::int32_t> which(index(std::min(rows_at_once, n - first)));
    std::iota(which.begin(), which.end(), static_cast<std::int32_t>(first));
    std::vector<double*> to;
    for (std::int64_t i = 0; i < std::ssize(which); ++i) to.push_back(rows.data() + i * n);
    gram.rows(which, to, run);
    for (std::size_t i = 0; i < which.size(); ++i) {
      double sum = 0.0;
      for (std::int64_t j = 0; j < n; ++j) sum += weight_of(weights, index(j)) * to[i][j];
      means.of_item[index(which[i])] = sum / total;
    }
  }
  for (std::size_t i = 0; i < means.of_item.size(); ++i)
    means.of_all += weight_of(weights, i) * means.of_item[i] / total;
  return means;
}

std::unique_ptr<Gram> centered(const Gram& gram, const Centering& means) {
  return std::make_unique<CenteredGram>(gram, means);
}

// Σ c_i (K_i − m − m_i + M) + b: each item takes its share w_i/Σw of −(Σ c_i)·m(x).
Expansion uncentered(Expansion expansion, const Centering& means, std::span<const double> weights) {
  constexpr double rounding = 1e-13;  // of a sum that is 0 but for it, as of a machine with a bias
  Block& c = expansion.coefficients;
  const double total = total_weight(weights, means.of_item.size());
  for (std::int64_t o = 0; o < c.columns(); ++o) {
    double sum = 0.0, size = 0.0, shift = 0.0;
    for (std::int64_t i = 0; i < c.rows(); ++i) {
      sum += c(i, o);
      size += std::abs(c(i, o));
      shift += c(i, o) * means.of_item[index(i)];
    }
    if (std::abs(sum) <= rounding * size) sum = 0.0;
    expansion.bias[index(o)] += sum * means.of_all - shift;
    if (sum == 0.0) continue;
    for (std::int64_t i = 0; i < c.rows(); ++i)
      c(i, o) -= sum * weight_of(weights, index(i)) / total;
  }
  return expansion;
}

}  // namespace gssl
