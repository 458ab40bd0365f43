#pragma once
// The cells of a matrix by rows and by columns, less a thin matrix, times thin matrices. Internal:
// not installed.
//
//   ThinCells problem(cells, run);
//   problem.leave(left, right);          // E = a − left·rightᵀ at the cells, 0 elsewhere
//   ThinBlock y = problem.times(e, x);   // E x

#include <Eigen/Core>
#include <vector>

#include "gssl/complete/cells.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::detail {

// By rows, as cells are looked up.
using ThinBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class ThinCells {
 public:
  ThinCells(const Cells& cells, const RunContext& run);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  // The cells by rows; all lists of a number for each cell have this order.
  const std::vector<double>& values() const { return value_; }

  // What is left of the values without left·rightᵀ. O(cells·columns of `left`).
  std::vector<double> leave(const ThinBlock& left, const ThinBlock& right) const;

  // E x and Eᵀ x for the matrix E of these numbers at the cells.
  ThinBlock times(const std::vector<double>& e, const ThinBlock& x) const;
  ThinBlock transposed_times(const std::vector<double>& e, const ThinBlock& x) const;

 private:
  std::int64_t rows_, columns_;
  int threads_;
  std::vector<std::int64_t> row_offset_, column_offset_;
  std::vector<std::int32_t> column_of_, row_of_;  // by rows, by columns
  std::vector<std::int64_t> place_;               // by columns: which cell by rows it is
  std::vector<double> value_;
};

}  // namespace gssl::detail
