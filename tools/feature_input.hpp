#pragma once
// Tables that models learn from and are used on, as the verbs read them.
//
//   add_feature_options(verb, options, common);
//   FeaturesFile file = read_features_file(session, path, options);

#include <string>
#include <vector>

#include "gssl/io/feature_reader.hpp"
#include "points_graph.hpp"
#include "session.hpp"

namespace gssl::tool {

// What columns are, beside labels and ids.
struct ColumnOptions {
  std::string weight_column;
  std::string categorical;  // columns of words, by commas

  bool given() const { return !weight_column.empty() || !categorical.empty(); }
};

struct FeatureOptions : PointsInputOptions, ColumnOptions {};

// How POINTS are read: format, columns, what is missing.
void add_feature_options(CLI::App& verb, FeatureOptions& options, CommonOptions& common);

// --weight-column and --categorical alone.
void add_column_options(CLI::App& verb, ColumnOptions& options);

// What these options ask of the reader; -1 is a number where targets are.
FeatureReadOptions feature_read_options(const Session& session, const PointsInputOptions& input,
                                        const ColumnOptions& columns, bool regression);
inline FeatureReadOptions feature_read_options(const Session& session,
                                               const FeatureOptions& options, bool regression) {
  return feature_read_options(session, options, options, regression);
}

// Reads, says what was found and records it in the summary.
FeaturesFile read_features_file(Session& session, const std::string& path,
                                const FeatureReadOptions& options);

// Throws ErrorCode::bad_data where a column of --categorical is not one to learn from.
void check_categorical(const FeaturesFile& file, const std::string& path,
                       const ColumnOptions& options);

// The column of --weight-column, taken out of the table; empty where none is told. Throws
// ErrorCode::bad_data where there is no such column.
std::vector<double> take_weights(FeaturesFile& file, const std::string& path,
                                 const ColumnOptions& options);

// Labels of the rows that have one, from `targets` if it is not empty, else from the label column.
// Throws ErrorCode::usage where there are none of either, ErrorCode::bad_data where no row has one.
LabelFile read_row_targets(Session& session, const std::string& path, const std::string& targets,
                           bool regression, FeaturesFile& file);

}  // namespace gssl::tool
