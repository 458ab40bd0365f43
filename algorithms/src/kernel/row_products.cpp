#include "kernel/row_products.hpp"

#include <algorithm>
#include <vector>

// A kernel is compiled for the processor of the function that calls it, so it has to be part of it.
#define GSSL_INLINE inline __attribute__((always_inline))

namespace gssl::detail {
namespace {

constexpr std::int64_t most_depth = 256;  // columns summed at a time
constexpr std::int64_t tall = 6;          // rows of a in registers

template <class Lanes, class Real>
GSSL_INLINE void load(Lanes& to, const Real* from) {
  __builtin_memcpy(&to, from, sizeof to);
}
template <class Lanes, class Real>
GSSL_INLINE void store(Real* to, const Lanes& from) {
  __builtin_memcpy(to, &from, sizeof from);
}

// Rows [first, first + width) of m, columns [begin, end), column by column; missing rows are zeros.
template <class Real>
void pack(const Rows<Real>& m, std::int64_t first, std::int64_t width, std::int64_t begin,
          std::int64_t end, Real* to) {
  const std::int64_t present = std::min(width, m.count - first);
  for (std::int64_t r = 0; r < present; ++r) {
    const Real* row = m.data + (first + r) * m.stride;
    for (std::int64_t l = begin; l < end; ++l) to[(l - begin) * width + r] = row[l];
  }
  for (std::int64_t r = present; r < width; ++r)
    for (std::int64_t l = begin; l < end; ++l) to[(l - begin) * width + r] = 0;
}

enum class Write { set, add, subtract };

template <class Real, class Lanes>
GSSL_INLINE void write_lanes(const Lanes& from, Real* to, Write how) {
  Lanes old = from;
  if (how != Write::set) {
    load(old, to);
    old = how == Write::add ? old + from : old - from;
  }
  store(to, old);
}

// `tall` rows by two vectors: Σ a·b into a place of `rows` rows and `columns` columns of c.
template <class Real, class Lanes>
GSSL_INLINE void small_product(std::int64_t depth, const Real* a, const Real* b, Real* c,
                               std::int64_t stride, std::int64_t rows, std::int64_t columns,
                               Write how) {
  constexpr std::int64_t lanes = sizeof(Lanes) / sizeof(Real);
  Lanes total[tall][2];
  for (std::int64_t h = 0; h < tall; ++h) total[h][0] = total[h][1] = Lanes{};
  for (std::int64_t l = 0; l < depth; ++l, a += tall, b += 2 * lanes) {
    Lanes left, right;
    load(left, b);
    load(right, b + lanes);
    for (std::int64_t h = 0; h < tall; ++h) {
      total[h][0] += a[h] * left;
      total[h][1] += a[h] * right;
    }
  }
  if (rows == tall && columns == 2 * lanes) {
    for (std::int64_t h = 0; h < tall; ++h) {
      write_lanes(total[h][0], c + h * stride, how);
      write_lanes(total[h][1], c + h * stride + lanes, how);
    }
    return;
  }
  alignas(64) Real out[tall * 2 * lanes];
  for (std::int64_t h = 0; h < tall; ++h) {
    store(out + 2 * h * lanes, total[h][0]);
    store(out + (2 * h + 1) * lanes, total[h][1]);
  }
  for (std::int64_t h = 0; h < rows; ++h)
    for (std::int64_t j = 0; j < columns; ++j) {
      const Real value = out[2 * h * lanes + j];
      Real& to = c[h * stride + j];
      to = how == Write::set ? value : how == Write::add ? to + value : to - value;
    }
}

template <class Real>
struct Product {
  Rows<Real> a, b;
  std::int64_t depth;
  Real* c;
  std::int64_t c_stride;
  Into into;
  Real* packed_a;
  Real* packed_b;
};

// Rows `tall` at a time with the rows of one strip of b, all packed.
template <class Real, class Lanes>
GSSL_INLINE void strip_product(const Real* a, std::int64_t count, const Real* b,
                               std::int64_t columns, std::int64_t depth, Real* to,
                               std::int64_t stride, Write how) {
  for (std::int64_t i = 0; i < count; i += tall) {
    const std::int64_t rows = std::min(tall, count - i);
    // Far apart, so that the processor does not foresee them.
    for (std::int64_t h = 0; h < rows; ++h) {
      const Real* c = to + (i + h) * stride;
      __builtin_prefetch(c, 1);
      __builtin_prefetch(c + columns - 1, 1);
    }
    small_product<Real, Lanes>(depth, a + i * depth, b, to + i * stride, stride, rows, columns,
                               how);
  }
}

template <class Real, class Lanes>
GSSL_INLINE void product(const Product<Real>& p) {
  constexpr std::int64_t wide = 2 * static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Real));
  for (std::int64_t begin = 0; begin < p.depth || begin == 0; begin += most_depth) {
    const std::int64_t end = std::min(p.depth, begin + most_depth);
    const std::int64_t depth = end - begin;
    const Write how = p.into == Into::subtract ? Write::subtract
                      : begin == 0             ? Write::set
                                               : Write::add;
    for (std::int64_t i = 0; i < p.a.count; i += tall)
      pack(p.a, i, tall, begin, end, p.packed_a + i * depth);
    for (std::int64_t j = 0; j < p.b.count; j += wide) {
      pack(p.b, j, wide, begin, end, p.packed_b);
      strip_product<Real, Lanes>(p.packed_a, p.a.count, p.packed_b, std::min(wide, p.b.count - j),
                                 depth, p.c + j, p.c_stride, how);
    }
  }
}

