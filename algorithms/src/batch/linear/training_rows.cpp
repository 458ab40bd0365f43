#include "batch/linear/training_rows.hpp"

#include <algorithm>
#include <numeric>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

TrainingRows::TrainingRows(const Points& points, std::span<const std::int32_t> order)
    : columns_(points.columns()) {
  rows_.count = static_cast<std::int64_t>(order.size());
  rows_.length = columns_;
  if (!points.is_sparse()) {
    rows_.values.reserve(static_cast<std::size_t>(rows_.count * columns_));
    for (const std::int32_t r : order)
      points.visit_row(r, [&](std::int64_t, double x) { rows_.values.push_back(x); });
    return;
  }
  const auto is_one = [](auto x) { return x == 1; };
  const bool ones = points.is_float() ? std::ranges::all_of(points.floats(), is_one)
                                      : std::ranges::all_of(points.doubles(), is_one);
  const auto held = points.column_ids();
  const auto offsets = points.offsets();
  rows_.offsets.reserve(order.size() + 1);
  rows_.ids.reserve(held.size());
  if (!ones) rows_.values.reserve(held.size());
  rows_.offsets.push_back(0);
  for (const std::int32_t r : order) {
    const std::int64_t begin = offsets[static_cast<std::size_t>(r)];
    const std::int64_t end = offsets[static_cast<std::size_t>(r) + 1];
    rows_.ids.insert(rows_.ids.end(), held.begin() + begin, held.begin() + end);
    if (!ones) points.visit_row(r, [&](std::int64_t, double x) { rows_.values.push_back(x); });
    rows_.offsets.push_back(static_cast<std::int64_t>(rows_.ids.size()));
  }
}

void TrainingRows::keep_columns() {
  by_column_.count = columns_;
  by_column_.length = rows();
  if (rows_.offsets.empty()) {
    by_column_.values.resize(rows_.values.size());
    for (std::int64_t r = 0; r < rows(); ++r)
      for (std::int64_t c = 0; c < columns_; ++c)
        by_column_.values[static_cast<std::size_t>(c * rows() + r)] =
            rows_.values[static_cast<std::size_t>(r * columns_ + c)];
  } else {
    auto& offsets = by_column_.offsets;
    offsets.assign(static_cast<std::size_t>(columns_) + 1, 0);
    for (const std::int32_t c : rows_.ids) ++offsets[static_cast<std::size_t>(c) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    by_column_.ids.resize(rows_.ids.size());
    by_column_.values.resize(rows_.values.size());
    std::vector<std::int64_t> place(offsets.begin(), offsets.end() - 1);
    for (std::int64_t r = 0; r < rows(); ++r)
      for (auto e = static_cast<std::size_t>(rows_.offsets[static_cast<std::size_t>(r)]);
           e < static_cast<std::size_t>(rows_.offsets[static_cast<std::size_t>(r) + 1]); ++e) {
        const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(rows_.ids[e])]++);
        by_column_.ids[at] = static_cast<std::int32_t>(r);
        if (!rows_.values.empty()) by_column_.values[at] = rows_.values[e];
      }
  }
  constexpr std::int64_t wanted = 64;
  ranges_ = {0};
  std::int64_t held = 0;
  for (std::int64_t c = 0; c < columns_; ++c) {
    held += by_column_.view(c).size + 1;
    if (held * wanted > values() + columns_) {
      ranges_.push_back(c + 1);
      held = 0;
    }
  }
  if (ranges_.back() != columns_) ranges_.push_back(columns_);
}

std::vector<double> TrainingRows::times(std::span<const double> w, int threads) const {
  std::vector<double> product(static_cast<std::size_t>(rows()));
  parallel_blocks(
      rows(), threads_for(threads),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          product[static_cast<std::size_t>(i)] = row(i).dot(w.data());
      },
      1024);
  return product;
}

template <class Of>
std::vector<double> TrainingRows::over_columns(int threads, Of&& of) const {
  std::vector<double> product(static_cast<std::size_t>(columns_));
  parallel_blocks(
      static_cast<std::int64_t>(ranges_.size()) - 1, threads_for(threads),
      [&](std::int64_t range, std::int64_t) {
        for (std::int64_t c = ranges_[static_cast<std::size_t>(range)];
             c < ranges_[static_cast<std::size_t>(range) + 1]; ++c)
          product[static_cast<std::size_t>(c)] = of(by_column_.view(c));
      },
      1);
  return product;
}

std::vector<double> TrainingRows::transposed_times(std::span<const double> u, int threads) const {
  return over_columns(threads, [&](const VectorView& column) { return column.dot(u.data()); });
}

std::vector<double> TrainingRows::squares_times(std::span<const double> u, int threads) const {
  return over_columns(threads,
                      [&](const VectorView& column) { return column.square_dot(u.data()); });
}

}  // namespace gssl::detail
