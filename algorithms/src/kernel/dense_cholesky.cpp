#include "kernel/dense_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t narrow = 128;  // columns factored at a time
constexpr std::int64_t tile = 4 * PackedRows<float>::unit;

}  // namespace

template <class Real>
DenseCholesky<Real>::DenseCholesky(std::vector<Real> g, std::int64_t n, const RunContext& run)
    : n_(n), factor_(std::move(g)) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < n_; ++i) largest = std::max(largest, static_cast<double>(row(i)[i]));
  rounding_ = static_cast<double>(std::numeric_limits<Real>::epsilon()) * largest;
  std::vector<Real> inverse;
  PackedRows<Real> panel;
  for (std::int64_t begin = 0; begin < n_ && positive_; begin += narrow) {
    run.throw_if_stopped("kernel-ridge", "before its matrix was factored");
    const double done = static_cast<double>(begin) / static_cast<double>(n_);
    run.report_progress("kernel-ridge", 1.0 - (1.0 - done) * (1.0 - done) * (1.0 - done));
    const std::int64_t end = std::min(n_, begin + narrow), width = end - begin;
    positive_ = factor_diagonal(begin, end, inverse);
    if (!positive_) break;
    // The columns below: A·L⁻ᵀ.
    parallel_blocks(
        n_ - end, run.thread_count(),
        [&](std::int64_t first, std::int64_t last) {
          std::vector<Real> old;
          for (std::int64_t r = end + first; r < end + last; ++r)
            old.insert(old.end(), row(r) + begin, row(r) + end);
          multiply_rows<Real>({old.data(), last - first, width}, {inverse.data(), width, width},
                              width, row(end + first) + begin, n_, Into::set);
        },
        tile);
    // What is left of the matrix, lower tiles.
    panel.pack({row(end) + begin, n_ - end, n_}, width, run.thread_count());
    const std::int64_t tiles = (n_ - end + tile - 1) / tile;
    parallel_blocks(
        tiles * tiles, run.thread_count(),
        [&](std::int64_t index, std::int64_t) {
          const std::int64_t i = index / tiles, j = index % tiles;
          if (j > i) return;
          const std::int64_t top = end + i * tile, left = end + j * tile;
          panel.multiply(i * tile, std::min(tile, n_ - top), j * tile, std::min(tile, n_ - left),
                         row(top) + left, n_, Into::subtract);
        },
        1);
  }
}

// In double; `inverse` receives that of the triangle.
template <class Real>
bool DenseCholesky<Real>::factor_diagonal(std::int64_t begin, std::int64_t end,
                                          std::vector<Real>& inverse) {
  const std::int64_t width = end - begin;
  std::vector<double> l(gssl::index(width * width), 0.0), inverted(gssl::index(width * width), 0.0);
  for (std::int64_t i = 0; i < width; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = static_cast<double>(row(begin + i)[begin + j]);
      for (std::int64_t k = 0; k < j; ++k)
        sum -= l[gssl::index(i * width + k)] * l[gssl::index(j * width + k)];
      if (i == j && !(sum > rounding_)) return false;
      l[gssl::index(i * width + j)] = i == j ? std::sqrt(sum) : sum / l[gssl::index(j * width + j)];
      row(begin + i)[begin + j] = static_cast<Real>(l[gssl::index(i * width + j)]);
    }
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::int64_t k = j; k < i; ++k)
        sum -= l[gssl::index(i * width + k)] * inverted[gssl::index(k * width + j)];
      inverted[gssl::index(i * width + j)] = sum / l[gssl::index(i * width + i)];
    }
  }
  inverse.assign(inverted.size(), Real{0});
  std::ranges::transform(inverted, inverse.begin(), [](double v) { return static_cast<Real>(v); });
  return true;
}

// x ← L⁻¹x; what is before `first` is 0.
template <class Real>
void DenseCholesky<Real>::forward(double* x, std::int64_t first) const {
  for (std::int64_t i = first; i < n_; ++i)
    x[i] = (x[i] - dot(i - first, row(i) + first, x + first)) / static_cast<double>(row(i)[i]);
}

template <class Real>
void DenseCholesky<Real>::solve(Block& x, int threads) const {
  parallel_blocks(
      x.columns(), threads,
      [&](std::int64_t o, std::int64_t) {
        std::vector<double> column(gssl::index(n_));
        for (std::int64_t i = 0; i < n_; ++i) column[gssl::index(i)] = x(i, o);
        forward(column.data(), 0);
        for (std::int64_t i = n_; i-- > 0;) {
          column[gssl::index(i)] /= static_cast<double>(row(i)[i]);
          add_multiple(i, -column[gssl::index(i)], row(i), column.data());
        }
        for (std::int64_t i = 0; i < n_; ++i) x(i, o) = column[gssl::index(i)];
      },
      1);
}

// (G⁻¹)_ii = ‖L⁻¹e_i‖².
template <class Real>
std::vector<double> DenseCholesky<Real>::inverse_diagonal(const RunContext& run) const {
  std::vector<double> diagonal(gssl::index(n_), 0.0);
  parallel_blocks(
      n_, run.thread_count(),
      [&](std::int64_t i, std::int64_t) {
        run.throw_if_stopped("kernel-ridge", "before the leave-one-out residuals were known");
        std::vector<double> x(gssl::index(n_), 0.0);
        x[gssl::index(i)] = 1.0;
        forward(x.data(), i);
        diagonal[gssl::index(i)] = dot(n_ - i, x.data() + i, x.data() + i);
      },
      1);
  return diagonal;
}

template class DenseCholesky<float>;
template class DenseCholesky<double>;

}  // namespace gssl::detail
