#pragma once
// A table as it was read, before it is numbers: columns of numbers or of words, some cells missing.
//
//   gssl::FeaturesFile file = gssl::read_features("people.csv", {}, run);   // io
//   file.table.columns[0].numbers;     // NaN where a cell is missing
//   file.table.columns[1].words;       // {"blue", "brown"}
//   auto encoding = gssl::ColumnEncoding::fit(file.table, {.standardize = true});
//
// Where every cell is a number, `points` holds them all and `columns` is empty.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gssl/data/points.hpp"

namespace gssl {

struct FeatureColumn {
  bool of_words = false;
  std::vector<double> numbers = {};        // of a column of numbers; NaN: missing
  std::vector<std::string> words = {};     // of a column of words: distinct, sorted bytewise
  std::vector<std::int32_t> word_of = {};  // place in `words` of each row; −1: missing
};

struct FeatureTable {
  std::vector<std::string> names = {};  // of columns; empty: no header, they are called 1, 2, …
  std::vector<FeatureColumn> columns = {};  // empty: see points
  Points points = {};
  // Columns are numbered and those not written are 0 (libsvm): a table may have fewer or more.
  bool by_index = false;
  bool from_text = false;  // cells of others like it may be missing

  std::int64_t row_count() const;
  std::int64_t column_count() const;
  std::string column_name(std::int64_t column) const;  // its name, or its number from 1
};

// Some rows, in that order. Throws ErrorCode::bad_data on a row out of range. O(cells).
FeatureTable select(const FeatureTable& table, std::span<const std::int32_t> rows);

// The table without a column. O(cells).
void drop_column(FeatureTable& table, std::int64_t column);

// Takes a column of numbers out of the table and returns its values. Throws ErrorCode::bad_data if
// it is of words or a cell is missing.
std::vector<double> take_numbers(FeatureTable& table, std::int64_t column);

}  // namespace gssl