// The same of rows that are packed, all strips of them.
template <class Real>
struct PackedProduct {
  const Real* a;
  std::int64_t rows;
  const Real* b;
  std::int64_t columns;
  std::int64_t depth;
  Real* c;
  std::int64_t c_stride;
  Into into;
};

template <class Real, class Lanes>
GSSL_INLINE void packed_product(const PackedProduct<Real>& p) {
  constexpr std::int64_t wide = 2 * static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Real));
  const Write how = p.into == Into::subtract ? Write::subtract : Write::set;
  for (std::int64_t j = 0; j < p.columns; j += wide)
    strip_product<Real, Lanes>(p.a, p.rows, p.b + j * p.depth, std::min(wide, p.columns - j),
                               p.depth, p.c + j, p.c_stride, how);
}

// 2^k·e^r with |r| ≤ ½ ln 2; the coefficients are those of the least largest relative error of
// degree 5 (S. Moshier, Cephes, expf). The integer k stands in the last bits of a number that is
// large enough to have no other.
template <class Lanes>
GSSL_INLINE void exponential(Lanes& x, float) {
  using Bits = decltype(x < x);         // integers as wide
  constexpr float large = 12582912.0F;  // 1.5·2^23
  const Lanes v = x < -87.3F ? Lanes{} - 87.3F : x;
  const Lanes shifted = v * 1.44269504088896341F + large;
  const Lanes k = shifted - large;
  const Lanes r = (v - k * 0.693359375F) + k * 2.12194440e-4F;
  Lanes p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  const Bits power = (__builtin_bit_cast(Bits, shifted) + 127) << 23;
  x = x < -87.3F ? Lanes{} : p * __builtin_bit_cast(Lanes, power);
}

// The same with e^r = 1 + 2rP(r²)/(Q(r²) − rP(r²)) (Cephes, exp).
template <class Lanes>
GSSL_INLINE void exponential(Lanes& x, double) {
  using Bits = decltype(x < x);
  constexpr double large = 6755399441055744.0;  // 1.5·2^52
  const Lanes v = x < -708.0 ? Lanes{} - 708.0 : x;
  const Lanes shifted = v * 1.4426950408889634074 + large;
  const Lanes k = shifted - large;
  const Lanes r = (v - k * 6.93145751953125e-1) - k * 1.42860682030941723212e-6;
  const Lanes square = r * r;
  const Lanes p = r * ((1.26177193074810590878e-4 * square + 3.02994407707441961300e-2) * square +
                       9.99999999999999999910e-1);
  const Lanes q = ((3.00198505138664455042e-6 * square + 2.52448340349684104192e-3) * square +
                   2.27265548208155028766e-1) *
                      square +
                  2.0;
  const Bits power = (__builtin_bit_cast(Bits, shifted) + 1023) << 52;
  x = x < -708.0 ? Lanes{} : (1.0 + 2.0 * (p / (q - p))) * __builtin_bit_cast(Lanes, power);
}

template <class Lanes, class Real>
GSSL_INLINE void gaussian(Real scale, Real square, const Real* squares, Real* x) {
  Lanes other, product;
  load(other, squares);
  load(product, x);
  const Lanes distance = (square + other) - 2 * product;
  Lanes value = distance > 0 ? -scale * distance : Lanes{};
  exponential(value, Real{});
  store(x, value);
}

