#pragma once
// Sparse rows: every column lists the rows that use it, so the products of one row with all others
// cost the lengths of its columns. What the product leaves possible is computed again entry by
// entry:
//   euclidean  ‖x‖² + ‖y‖² − 2 x·y
//   manhattan  ‖x‖₁ + ‖y‖₁ + Σ over shared columns (|x − y| − |x| − |y|)
// Cosine is euclidean between rows of length 1; correlation as well, where the mean of a row is a
// number beside it: (x−x̄)/σ_x is sparse but for a constant −x̄/σ_x.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/points.hpp"
#include "gssl/graph/metric.hpp"
#include "row_space.hpp"

namespace gssl::knn {

// Rows with a value `rest` in every column that is not held.
struct SparseRowSpace {
  // Borrows from `points`, which has at most `columns`. Throws ErrorCode::bad_data on a row that
  // has no cosine or correlation.
  // Values are divided by `unit` (row_space.hpp).
  SparseRowSpace(const Points& points, std::int64_t columns, Metric metric, double unit);

  std::int64_t columns;
  Metric metric;
  double unit;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> ids;
  std::vector<double> values;
  std::vector<double> rest;  // empty: 0
  // ‖x‖₁, or ‖x‖², and the sum of all columns.
  std::vector<double> norm;
  std::vector<double> total;

  VertexId rows() const { return static_cast<VertexId>(offsets.size()) - 1; }
  double rest_of(VertexId i) const {
    return rest.empty() ? 0.0 : rest[static_cast<std::size_t>(i)];
  }
  // The definition of how far apart two rows are: held columns in ascending order, then the others
  // together.
  double key(VertexId i, const SparseRowSpace& other, VertexId j) const;
  double distance(double key) const { return distance_of(metric, key) * unit; }

 private:
  void make_unit();
};

class InvertedRows {
 public:
  // `rows` must outlive it. Memory by the entries, however many columns there are.
  explicit InvertedRows(const SparseRowSpace& rows);

  const SparseRowSpace& rows() const { return rows_; }

  // low[j]: no more than the key of row i of `from` to row j, for all rows. O(rows + the lengths of
  // the columns of i).
  void bound(const SparseRowSpace& from, VertexId i, std::vector<double>& low) const;

 private:
  // Where the entries of a column are; no_list if no row uses it.
  static constexpr std::size_t no_list = static_cast<std::size_t>(-1);
  std::size_t list_of(std::int32_t column) const;

  const SparseRowSpace& rows_;
  // The columns in use, ascending, where there are far more columns than entries (hashed features
  // number them up to 2^31); empty: every column has a list.
  std::vector<std::int32_t> used_;
  std::vector<std::int64_t> offsets_;
  std::vector<VertexId> row_;
  std::vector<double> value_;
};

}  // namespace gssl::knn
