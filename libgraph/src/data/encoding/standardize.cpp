// Columns of mean 0 and standard deviation 1.

#include <algorithm>
#include <cmath>

#include "gssl/data/column_encoding.hpp"
#include "row_builder.hpp"
#include "table_rows.hpp"

namespace gssl {

using detail::weight_of;

void ColumnEncoding::learn_scale(const Points& encoded, std::span<const double> weights) {
  const auto width = static_cast<std::size_t>(encoded.columns());
  // Rows that were given sparse are not moved; words made them so where there are rules.
  const bool moves = !rules_.empty() || !encoded.is_sparse();
  std::vector<double> sum(width, 0.0);
  std::vector<double> held(width, 0.0);  // weight of the rows that hold the column
  double total = 0.0;
  for (VertexId r = 0; r < encoded.rows(); ++r) {
    const double w = weight_of(weights, static_cast<std::size_t>(r));
    total += w;
    encoded.visit_row(r, [&](std::int64_t c, double x) {
      sum[static_cast<std::size_t>(c)] += w * x;
      held[static_cast<std::size_t>(c)] += w;
    });
  }
  if (total == 0.0) detail::refuse_table("table: no row counts: nothing to standardize by");
  std::vector<double> mean(width), squares(width);
  for (std::size_t c = 0; c < width; ++c) {
    mean[c] = sum[c] / total;
    squares[c] = (total - held[c]) * mean[c] * mean[c];  // of the zeros that are not held
  }
  for (VertexId r = 0; r < encoded.rows(); ++r)
    encoded.visit_row(r, [&](std::int64_t c, double x) {
      const auto at = static_cast<std::size_t>(c);
      squares[at] +=
          weight_of(weights, static_cast<std::size_t>(r)) * (x - mean[at]) * (x - mean[at]);
    });
  const std::vector<bool> number = is_number();
  scale_.assign(width, 1.0);
  for (std::size_t c = 0; c < width; ++c) {
    const double deviation = std::sqrt(squares[c] / total);
    // A column is constant where its spread is rounding alone.
    const bool varies = deviation > 1e-14 * std::abs(mean[c]);
    if (number[c]) scale_[c] = varies ? 1.0 / deviation : 1.0;
    if (!number[c]) mean[c] = 0.0;
  }
  if (moves) mean_ = std::move(mean);
}

Points ColumnEncoding::scaled(const Points& encoded) const {
  if (scale_.empty()) return encoded;
  detail::RowBuilder rows(encoded.rows(), encoded.columns(), encoded.is_sparse());
  const auto put = [&](VertexId r, std::int64_t c, double x) {
    const auto at = static_cast<std::size_t>(c);
    rows.put(r, c, (mean_.empty() ? x : x - mean_[at]) * scale_[at]);
  };
  std::vector<std::int64_t> moved;  // their zeros are moved, too
  for (std::size_t c = 0; c < mean_.size(); ++c)
    if (mean_[c] != 0.0) moved.push_back(static_cast<std::int64_t>(c));
  for (VertexId r = 0; r < encoded.rows(); ++r) {
    auto next = moved.begin();
    encoded.visit_row(r, [&](std::int64_t c, double x) {
      for (; next != moved.end() && *next < c; ++next) put(r, *next, 0.0);
      if (next != moved.end() && *next == c) ++next;
      put(r, c, x);
    });
    for (; next != moved.end(); ++next) put(r, *next, 0.0);
    rows.end_row();
  }
  return std::move(rows).points();
}

}  // namespace gssl
