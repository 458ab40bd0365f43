#include "kernel/dense_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t narrow = 192;  // columns factored at a time
static_assert(narrow % PackedRows<float>::unit == 0 && narrow <= PackedRows<float>::most_depth);
static_assert(LowerRows<float>::height % narrow == 0);

}  // namespace

template <class Real>
DenseCholesky<Real>::DenseCholesky(LowerRows<Real> g, const RunContext& run)
    : n_(g.size()), factor_(std::move(g)) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < n_; ++i)
    largest = std::max(largest, static_cast<double>(factor_.row(i)[i]));
  rounding_ = static_cast<double>(std::numeric_limits<Real>::epsilon()) * largest;
  std::vector<Real> inverse;
  PackedRows<Real> panel;
  for (std::int64_t begin = 0; begin < n_; begin += narrow) {
    run.throw_if_stopped("kernel-ridge", "before its matrix was factored");
    const double left = 1.0 - static_cast<double>(begin) / static_cast<double>(n_);
    run.report_progress("kernel-ridge", 1.0 - left * left * left);
    const std::int64_t end = std::min(n_, begin + narrow);
    positive_ = factor_diagonal(begin, end, inverse);
    if (!positive_) return;
    factor_below(begin, end, inverse, panel, run);
    subtract_panel(end, panel, run);
  }
}

// Rows of stripe i from a row on.
template <class Real>
auto DenseCholesky<Real>::stripe(std::int64_t i, std::int64_t from) const -> Rectangle {
  constexpr std::int64_t height = LowerRows<Real>::height;
  return {std::max(from, i * height), std::min(n_, (i + 1) * height)};
}

// In double; `inverse` receives that of the triangle.
template <class Real>
bool DenseCholesky<Real>::factor_diagonal(std::int64_t begin, std::int64_t end,
                                          std::vector<Real>& inverse) {
  const std::int64_t width = end - begin;
  std::vector<double> l(gssl::index(width * width), 0.0), inverted(gssl::index(width * width), 0.0);
  for (std::int64_t i = 0; i < width; ++i) {
    Real* row = factor_.row(begin + i) + begin;
    double* of_l = l.data() + i * width;
    double* of_inverse = inverted.data() + i * width;
    for (std::int64_t j = 0; j < i; ++j) {
      const double* other = l.data() + j * width;
      of_l[j] = (static_cast<double>(row[j]) - dot(j, of_l, other)) / other[j];
      add_multiple(j + 1, -of_l[j], inverted.data() + j * width, of_inverse);
    }
    const double pivot = static_cast<double>(row[i]) - dot(i, of_l, of_l);
    if (!(pivot > rounding_)) return false;
    of_l[i] = std::sqrt(pivot);
    of_inverse[i] = 1.0;
    for (std::int64_t j = 0; j <= i; ++j) {
      of_inverse[j] /= of_l[i];
      row[j] = static_cast<Real>(of_l[j]);
    }
  }
  inverse.assign(inverted.size(), Real{0});
  std::ranges::transform(inverted, inverse.begin(), [](double v) { return static_cast<Real>(v); });
  return true;
}

// The columns [begin, end) of the rows below: A·L⁻ᵀ, also packed. The inverse has no entries right
// of its diagonal, so the first half of the columns takes half of the products.
template <class Real>
void DenseCholesky<Real>::factor_below(std::int64_t begin, std::int64_t end,
                                       const std::vector<Real>& inverse, PackedRows<Real>& panel,
                                       const RunContext& run) {
  const std::int64_t width = end - begin, half = width / 2;
  const std::int64_t first = end / LowerRows<Real>::height;
  panel.resize(n_ - end, width);
  parallel_blocks(
      gssl::detail::block_count(n_, LowerRows<Real>::height) - first, run.thread_count(),
      [&](std::int64_t block, std::int64_t) {
        const auto [top, bottom] = stripe(first + block, end);
        if (top >= bottom) return;
        const std::int64_t count = bottom - top, stride = factor_.stride(top);
        Real* const rows = factor_.row(top) + begin;
        std::vector<Real> old;
        old.reserve(gssl::index(count * width));
        for (std::int64_t r = 0; r < count; ++r)
          old.insert(old.end(), rows + r * stride, rows + r * stride + width);
        const Rows<Real> from{old.data(), count, width};
        multiply_rows<Real>(from, {inverse.data(), half, width}, half, rows, stride, Into::set);
        multiply_rows<Real>(from, {inverse.data() + half * width, width - half, width}, width,
                            rows + half, stride, Into::set);
        panel.pack(top - end, {rows, count, stride});
      },
      1);
}

// What is left of the matrix, lower tiles.
template <class Real>
void DenseCholesky<Real>::subtract_panel(std::int64_t end, const PackedRows<Real>& panel,
                                         const RunContext& run) {
  const std::int64_t first = end / LowerRows<Real>::height;
  const std::int64_t stripes = block_count(n_, LowerRows<Real>::height) - first;
  parallel_blocks(
      stripes * stripes, run.thread_count(),
      [&](std::int64_t index, std::int64_t) {
        const std::int64_t i = index / stripes, j = index % stripes;
        const auto [top, bottom] = stripe(first + i, end);
        const auto [left, right] = stripe(first + j, end);
        if (j > i || top >= bottom || left >= right) return;
        panel.multiply(top - end, bottom - top, left - end, right - left, factor_.row(top) + left,
                       factor_.stride(top), Into::subtract);
      },
      1);
}

// x ← L⁻¹x; what is before `first` is 0.
template <class Real>
void DenseCholesky<Real>::forward(double* x, std::int64_t first) const {
  for (std::int64_t i = first; i < n_; ++i) {
    const Real* row = factor_.row(i);
    x[i] = (x[i] - dot(i - first, row + first, x + first)) / static_cast<double>(row[i]);
  }
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
          const Real* row = factor_.row(i);
          column[gssl::index(i)] /= static_cast<double>(row[i]);
          add_multiple(i, -column[gssl::index(i)], row, column.data());
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
