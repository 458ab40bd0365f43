#pragma once
// Dense rows in a space where the metric is a norm of the difference: the rows as given for
// euclidean and manhattan, rows of length 1 for cosine and correlation.
//
// key(i, j) is the one definition of how far apart two rows are (Σ(x−y)² or Σ|x−y|, in double, in a
// fixed order of additions); every search ends in it, so all agree to the last bit. Values whose
// squares would overflow or vanish are divided by a power of two first, and distances multiplied.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/points.hpp"
#include "gssl/graph/metric.hpp"

namespace gssl::knn {

enum class Norm { l1, l2 };

// Unit rows of parallel rows differ by rounding alone: a key up to this, an angle of 1e-13, is
// none.
inline constexpr double parallel_key = 0x1p-86;

// The distance that a key stands for.
inline double distance_of(Metric metric, double key) {
  switch (metric) {
    case Metric::euclidean: return std::sqrt(key);
    case Metric::manhattan: return key;
    case Metric::cosine:
    case Metric::correlation: return key > parallel_key ? 0.5 * key : 0.0;
  }
  return key;
}

// No key of a distance up to this is larger, but for rounding.
inline double key_bound(Metric metric, double distance) {
  switch (metric) {
    case Metric::euclidean: return distance * distance;
    case Metric::manhattan: return distance;
    case Metric::cosine:
    case Metric::correlation: return 2.0 * distance;
  }
  return distance;
}

// The power of two to divide by: 1, unless squares of distances would overflow or vanish. Throws
// ErrorCode::bad_data if distances may overflow.
double unit_of(const Points& points, Metric metric);

// Throws ErrorCode::bad_data: this row has no cosine, or no correlation.
[[noreturn]] void refuse_undefined(VertexId row, Metric metric);

// Of rows of `columns` numbers, as the functions they came with read them.
struct KeyFunctions {
  double (*one)(const void* x, const void* y, std::int64_t columns) = nullptr;
  // y: the first of up to 32 rows; of those whose bits are set, in their order.
  void (*several)(const void* x, const void* y, std::int64_t columns, std::uint32_t which,
                  double* out) = nullptr;
};

class RowSpace {
 public:
  // Borrows the values of `points`, which must outlive it, unless the metric or the unit changes
  // them. Precondition: dense. Throws ErrorCode::bad_data on a row that has no cosine or
  // correlation.
  RowSpace(const Points& points, Metric metric)
      : RowSpace(points, metric, unit_of(points, metric)) {}
  RowSpace(const Points& points, Metric metric, double unit);
  // Row-major values with the euclidean metric.
  RowSpace(VertexId rows, std::int64_t columns, std::vector<double> values);
  RowSpace(RowSpace&&) = default;  // a copy would point into its original

  // Some or all of the rows in another order, copied.
  RowSpace reordered(std::span<const VertexId> order, int threads) const;

  VertexId rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  Norm norm() const { return metric_ == Metric::manhattan ? Norm::l1 : Norm::l2; }

  double key(VertexId i, VertexId j) const {
    return key_.one(values_ + i * row_bytes_, values_ + j * row_bytes_, columns_);
  }
  // Of row i and the rows first + b, for each bit b of `which` that is set, in their order.
  void keys(VertexId i, VertexId first, std::uint32_t which, double* out) const {
    key_.several(values_ + i * row_bytes_, values_ + first * row_bytes_, columns_, which, out);
  }
  // To a row of another space of the same metric, unit and number type.
  double key(VertexId i, const RowSpace& other, VertexId j) const {
    return key_.one(values_ + i * row_bytes_, other.values_ + j * other.row_bytes_, columns_);
  }
  double distance(double key) const { return distance_of(metric_, key) * unit_; }
  double key_bound(double distance) const { return knn::key_bound(metric_, distance / unit_); }
  // Whether two rows are the same bytes, and a hash of these.
  bool same(VertexId i, VertexId j) const;
  std::uint64_t hash(VertexId i) const;
  // body(pointer to the columns of row i), float or double.
  template <class Body>
  auto visit_row(VertexId i, Body&& body) const {
    const char* row = values_ + i * row_bytes_;
    return is_float_ ? body(reinterpret_cast<const float*>(row))
                     : body(reinterpret_cast<const double*>(row));
  }
  double value(VertexId i, std::int64_t c) const {
    return visit_row(i, [c](const auto* row) { return static_cast<double>(row[c]); });
  }

 private:
  RowSpace() = default;
  template <class Real>
  void refer_to(std::span<const Real> values);

  VertexId rows_ = 0;
  std::int64_t columns_ = 0;
  Metric metric_ = Metric::euclidean;
  double unit_ = 1.0;
  bool is_float_ = false;
  KeyFunctions key_;
  const char* values_ = nullptr;
  std::int64_t row_bytes_ = 0;
  std::vector<float> own_floats_;  // at most one of the two
  std::vector<double> own_doubles_;
};

}  // namespace gssl::knn
