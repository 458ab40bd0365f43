#include "distance_kernels.hpp"

namespace gssl::knn {
namespace {

#define GSSL_INLINE inline __attribute__((always_inline))

using Floats = float __attribute__((vector_size(64)));
using Bits = std::int32_t __attribute__((vector_size(64)));

template <class Vector>
GSSL_INLINE void load(Vector& to, const float* from) {
  __builtin_memcpy(&to, from, sizeof to);
}

template <Norm norm, class Vector>
GSSL_INLINE void add_difference(Vector& sum, const Vector& difference) {
  if constexpr (norm == Norm::l2)
    sum += difference * difference;
  else
    sum += difference < 0 ? -difference : difference;
}

// The least of the lanes, halving the vector.
template <class Vector>
GSSL_INLINE float least(const Vector& v) {
  if constexpr (sizeof v == 16) {
    const float low = v[0] < v[1] ? v[0] : v[1], high = v[2] < v[3] ? v[2] : v[3];
    return low < high ? low : high;
  } else if constexpr (sizeof v == 32) {
    const auto a = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    const auto b = __builtin_shufflevector(v, v, 4, 5, 6, 7);
    return least(a < b ? a : b);
  } else {
    const auto a = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
    const auto b = __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    return least(a < b ? a : b);
  }
}

// Bit i is set where lane i of low, or lane i − 16 of high, is.
GSSL_INLINE std::uint32_t mask_of(const Bits& low, const Bits& high) {
  constexpr Bits bit = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                        1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const Bits both = (low & bit) | ((high & bit) << 16);
  const auto eight = __builtin_shufflevector(both, both, 0, 1, 2, 3, 4, 5, 6, 7) |
                     __builtin_shufflevector(both, both, 8, 9, 10, 11, 12, 13, 14, 15);
  const auto four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) |
                    __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
  return static_cast<std::uint32_t>(four[0] | four[1] | four[2] | four[3]);
}

template <Norm norm>
GSSL_INLINE void box_bounds(const float* pack, const float* low, const float* high,
                            std::int64_t columns, float* bound) {
  for (std::int64_t half = 0; half < lanes; half += 16) {
    Floats sum = {};
    for (std::int64_t c = 0; c < columns; ++c) {
      Floats box_low, box_high;
      load(box_low, pack + c * lanes + half);
      load(box_high, pack + (columns + c) * lanes + half);
      const Floats above = box_low - high[c], below = low[c] - box_high;
      Floats gap = above > below ? above : below;
      gap = gap > 0 ? gap : Floats{};
      add_difference<norm>(sum, gap);
    }
    __builtin_memcpy(bound + half, &sum, sizeof sum);
  }
}

template <Norm norm>
GSSL_INLINE std::uint32_t leaf_hits(const LeafPair& pair, std::uint32_t* hits) {
  const std::int64_t columns = pair.columns;
  Floats gap[2] = {}, limit[2];
  for (std::int64_t h = 0; h < 2; ++h) {
    load(limit[h], pair.radius + 16 * h);
    limit[h] += pair.error;
    if constexpr (norm == Norm::l2) limit[h] *= limit[h];
  }
  for (std::int64_t c = 0; c < columns; ++c) {
    const float low = pair.boxes[c * lanes + pair.box];
    const float high = pair.boxes[(columns + c) * lanes + pair.box];
    for (std::int64_t h = 0; h < 2; ++h) {
      Floats x;
      load(x, pair.queries + c * lanes + 16 * h);
      const Floats above = low - x, below = x - high;
      Floats outside = above > below ? above : below;
      outside = outside > 0 ? outside : Floats{};
      add_difference<norm>(gap[h], outside);
    }
  }
  std::uint32_t near = ~mask_of(gap[0] > limit[0], gap[1] > limit[1]);
  float limits[lanes];
  __builtin_memcpy(limits, limit, sizeof limits);
  std::uint32_t found = 0;
  for (; near != 0; near &= near - 1) {
    const int q = __builtin_ctz(near);
    Floats sum[2] = {};
    for (std::int64_t c = 0; c < columns; ++c) {
      const float x = pair.queries[c * lanes + q];
      for (std::int64_t h = 0; h < 2; ++h) {
        Floats y;
        load(y, pair.points + c * lanes + 16 * h);
        add_difference<norm>(sum[h], y - x);
      }
    }
    hits[q] = ~mask_of(sum[0] > limits[q], sum[1] > limits[q]);
    found |= hits[q] != 0 ? 1U << q : 0U;
  }
  return found;
}

template <Norm norm>
GSSL_INLINE void leaf_order(const LeafPair& pair, int q, float* distance, std::int32_t* order) {
  Floats sum[2] = {};
  for (std::int64_t c = 0; c < pair.columns; ++c) {
    const float x = pair.queries[c * lanes + q];
    for (std::int64_t h = 0; h < 2; ++h) {
      Floats y;
      load(y, pair.points + c * lanes + 16 * h);
      add_difference<norm>(sum[h], y - x);
    }
  }
  // Floats that are not negative compare as their bits do.
  constexpr Bits lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  Bits bits[2], rank[2] = {};
  std::int32_t each[lanes];
  for (std::int64_t h = 0; h < 2; ++h) {
    __builtin_memcpy(&bits[h], &sum[h], sizeof bits[h]);
    bits[h] = (bits[h] & 0x7fffffe0) | (lane + static_cast<std::int32_t>(16 * h));
    __builtin_memcpy(each + 16 * h, &bits[h], sizeof bits[h]);
  }
  __builtin_memcpy(distance, bits, sizeof bits);
  for (int i = 0; i < lanes; ++i)
    for (std::int64_t h = 0; h < 2; ++h) rank[h] -= bits[h] > each[i];
  __builtin_memcpy(each, rank, sizeof rank);
  for (int i = 0; i < lanes; ++i) order[each[i]] = i;
}

// Which of the columns of a row of a tile are not above the limits.
template <int columns>
GSSL_INLINE std::uint32_t near_columns(const float* bound, float limit_a, const float* limit_b) {
  std::uint32_t near = 0;
  for (int i = 0; i < columns; ++i) {
    const float limit = limit_b[i] > limit_a ? limit_b[i] : limit_a;
    near |= static_cast<std::uint32_t>(bound[i] > limit ? 0 : 1) << i;
  }
  return near;
}

// Tiles of `rows` × `vectors` vectors keep their sums in registers over all columns.
// near_row is near_columns, out of line so that the compiler does not take the tile apart for it.
template <Norm norm, class Vector, int rows, int vectors,
          std::uint32_t (*near_row)(const float*, float, const float*)>
GSSL_INLINE std::uint32_t panel_hits(const PanelPair& pair, std::uint32_t* hits) {
  constexpr std::int64_t width = sizeof(Vector) / sizeof(float);
  std::uint32_t found = 0;
  for (int r = 0; r < lanes; ++r) hits[r] = 0;
#pragma GCC unroll 1
  for (std::int64_t c0 = 0; c0 < lanes; c0 += vectors * width)
#pragma GCC unroll 1
    for (std::int64_t r0 = 0; r0 < lanes; r0 += rows) {
      Vector sum[rows][vectors] = {};
      for (std::int64_t k = 0; k < pair.columns; ++k) {
        const float* a = pair.a + k * lanes + r0;
        Vector b[vectors];
#pragma GCC unroll 8
        for (std::int64_t v = 0; v < vectors; ++v) load(b[v], pair.b + k * lanes + c0 + v * width);
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
          for (std::int64_t v = 0; v < vectors; ++v) {
            if constexpr (norm == Norm::l2)
              sum[r][v] += a[r] * b[v];
            else
              add_difference<norm>(sum[r][v], b[v] - a[r]);
          }
      }
      Vector norm_b[vectors], limit_b[vectors];
      for (std::int64_t v = 0; v < vectors; ++v) {
        load(norm_b[v], pair.norm_b + c0 + v * width);
        load(limit_b[v], pair.limit_b + c0 + v * width);
      }
      // How far each is above its limit, at least. (A comparison kept as a mask would cost GCC 12 a
      // scalar test per lane.)
      Vector margin = Vector{} + 1.0F;
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (std::int64_t v = 0; v < vectors; ++v) {
          const Vector limit_a = Vector{} + pair.limit_a[r0 + r];
          sum[r][v] = sum[r][v] * pair.factor + norm_b[v] + pair.norm_a[r0 + r];
          const Vector above = sum[r][v] - (limit_b[v] > limit_a ? limit_b[v] : limit_a);
          margin = above < margin ? above : margin;
        }
      if (least(margin) > 0.0F) continue;
      float bound[std::int64_t{rows} * vectors * width];
      __builtin_memcpy(bound, sum, sizeof bound);
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::uint32_t near =
            near_row(bound + r * vectors * width, pair.limit_a[r0 + r], pair.limit_b + c0) << c0;
        hits[r0 + r] |= near;
        found |= near != 0 ? 1U << (r0 + r) : 0U;
      }
    }
  return found;
}

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));

