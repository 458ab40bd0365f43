#pragma once
// Tables to learn from, with what points do not have: columns of words, and cells that are missing.
//
//   gssl::FeaturesFile file = gssl::read_features("mushrooms.csv",
//                                                 {.points = {.label_column = "class"}}, run);
//   auto encoding = gssl::ColumnEncoding::fit(file.table, {}, weights);
//
// All formats of read_points(); words and gaps are for text tables. There a cell is missing if it
// is empty or one of `missing_cells`. A column is of words if none of its cells is a number, or if
// it is told so; where at least half of the cells are numbers and another is not, it is an error
// that names the line (a slip of the pen would make a word of every number). A first line without a
// number is a header, as for points; a first line of numbers and words is data.
// Throws as read_points() does. Memory: the text, and 16 bytes a cell where there are words or gaps.

#include <string>
#include <vector>

#include "gssl/data/feature_table.hpp"
#include "gssl/io/points_reader.hpp"

namespace gssl {

struct FeatureReadOptions {
  PointsReadOptions points = {};
  std::vector<std::string> word_columns = {};  // by name or number from 1; no error if not there
  std::vector<std::int64_t> word_places = {};  // the same by place among the features, from 0
  // Where the table has so many features, the one at `weight_place` is not counted by word_places.
  std::int64_t features_with_weight = -1;
  std::int64_t weight_place = -1;
  std::vector<std::string> missing_cells = MissingMarks::default_words();
};

struct FeaturesFile {
  FeatureTable table;
  VertexNames names;                // of rows
  std::vector<std::string> labels;  // as in PointsFile
  MissingCount missing;             // of the labels
  // Of each column of the table its number in the file, from 1; empty: the same.
  std::vector<std::int64_t> file_columns;
  std::int64_t missing_cells = 0;
  // No column has a number, so that nothing but this rule tells the header from a row.
  bool header_assumed = false;
  InputStats stats;
};

FeaturesFile read_features(const std::string& path, const FeatureReadOptions& options = {},
                           const RunContext& run = {});

// Place in the table of a column told by name or by its number in the file; −1: there is none.
std::int64_t find_column(const FeaturesFile& file, const std::string& column);

}  // namespace gssl
