#include "basis_kernels.hpp"

#include "gssl/core/error.hpp"
#include "linalg/double_lanes.hpp"

namespace gssl::solve {
namespace {

// `group` columns of v from `first` on, their sums in registers.
template <class Lanes, int group>
GSSL_INLINE void cross_group(const double* v, std::int64_t count, std::int64_t first,
                             const double* w, std::int64_t rows, double* h) {
  Lanes sum[group] = {};
  for (std::int64_t r = 0; r < rows; ++r) {
    Lanes row;
    load(row, w + r * width<Lanes>);
    for (int i = 0; i < group; ++i) sum[i] += v[r * count + first + i] * row;
  }
  for (int i = 0; i < group; ++i) {
    double* to = h + (first + i) * width<Lanes>;
    Lanes old;
    load(old, to);
    old += sum[i];
    store(to, old);
  }
}

template <class Lanes>
GSSL_INLINE void cross(const double* v, std::int64_t count, const double* w, std::int64_t rows,
                       double* h) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) cross_group<Lanes, 4>(v, count, i, w, rows, h);
  for (; i + 2 <= count; i += 2) cross_group<Lanes, 2>(v, count, i, w, rows, h);
  for (; i < count; ++i) cross_group<Lanes, 1>(v, count, i, w, rows, h);
}

template <class Lanes>
GSSL_INLINE void subtract(const double* v, std::int64_t count, const double* h, std::int64_t rows,
                          double* w) {
  for (std::int64_t r = 0; r < rows; ++r) {
    Lanes row;
    load(row, w + r * width<Lanes>);
    for (std::int64_t i = 0; i < count; ++i) {
      Lanes part;
      load(part, h + i * width<Lanes>);
      row -= v[r * count + i] * part;
    }
    store(w + r * width<Lanes>, row);
  }
}

GSSL_INLINE void add(const double* v, std::int64_t count, const double* s, std::int64_t columns,
                     std::int64_t rows, double* out) {
  for (std::int64_t r = 0; r < rows; ++r, v += count, out += columns) {
    std::int64_t j = 0;
    for (; j + 4 <= columns; j += 4) {
      Quad sum, part;
      load(sum, out + j);
      for (std::int64_t i = 0; i < count; ++i) {
        load(part, s + i * columns + j);
        sum += v[i] * part;
      }
      store(out + j, sum);
    }
    for (; j < columns; ++j)
      for (std::int64_t i = 0; i < count; ++i) out[j] += v[i] * s[i * columns + j];
  }
}

struct BasisKernels {
  void (*cross)(std::int64_t, const double*, std::int64_t, const double*, std::int64_t, double*);
  void (*subtract)(std::int64_t, const double*, std::int64_t, const double*, std::int64_t, double*);
  void (*add)(const double*, std::int64_t, const double*, std::int64_t, std::int64_t, double*);
};

// NOLINTBEGIN(bugprone-macro-parentheses): attributes stand bare.
#define GSSL_KERNELS(name, attribute)                                                     \
  attribute void cross_##name(std::int64_t width, const double* v, std::int64_t count,    \
                              const double* w, std::int64_t rows, double* h) {            \
    if (width == 4)                                                                       \
      cross<Quad>(v, count, w, rows, h);                                                  \
    else                                                                                  \
      cross<Pair>(v, count, w, rows, h);                                                  \
  }                                                                                       \
  attribute void subtract_##name(std::int64_t width, const double* v, std::int64_t count, \
                                 const double* h, std::int64_t rows, double* w) {         \
    if (width == 4)                                                                       \
      subtract<Quad>(v, count, h, rows, w);                                               \
    else                                                                                  \
      subtract<Pair>(v, count, h, rows, w);                                               \
  }                                                                                       \
  attribute void add_##name(const double* v, std::int64_t count, const double* s,         \
                            std::int64_t columns, std::int64_t rows, double* out) {       \
    add(v, count, s, columns, rows, out);                                                 \
  }                                                                                       \
  constexpr BasisKernels kernels_##name = {cross_##name, subtract_##name, add_##name}
// NOLINTEND(bugprone-macro-parentheses)

GSSL_KERNELS(baseline, );
#ifdef __x86_64__
GSSL_KERNELS(avx2, __attribute__((target("avx2,fma"))));
#endif

BasisKernels best_kernels() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kernels_avx2;
#endif
  return kernels_baseline;
}

const BasisKernels kernels = best_kernels();

}  // namespace

void add_cross_product(std::int64_t width, const double* v, std::int64_t count, const double* w,
                       std::int64_t rows, double* h) {
  GSSL_ASSERT(width == 2 || width == 4);
  kernels.cross(width, v, count, w, rows, h);
}

void subtract_product(std::int64_t width, const double* v, std::int64_t count, const double* h,
                      std::int64_t rows, double* w) {
  GSSL_ASSERT(width == 2 || width == 4);
  kernels.subtract(width, v, count, h, rows, w);
}

void add_product(const double* v, std::int64_t count, const double* s, std::int64_t columns,
                 std::int64_t rows, double* out) {
  kernels.add(v, count, s, columns, rows, out);
}

}  // namespace gssl::solve
