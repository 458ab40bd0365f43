#include "float_split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/index.hpp"
#include "linalg/double_lanes.hpp"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace gssl::solve {

// What the kernels read.
struct FloatSplitRows {
  std::int64_t size;
  const std::vector<VertexId>& colors;  // first row of each, and the end
  const EdgeIndex* offset;
  const VertexId* column;
  const float* weight;  // not read where all are 1
  const float *pivot, *inverse, *excess;
};

// Blocks and factors of a step.
struct FloatStep {
  const float *alpha, *beta;
  float *x, *r, *p, *q, *t;
};

struct FloatKernels {
  void (*move)(const FloatSplitRows&, const FloatStep&);
  void (*multiply)(const FloatSplitRows&, const FloatStep&, double*);
  void (*reduce)(const FloatSplitRows&, const FloatStep&, double*, double*);
  void (*forward)(const FloatSplitRows&, float*);
  void (*backward)(const FloatSplitRows&, float*);
};

namespace {

// Powers of two on either side of 1 that pivots may take, so that squares of what is divided by
// them are floats as well.
constexpr int most_exponent = 30;
// Rows between two additions to a sum of doubles, and entries of a row that are summed apart.
constexpr std::int64_t rows_of_a_sum = 128;
constexpr EdgeIndex entries_of_a_sum = 256;
// Entries whose rows are fetched early.
constexpr EdgeIndex early = 32;

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));

template <class Lanes>
struct Lane {
  static constexpr std::int64_t count = sizeof(Lanes) / sizeof(float);
  static constexpr int parts = float_lanes / static_cast<int>(count);

  // A row of a block, or one of factors.
  struct Row {
    Lanes part[parts];
  };
  GSSL_INLINE static void get(Row& row, const float* from) {
    for (int i = 0; i < parts; ++i) {
      Lanes lanes;
      __builtin_memcpy(&lanes, from + i * count, sizeof lanes);
      row.part[i] = lanes;
    }
  }
  GSSL_INLINE static void put(float* to, const Row& row) {
    for (int i = 0; i < parts; ++i) {
      const Lanes lanes = row.part[i];
      __builtin_memcpy(to + i * count, &lanes, sizeof lanes);
    }
  }
  GSSL_INLINE static void clear(Row& row) {
    for (int i = 0; i < parts; ++i) row.part[i] = Lanes{};
  }
  // to += w·row.
  GSSL_INLINE static void add(Row& to, float w, const Row& row) {
    for (int i = 0; i < parts; ++i) to.part[i] += w * row.part[i];
  }
  GSSL_INLINE static void add_product(Row& to, const Row& a, const Row& b) {
    for (int i = 0; i < parts; ++i) to.part[i] += a.part[i] * b.part[i];
  }

  // Sums of rows, in floats for a while and then in doubles.
  struct Sum {
    Row recent;
    double total[float_lanes];

    GSSL_INLINE void clear_all() {
      clear(recent);
      for (double& one : total) one = 0.0;
    }
    GSSL_INLINE void move_on() {
      float values[float_lanes];
      put(values, recent);
      for (int k = 0; k < float_lanes; ++k) total[k] += double{values[k]};
      clear(recent);
    }
  };
};

template <class Lanes, bool unit>
struct Passes {
  using Rows = FloatSplitRows;
  using L = Lane<Lanes>;
  using Row = typename L::Row;
  using Sum = typename L::Sum;

