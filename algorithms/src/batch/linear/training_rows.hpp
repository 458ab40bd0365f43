#pragma once
// Rows as the margin learners walk over them, again and again: 4 bytes a value where all are 1, 12
// where they are sparse, 8 where dense. The columns are kept too, as much again: X'u column by column
// is faster than row by row, where additions to one place wait for each other, and the threads need
// no sums that depend on their number.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/points.hpp"

namespace gssl::detail {

// One row or column. No ids: every place from 0 on. No values: all are 1.
struct VectorView {
  const std::int32_t* ids = nullptr;
  const double* values = nullptr;
  std::int64_t size = 0;

  // Four partial sums, so that an addition need not wait for the one before; in a fixed order.
  double dot(const double* w) const {
    if (values == nullptr) return sum([&](std::int64_t e) { return w[ids[e]]; });
    if (ids == nullptr) return sum([&](std::int64_t e) { return values[e] * w[e]; });
    return sum([&](std::int64_t e) { return values[e] * w[ids[e]]; });
  }

  // Σ of the squares of the values, each times w.
  double square_dot(const double* w) const {
    if (values == nullptr) return dot(w);
    if (ids == nullptr) return sum([&](std::int64_t e) { return values[e] * values[e] * w[e]; });
    return sum([&](std::int64_t e) { return values[e] * values[e] * w[ids[e]]; });
  }

  // Asks for the first cache lines of what dot() reads.
  void prefetch() const {
    if (ids != nullptr) __builtin_prefetch(ids);
    if (values != nullptr) __builtin_prefetch(values);
  }

  void add_to(double* w, double factor) const {
    if (values == nullptr) {
      for (std::int64_t e = 0; e < size; ++e) w[ids[e]] += factor;
    } else if (ids == nullptr) {
      for (std::int64_t e = 0; e < size; ++e) w[e] += factor * values[e];
    } else {
      for (std::int64_t e = 0; e < size; ++e) w[ids[e]] += factor * values[e];
    }
  }

  double square() const {
    if (values == nullptr) return static_cast<double>(size);
    return sum([&](std::int64_t e) { return values[e] * values[e]; });
  }

 private:
  template <class Term>
  double sum(Term&& term) const {
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    double d = 0.0;
    std::int64_t e = 0;
    for (; e + 4 <= size; e += 4) {
      a += term(e);
      b += term(e + 1);
      c += term(e + 2);
      d += term(e + 3);
    }
    for (; e < size; ++e) a += term(e);
    return (a + b) + (c + d);
  }
};

class TrainingRows {
 public:
  // Row i is row order[i] of `points`.
  TrainingRows(const Points& points, std::span<const std::int32_t> order);

  std::int64_t rows() const { return rows_.count; }
  std::int64_t columns() const { return columns_; }
  VectorView row(std::int64_t i) const { return rows_.view(i); }

  // As many as asked for, unless a product takes less than about a millisecond: waking a thread would
  // take longer than it saves when others use the machine.
  int threads_for(int threads) const { return values() < 1'000'000 ? 1 : threads; }

  // What the products with X' need. O(values), once.
  void keep_columns();

  // Xw and X'u.
  std::vector<double> times(std::span<const double> w, int threads) const;
  std::vector<double> transposed_times(std::span<const double> u, int threads) const;
  // Σ_i u_i x_ic² of each column c.
  std::vector<double> squares_times(std::span<const double> u, int threads) const;

 private:
  struct Lists {
    std::int64_t count = 0;
    std::int64_t length = 0;            // of each, where dense
    std::vector<std::int64_t> offsets;  // empty where dense
    std::vector<std::int32_t> ids;
    std::vector<double> values;  // empty: all are 1

    VectorView view(std::int64_t i) const {
      if (offsets.empty()) return {nullptr, values.data() + i * length, length};
      const std::int64_t begin = offsets[static_cast<std::size_t>(i)];
      return {ids.data() + begin, values.empty() ? nullptr : values.data() + begin,
              offsets[static_cast<std::size_t>(i) + 1] - begin};
    }
  };

  std::int64_t values() const {
    return static_cast<std::int64_t>(std::max(rows_.ids.size(), rows_.values.size()));
  }
  template <class Of>
  std::vector<double> over_columns(int threads, Of&& of) const;

  std::int64_t columns_ = 0;
  Lists rows_;
  Lists by_column_;
  // Borders of ranges of columns with about equally many values.
  std::vector<std::int64_t> ranges_;
};

}  // namespace gssl::detail
