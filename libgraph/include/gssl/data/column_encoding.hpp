#pragma once
// How a table of numbers and words becomes the numbers that a learner takes: learned on training
// rows once, and done to every later table alike.
//
//   auto encoding = gssl::ColumnEncoding::fit(table, {.standardize = true}, weights);
//   gssl::Points x = encoding.encode(table);           // training rows
//   gssl::Points later = encoding.encode(other, &counts);
//
// The rules:
//   number    stands as it is; a missing one becomes the median of the training rows
//   word      a column of 0 and 1 for each word that training rows have ("eyes=blue"); a missing one
//             becomes the most frequent word (of equals the first); one that training rows do not
//             have is 0 in all of them
//   spelled   a column of words, the only one, read as strings where that is asked for: symbol i of
//             a word (its code point) in column i, zeros after the last; a missing one is the empty
//             string. Later tables have more columns where their words are longer
//   missing   where training rows lack a cell, a column "age missing" of 0 and 1 follows
//   by index  where a sparse table has a hundred thousand columns and most have no value in a training
//             row, those that have one are all that a learner sees: memory follows the values, not the
//             largest index
//   standardize  columns of numbers become (x − mean)/sd, sd over n; a constant column becomes 0.
//             Sparse rows are divided by sd and not moved, so that they stay sparse.
// Columns of a later table are found by name where both tables have distinct names, else by place.
// Rows of weight 0 do not count. The result is sparse where that takes less memory. A table of
// numbers that needs none of this is passed on without a copy.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gssl/data/feature_table.hpp"
#include "gssl/data/record.hpp"

namespace gssl {

struct EncodingOptions {
  bool standardize = false;
  bool spell = false;  // a column of words is spelled; nothing is done to numbers
};

// What was found in a table that training rows did not have, or that was filled.
struct EncodingCounts {
  std::int64_t missing = 0;  // cells filled
  std::int64_t unseen = 0;   // words that no training row has
  std::int64_t beyond = 0;   // values in columns, told by index, that training rows do not have
  std::string first_unseen = {};  // "column eyes: 'green'"
};

class ColumnEncoding {
 public:
  ColumnEncoding() = default;

  // O(cells log rows). Throws ErrorCode::bad_data on a table without columns, or so many words that
  // the result would have 2^31 columns, or a column of words that is to be spelled beside others.
  static ColumnEncoding fit(const FeatureTable& table, const EncodingOptions& options = {},
                            std::span<const double> weights = {});

  // Throws ErrorCode::bad_data if a column is not there, is not known or holds words in the place
  // of numbers, naming it. O(cells).
  Points encode(const FeatureTable& table, EncodingCounts* counts = nullptr) const;

  std::int64_t input_columns() const { return columns_; }
  const std::vector<std::string>& input_names() const { return names_; }  // empty: no header
  std::vector<std::int64_t> word_columns() const;                         // from 0
  std::int64_t encoded_columns() const;
  // Of encoded columns; empty where there is no header and no word.
  std::vector<std::string> encoded_names() const;
  bool standardizes() const { return !scale_.empty(); }
  bool spells() const { return longest_ > 0; }
  // What it does, one line each: {"columns of words", "2 (8 words)"}.
  std::vector<std::pair<std::string, std::string>> facts() const;

  void save(Record& record) const;
  // Throws ErrorCode::bad_data where the record holds none.
  static ColumnEncoding load(const Record& record);

 private:
  struct Rule {
    bool of_words = false;
    bool marks_missing = false;  // a column of 0 and 1 follows
    double median = 0.0;
    std::int32_t mode = 0;
    std::vector<std::string> words = {};  // sorted
    std::int64_t width() const {
      return (of_words ? static_cast<std::int64_t>(words.size()) : 1) + (marks_missing ? 1 : 0);
    }
  };

  std::vector<std::int64_t> places_in(const FeatureTable& table) const;
  Points with_rules(const FeatureTable& table, const std::vector<std::int64_t>& places,
                    EncodingCounts& counts) const;
  Points with_index(const FeatureTable& table, EncodingCounts& counts) const;
  Points spelled(const FeatureTable& table, EncodingCounts& counts) const;
  void learn_scale(const Points& encoded, std::span<const double> weights);
  Points scaled(const Points& encoded) const;
  std::vector<bool> is_number() const;  // of encoded columns
  // Of a column of the table by index, from 0; −1: training rows have none.
  std::int64_t encoded_place(std::int64_t column) const;

  std::int64_t columns_ = 0;
  std::vector<std::string> names_;
  std::vector<Rule> rules_;    // of input columns; empty: all are numbers and none may be missing
  std::vector<double> mean_;   // of encoded columns; empty: not moved
  std::vector<double> scale_;  // likewise, 1/sd; empty: not scaled
  bool by_index_ = false;
  std::vector<std::int64_t> occurring_;  // the columns by index that are kept; empty: all
  std::int64_t longest_ = 0;  // symbols of the longest word that is spelled; 0: none is spelled
};

}  // namespace gssl