// Whole vectors alone, so that an entry is the same wherever it stands.
template <class Lanes, class Real>
GSSL_INLINE void gaussians_of(Real scale, Real square, const Real* squares, Real* x,
                              std::int64_t n) {
  constexpr auto lanes = static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Real));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) gaussian<Lanes>(scale, square, squares + i, x + i);
  if (i == n) return;
  Real last_squares[lanes] = {}, last[lanes] = {};
  std::copy(squares + i, squares + n, last_squares);
  std::copy(x + i, x + n, last);
  gaussian<Lanes>(scale, square, last_squares, last);
  std::copy_n(last, n - i, x + i);
}

// A number less itself is 0 where it is finite.
template <class Lanes, class Real>
GSSL_INLINE bool copy_finite_of(const Real* from, std::int64_t n, Real* to) {
  constexpr auto lanes = static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Real));
  Lanes some{};
  auto bad = some != some;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(some, from + i);
    store(to + i, some);
    bad |= some - some != Lanes{};
  }
  bool finite = true;
  for (std::int64_t l = 0; l < lanes; ++l) finite = finite && bad[l] == 0;
  for (; i < n; ++i) {
    to[i] = from[i];
    finite = finite && from[i] - from[i] == 0;
  }
  return finite;
}

template <class Real>
GSSL_INLINE void add_multiple_of(std::int64_t n, double f, const Real* x, double* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] += f * static_cast<double>(x[i]);
}

template <class Real>
GSSL_INLINE double dot_of(std::int64_t n, const Real* x, const double* y) {
  double sum[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::int64_t l = 0; l < 8; ++l) sum[l] += static_cast<double>(x[i + l]) * y[i + l];
  for (; i < n; ++i) sum[0] += static_cast<double>(x[i]) * y[i];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));
using Double2 = double __attribute__((vector_size(16)));
using Double4 = double __attribute__((vector_size(32)));
using Double8 = double __attribute__((vector_size(64)));

struct Table {
  void (*float_product)(const Product<float>&);
  void (*double_product)(const Product<double>&);
  void (*packed_float_product)(const PackedProduct<float>&);
  void (*packed_double_product)(const PackedProduct<double>&);
  void (*float_gaussians)(float, float, const float*, float*, std::int64_t);
  void (*double_gaussians)(double, double, const double*, double*, std::int64_t);
  bool (*copy_floats)(const float*, std::int64_t, float*);
  bool (*copy_doubles)(const double*, std::int64_t, double*);
  void (*add_floats)(std::int64_t, double, const float*, double*);
  void (*add_doubles)(std::int64_t, double, const double*, double*);
  double (*dot_floats)(std::int64_t, const float*, const double*);
  double (*dot_doubles)(std::int64_t, const double*, const double*);
  std::int64_t vector_bytes;
};

// NOLINTBEGIN(bugprone-macro-parentheses): attributes and types stand bare.
#define GSSL_KERNELS(name, attribute, Floats, Doubles)                                         \
  attribute void floats_##name(const Product<float>& p) { product<float, Floats>(p); }         \
  attribute void doubles_##name(const Product<double>& p) { product<double, Doubles>(p); }     \
  attribute void packed_floats_##name(const PackedProduct<float>& p) {                         \
    packed_product<float, Floats>(p);                                                          \
  }                                                                                            \
  attribute void packed_doubles_##name(const PackedProduct<double>& p) {                       \
    packed_product<double, Doubles>(p);                                                        \
  }                                                                                            \
  attribute void float_gauss_##name(float scale, float square, const float* squares, float* x, \
                                    std::int64_t n) {                                          \
    gaussians_of<Floats>(scale, square, squares, x, n);                                        \
  }                                                                                            \
  attribute void double_gauss_##name(double scale, double square, const double* squares,       \
                                     double* x, std::int64_t n) {                              \
    gaussians_of<Doubles>(scale, square, squares, x, n);                                       \
  }                                                                                            \
  attribute bool copy_floats_##name(const float* from, std::int64_t n, float* to) {            \
    return copy_finite_of<Floats>(from, n, to);                                                \
  }                                                                                            \
  attribute bool copy_doubles_##name(const double* from, std::int64_t n, double* to) {         \
    return copy_finite_of<Doubles>(from, n, to);                                               \
  }                                                                                            \
  attribute void add_floats_##name(std::int64_t n, double f, const float* x, double* y) {      \
    add_multiple_of(n, f, x, y);                                                               \
  }                                                                                            \
  attribute void add_doubles_##name(std::int64_t n, double f, const double* x, double* y) {    \
    add_multiple_of(n, f, x, y);                                                               \
  }                                                                                            \
  attribute double dot_floats_##name(std::int64_t n, const float* x, const double* y) {        \
    return dot_of(n, x, y);                                                                    \
  }                                                                                            \
  attribute double dot_doubles_##name(std::int64_t n, const double* x, const double* y) {      \
    return dot_of(n, x, y);                                                                    \
  }                                                                                            \
  constexpr Table table_##name = {                                                             \
      floats_##name,      doubles_##name,      packed_floats_##name, packed_doubles_##name,    \
      float_gauss_##name, double_gauss_##name, copy_floats_##name,   copy_doubles_##name,      \
      add_floats_##name,  add_doubles_##name,  dot_floats_##name,    dot_doubles_##name,       \
      sizeof(Floats)}
