#include "substitute.hpp"

#include <algorithm>

#include "linalg/double_lanes.hpp"
#include "panels.hpp"

namespace gssl::solve {
namespace {

// Rows or columns whose sums are kept in registers together.
constexpr std::int64_t group = 4;

// Entry (i, c) of a packed panel lies at column(s, c)[i].
template <class Value>
GSSL_INLINE const Value* column(const SupernodePart& s, const Value* panel, std::int64_t c) {
  return panel + packed_column(s.columns + s.below, c) - c - 1;
}

// Adds rows [i, i + height) of P x[own] to rows to[0], to[1], … of y.
template <class Lanes, int height, class Value>
GSSL_INLINE void hand_rows(const SupernodePart& s, const Value* panel, const double* own,
                           std::int64_t i, double* y, const VertexId* to) {
  Lanes sum[height] = {};
  const Value* p = column(s, panel, 0) + s.columns + i;
  // A column is one entry shorter than the one before.
  std::int64_t step = s.columns + s.below - 2;
  for (std::int64_t c = 0; c < s.columns; ++c, p += step--) {
    Lanes value;
    load(value, own + c * width<Lanes>);
    for (int h = 0; h < height; ++h) sum[h] += static_cast<double>(p[h]) * value;
  }
  for (int h = 0; h < height; ++h) {
    double* at = y + to[h] * width<Lanes>;
    Lanes old;
    load(old, at);
    old += sum[h];
    store(at, old);
  }
}

template <class Lanes, class Value>
GSSL_INLINE void hand_all(const SupernodePart& s, const Value* panel, const double* own,
                          std::int64_t begin, std::int64_t end, double* y, const VertexId* to) {
  std::int64_t i = begin;
  for (; i + group <= end; i += group)
    hand_rows<Lanes, group>(s, panel, own, i, y, to + (i - begin));
  for (; i < end; ++i) hand_rows<Lanes, 1>(s, panel, own, i, y, to + (i - begin));
}

template <class Lanes, class Value>
GSSL_INLINE void forward(const SupernodePart& s, const Value* panel, double* x, double* handed) {
  double* own = x + s.first * width<Lanes>;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const Value* p = column(s, panel, c);
    Lanes value;
    load(value, own + c * width<Lanes>);
    if constexpr (sizeof(Value) < sizeof(double)) {
      value *= s.share[c];
      store(own + c * width<Lanes>, value);
    }
    for (std::int64_t i = c + 1; i < s.columns; ++i) {
      Lanes next;
      load(next, own + i * width<Lanes>);
      next += static_cast<double>(p[i]) * value;
      store(own + i * width<Lanes>, next);
    }
  }
  hand_all<Lanes>(s, panel, own, 0, s.inside, x, s.rows);
  hand_all<Lanes>(s, panel, own, s.inside, s.below, handed, s.place);
}

// sum[c] += p(row, c)·x.
template <class Lanes, int count, class Value>
GSSL_INLINE void fetch(Lanes (&sum)[count], const Value* const (&p)[count], std::int64_t row,
                       const double* x) {
  Lanes value;
  load(value, x);
  for (int c = 0; c < count; ++c) sum[c] += static_cast<double>(p[c][row]) * value;
}

// Own columns [end − count, end).
template <class Lanes, int count, class Value>
GSSL_INLINE void fetch_columns(const SupernodePart& s, const Value* panel, double* x,
                               std::int64_t end) {
  const std::int64_t begin = end - count;
  double* own = x + s.first * width<Lanes>;
  Lanes sum[count] = {};
  const Value* p[count];
  for (int c = 0; c < count; ++c) p[c] = column(s, panel, begin + c);
  for (std::int64_t i = 0; i < s.below; ++i)
    fetch(sum, p, s.columns + i, x + s.rows[i] * width<Lanes>);
  for (std::int64_t i = end; i < s.columns; ++i) fetch(sum, p, i, own + i * width<Lanes>);
  for (std::int64_t c = count - 1; c >= 0; --c) {
    for (std::int64_t later = c + 1; later < count; ++later) {
      Lanes known;
      load(known, own + (begin + later) * width<Lanes>);
      sum[c] += static_cast<double>(p[c][begin + later]) * known;
    }
    if constexpr (sizeof(Value) < sizeof(double)) sum[c] *= s.share[begin + c];
    Lanes value;
    load(value, own + (begin + c) * width<Lanes>);
    value = value * s.resistance[begin + c] + sum[c];
    store(own + (begin + c) * width<Lanes>, value);
  }
}

template <class Lanes, class Value>
GSSL_INLINE void back(const SupernodePart& s, const Value* panel, double* x) {
  std::int64_t end = s.columns;
  for (; end >= group; end -= group) fetch_columns<Lanes, group>(s, panel, x, end);
  if (end == 3) fetch_columns<Lanes, 3>(s, panel, x, end);
  if (end == 2) fetch_columns<Lanes, 2>(s, panel, x, end);
  if (end == 1) fetch_columns<Lanes, 1>(s, panel, x, end);
}

template <class Lanes>
GSSL_INLINE void forward(const SupernodePart& s, double* x, double* handed) {
  if (s.floats != nullptr)
    forward<Lanes>(s, s.floats, x, handed);
  else
    forward<Lanes>(s, s.doubles, x, handed);
}

template <class Lanes>
GSSL_INLINE void back(const SupernodePart& s, double* x) {
  if (s.floats != nullptr)
    back<Lanes>(s, s.floats, x);
  else
    back<Lanes>(s, s.doubles, x);
}

struct SubstituteKernels {
  void (*forward)(int, const SupernodePart&, double*, double*);
  void (*back)(int, const SupernodePart&, double*);
};

// NOLINTBEGIN(bugprone-macro-parentheses): attributes stand bare.
#define GSSL_SUBSTITUTE(name, attribute)                                                        \
  attribute void forward_##name(int lanes, const SupernodePart& s, double* x, double* handed) { \
    if (lanes == wide_lanes)                                                                    \
      forward<Octet>(s, x, handed);                                                             \
    else                                                                                        \
      forward<Quad>(s, x, handed);                                                              \
  }                                                                                             \
  attribute void back_##name(int lanes, const SupernodePart& s, double* x) {                    \
    if (lanes == wide_lanes)                                                                    \
      back<Octet>(s, x);                                                                        \
    else                                                                                        \
      back<Quad>(s, x);                                                                         \
  }                                                                                             \
  constexpr SubstituteKernels substitutes_##name = {forward_##name, back_##name}
// NOLINTEND(bugprone-macro-parentheses)

GSSL_SUBSTITUTE(baseline, );
#ifdef __x86_64__
GSSL_SUBSTITUTE(avx2, __attribute__((target("avx2,fma"))));
GSSL_SUBSTITUTE(avx512, __attribute__((target("avx512f,avx512vl,fma"))));
#endif

SubstituteKernels best_substitutes() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
    return substitutes_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return substitutes_avx2;
#endif
  return substitutes_baseline;
}

const SubstituteKernels substitutes = best_substitutes();

}  // namespace

void substitute_forward(int lanes, const SupernodePart& part, double* x, double* handed) {
  substitutes.forward(lanes, part, x, handed);
}

void substitute_back(int lanes, const SupernodePart& part, double* x) {
  substitutes.back(lanes, part, x);
}

}  // namespace gssl::solve
