#include "row_space.hpp"

#include <bit>
#include <string>
#include <type_traits>
#include <utility>

#include "core/memory/large_array.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::knn {
namespace {

// Sixteen sums over whole sixteens of columns, four over the whole fours that are left, one over
// the rest, added as trees: an order that vectorizes. `fixed` is the number of columns when the
// compiler may know it, else 0. Nothing here may be contracted to a fused multiply-add, or answers
// would differ between processors.
template <Norm norm, class Real, int fixed>
inline __attribute__((always_inline)) double key_of(const void* row_x, const void* row_y,
                                                    std::int64_t columns) {
  const auto* x = static_cast<const Real*>(row_x);
  const auto* y = static_cast<const Real*>(row_y);
  if constexpr (fixed > 0) columns = fixed;
  double sum[16] = {}, fours[4] = {}, rest = 0.0;
  const auto term = [x, y](std::int64_t c) {
    const double t = static_cast<double>(x[c]) - static_cast<double>(y[c]);
    return norm == Norm::l2 ? t * t : std::abs(t);
  };
  std::int64_t c = 0;
  for (; c + 16 <= columns; c += 16)
    for (int lane = 0; lane < 16; ++lane) sum[lane] += term(c + lane);
  for (; c + 4 <= columns; c += 4)
    for (int lane = 0; lane < 4; ++lane) fours[lane] += term(c + lane);
  for (; c < columns; ++c) rest += term(c);
  for (int half = 8; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) sum[lane] += sum[lane + half];
  return sum[0] + (((fours[0] + fours[2]) + (fours[1] + fours[3])) + rest);
}

// Key functions of one x86-64 level, or of the processor that the compiler was told of.
// NOLINTBEGIN(bugprone-macro-parentheses): attributes stand bare.
#define GSSL_KEYS(name, attribute)                                                        \
  template <Norm norm, class Real, int fixed>                                             \
  struct name {                                                                           \
    attribute static double one(const void* x, const void* y, std::int64_t columns) {     \
      return key_of<norm, Real, fixed>(x, y, columns);                                    \
    }                                                                                     \
    attribute static void several(const void* x, const void* y, std::int64_t columns,     \
                                  std::uint32_t which, double* out) {                     \
      for (; which != 0; which &= which - 1)                                              \
        *out++ = key_of<norm, Real, fixed>(                                               \
            x, static_cast<const Real*>(y) + std::countr_zero(which) * columns, columns); \
    }                                                                                     \
    static constexpr KeyFunctions table = {one, several};                                 \
  }
// NOLINTEND(bugprone-macro-parentheses)

GSSL_KEYS(Baseline, );
#ifdef __x86_64__
GSSL_KEYS(Avx2, __attribute__((target("avx2"))));
GSSL_KEYS(Avx512, __attribute__((target("avx512f"))));
#endif

template <Norm norm, class Real>
KeyFunctions key_functions(std::int64_t columns) {
  switch (columns) {
    case 1: return Baseline<norm, Real, 1>::table;
    case 2: return Baseline<norm, Real, 2>::table;
    case 3: return Baseline<norm, Real, 3>::table;
    case 4: return Baseline<norm, Real, 4>::table;
    case 5: return Baseline<norm, Real, 5>::table;
    case 6: return Baseline<norm, Real, 6>::table;
    case 7: return Baseline<norm, Real, 7>::table;
    case 8: return Baseline<norm, Real, 8>::table;
    default: break;
  }
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return Avx512<norm, Real, 0>::table;
  if (__builtin_cpu_supports("avx2")) return Avx2<norm, Real, 0>::table;
#endif
  return Baseline<norm, Real, 0>::table;
}

template <class Real>
std::vector<double> unit_rows(std::span<const Real> values, VertexId rows, std::int64_t columns,
                              bool centered) {
  std::vector<double> unit(values.begin(), values.end());
  for (VertexId r = 0; r < rows; ++r) {
    const std::span<double> row(unit.data() + r * columns, static_cast<std::size_t>(columns));
    // The largest magnitude leaves first, so that no square overflows or vanishes.
    const auto divide_by_largest = [row] {
      double largest = 0.0;
      for (const double v : row) largest = std::max(largest, std::abs(v));
      if (largest > 0.0)
        for (double& v : row) v /= largest;
      return largest > 0.0;
    };
    bool defined = divide_by_largest();
    if (centered && defined) {
      const bool constant =
          std::all_of(row.begin(), row.end(), [row](double v) { return v == row.front(); });
      double mean = 0.0;
      for (const double v : row) mean += v;
      mean /= static_cast<double>(columns);
      for (double& v : row) v -= mean;
      defined = !constant && divide_by_largest();
    }
    if (!defined) refuse_undefined(r, centered ? Metric::correlation : Metric::cosine);
    double square = 0.0;
    for (const double v : row) square += v * v;
    const double length = std::sqrt(square);
    for (double& v : row) v /= length;
  }
  return unit;
}

template <class Real>
std::vector<Real> gather(const Real* values, std::int64_t columns, std::span<const VertexId> order,
                         int threads) {
  std::vector<Real> rows;
  detail::resize_large(rows, order.size() * static_cast<std::size_t>(columns), threads);
  parallel_blocks(static_cast<std::int64_t>(order.size()), threads,
                  [&](std::int64_t begin, std::int64_t end) {
                    Real* out = rows.data() + begin * columns;
                    for (std::int64_t i = begin; i < end; ++i) {
                      const Real* row = values + order[static_cast<std::size_t>(i)] * columns;
                      for (std::int64_t c = 0; c < columns; ++c) *out++ = row[c];
                    }
                  });
  return rows;
}

}  // namespace

