#pragma once
// What the members of an ensemble that were learned without a row say of it, and how often that is
// wrong.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl::detail {

class OutOfBag {
 public:
  explicit OutOfBag(const Dataset& data)
      : data_(data),
        sums_(data.points.rows(),
              data.targets.is_regression() ? 1 : std::max(1, data.targets.class_count())),
        members_(static_cast<std::size_t>(data.points.rows()), 0) {}

  // One member's answer: shares of the classes, or a value.
  void add(std::int64_t row, std::span<const double> answer) {
    const auto sum = sums_.row(row);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += answer[k];
    ++members_[static_cast<std::size_t>(row)];
  }

  // Adds out_of_bag_error or out_of_bag_mean_square, weighted, over the rows that a member was
  // learned without; nothing where there is none.
  void certify(Report& report, std::vector<std::pair<std::string, std::string>>& facts) const;

 private:
  const Dataset& data_;
  Block sums_;
  std::vector<std::int32_t> members_;
};

}  // namespace gssl::detail
