#pragma once
// The rows that squares are fitted to, made ready: row i is √w_i·(x_i − m), its targets
// √w_i·(y_i − ȳ). The means m and ȳ are those of the weighted rows where the bias is free, and 0
// else; a regularized bias is a further column of ones. Then Σ w_i (y_i − x_i·v − b)² is ‖Ỹ − X̃v‖²
// and nothing else need know of weights and bias.
//
// Dense rows are copied, 8 bytes a value. Sparse rows stay sparse: columns that no row uses are left
// out, and the mean is subtracted in the products. 24 bytes a value.

#include <span>
#include <vector>

#include "batch/linear/dense_matrix.hpp"
#include "gssl/batch/linear_model.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl::detail {

// The rows of a weight above 0: `data` itself where all are, else a selection in `storage`.
const Dataset& with_weight(const Dataset& data, Dataset& storage);
// 1 for each class that has a row; empty for a regression.
std::vector<std::int32_t> learned_classes(const Targets& targets);

// Compressed rows or columns with values.
struct SparseLists {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> ids;
  std::vector<double> values;

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  template <class Body>
  void visit(std::int64_t list, Body&& body) const {
    for (auto e = static_cast<std::size_t>(offsets[static_cast<std::size_t>(list)]);
         e < static_cast<std::size_t>(offsets[static_cast<std::size_t>(list) + 1]); ++e)
      body(ids[e], values[e]);
  }
};
SparseLists transposed(const SparseLists& lists, std::int64_t count);

class Design {
 public:
  // Every weight of `data` is above 0. Throws ErrorCode::bad_data where squares overflow.
  Design(const Dataset& data, Bias bias);

  std::int64_t rows() const { return static_cast<std::int64_t>(root_weight_.size()); }
  std::int64_t columns() const { return columns_; }  // used ones, and one for a regularized bias
  bool sparse() const { return sparse_; }
  const Matrix& targets() const { return targets_; }  // Ỹ
  double weight(std::int64_t row) const;
  double weight_sum() const { return weight_sum_; }
  Bias bias() const { return bias_; }

  Matrix times(const Matrix& v, int threads) const;             // X̃v
  Matrix transposed_times(const Matrix& r, int threads) const;  // X̃ᵀr
  Matrix row_block(std::int64_t begin, std::int64_t end) const;
  // X̃ᵀX̃ and X̃X̃ᵀ, whole. Throw when the run is stopped.
  Matrix column_gram(const RunContext& run) const;
  Matrix row_gram(const RunContext& run) const;
  double column_gram_cost() const;  // multiplications
  double row_gram_cost() const;

  // For finish() alone: products are then of no rows.
  void release_rows();

  // Weights and bias in terms of the columns as they were given.
  LinearFit finish(const Matrix& v) const;

 private:
  void read_dense(const Points& points);
  void read_sparse(const Points& points);
  void read_targets(const Targets& targets);

  Bias bias_;
  bool sparse_;
  std::int64_t given_columns_;
  std::int64_t columns_ = 0;
  double weight_sum_ = 0.0;
  Eigen::VectorXd root_weight_;
  Eigen::RowVectorXd mean_;         // m, of the used columns; zeros unless the bias is free
  Eigen::RowVectorXd target_mean_;  // ȳ
  Matrix targets_;
  RowMatrix dense_;                 // X̃
  SparseLists by_row_;              // √w x, not centered
  SparseLists by_column_;           // the same, transposed
  std::vector<std::int64_t> used_;  // the given column of each used one; sparse only
};

}  // namespace gssl::detail
