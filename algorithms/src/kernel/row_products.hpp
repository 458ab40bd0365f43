#pragma once
// Products of rows with rows, C = A·Bᵀ, for the widest vectors the processor has: the inner loop of
// every kernel of points and of the dense factorization. One thread; callers cut the work.
//
//   multiply_rows<float>({a, m, d}, {b, n, d}, d, c, n, Into::set);    // c[i·n + j] = a_i·b_j
//
// Each entry adds its products in the order of the columns (in runs of 256, each summed alone), so
// that any split of the rows among tiles and threads gives the same bytes, and a_i·a_i is the same
// wherever it is computed. Internal: not installed.

#include <cstdint>
#include <vector>

namespace gssl::detail {

// `count` rows, one every `stride` numbers.
template <class Real>
struct Rows {
  const Real* data = nullptr;
  std::int64_t count = 0;
  std::int64_t stride = 0;

  Rows from(std::int64_t first, std::int64_t rows) const {
    return {data + first * stride, rows, stride};
  }
};

enum class Into { set, subtract };

// c[i·c_stride + j] = (or −=) Σ_l a(i, l)·b(j, l) over `depth` columns. Real is float or double.
template <class Real>
void multiply_rows(Rows<Real> a, Rows<Real> b, std::int64_t depth, Real* c, std::int64_t c_stride,
                   Into into);

// Rows of few columns in the order in which products read them, packed once for all products of
// some of these rows with others: half a multiply_rows() of small tiles is packing.
//
//   PackedRows<float> packed;
//   packed.pack(rows, depth, threads);
//   packed.multiply(0, 384, 768, 100, c, c_stride, Into::subtract);   // rows 0 … with rows 768 …
template <class Real>
class PackedRows {
 public:
  static constexpr std::int64_t most_depth = 256;  // columns
  static constexpr std::int64_t unit = 96;         // where a block of rows may begin

  // In place of those before, in their memory. Precondition: depth ≤ most_depth.
  void pack(Rows<Real> rows, std::int64_t depth, int threads);

  // c[i·c_stride + j] = (or −=) a row i of [first, first + rows) times a row j of [second, second +
  // columns). Both begin at a multiple of `unit`. The same numbers as multiply_rows().
  void multiply(std::int64_t first, std::int64_t rows, std::int64_t second, std::int64_t columns,
                Real* c, std::int64_t c_stride, Into into) const;

 private:
  std::int64_t depth_ = 0;
  std::vector<Real> tall_;  // as the left factor
  std::vector<Real> wide_;  // as the right one
};

// x[i] = exp(x[i]) for x ≤ 0, to 2 units in the last place; 0 below −87 (float), −708 (double).
void exponentials(float* x, std::int64_t n);
void exponentials(double* x, std::int64_t n);

// y[i] += f·x[i], products and sums in double.
void add_multiple(std::int64_t n, double f, const float* x, double* y);
void add_multiple(std::int64_t n, double f, const double* x, double* y);

// Σ x[i]·y[i] in double, eight sums side by side.
double dot(std::int64_t n, const float* x, const double* y);
double dot(std::int64_t n, const double* x, const double* y);

}  // namespace gssl::detail
