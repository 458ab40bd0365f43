#include "gssl/data/feature_table.hpp"

#include <cmath>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

template <class T>
std::vector<T> picked(const std::vector<T>& list, std::span<const std::int32_t> rows) {
  std::vector<T> part;
  part.reserve(rows.size());
  for (const std::int32_t r : rows) part.push_back(list[static_cast<std::size_t>(r)]);
  return part;
}

void cut_out(Points& points, std::int64_t column) {
  std::vector<double> values;
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> ids;
  for (VertexId r = 0; r < points.rows(); ++r) {
    points.visit_row(r, [&](std::int64_t c, double value) {
      if (c == column) return;
      values.push_back(value);
      if (points.is_sparse()) ids.push_back(static_cast<std::int32_t>(c > column ? c - 1 : c));
    });
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  const std::int64_t rows = points.rows();
  const std::int64_t columns = points.columns() - 1;
  points = points.is_sparse() ? Points::sparse(rows, columns, std::move(offsets), std::move(ids),
                                               std::move(values))
                              : Points::dense(rows, columns, std::move(values));
}

}  // namespace

std::int64_t FeatureTable::row_count() const {
  if (columns.empty()) return points.rows();
  const FeatureColumn& first = columns.front();
  return static_cast<std::int64_t>(first.of_words ? first.word_of.size() : first.numbers.size());
}

std::int64_t FeatureTable::column_count() const {
  return columns.empty() ? points.columns() : static_cast<std::int64_t>(columns.size());
}

std::string FeatureTable::column_name(std::int64_t column) const {
  return names.empty() ? std::to_string(column + 1) : names[static_cast<std::size_t>(column)];
}

FeatureTable select(const FeatureTable& table, std::span<const std::int32_t> rows) {
  for (const std::int32_t r : rows)
    if (r < 0 || r >= table.row_count())
      throw Error(ErrorCode::bad_data, "table: row " + std::to_string(r) + ": there are " +
                                           std::to_string(table.row_count()) + " rows");
  FeatureTable part{table.names, {}, {}, table.by_index, table.from_text};
  if (table.columns.empty()) part.points = select(table.points, rows);
  for (const FeatureColumn& column : table.columns) {
    FeatureColumn chosen{column.of_words, {}, column.words, {}};
    if (column.of_words)
      chosen.word_of = picked(column.word_of, rows);
    else
      chosen.numbers = picked(column.numbers, rows);
    part.columns.push_back(std::move(chosen));
  }
  return part;
}

void drop_column(FeatureTable& table, std::int64_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  if (table.columns.empty())
    cut_out(table.points, column);
  else
    table.columns.erase(table.columns.begin() + at);
  if (!table.names.empty()) table.names.erase(table.names.begin() + at);
}

std::vector<double> take_numbers(FeatureTable& table, std::int64_t column) {
  const std::string name = "column " + table.column_name(column);
  std::vector<double> taken(static_cast<std::size_t>(table.row_count()), 0.0);
  if (!table.columns.empty()) {
    const FeatureColumn& chosen = table.columns[static_cast<std::size_t>(column)];
    if (chosen.of_words) throw Error(ErrorCode::bad_data, name + ": holds words; expected numbers");
    taken = chosen.numbers;
  } else {
    for (VertexId r = 0; r < table.points.rows(); ++r)
      taken[static_cast<std::size_t>(r)] = table.points.value(r, column);
  }
  for (std::size_t r = 0; r < taken.size(); ++r)
    if (std::isnan(taken[r]))
      throw Error(ErrorCode::bad_data,
                  name + ": row " + std::to_string(r) + " (from 0) has no value; fill the gap");
  drop_column(table, column);
  return taken;
}

}  // namespace gssl