// NOLINTEND(bugprone-macro-parentheses)

GSSL_KERNELS(base, , Float4, Double2);
#ifdef __x86_64__
GSSL_KERNELS(avx2, __attribute__((target("avx2,fma"))), Float8, Double4);
GSSL_KERNELS(avx512, __attribute__((target("avx512f,fma"))), Float16, Double8);
#endif

const Table& table() {
#ifdef __x86_64__
  static const Table* const chosen = [] {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma")) return &table_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &table_avx2;
    return &table_base;
  }();
  return *chosen;
#else
  return table_base;
#endif
}

std::int64_t rounded_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

void run_product(const Product<float>& p) { table().float_product(p); }
void run_product(const Product<double>& p) { table().double_product(p); }
void run_packed(const PackedProduct<float>& p) { table().packed_float_product(p); }
void run_packed(const PackedProduct<double>& p) { table().packed_double_product(p); }

template <class Real>
std::int64_t strip_width() {
  return 2 * table().vector_bytes / static_cast<std::int64_t>(sizeof(Real));
}

}  // namespace

template <class Real>
void multiply_rows(Rows<Real> a, Rows<Real> b, std::int64_t depth, Real* c, std::int64_t c_stride,
                   Into into) {
  const std::int64_t wide = strip_width<Real>();
  const std::int64_t deep = std::min(depth, most_depth);
  const std::int64_t of_a = rounded_up(a.count, tall) * deep;
  std::vector<Real> packed(static_cast<std::size_t>(of_a + wide * deep));
  run_product({a, b, depth, c, c_stride, into, packed.data(), packed.data() + of_a});
}

template void multiply_rows<float>(Rows<float>, Rows<float>, std::int64_t, float*, std::int64_t,
                                   Into);
template void multiply_rows<double>(Rows<double>, Rows<double>, std::int64_t, double*, std::int64_t,
                                    Into);

template <class Real>
void PackedRows<Real>::resize(std::int64_t rows, std::int64_t depth) {
  depth_ = depth;
  const auto size = static_cast<std::size_t>(rounded_up(rows, unit) * depth);
  if (tall_.size() < size) {
    tall_.resize(size);
    wide_.resize(size);
  }
}

template <class Real>
void PackedRows<Real>::pack(std::int64_t first, Rows<Real> rows) {
  const std::int64_t wide = strip_width<Real>();
  for (std::int64_t i = 0; i < rows.count; i += tall)
    detail::pack(rows, i, tall, 0, depth_, tall_.data() + (first + i) * depth_);
  for (std::int64_t j = 0; j < rows.count; j += wide)
    detail::pack(rows, j, wide, 0, depth_, wide_.data() + (first + j) * depth_);
}

template <class Real>
void PackedRows<Real>::multiply(std::int64_t first, std::int64_t rows, std::int64_t second,
                                std::int64_t columns, Real* c, std::int64_t c_stride,
                                Into into) const {
  run_packed(PackedProduct<Real>{tall_.data() + first * depth_, rows,
                                 wide_.data() + second * depth_, columns, depth_, c, c_stride,
                                 into});
}

template class PackedRows<float>;
template class PackedRows<double>;

void gaussians(float scale, float square, const float* squares, float* x, std::int64_t n) {
  table().float_gaussians(scale, square, squares, x, n);
}
void gaussians(double scale, double square, const double* squares, double* x, std::int64_t n) {
  table().double_gaussians(scale, square, squares, x, n);
}

bool copy_finite(const float* from, std::int64_t n, float* to) {
  return table().copy_floats(from, n, to);
}
bool copy_finite(const double* from, std::int64_t n, double* to) {
  return table().copy_doubles(from, n, to);
}

void add_multiple(std::int64_t n, double f, const float* x, double* y) {
  table().add_floats(n, f, x, y);
}
void add_multiple(std::int64_t n, double f, const double* x, double* y) {
  table().add_doubles(n, f, x, y);
}

double dot(std::int64_t n, const float* x, const double* y) { return table().dot_floats(n, x, y); }
double dot(std::int64_t n, const double* x, const double* y) {
  return table().dot_doubles(n, x, y);
}

}  // namespace gssl::detail
