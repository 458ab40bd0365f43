#pragma once
// How the lines of a text table are written: the separator of fields, the decimal mark, lines in
// front of the data, and the columns that matter. What is not told is inferred from many lines.
//
//   gssl::read_graph("kanten.csv", {.table = {.delimiter = ';', .decimal = ','}}, run);
//   gssl::read_graph("log.tsv", {.table = {.skip_lines = 3, .columns = {2, 3, 5}}}, run);
//
// Edge lists and tables of points take them; the formats that say themselves how they are written
// refuse them with ErrorCode::usage.

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/core/remedy.hpp"

namespace gssl {

struct TableOptions {
  // Between fields: a tab, a comma, a semicolon, another sign of punctuation, or ' ' for runs of
  // blanks and tabs; 0: inferred.
  char delimiter = 0;
  char decimal = 0;               // '.' or ','; 0: inferred
  std::int64_t skip_lines = 0;    // at the start, whatever they hold
  std::vector<int> columns = {};  // from 1; edge list: u, v and perhaps weight; points: features

  bool given() const;         // whether one of them is not the default
  Remedies remedies() const;  // those that are given

  // Throws ErrorCode::usage that names the option and the value.
  void validate() const;
};

// "tab", "comma", "semicolon", "blank", "\t" or the character itself; throws ErrorCode::usage.
char parse_delimiter(const std::string& text);
// "." or ",", "point" or "comma"; throws ErrorCode::usage.
char parse_decimal_mark(const std::string& text);
// "2,3,4" or "1-4,7"; throws ErrorCode::usage.
std::vector<int> parse_columns(const std::string& text);

}  // namespace gssl