  // Σ weight·x over the entries [begin, end).
  GSSL_INLINE static void gather_some(const Rows& rows, const float* x, EdgeIndex begin,
                                      EdgeIndex end, EdgeIndex last, Row& sum) {
    for (EdgeIndex e = begin; e < end; ++e) {
      __builtin_prefetch(x + std::int64_t{rows.column[std::min(e + early, last)]} * float_lanes);
      Row other;
      L::get(other, x + std::int64_t{rows.column[e]} * float_lanes);
      L::add(sum, unit ? 1.0F : rows.weight[e], other);
    }
  }
  GSSL_INLINE static void gather(const Rows& rows, const float* x, std::int64_t v, EdgeIndex last,
                                 Row& sum) {
    EdgeIndex begin = rows.offset[v];
    const EdgeIndex end = rows.offset[v + 1];
    L::clear(sum);
    for (; end - begin > entries_of_a_sum; begin += entries_of_a_sum) {
      Row own;
      L::clear(own);
      gather_some(rows, x, begin, begin + entries_of_a_sum, last, own);
      L::add(sum, 1.0F, own);
    }
    gather_some(rows, x, begin, end, last, sum);
  }

  // Adds weight·pushed to the rows of the later neighbors of v.
  GSSL_INLINE static void push(const Rows& rows, float* to, std::int64_t v, EdgeIndex last,
                               const Row& pushed) {
    for (EdgeIndex e = rows.offset[v]; e < rows.offset[v + 1]; ++e) {
      __builtin_prefetch(to + std::int64_t{rows.column[std::min(e + early, last)]} * float_lanes,
                         1);
      float* other = to + std::int64_t{rows.column[e]} * float_lanes;
      Row sum;
      L::get(sum, other);
      L::add(sum, unit ? 1.0F : rows.weight[e], pushed);
      L::put(other, sum);
    }
  }

  GSSL_INLINE static void move(const Rows& rows, const FloatStep& m) {
    Row alpha, beta;
    L::get(alpha, m.alpha);
    L::get(beta, m.beta);
    const EdgeIndex last = rows.offset[rows.size] - 1;
    for (std::size_t c = rows.colors.size() - 1; c-- > 0;)
      for (std::int64_t v = rows.colors[c]; v < rows.colors[c + 1]; ++v) {
        const std::int64_t at = v * float_lanes;
        Row x, r, p, sum;
        gather(rows, m.t, v, last, sum);
        L::get(x, m.x + at);
        L::get(r, m.r + at);
        L::get(p, m.p + at);
        L::add_product(x, alpha, p);
        L::put(m.x + at, x);
        const float inverse = rows.inverse[v], pivot = rows.pivot[v];
        for (int i = 0; i < L::parts; ++i) {
          p.part[i] = pivot * r.part[i] + beta.part[i] * p.part[i];
          sum.part[i] = inverse * (p.part[i] + sum.part[i]);
        }
        L::put(m.p + at, p);
        L::put(m.t + at, sum);
        L::clear(x);
        L::put(m.q + at, x);
      }
  }

  GSSL_INLINE static void multiply(const Rows& rows, const FloatStep& m, double* pq) {
    const EdgeIndex last = rows.offset[rows.size] - 1;
    Sum sum;
    sum.clear_all();
    for (std::int64_t v = 0; v < rows.size; ++v) {
      const std::int64_t at = v * float_lanes;
      Row p, q, t;
      L::get(p, m.p + at);
      L::get(q, m.q + at);
      L::get(t, m.t + at);
      const float inverse = rows.inverse[v], excess = rows.excess[v];
      for (int i = 0; i < L::parts; ++i) {
        q.part[i] = inverse * (p.part[i] + q.part[i]) - excess * t.part[i];
        t.part[i] += q.part[i];
      }
      L::put(m.q + at, t);
      L::add_product(sum.recent, p, t);
      push(rows, m.q, v, last, q);
      if (v % rows_of_a_sum == rows_of_a_sum - 1) sum.move_on();
    }
    sum.move_on();
    std::copy_n(sum.total, float_lanes, pq);
  }