void refuse_undefined(VertexId row, Metric metric) {
  throw Error(ErrorCode::bad_data,
              "points: row " + std::to_string(row) +
                  (metric == Metric::cosine ? " is all zero: its cosine is not defined"
                                            : " is constant: its correlation is not defined") +
                  "; remove the row or use the metric euclidean");
}

template <class Real>
void RowSpace::refer_to(std::span<const Real> values) {
  values_ = reinterpret_cast<const char*>(values.data());
  row_bytes_ = columns_ * static_cast<std::int64_t>(sizeof(Real));
  is_float_ = std::is_same_v<Real, float>;
  key_ = norm() == Norm::l1 ? key_functions<Norm::l1, Real>(columns_)
                            : key_functions<Norm::l2, Real>(columns_);
}

double unit_of(const Points& points, Metric metric) {
  // Squares of floats do neither; unit rows come in their own size.
  if (points.is_float() || metric == Metric::cosine || metric == Metric::correlation) return 1.0;
  double largest = 0.0;
  for (const double v : points.doubles()) largest = std::max(largest, std::abs(v));
  const auto columns = static_cast<double>(points.columns());
  const double farthest =
      2.0 * largest * (metric == Metric::manhattan ? columns : std::sqrt(columns));
  if (!std::isfinite(farthest))
    throw Error(ErrorCode::bad_data, "points: a value of magnitude " + to_text(largest) +
                                         ": distances may be no finite numbers; divide all values");
  // 2^31 squares of differences of values below 2^490 are finite.
  if (largest >= 0x1p490) return std::ldexp(1.0, std::ilogb(largest) - 489);
  if (largest > 0.0 && largest < 0x1p-450)
    return std::ldexp(1.0, std::max(std::ilogb(largest), -1000));
  return 1.0;
}

RowSpace::RowSpace(const Points& points, Metric metric, double unit)
    : rows_(points.rows()), columns_(points.columns()), metric_(metric), unit_(unit) {
  const bool centered = metric == Metric::correlation;
  if (centered || metric == Metric::cosine) {
    own_doubles_ = points.is_float() ? unit_rows(points.floats(), rows_, columns_, centered)
                                     : unit_rows(points.doubles(), rows_, columns_, centered);
    refer_to<double>(own_doubles_);
  } else if (points.is_float()) {
    refer_to(points.floats());
  } else if (unit == 1.0) {
    refer_to(points.doubles());
  } else {
    own_doubles_.assign(points.doubles().begin(), points.doubles().end());
    for (double& v : own_doubles_) v /= unit;
    refer_to<double>(own_doubles_);
  }
}

RowSpace::RowSpace(VertexId rows, std::int64_t columns, std::vector<double> values)
    : rows_(rows), columns_(columns), own_doubles_(std::move(values)) {
  refer_to<double>(own_doubles_);
}

bool RowSpace::same(VertexId i, VertexId j) const {
  return std::equal(values_ + i * row_bytes_, values_ + (i + 1) * row_bytes_,
                    values_ + j * row_bytes_);
}

std::uint64_t RowSpace::hash(VertexId i) const {
  return visit_row(i, [this](const auto* row) {
    std::uint64_t hash = 0;
    for (std::int64_t c = 0; c < columns_; ++c) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(static_cast<double>(row[c]))) *
             0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 32;
    }
    return hash;
  });
}

RowSpace RowSpace::reordered(std::span<const VertexId> order, int threads) const {
  RowSpace copy;
  copy.rows_ = static_cast<VertexId>(order.size());
  copy.columns_ = columns_;
  copy.metric_ = metric_;
  copy.unit_ = unit_;
  if (is_float_) {
    copy.own_floats_ = gather(reinterpret_cast<const float*>(values_), columns_, order, threads);
    copy.refer_to<float>(copy.own_floats_);
  } else {
    copy.own_doubles_ = gather(reinterpret_cast<const double*>(values_), columns_, order, threads);
    copy.refer_to<double>(copy.own_doubles_);
  }
  return copy;
}

}  // namespace gssl::knn
