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
//   packed.resize(rows.count, depth);
//   packed.pack(0, rows);                             // any part of them, by any thread
//   packed.multiply(0, 384, 768, 100, c, c_stride, Into::subtract);   // rows 0 … with rows 768 …
template <class Real>
class PackedRows {
 public:
  static constexpr std::int64_t most_depth = 256;  // columns
  static constexpr std::int64_t unit = 96;         // where a block of rows may begin

  // Room for rows in place of those before, in their memory. Precondition: depth ≤ most_depth.
  void resize(std::int64_t rows, std::int64_t depth);
  // Rows first …, where `first` is a multiple of `unit`.
  void pack(std::int64_t first, Rows<Real> rows);

  // c[i·c_stride + j] = (or −=) a row i of [first, first + rows) times a row j of [second, second +
  // columns). Both begin at a multiple of `unit`. The same numbers as multiply_rows().
  void multiply(std::int64_t first, std::int64_t rows, std::int64_t second, std::int64_t columns,
                Real* c, std::int64_t c_stride, Into into) const;

 private:
  std::int64_t depth_ = 0;
  std::vector<Real> tall_;  // as the left factor
  std::vector<Real> wide_;  // as the right one
};

// x[j] = a·b_j becomes exp(−scale‖a − b_j‖²), from a·a and the b_j·b_j; a distance that is not
// above 0 counts 0. To 2 units in the last place; 0 below e^−87 (float), e^−708 (double).
void gaussians(float scale, float square, const float* squares, float* x, std::int64_t n);
void gaussians(double scale, double square, const double* squares, double* x, std::int64_t n);

// Whether all n numbers are finite.
bool copy_finite(const float* from, std::int64_t n, float* to);
bool copy_finite(const double* from, std::int64_t n, double* to);

// y[i] += f·x[i], products and sums in double.
void add_multiple(std::int64_t n, double f, const float* x, double* y);
void add_multiple(std::int64_t n, double f, const double* x, double* y);

// Σ x[i]·y[i] in double, eight sums side by side.
double dot(std::int64_t n, const float* x, const double* y);
double dot(std::int64_t n, const double* x, const double* y);

}  // namespace gssl::detail