  GSSL_INLINE static void reduce(const Rows& rows, const FloatStep& m, double* rr, double* rz) {
    Row alpha;
    L::get(alpha, m.alpha);
    Sum squares, energies;
    squares.clear_all();
    energies.clear_all();
    for (std::int64_t v = 0; v < rows.size; ++v) {
      const std::int64_t at = v * float_lanes;
      Row r, q, square;
      L::get(r, m.r + at);
      L::get(q, m.q + at);
      for (int i = 0; i < L::parts; ++i) {
        r.part[i] -= alpha.part[i] * q.part[i];
        square.part[i] = r.part[i] * r.part[i];
      }
      L::put(m.r + at, r);
      L::add(squares.recent, 1.0F, square);
      L::add(energies.recent, rows.pivot[v], square);
      if (v % rows_of_a_sum == rows_of_a_sum - 1) {
        squares.move_on();
        energies.move_on();
      }
    }
    squares.move_on();
    energies.move_on();
    std::copy_n(squares.total, float_lanes, rr);
    std::copy_n(energies.total, float_lanes, rz);
  }

  GSSL_INLINE static void forward(const Rows& rows, float* x) {
    const EdgeIndex last = rows.offset[rows.size] - 1;
    for (std::int64_t v = 0; v < rows.size; ++v) {
      Row own;
      L::get(own, x + v * float_lanes);
      for (int i = 0; i < L::parts; ++i) own.part[i] *= rows.inverse[v];
      L::put(x + v * float_lanes, own);
      push(rows, x, v, last, own);
    }
  }

  GSSL_INLINE static void backward(const Rows& rows, float* x) {
    const EdgeIndex last = rows.offset[rows.size] - 1;
    for (std::size_t c = rows.colors.size() - 1; c-- > 0;)
      for (std::int64_t v = rows.colors[c]; v < rows.colors[c + 1]; ++v) {
        Row own, sum;
        gather(rows, x, v, last, sum);
        L::get(own, x + v * float_lanes);
        for (int i = 0; i < L::parts; ++i)
          own.part[i] = rows.inverse[v] * (own.part[i] + sum.part[i]);
        L::put(x + v * float_lanes, own);
      }
  }
};

// NOLINTBEGIN(bugprone-macro-parentheses): attributes and types stand bare.
#define GSSL_PASSES(name, attribute, Lanes, unit)                                              \
  attribute void move_##name(const FloatSplitRows& rows, const FloatStep& m) {                 \
    Passes<Lanes, unit>::move(rows, m);                                                        \
  }                                                                                            \
  attribute void multiply_##name(const FloatSplitRows& rows, const FloatStep& m, double* pq) { \
    Passes<Lanes, unit>::multiply(rows, m, pq);                                                \
  }                                                                                            \
  attribute void reduce_##name(const FloatSplitRows& rows, const FloatStep& m, double* rr,     \
                               double* rz) {                                                   \
    Passes<Lanes, unit>::reduce(rows, m, rr, rz);                                              \
  }                                                                                            \
  attribute void forward_##name(const FloatSplitRows& rows, float* x) {                        \
    Passes<Lanes, unit>::forward(rows, x);                                                     \
  }                                                                                            \
  attribute void backward_##name(const FloatSplitRows& rows, float* x) {                       \
    Passes<Lanes, unit>::backward(rows, x);                                                    \
  }                                                                                            \
  constexpr FloatKernels passes_##name = {move_##name, multiply_##name, reduce_##name,         \
                                          forward_##name, backward_##name}
// NOLINTEND(bugprone-macro-parentheses)

GSSL_PASSES(baseline, , Float4, false);
GSSL_PASSES(unit_baseline, , Float4, true);
#ifdef __x86_64__
GSSL_PASSES(avx2, __attribute__((target("avx2,fma"))), Float8, false);
GSSL_PASSES(unit_avx2, __attribute__((target("avx2,fma"))), Float8, true);
#endif

const FloatKernels& best_passes(bool unit) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return unit ? passes_unit_avx2 : passes_avx2;
#endif
  return unit ? passes_unit_baseline : passes_baseline;
}