// The kernels of one x86-64 level, or of the processor that the compiler was told of.
// NOLINTBEGIN(bugprone-macro-parentheses): attributes and types stand bare.
#define GSSL_KERNELS(name, attribute, Vector, rows, vectors)                                  \
  template <Norm norm>                                                                        \
  struct name {                                                                               \
    attribute static void boxes(const float* pack, const float* low, const float* high,       \
                                std::int64_t columns, float* bound) {                         \
      box_bounds<norm>(pack, low, high, columns, bound);                                      \
    }                                                                                         \
    attribute static std::uint32_t leaf(const LeafPair& pair, std::uint32_t* hits) {          \
      return leaf_hits<norm>(pair, hits);                                                     \
    }                                                                                         \
    attribute static void order(const LeafPair& pair, int q, float* distance,                 \
                                std::int32_t* order) {                                        \
      leaf_order<norm>(pair, q, distance, order);                                             \
    }                                                                                         \
    attribute __attribute__((noinline)) static std::uint32_t near_row(const float* bound,     \
                                                                      float limit_a,          \
                                                                      const float* limit_b) { \
      return near_columns<vectors * sizeof(Vector) / sizeof(float)>(bound, limit_a, limit_b); \
    }                                                                                         \
    attribute static std::uint32_t panel(const PanelPair& pair, std::uint32_t* hits) {        \
      return panel_hits<norm, Vector, rows, vectors, near_row>(pair, hits);                   \
    }                                                                                         \
    static constexpr DistanceKernels table = {boxes, leaf, order, panel};                     \
  }

// NOLINTEND(bugprone-macro-parentheses)

GSSL_KERNELS(Baseline, , Float4, 4, 2);
#ifdef __x86_64__
GSSL_KERNELS(Avx2, __attribute__((target("avx2,fma,bmi,bmi2"))), Float8, 4, 2);
GSSL_KERNELS(Avx512, __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma,bmi,bmi2"))),
             Floats, 8, 2);
#endif

template <Norm norm>
std::vector<DistanceKernels> runnable() {
  std::vector<DistanceKernels> found;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    found.push_back(Avx512<norm>::table);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    found.push_back(Avx2<norm>::table);
#endif
  found.push_back(Baseline<norm>::table);
  return found;
}

}  // namespace

std::vector<DistanceKernels> runnable_kernels(Norm norm) {
  return norm == Norm::l1 ? runnable<Norm::l1>() : runnable<Norm::l2>();
}

const DistanceKernels& kernels_for(Norm norm) {
  static const DistanceKernels l1 = runnable<Norm::l1>().front();
  static const DistanceKernels l2 = runnable<Norm::l2>().front();
  return norm == Norm::l1 ? l1 : l2;
}

}  // namespace gssl::knn
