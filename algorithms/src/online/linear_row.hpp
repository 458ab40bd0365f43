#pragma once
// The row of a trial, kept until its outcome comes, and its products with weights. Rows may be
// dense, or sparse and of growing width. Internal: not installed.

#include <cstdint>
#include <vector>

#include "gssl/data/record.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

class LinearRow {
 public:
  // Takes the row and widens the weights to it, with `fresh` for each new column. Throws as
  // check_width().
  void hold(const char* learner, const Instance& instance, std::vector<double>& weights,
            double fresh = 0.0) {
    check(learner, instance);
    values_.assign(instance.values.begin(), instance.values.end());
    columns_.assign(instance.columns.begin(), instance.columns.end());
    const std::size_t needed =
        columns_.empty() ? values_.size() : static_cast<std::size_t>(columns_.back()) + 1;
    if (needed > weights.size()) weights.resize(needed, fresh);
  }

  double dot(const std::vector<double>& weights) const {
    double sum = 0.0;
    visit([&](std::size_t i, double x) { sum += weights[i] * x; });
    return sum;
  }
  void add(double step, std::vector<double>& weights) const {
    visit([&](std::size_t i, double x) { weights[i] += step * x; });
  }
  double square() const {
    double sum = 0.0;
    for (const double x : values_) sum += x * x;
    return sum;
  }

  template <class Body>
  void visit(Body&& body) const {
    const double* const value = values_.data();
    const std::size_t n = values_.size();
    if (columns_.empty()) {
      for (std::size_t i = 0; i < n; ++i) body(i, value[i]);
    } else {
      const std::int32_t* const column = columns_.data();
      for (std::size_t i = 0; i < n; ++i) body(static_cast<std::size_t>(column[i]), value[i]);
    }
  }

  // The width of dense rows, 0 before one was seen.
  std::int64_t width() const { return width_; }
  void set_width(std::int64_t width) { width_ = width; }

 private:
  void check(const char* learner, const Instance& instance);

  std::vector<double> values_;
  std::vector<std::int32_t> columns_;
  std::int64_t width_ = 0;
};

}  // namespace gssl::detail
