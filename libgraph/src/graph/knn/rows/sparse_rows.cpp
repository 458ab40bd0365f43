#include "sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gssl::knn {

SparseRowSpace::SparseRowSpace(const Points& points, std::int64_t column_count, Metric by,
                               double scale)
    : columns(column_count),
      metric(by),
      unit(scale),
      offsets(points.offsets()),
      ids(points.column_ids()) {
  if (points.is_float())
    values.assign(points.floats().begin(), points.floats().end());
  else
    values.assign(points.doubles().begin(), points.doubles().end());
  if (unit != 1.0)
    for (double& v : values) v /= unit;
  if (metric == Metric::cosine || metric == Metric::correlation) make_unit();
  for (VertexId i = 0; i < rows(); ++i) {
    double size = 0.0, sum = 0.0;
    std::int64_t held = 0;
    for (std::int64_t e = offsets[static_cast<std::size_t>(i)];
         e < offsets[static_cast<std::size_t>(i) + 1]; ++e, ++held) {
      const double v = values[static_cast<std::size_t>(e)];
      size += metric == Metric::manhattan ? std::abs(v) : v * v;
      sum += v;
    }
    const double others = static_cast<double>(columns - held);
    norm.push_back(size + others * rest_of(i) * rest_of(i));
    total.push_back(sum + others * rest_of(i));
  }
}

void SparseRowSpace::make_unit() {
  const bool centered = metric == Metric::correlation;
  if (centered) rest.resize(static_cast<std::size_t>(rows()));
  for (VertexId i = 0; i < rows(); ++i) {
    const std::span<double> row(values.data() + offsets[static_cast<std::size_t>(i)],
                                static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1] -
                                                         offsets[static_cast<std::size_t>(i)]));
    const auto others = static_cast<double>(columns) - static_cast<double>(row.size());
    double largest = 0.0, mean = 0.0;
    for (const double v : row) largest = std::max(largest, std::abs(v));
    const double scale = largest > 0.0 ? largest : 1.0;
    for (double& v : row) mean += v /= scale;
    mean = centered && columns > 0 ? mean / static_cast<double>(columns) : 0.0;
    const bool constant = centered && std::all_of(row.begin(), row.end(), [&](double v) {
                            return v == (others > 0.0 ? 0.0 : row.front());
                          });
    if (largest == 0.0 || constant) refuse_undefined(i, metric);
    double square = others * mean * mean;
    for (double& v : row) {
      v -= mean;
      square += v * v;
    }
    const double length = std::sqrt(square);
    for (double& v : row) v /= length;
    if (centered) rest[static_cast<std::size_t>(i)] = -mean / length;
  }
}

double SparseRowSpace::key(VertexId i, const SparseRowSpace& other, VertexId j) const {
  auto a = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
  auto b = static_cast<std::size_t>(other.offsets[static_cast<std::size_t>(j)]);
  const auto end_a = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1]);
  const auto end_b = static_cast<std::size_t>(other.offsets[static_cast<std::size_t>(j) + 1]);
  const double rest_a = rest_of(i), rest_b = other.rest_of(j);
  double sum = 0.0;
  std::int64_t others = columns;
  const auto add = [&](double x, double y, std::int64_t times) {
    const double t = x - y;
    sum += (metric == Metric::manhattan ? std::abs(t) : t * t) * static_cast<double>(times);
    others -= times;
  };
  while (a < end_a || b < end_b) {
    const std::int32_t column_a = a < end_a ? ids[a] : std::numeric_limits<std::int32_t>::max();
    const std::int32_t column_b =
        b < end_b ? other.ids[b] : std::numeric_limits<std::int32_t>::max();
    const double x = column_a <= column_b ? values[a++] : rest_a;
    const double y = column_b <= column_a ? other.values[b++] : rest_b;
    add(x, y, 1);
  }
  if (others > 0 && rest_a != rest_b) add(rest_a, rest_b, others);
  return sum;
}

InvertedRows::InvertedRows(const SparseRowSpace& rows) : rows_(rows) {
  auto lists = static_cast<std::size_t>(rows.columns);
  constexpr std::size_t columns_per_entry = 4;
  if (lists / columns_per_entry > rows.ids.size()) {
    used_.assign(rows.ids.begin(), rows.ids.end());
    std::ranges::sort(used_);
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    lists = used_.size();
  }
  offsets_.assign(lists + 2, 0);
  for (const std::int32_t c : rows.ids) ++offsets_[list_of(c) + 2];
  for (std::size_t c = 2; c < offsets_.size(); ++c) offsets_[c] += offsets_[c - 1];
  row_.resize(rows.values.size());
  value_.resize(rows.values.size());
  for (VertexId i = 0; i < rows.rows(); ++i)
    for (std::int64_t e = rows.offsets[static_cast<std::size_t>(i)];
         e < rows.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto at =
          static_cast<std::size_t>(offsets_[list_of(rows.ids[static_cast<std::size_t>(e)]) + 1]++);
      row_[at] = i;
      value_[at] = rows.values[static_cast<std::size_t>(e)];
    }
}

std::size_t InvertedRows::list_of(std::int32_t column) const {
  const auto list = static_cast<std::size_t>(column);
  if (used_.empty()) return list + 2 < offsets_.size() ? list : no_list;
  const auto found = std::ranges::lower_bound(used_, column);
  return found != used_.end() && *found == column ? static_cast<std::size_t>(found - used_.begin())
                                                  : no_list;
}

void InvertedRows::bound(const SparseRowSpace& from, VertexId i, std::vector<double>& low) const {
  const bool l1 = rows_.metric == Metric::manhattan;
  low.assign(static_cast<std::size_t>(rows_.rows()), 0.0);
  const double rest_i = from.rest_of(i);
  for (std::int64_t e = from.offsets[static_cast<std::size_t>(i)];
       e < from.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
    const double x = from.values[static_cast<std::size_t>(e)];
    const std::size_t c = list_of(from.ids[static_cast<std::size_t>(e)]);
    if (c == no_list) continue;
    for (auto at = static_cast<std::size_t>(offsets_[c]);
         at < static_cast<std::size_t>(offsets_[c + 1]); ++at) {
      const VertexId j = row_[at];
      const double y = value_[at];
      low[static_cast<std::size_t>(j)] +=
          l1 ? std::abs(x - y) - std::abs(x) - std::abs(y) : (x - rest_i) * (y - rows_.rest_of(j));
    }
  }
  // x·y = Σ over shared columns (x−r_x)(y−r_y) + r_y Σx + r_x Σy − d r_x r_y.
  const double slack = (static_cast<double>(rows_.columns) + 16.0) * 0x1p-50;
  const double norm_i = from.norm[static_cast<std::size_t>(i)];
  const double total_i = from.total[static_cast<std::size_t>(i)];
  for (VertexId j = 0; j < rows_.rows(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double both = norm_i + rows_.norm[at], rest_j = rows_.rest_of(j);
    const double estimate =
        l1 ? both + low[at]
           : both - 2.0 * (low[at] + rest_j * total_i + rest_i * rows_.total[at] -
                           static_cast<double>(rows_.columns) * rest_i * rest_j);
    low[at] = estimate - slack * both;
  }
}

}  // namespace gssl::knn
