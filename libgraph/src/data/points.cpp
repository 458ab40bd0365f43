#include "gssl/data/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse_points(const std::string& what) {
  throw Error(ErrorCode::bad_data, "points: " + what);
}

[[noreturn]] void refuse_row(std::int64_t row, const std::string& what) {
  refuse_points("row " + std::to_string(row) + ": " + what);
}

template <class Values>
std::size_t length(const Values& values) {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

void check_shape(std::int64_t rows, std::int64_t columns) {
  if (rows < 0 || rows > std::numeric_limits<VertexId>::max())
    refuse_points(std::to_string(rows) + " rows: must be in [0, 2^31 - 1]");
  if (columns < 0) refuse_points(std::to_string(columns) + " columns: must be >= 0");
}

// place_of(e) is the (row, column) of the e-th value; it is asked only to word an error.
template <class Values, class PlaceOf>
void check_finite(const Values& values, const PlaceOf& place_of) {
  std::visit(
      [&](const auto& list) {
        // A sum of v·0 is 0 when all are finite, else NaN: one pass that vectorizes.
        double poison = 0.0;
        for (const auto v : list) poison += static_cast<double>(v) * 0.0;
        if (poison == 0.0) return;
        const auto bad =
            std::find_if(list.begin(), list.end(), [](auto v) { return !std::isfinite(v); });
        const auto [row, column] = place_of(bad - list.begin());
        refuse_row(row, "column " + std::to_string(column) + ": " +
                            to_text(static_cast<double>(*bad)) +
                            ": must be finite; remove the row or fill the gap");
      },
      values);
}

}  // namespace

Points Points::dense(std::int64_t rows, std::int64_t columns, Values values) {
  return std::visit(
      [&](auto&& list) { return make_dense(rows, columns, std::forward<decltype(list)>(list)); },
      std::move(values));
}

Points Points::dense_view(std::int64_t rows, std::int64_t columns, std::span<const float> values,
                          std::shared_ptr<const void> owner) {
  Points points = make_dense(rows, columns, values);
  points.owner_ = std::move(owner);
  return points;
}

Points Points::dense_view(std::int64_t rows, std::int64_t columns, std::span<const double> values,
                          std::shared_ptr<const void> owner) {
  Points points = make_dense(rows, columns, values);
  points.owner_ = std::move(owner);
  return points;
}

Points Points::make_dense(std::int64_t rows, std::int64_t columns, Storage values) {
  check_shape(rows, columns);
  const auto given = static_cast<std::int64_t>(length(values));
  if (columns > 0 ? given % columns != 0 || given / columns != rows : given != 0)
    refuse_points(std::to_string(given) + " values for " + std::to_string(rows) + " rows of " +
                  std::to_string(columns) + " columns; give rows times columns");
  check_finite(values, [columns](std::int64_t e) { return std::pair(e / columns, e % columns); });
  Points points;
  points.rows_ = static_cast<VertexId>(rows);
  points.columns_ = columns;
  points.values_ = std::move(values);
  return points;
}

Points Points::sparse(std::int64_t rows, std::int64_t columns, std::vector<std::int64_t> offsets,
                      std::vector<std::int32_t> column_ids, Values values) {
  check_shape(rows, columns);
  const auto given = static_cast<std::int64_t>(length(values));
  if (static_cast<std::int64_t>(column_ids.size()) != given)
    refuse_points(std::to_string(given) + " values but " + std::to_string(column_ids.size()) +
                  " columns; give one each");
  if (static_cast<std::int64_t>(offsets.size()) != rows + 1 || offsets.front() != 0 ||
      offsets.back() != given)
    refuse_points("offsets must be rows + 1 = " + std::to_string(rows + 1) + " numbers from 0 to " +
                  std::to_string(given));
  for (std::int64_t r = 0; r < rows; ++r)
    if (offsets[static_cast<std::size_t>(r)] > offsets[static_cast<std::size_t>(r) + 1])
      refuse_row(r, "ends before it starts; offsets must not decrease");
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t previous = -1;
    for (std::int64_t e = offsets[static_cast<std::size_t>(r)];
         e < offsets[static_cast<std::size_t>(r) + 1]; ++e) {
      const std::int64_t column = column_ids[static_cast<std::size_t>(e)];
      if (column < 0 || column >= columns)
        refuse_row(r, "column " + std::to_string(column) + ": must be in [0, " +
                          std::to_string(columns) + ")");
      if (column <= previous)
        refuse_row(r, "column " + std::to_string(column) + " after column " +
                          std::to_string(previous) + ": columns of a row must ascend");
      previous = column;
    }
  }
  check_finite(values, [&](std::int64_t e) {
    const auto row = std::upper_bound(offsets.begin(), offsets.end(), e) - offsets.begin() - 1;
    return std::pair<std::int64_t, std::int64_t>(row, column_ids[static_cast<std::size_t>(e)]);
  });
  Points points;
  points.rows_ = static_cast<VertexId>(rows);
  points.columns_ = columns;
  std::visit([&](auto&& list) { points.values_ = std::forward<decltype(list)>(list); },
             std::move(values));
  points.offsets_ = std::move(offsets);
  points.column_ids_ = std::move(column_ids);
  return points;
}