// Far from every label values fall until they are subnormal, and arithmetic on those is a hundred
// times slower: they are zero here while this lives.
#ifdef __SSE2__
class FlushedSubnormals {
 public:
  FlushedSubnormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flushed_); }
  ~FlushedSubnormals() { _mm_setcsr(before_); }
  FlushedSubnormals(const FlushedSubnormals&) = delete;
  FlushedSubnormals& operator=(const FlushedSubnormals&) = delete;

 private:
  static constexpr unsigned flushed_ = 0x8040;  // of results, and of what is read
  unsigned before_;
};
#else
struct FlushedSubnormals {};
#endif

FloatStep step_of(FloatColumns& c, const LaneFactors& alpha, const LaneFactors& beta) {
  return {alpha.data(), beta.data(), c.x(), c.r(), c.p(), c.q(), c.t()};
}

// Of the pivots: the least power of two above the least, and above the largest.
std::pair<int, int> exponents(const std::vector<double>& pivots) {
  const auto [least, most] = std::ranges::minmax(pivots);
  return {std::ilogb(least), std::ilogb(most)};
}

}  // namespace

FloatColumns::FloatColumns(VertexId rows)
    : length_(index(rows) * float_lanes), values_(blocks * length_) {
  std::fill_n(values_.data(), values_.size(), 0.0F);
}

bool FloatSplit::fits(const SweptSystem& split) {
  if (split.size() == 0) return false;
  const auto [least, most] = exponents(split.pivots());
  return split.weight_.empty() ? -least <= most_exponent && most <= most_exponent
                               : most - least <= 2 * most_exponent;
}

FloatSplit::FloatSplit(const SweptSystem& split)
    : split_(split),
      pivot_(index(split.size())),
      inverse_(pivot_.size()),
      excess_(pivot_.size()),
      kernels_(best_passes(split.weight_.empty())) {
  if (!split.weight_.empty()) {
    const auto [least, most] = exponents(split.pivots());
    exponent_ = (least + most) / 2;
    weight_ = HugeArray<float>(split.weight_.size());
    const double scale = std::ldexp(1.0, -exponent_);
    for (std::size_t e = 0; e < weight_.size(); ++e)
      weight_.data()[e] = static_cast<float>(scale * split.weight_.data()[e]);
  }
  for (std::size_t v = 0; v < pivot_.size(); ++v) {
    pivot_[v] = static_cast<float>(std::ldexp(split.pivot_[v], -exponent_));
    inverse_[v] = 1.0F / pivot_[v];
    excess_[v] = static_cast<float>(split.excess_[v]);
  }
  for (const SweptSystem::Color& color : split.colors_) colors_.push_back(color.begin);
  colors_.push_back(split.size());
}

FloatSplitRows FloatSplit::rows() const {
  return {size(),         colors_,       split_.offset_.data(), split_.column_.data(),
          weight_.data(), pivot_.data(), inverse_.data(),       excess_.data()};
}

void FloatSplit::move(const LaneFactors& alpha, const LaneFactors& beta,
                      FloatColumns& columns) const {
  [[maybe_unused]] const FlushedSubnormals flushed;
  kernels_.move(rows(), step_of(columns, alpha, beta));
}

LaneSums FloatSplit::multiply(FloatColumns& columns) const {
  [[maybe_unused]] const FlushedSubnormals flushed;
  LaneSums pq;
  kernels_.multiply(rows(), step_of(columns, {}, {}), pq.data());
  return pq;
}

FloatSplit::Norms FloatSplit::reduce(const LaneFactors& alpha, FloatColumns& columns) const {
  [[maybe_unused]] const FlushedSubnormals flushed;
  Norms norms;
  kernels_.reduce(rows(), step_of(columns, alpha, {}), norms.rr.data(), norms.rz.data());
  return norms;
}

void FloatSplit::forward(float* x) const {
  [[maybe_unused]] const FlushedSubnormals flushed;
  kernels_.forward(rows(), x);
}

void FloatSplit::backward(float* x) const {
  [[maybe_unused]] const FlushedSubnormals flushed;
  kernels_.backward(rows(), x);
}

}  // namespace gssl::solve
