#pragma once
// What is to be learned: a class, or a real number, for every row of a table.
//
//   gssl::Targets y = gssl::Targets::classes(std::vector<std::string>{"ham", "spam", "ham"});
//   y.class_of();      // {0, 1, 0}
//   y.class_names();   // {"ham", "spam"}
//   gssl::Targets z = gssl::Targets::reals({0.5, -1.0, 2.0});
//
// Class names are distinct; sorted bytewise, or by value where all are integers. A class may have
// no row (select() keeps all names). Immutable.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"

namespace gssl {

class Targets {
 public:
  // Classes without a row.
  Targets() = default;

  // label[i] is the class name of row i; names are sorted and numbered from 0. O(n log K).
  static Targets classes(const std::vector<std::string>& label);
  // With class numbers already known. Throws ErrorCode::bad_data unless
  // 0 ≤ class_of[i] < class_names.size().
  static Targets classes(std::vector<int> class_of, std::vector<std::string> class_names);
  // Throws ErrorCode::bad_data on a value that is not finite (the message names its row, from 0).
  static Targets reals(std::vector<double> values);

  bool is_regression() const { return regression_; }
  std::size_t size() const { return regression_ ? values_.size() : class_of_.size(); }
  const std::vector<int>& class_of() const { return class_of_; }  // empty for a regression
  const std::vector<double>& values() const { return values_; }   // empty for classes
  const std::vector<std::string>& class_names() const { return class_names_; }
  int class_count() const { return static_cast<int>(class_names_.size()); }
  // Rows of each class.
  std::vector<std::int64_t> class_sizes() const;

  // One row for each row: one-hot in K columns, or the value in one column.
  Block block() const;

  // Those of some rows, in that order, repetitions kept; all class names stay. Throws
  // ErrorCode::bad_data on a row out of range.
  Targets select(std::span<const std::int32_t> rows) const;

 private:
  bool regression_ = false;
  std::vector<int> class_of_;
  std::vector<std::string> class_names_;
  std::vector<double> values_;
};

}  // namespace gssl