double Points::value(VertexId row, std::int64_t column) const {
  std::int64_t at = row * columns_ + column;
  if (is_sparse()) {
    const auto begin = column_ids_.begin() + offsets_[static_cast<std::size_t>(row)];
    const auto end = column_ids_.begin() + offsets_[static_cast<std::size_t>(row) + 1];
    const auto found = std::lower_bound(begin, end, column);
    if (found == end || *found != column) return 0.0;
    at = found - column_ids_.begin();
  }
  return std::visit(
      [at](const auto& list) { return static_cast<double>(list[static_cast<std::size_t>(at)]); },
      values_);
}

std::span<const float> Points::floats() const {
  if (const auto* own = std::get_if<std::vector<float>>(&values_)) return *own;
  const auto* view = std::get_if<std::span<const float>>(&values_);
  return view ? *view : std::span<const float>();
}

std::span<const double> Points::doubles() const {
  if (const auto* own = std::get_if<std::vector<double>>(&values_)) return *own;
  const auto* view = std::get_if<std::span<const double>>(&values_);
  return view ? *view : std::span<const double>();
}

Points as_sparse(const Points& points) {
  if (points.is_sparse()) return points;
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> column_ids;
  const auto compress = [&](const auto& given) {
    std::vector<std::remove_const_t<typename std::decay_t<decltype(given)>::element_type>> values;
    for (std::int64_t r = 0; r < points.rows(); ++r) {
      for (std::int64_t c = 0; c < points.columns(); ++c) {
        const auto value = given[static_cast<std::size_t>(r * points.columns() + c)];
        if (value == 0) continue;
        column_ids.push_back(static_cast<std::int32_t>(c));
        values.push_back(value);
      }
      offsets.push_back(static_cast<std::int64_t>(column_ids.size()));
    }
    return Points::Values(std::move(values));
  };
  Points::Values values =
      points.is_float() ? compress(points.floats()) : compress(points.doubles());
  return Points::sparse(points.rows(), points.columns(), std::move(offsets), std::move(column_ids),
                        std::move(values));
}

Points select(const Points& points, std::span<const std::int32_t> rows) {
  for (const std::int32_t r : rows)
    if (r < 0 || r >= points.rows())
      refuse_row(r, "there are " + std::to_string(points.rows()) + " rows");
  const auto count = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> column_ids;
  const auto copy = [&](const auto given) {
    std::vector<std::remove_const_t<typename decltype(given)::element_type>> values;
    for (const std::int32_t row : rows) {
      const auto r = static_cast<std::size_t>(row);
      const std::int64_t begin = points.is_sparse() ? points.offsets()[r] : row * points.columns();
      const std::int64_t end =
          points.is_sparse() ? points.offsets()[r + 1] : begin + points.columns();
      values.insert(values.end(), given.begin() + begin, given.begin() + end);
      if (!points.is_sparse()) continue;
      column_ids.insert(column_ids.end(), points.column_ids().begin() + begin,
                        points.column_ids().begin() + end);
      offsets.push_back(static_cast<std::int64_t>(column_ids.size()));
    }
    return Points::Values(std::move(values));
  };
  Points::Values values = points.is_float() ? copy(points.floats()) : copy(points.doubles());
  if (!points.is_sparse()) return Points::dense(count, points.columns(), std::move(values));
  return Points::sparse(count, points.columns(), std::move(offsets), std::move(column_ids),
                        std::move(values));
}

}  // namespace gssl
