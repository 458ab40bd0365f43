#pragma once
// The row of a trial, kept until its outcome comes, and its products with weights. Rows may be
// dense, or sparse and of growing width. Internal: not installed.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/record.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

class LinearRow {
 public:
  // Takes the row and widens the weights to it, with `fresh` for each new column. A row without
  // entries is one of zeros. Throws as check_width().
  void hold(const char* learner, const Instance& instance, std::vector<double>& weights,
            double fresh = 0.0) {
    if (!is_sound(instance)) refuse(learner, instance);
    if (instance.columns.empty() && !instance.values.empty())
      width_ = static_cast<std::int64_t>(instance.values.size());
    values_.assign(instance.values.begin(), instance.values.end());
    columns_.assign(instance.columns.begin(), instance.columns.end());
    const std::size_t needed =
        columns_.empty() ? values_.size() : static_cast<std::size_t>(columns_.back()) + 1;
    if (needed > weights.size()) weights.resize(needed, fresh);
  }

  double dot(const std::vector<double>& weights) const {
    const double *const w = weights.data(), *const value = values_.data();
    if (columns_.empty()) return sum_of_terms([=](std::size_t i) { return w[i] * value[i]; });
    const std::int32_t* const column = columns_.data();
    return sum_of_terms([=](std::size_t i) { return w[column[i]] * value[i]; });
  }
  void add(double step, std::vector<double>& weights) const {
    visit([&](std::size_t i, double x) { weights[i] += step * x; });
  }
  double square() const {
    const double* const value = values_.data();
    return sum_of_terms([=](std::size_t i) { return value[i] * value[i]; });
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

  // The width of dense rows, 0 before one was seen or it was told.
  std::int64_t width() const { return width_; }
  void set_width(std::int64_t width) { width_ = width; }

  std::span<const double> values() const { return values_; }
  std::span<const std::int32_t> columns() const { return columns_; }  // empty: dense

 private:
  // By four partial sums, which do not wait for each other.
  template <class Term>
  double sum_of_terms(Term&& term) const {
    const std::size_t n = values_.size();
    double first = 0.0, second = 0.0, third = 0.0, fourth = 0.0;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      first += term(i);
      second += term(i + 1);
      third += term(i + 2);
      fourth += term(i + 3);
    }
    for (; i < n; ++i) first += term(i);
    return (first + second) + (third + fourth);
  }

  // Without a jump in its loops, since every trial passes here.
  bool is_sound(const Instance& instance) const {
    // What is not finite has an exponent of ones alone: one more reaches the highest bit.
    constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000ULL, one = 0x0010'0000'0000'0000ULL;
    const auto count = static_cast<std::int64_t>(instance.values.size());
    const bool sparse = !instance.columns.empty();
    bool wrong = sparse ? std::ssize(instance.columns) != count
                        : width_ != 0 && count != 0 && count != width_;
    std::uint64_t exponents = 0;
    for (const double x : instance.values)
      exponents |= (std::bit_cast<std::uint64_t>(x) & exponent) + one;
    int descents = sparse && instance.columns[0] < 0 ? 1 : 0;
    for (std::size_t i = 1; i < instance.columns.size(); ++i)
      descents |= instance.columns[i] <= instance.columns[i - 1] ? 1 : 0;
    return !wrong && exponents >> 63U == 0 && descents == 0;
  }
  [[noreturn]] void refuse(const char* learner, const Instance& instance) const;

  std::vector<double> values_;
  std::vector<std::int32_t> columns_;
  std::int64_t width_ = 0;
};

}  // namespace gssl::detail
