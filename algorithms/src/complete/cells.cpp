#include "gssl/complete/cells.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

CellIndex index_by(const std::vector<std::int32_t>& key, std::int64_t keys) {
  CellIndex index{std::vector<std::int64_t>(gssl::index(keys + 1), 0),
                  std::vector<std::int64_t>(key.size())};
  for (const std::int32_t k : key) ++index.offset[gssl::index(k) + 1];
  std::partial_sum(index.offset.begin(), index.offset.end(), index.offset.begin());
  std::vector<std::int64_t> next(index.offset.begin(), index.offset.end() - 1);
  for (std::size_t i = 0; i < key.size(); ++i)
    index.order[gssl::index(next[gssl::index(key[i])]++)] = static_cast<std::int64_t>(i);
  return index;
}

}  // namespace

Cells make_cells(std::int64_t rows, std::int64_t columns, std::vector<std::int32_t> row,
                 std::vector<std::int32_t> column, std::vector<double> value) {
  if (row.size() != value.size() || column.size() != value.size())
    throw Error(ErrorCode::bad_data, "cells: there must be a row, a column and a value for each");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto place = [&] { return "cells: cell number " + std::to_string(i) + ": "; };
    if (row[i] < 0 || row[i] >= rows || column[i] < 0 || column[i] >= columns)
      throw Error(ErrorCode::bad_data, place() + "row " + std::to_string(row[i]) + ", column " +
                                           std::to_string(column[i]) + ": must be below " +
                                           std::to_string(rows) + " and " +
                                           std::to_string(columns));
    if (!std::isfinite(value[i]))
      throw Error(ErrorCode::bad_data, place() + to_text(value[i]) + ": must be finite");
  }
  return {rows, columns, std::move(row), std::move(column), std::move(value)};
}

Cells select(const Cells& cells, const std::vector<std::int64_t>& numbers) {
  Cells some{cells.rows, cells.columns, {}, {}, {}};
  for (const std::int64_t i : numbers) {
    some.row.push_back(cells.row[gssl::index(i)]);
    some.column.push_back(cells.column[gssl::index(i)]);
    some.value.push_back(cells.value[gssl::index(i)]);
  }
  return some;
}

std::pair<Cells, Cells> split(const Cells& cells, double share, Rng& rng) {
  const auto held =
      static_cast<std::int64_t>(std::llround(share * static_cast<double>(cells.count())));
  if (!(share > 0.0) || !(share < 1.0) || held == 0 || held == cells.count())
    throw Error(ErrorCode::usage, "share " + to_text(share) + " of " +
                                      std::to_string(cells.count()) +
                                      " cells: must leave cells on both sides");
  std::vector<std::int64_t> order(gssl::index(cells.count()));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<std::int64_t> test(order.begin(), order.begin() + held);
  std::vector<std::int64_t> training(order.begin() + held, order.end());
  std::ranges::sort(test);
  std::ranges::sort(training);
  return {select(cells, training), select(cells, test)};
}

CellIndex by_row(const Cells& cells) { return index_by(cells.row, cells.rows); }
CellIndex by_column(const Cells& cells) { return index_by(cells.column, cells.columns); }

}  // namespace gssl
