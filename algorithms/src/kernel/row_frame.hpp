#pragma once
// Rows of points as the numbers that inner products are made of: dense in float or double, or
// sparse where that is much less. Internal: not installed.
//
//   RowFrame<double> rows(points, {}, held_sparse(points), threads);
//   RowFrame<double> some = rows.gather(which);
//   some.products(0, 8, rows, 0, 256, out, 256);     // out[i·256 + j] = some_i · rows_j

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/points.hpp"

namespace gssl::detail {

template <class Real>
class RowFrame {
 public:
  RowFrame() = default;
  // `shift`, where given, is taken away from every row. Frames that are multiplied must agree in
  // `sparse`, which allows no shift.
  RowFrame(const Points& points, std::span<const double> shift, bool sparse, int threads);

  std::int64_t count() const { return count_; }
  // a_i·a_i as products() computes it, so that equal rows have the distance 0.
  const std::vector<Real>& squares() const { return squares_; }

  RowFrame gather(std::span<const std::int32_t> rows) const;

  // out[i·stride + j] = row (first + i) · row (other_first + j) of `other`; columns agree.
  void products(std::int64_t first, std::int64_t rows, const RowFrame& other,
                std::int64_t other_first, std::int64_t other_rows, Real* out,
                std::int64_t stride) const;

 private:
  struct Entry {
    std::int32_t column;
    Real value;
  };
  std::span<const Entry> entries(std::int64_t row) const;
  void measure(int threads);
  void sparse_products(std::int64_t first, std::int64_t rows, const RowFrame& other,
                       std::int64_t other_first, std::int64_t other_rows, Real* out,
                       std::int64_t stride) const;

  std::int64_t count_ = 0;
  std::int64_t columns_ = 0;
  bool sparse_ = false;
  std::vector<Real> values_;           // dense
  std::vector<std::int64_t> offsets_;  // sparse
  std::vector<Entry> entries_;
  std::vector<Real> squares_;
};

// Whether rows are better held sparse: from the sizes alone.
bool held_sparse(const Points& points);

}  // namespace gssl::detail
