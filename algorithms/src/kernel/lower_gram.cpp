#include "kernel/lower_gram.hpp"

#include <algorithm>
#include <numeric>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t height = 256;  // rows computed at a time
constexpr std::int64_t block_columns = 512;
constexpr std::int64_t rows_at_once = 16;

// Rows [first, end) times x, and their transpose times x. Every block of columns has its own part
// of the sums along rows, and adds to its own rows of the answer.
struct StripeProduct {
  const double* rows;
  std::int64_t first, end;
  std::int64_t n, outputs;
  const double* x;  // column by column
  double* left;     // loses K x
  std::vector<double> sums = {};

  std::int64_t count() const { return end - first; }

  void subtract_block(std::int64_t begin, std::int64_t stop) {
    double* sum = sums.data() + begin / block_columns * count() * outputs;
    for (std::int64_t r = first; r < end; ++r, sum += outputs) {
      const std::int64_t below = std::min(stop, r) - begin;  // left of the diagonal
      const std::int64_t all = std::min(stop, r + 1) - begin;
      if (all <= 0) continue;
      const double* row = rows + (r - first) * end + begin;
      for (std::int64_t o = 0; o < outputs; ++o) {
        const double* of_x = x + o * n;
        sum[o] = dot(all, row, of_x + begin);
        if (below > 0) add_multiple(below, -of_x[r], row, left + o * n + begin);
      }
    }
  }

  void subtract(int threads) {
    const std::int64_t blocks = block_count(end, block_columns);
    sums.assign(index(blocks * count() * outputs), 0.0);
    parallel_blocks(
        end, threads, [&](std::int64_t begin, std::int64_t stop) { subtract_block(begin, stop); },
        block_columns);
    for (std::int64_t b = 0; b < blocks; ++b)
      for (std::int64_t r = 0; r < count(); ++r)
        for (std::int64_t o = 0; o < outputs; ++o)
          left[o * n + first + r] -= sums[index((b * count() + r) * outputs + o)];
  }
};

}  // namespace

const double* LowerGram::stripe(std::int64_t first, std::int64_t end, const RunContext& run) {
  rows_.resize(index(std::min(height, gram_.size()) * gram_.size()));
  std::vector<std::int32_t> which(index(end - first));
  std::iota(which.begin(), which.end(), static_cast<std::int32_t>(first));
  std::vector<double*> to;
  for (std::int64_t r = first; r < end; ++r) to.push_back(rows_.data() + (r - first) * end);
  gram_.leading(which, end, to, run);
  return rows_.data();
}

template <class Real>
LowerRows<Real> LowerGram::plus_diagonal(std::span<const double> ridge, const RunContext& run) {
  const std::int64_t n = gram_.size();
  LowerRows<Real> all(n);
  for (std::int64_t first = 0; first < n; first += height) {
    const std::int64_t end = std::min(n, first + height);
    const double* rows = stripe(first, end, run);
    parallel_blocks(
        end - first, run.thread_count(),
        [&](std::int64_t begin, std::int64_t stop) {
          for (std::int64_t r = first + begin; r < first + stop; ++r) {
            const double* from = rows + (r - first) * end;
            std::transform(from, from + r, all.row(r),
                           [](double value) { return static_cast<Real>(value); });
            all.row(r)[r] = static_cast<Real>(from[r] + ridge[index(r)]);
          }
        },
        rows_at_once);
  }
  return all;
}

template LowerRows<float> LowerGram::plus_diagonal(std::span<const double>, const RunContext&);
template LowerRows<double> LowerGram::plus_diagonal(std::span<const double>, const RunContext&);

Block LowerGram::residual(std::span<const double> ridge, const Block& x, const Block& b,
                          const RunContext& run) {
  const std::int64_t n = x.rows(), outputs = x.columns();
  std::vector<double> turned(index(n * outputs)), left(index(n * outputs));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t o = 0; o < outputs; ++o) {
      turned[index(o * n + i)] = x(i, o);
      left[index(o * n + i)] = b(i, o) - ridge[index(i)] * x(i, o);
    }
  for (std::int64_t first = 0; first < n; first += height) {
    const std::int64_t end = std::min(n, first + height);
    StripeProduct{stripe(first, end, run), first, end, n, outputs, turned.data(), left.data()}
        .subtract(run.thread_count());
  }
  Block r(n, outputs);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t o = 0; o < outputs; ++o) r(i, o) = left[index(o * n + i)];
  return r;
}

}  // namespace gssl::detail
