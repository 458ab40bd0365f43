#pragma once
// One pass down a sorted column of a node: the best place to cut it.
//
// A place is between two rows of different rank. Its score is the part of the impurity decrease
// that depends on the place: larger is better; numerator / denominator, so that most places cost a
// product and no division. A later place wins only if its score is above the best so far by more
// than `margin`, which rounding cannot reach: so equal places go to the lower column, then to the
// lower threshold.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "batch/tree/sorted_columns.hpp"
#include "batch/tree/tree_rows.hpp"
#include "gssl/batch/tree.hpp"

namespace gssl::detail {

// {rank, code of the row}
struct ColumnEntry {
  std::uint32_t rank;
  std::uint32_t code;
};

// What is known of the rows of a node together.
struct NodeTotals {
  std::vector<double> class_weight;  // of a classification
  double mean = 0.0;                 // of a regression
  double weight = 0.0;
  double size = 0.0;  // a row counts for max(1, weight)
  std::int64_t rows = 0;
  double risk = 0.0;      // as in TreeNode
  double impurity = 0.0;  // weight times the impurity by which it is split
  bool pure = true;       // nothing is left to tell apart
};

struct Cut {
  double score = -std::numeric_limits<double>::infinity();
  std::int32_t column = -1;
  std::int64_t left = 0;    // entries of the column on the left
  bool zeros_left = false;  // on which side the rows are that the column does not hold
  bool found() const { return column >= 0; }
};

// A column within a node. Rows that it does not hold have value 0 and stand before entry
// `zeros_at`; there are none of them in a dense column.
struct ColumnPart {
  std::span<const ColumnEntry> entries;
  std::int64_t zeros = 0;
  std::int64_t zeros_at = 0;
};

class ColumnScan {
 public:
  virtual ~ColumnScan() = default;
  // Takes over `best` where this column has a better place.
  virtual void scan(const NodeTotals& node, const ColumnPart& part, std::int32_t column,
                    Cut& best) = 0;
  // Impurity decrease of a score, times the weight of the node.
  virtual double gain(const NodeTotals& node, double score) const = 0;
  // By how much a score must be above another to count as better.
  virtual double margin(const NodeTotals& node) const = 0;
};

// x·log x of whole numbers up to the total weight; empty where a logarithm must be taken.
std::vector<double> entropy_table(const TreeRows& rows);

// A scan for one thread; `rows` and `table` must outlive it.
std::unique_ptr<ColumnScan> make_column_scan(TreeImpurity impurity, const TreeRows& rows,
                                             double min_leaf, std::span<const double> table);

// Impurity of a node with these class weights, times their sum.
double class_impurity(TreeImpurity impurity, std::span<const double> class_weight, double weight);

}  // namespace gssl::detail
