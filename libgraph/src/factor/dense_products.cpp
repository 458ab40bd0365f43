#include "dense_products.hpp"

#include "linalg/double_lanes.hpp"

namespace gssl::solve {
namespace {

struct Product {
  std::int64_t m, n, k;
  const double* a;
  std::int64_t lda;
  const double* b;
  std::int64_t b_row, b_column;
  double* c;
  std::int64_t ldc;
};

// `height` vectors of rows at row i, `width` columns at column j.
template <class Vector, int height, int width>
GSSL_INLINE void tile(const Product& p, std::int64_t i, std::int64_t j) {
  constexpr std::int64_t lanes = sizeof(Vector) / sizeof(double);
  Vector total[width][height] = {};
  const double* a = p.a + i;
  const double* b = p.b + j * p.b_column;
  for (std::int64_t l = 0; l < p.k; ++l, a += p.lda, b += p.b_row) {
    Vector column[height];
    for (int h = 0; h < height; ++h) load(column[h], a + h * lanes);
    for (int w = 0; w < width; ++w)
      for (int h = 0; h < height; ++h) total[w][h] += column[h] * b[w * p.b_column];
  }
  for (int w = 0; w < width; ++w) {
    double* c = p.c + i + (j + w) * p.ldc;
    for (int h = 0; h < height; ++h) {
      Vector old;
      load(old, c + h * lanes);
      old += total[w][h];
      __builtin_memcpy(c + h * lanes, &old, sizeof old);
    }
  }
}

template <class Vector, int height>
GSSL_INLINE void strip(const Product& p, std::int64_t i) {
  std::int64_t j = 0;
  for (; j + 4 <= p.n; j += 4) tile<Vector, height, 4>(p, i, j);
  if (p.n - j == 3) tile<Vector, height, 3>(p, i, j);
  if (p.n - j == 2) tile<Vector, height, 2>(p, i, j);
  if (p.n - j == 1) tile<Vector, height, 1>(p, i, j);
}

template <class Vector, int height>
GSSL_INLINE void product(const Product& p) {
  constexpr std::int64_t rows = height * static_cast<std::int64_t>(sizeof(Vector)) / 8;
  constexpr int rest = 64 / sizeof(Vector);  // vectors in 8 rows
  std::int64_t i = 0;
  for (; i + rows <= p.m; i += rows) strip<Vector, height>(p, i);
  for (; i < p.m; i += 8) strip<Vector, rest>(p, i);
}

// Eight sums side by side, whatever the width of a vector: the same bytes on every processor
// without fused products.
GSSL_INLINE double fold(const Octet& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

GSSL_INLINE void add_multiple_of(std::int64_t n, double f, const double* x, double* y) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    Octet u, v;
    load(u, x + i);
    load(v, y + i);
    v += f * u;
    __builtin_memcpy(y + i, &v, sizeof v);
  }
  for (; i < n; ++i) y[i] += f * x[i];
}

GSSL_INLINE double dot_of(std::int64_t n, const double* x, const double* y) {
  Octet total = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    Octet u, v;
    load(u, x + i);
    load(v, y + i);
    total += u * v;
  }
  double result = fold(total);
  for (; i < n; ++i) result += x[i] * y[i];
  return result;
}

GSSL_INLINE double sum_of(std::int64_t n, const double* x) {
  Octet total = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    Octet u;
    load(u, x + i);
    total += u;
  }
  double result = fold(total);
  for (; i < n; ++i) result += x[i];
  return result;
}

struct ProductKernels {
  void (*product)(const Product&);
  void (*add_multiple)(std::int64_t, double, const double*, double*);
  double (*dot)(std::int64_t, const double*, const double*);
  double (*sum)(std::int64_t, const double*);
};

// NOLINTBEGIN(bugprone-macro-parentheses): attributes and types stand bare.
#define GSSL_KERNELS(name, attribute, Vector, height)                                         \
  attribute void product_##name(const Product& p) { product<Vector, height>(p); }             \
  attribute void add_multiple_##name(std::int64_t n, double f, const double* x, double* y) {  \
    add_multiple_of(n, f, x, y);                                                              \
  }                                                                                           \
  attribute double dot_##name(std::int64_t n, const double* x, const double* y) {             \
    return dot_of(n, x, y);                                                                   \
  }                                                                                           \
  attribute double sum_##name(std::int64_t n, const double* x) { return sum_of(n, x); }       \
  constexpr ProductKernels kernels_##name = {product_##name, add_multiple_##name, dot_##name, \
                                             sum_##name}
// NOLINTEND(bugprone-macro-parentheses)

GSSL_KERNELS(baseline, , Pair, 4);
#ifdef __x86_64__
GSSL_KERNELS(avx2, __attribute__((target("avx2,fma"))), Quad, 2);
GSSL_KERNELS(avx512, __attribute__((target("avx512f,fma"))), Octet, 3);
#endif

ProductKernels best_kernels() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma")) return kernels_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kernels_avx2;
#endif
  return kernels_baseline;
}

const ProductKernels kernels = best_kernels();

}  // namespace

void multiply_add(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
                  const double* b, std::int64_t b_row, std::int64_t b_column, double* c,
                  std::int64_t ldc) {
  kernels.product({m, n, k, a, lda, b, b_row, b_column, c, ldc});
}

void add_multiple(std::int64_t n, double f, const double* x, double* y) {
  kernels.add_multiple(n, f, x, y);
}

double dot(std::int64_t n, const double* x, const double* y) { return kernels.dot(n, x, y); }

double sum(std::int64_t n, const double* x) { return kernels.sum(n, x); }

}  // namespace gssl::solve
