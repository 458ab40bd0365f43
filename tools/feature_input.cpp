#include "feature_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

// "2 of words, 3 cells missing"
std::string form_of(const FeaturesFile& file) {
  std::string text = file.stats.format;
  if (file.table.columns.empty())
    return text + (file.table.points.is_sparse() ? ", sparse" : "") +
           (file.table.points.is_float() ? " float" : " double");
  const auto words = std::ranges::count_if(file.table.columns, &FeatureColumn::of_words);
  return text + fmt::format(", {} of words, {} cells missing", words, file.missing_cells);
}

}  // namespace

void add_column_options(CLI::App& verb, ColumnOptions& options) {
  verb.add_option("--weight-column", options.weight_column,
                  "column that says how much a row counts, likewise; it is no feature")
      ->type_name("COLUMN")
      ->group("Points");
  verb.add_option("--categorical", options.categorical,
                  "columns that hold words though they look like numbers, by commas")
      ->type_name("COLUMNS")
      ->group("Points");
}

void add_feature_options(CLI::App& verb, FeatureOptions& options, CommonOptions& common) {
  add_points_input(verb, options, "--input-format");
  add_column_options(verb, options);
  verb.add_option("--missing", common.missing,
                  "cells and labels that say there is none, by commas: 'default' is NA, N/A, NaN, "
                  "null, ? and the like, and the label -1 beside classes 0, 1, …; none: no words")
      ->type_name("WORDS")
      ->capture_default_str()
      ->group("Points");
  add_table_options(verb, common);
}

FeatureReadOptions feature_read_options(const Session& session, const PointsInputOptions& input,
                                        const ColumnOptions& columns, bool regression) {
  FeatureReadOptions read;
  read.points = {.format = parse_points_format(input.format),
                 .header = parse_table_header(input.header),
                 .label_column = input.label_column,
                 .id_column = input.id_column,
                 .missing = missing_marks(session, regression),
                 .table = session.options().table_options()};
  read.word_columns = split_list(columns.categorical);
  read.missing_cells = read.points.missing.words;
  return read;
}

FeaturesFile read_features_file(Session& session, const std::string& path,
                                const FeatureReadOptions& options) {
  session.check_inputs();
  FeaturesFile file =
      session.timed("read", [&] { return read_features(path, options, session.run); });
  session.summary.add_input(file.stats);
  session.summary.set("rows", file.table.row_count());
  session.summary.set("columns", file.table.column_count());
  session.summary.set("cells_missing", file.missing_cells);
  session.say(fmt::format("{}: {} rows of {} columns ({})", path, file.table.row_count(),
                          file.table.column_count(), form_of(file)));
  if (file.header_assumed)
    session.warn(
        fmt::format("{}: no column has a number, so the first line is taken for a header; "
                    "say --header yes or --header no",
                    path));
  warn_of_input(session, file.stats);
  session.check_cancelled();
  return file;
}

void check_categorical(const FeaturesFile& file, const std::string& path,
                       const ColumnOptions& options) {
  for (const std::string& column : split_list(options.categorical))
    if (find_column(file, column) < 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: no column '{}' for --categorical; give names of the header or "
                              "numbers from 1, of columns to learn from",
                              path, column));
}

std::vector<double> take_weights(FeaturesFile& file, const std::string& path,
                                 const ColumnOptions& options) {
  if (options.weight_column.empty()) return {};
  const std::int64_t column = find_column(file, options.weight_column);
  if (column < 0)
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{}: no column '{}' for --weight-column; give a name of the header or a "
                    "number from 1",
                    path, options.weight_column));
  std::vector<double> weights = take_numbers(file.table, column);
  for (std::size_t r = 0; r < weights.size(); ++r)
    if (!(weights[r] >= 0.0) || !std::isfinite(weights[r]))
      throw Error(ErrorCode::bad_data, fmt::format("{}: row {}: weight {}: must be finite and >= 0",
                                                   path, r + 1, to_text(weights[r])));
  return weights;
}

LabelFile read_row_targets(Session& session, const std::string& path, const std::string& targets,
                           bool regression, FeaturesFile& file) {
  if (file.table.row_count() == 0)
    throw Error(ErrorCode::bad_data, path + ": no rows; expected at least one to learn from");
  LabelFile labels;
  if (!targets.empty()) {
    labels = session.timed("read", [&] {
      return read_labels(targets, file.names,
                         {.unknown = parse_unknown_labels(session.options().unknown_labels),
                          .missing = missing_marks(session, regression),
                          .point_rows = file.table.row_count(),
                          .remedy = ", or use --unknown-labels ignore",
                          .threads = session.run.thread_count(),
                          .memory_limit = session.run.memory_limit});
    });
    session.summary.add_input(labels.stats);
    session.summary.set("labels_unknown_ignored", labels.unknown_ignored);
  } else if (!file.labels.empty()) {
    labels = labels_of_rows(file.labels, file.missing, file.stats);
  } else {
    throw Error(ErrorCode::usage, path +
                                      ": no targets: give TARGETS, a file of 'node value', or "
                                      "--label-column if they are a column of it");
  }
  report_missing(session, targets.empty() ? path : targets, labels.missing, "labels_missing");
  if (labels.vertices.empty())
    throw Error(ErrorCode::bad_data, fmt::format("{}: no row has a target to learn from",
                                                 targets.empty() ? path : targets));
  return labels;
}

}  // namespace gssl::tool
