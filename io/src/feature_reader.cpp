#include "gssl/io/feature_reader.hpp"

#include <algorithm>
#include <optional>

#include "cell_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "points_formats.hpp"
#include "table_layout.hpp"

namespace gssl {
namespace {

// What read_points() makes of the file; nothing where it is a text table of other than numbers.
std::optional<PointsFile> numbers_alone(const detail::TextSource& source, const std::string& member,
                                        const PointsReadOptions& options, const RunContext& run) {
  try {
    return detail::parse_points(source, member, options, run);
  } catch (const Error& error) {
    const bool table =
        member.empty() && detail::points_format(source, options) == PointsFormat::table;
    if (!table || error.code() != ErrorCode::bad_data) throw;
    return std::nullopt;
  }
}

FeaturesFile from_points(PointsFile points, const detail::TextSource& source,
                         const PointsReadOptions& options) {
  FeaturesFile file;
  const PointsFormat format = detail::points_format(source, options);
  file.table.names = std::move(points.column_names);
  file.table.by_index = format == PointsFormat::libsvm;
  file.table.from_text = format == PointsFormat::table;
  if (file.table.from_text) {
    const auto layout = detail::find_layout(source, options, detail::CellUse::numbers);
    for (std::size_t c = 0; c < layout.roles.size(); ++c)
      if (layout.roles[c] == detail::Role::feature)
        file.file_columns.push_back(static_cast<std::int64_t>(c) + 1);
  }
  file.table.points = std::move(points.points);
  file.names = std::move(points.names);
  file.labels = std::move(points.labels);
  file.missing = std::move(points.missing);
  file.stats = std::move(points.stats);
  return file;
}

FeaturesFile read_cells(const detail::TextSource& source, const FeatureReadOptions& options,
                        const RunContext& run) {
  FeaturesFile file;
  detail::start_stats(source, to_string(PointsFormat::table), file.stats);
  detail::read_cell_table(source, options, run, file);
  if (file.table.row_count() > 0 && file.table.column_count() == 0)
    throw Error(ErrorCode::bad_data,
                source.name() + ": no column beside labels and ids; expected at least one");
  file.missing = blank_missing(file.labels, options.points.missing);
  if (file.names.size() == 0)
    file.names = VertexNames::numbered(static_cast<VertexId>(file.table.row_count()));
  return file;
}

FeaturesFile parse_features(const detail::TextSource& source, const std::string& member,
                            const FeatureReadOptions& options, const RunContext& run) {
  if (options.word_columns.empty() && options.word_places.empty()) {
    if (auto points = numbers_alone(source, member, options.points, run))
      return from_points(std::move(*points), source, options.points);
  } else if (const PointsFormat format = detail::points_format(source, options.points);
             format != PointsFormat::table) {
    return from_points(detail::parse_points(source, member, options.points, run), source,
                       options.points);
  }
  return read_cells(source, options, run);
}

}  // namespace

FeaturesFile read_features(const std::string& path, const FeatureReadOptions& options,
                           const RunContext& run) {
  const std::string file = points_file_path(path);
  const std::string member = file == path ? "" : path.substr(file.size() + 1);
  const detail::TextSource source =
      detail::TextSource::open(file, run.memory_limit, run.thread_count());
  return source.read_whole([&] { return parse_features(source, member, options, run); });
}

std::int64_t find_column(const FeaturesFile& file, const std::string& column) {
  const auto number = parse_number<std::int64_t>(column);
  if (file.file_columns.empty() && number && *number >= 1 && *number <= file.table.points.columns())
    return *number - 1;
  const auto numbered = std::ranges::find(file.file_columns, number.value_or(0));
  if (numbered != file.file_columns.end()) return numbered - file.file_columns.begin();
  const std::vector<std::string>& names = file.table.names;
  const auto named = std::ranges::find(names, column);
  if (named == names.end()) return -1;
  const auto number_of = [&](auto at) {
    return std::to_string(file.file_columns[static_cast<std::size_t>(at - names.begin())]);
  };
  const auto again = std::find(named + 1, names.end(), column);
  if (again != names.end())
    throw Error(ErrorCode::bad_data, file.stats.path + ": columns " + number_of(named) + " and " +
                                         number_of(again) + " are both named '" + column +
                                         "'; tell the one that is meant by its number from 1");
  return named - names.begin();
}

}  // namespace gssl
