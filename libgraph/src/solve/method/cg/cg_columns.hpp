#pragma once
// What every group of columns knows of itself, in floats or doubles: numbers, and by how much each
// step lowered ‖error‖²_A; as a Record, and as an estimate of the error.
//
//   put_columns(record, columns, {{"norm", &Column::norm}, …});

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/data/record.hpp"

namespace gssl::solve {

template <class Column>
using ColumnNumbers = std::vector<std::pair<const char*, double Column::*>>;

// `Column` has a list of `gains`.
template <class Column>
void put_columns(Record& record, const std::vector<Column>& columns,
                 const ColumnNumbers<Column>& numbers) {
  for (const auto& [name, number] : numbers) {
    std::vector<double> list;
    list.reserve(columns.size());
    for (const Column& column : columns) list.push_back(column.*number);
    record.put(name, std::move(list));
  }
  std::vector<double> gains;
  std::vector<std::int64_t> ends;
  for (const Column& column : columns) {
    gains.insert(gains.end(), column.gains.begin(), column.gains.end());
    ends.push_back(std::ssize(gains));
  }
  record.put("gains", std::move(gains));
  record.put("gains_end", std::move(ends));
}

// Into as many columns as were put. Throws ErrorCode::bad_data on another number of them.
template <class Column>
void take_columns(const Record& record, std::vector<Column>& columns,
                  const ColumnNumbers<Column>& numbers) {
  for (const auto& [name, number] : numbers) {
    const std::vector<double>& list = record.reals(name, std::ssize(columns));
    for (std::size_t j = 0; j < list.size(); ++j) columns[j].*number = list[j];
  }
  const std::vector<double>& gains = record.reals("gains");
  const std::vector<std::int64_t>& ends = record.long_integers("gains_end");
  std::int64_t begin = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::int64_t end = j < ends.size() ? ends[j] : -1;
    if (end < begin || end > std::ssize(gains))
      throw Error(ErrorCode::bad_data, "record: gains_end: out of range");
    columns[j].gains.assign(gains.begin() + begin, gains.begin() + end);
    begin = end;
  }
}

// ‖error‖_A some steps ago, from below: what the steps since then gained (Strakoš and Tichý 2002).
// The error now is smaller still. Where as many steps before gained hardly more, steps to come are
// taken to gain in the same proportion. Not a number if no step was made.
inline double estimated_error(const std::vector<double>& gains) {
  // Of gains that do not fall, a hundred times as many are expected.
  constexpr double most_proportion = 0.99;
  if (gains.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto delay = static_cast<std::ptrdiff_t>(gains.size() / 8 + 1);
  const double last = std::accumulate(gains.end() - delay, gains.end(), 0.0);
  if (std::ssize(gains) < 2 * delay) return std::sqrt(last);
  const double before = std::accumulate(gains.end() - 2 * delay, gains.end() - delay, 0.0);
  const bool falls = last < most_proportion * before;
  return std::sqrt(last / (1.0 - (falls ? last / before : most_proportion)));
}

}  // namespace gssl::solve
