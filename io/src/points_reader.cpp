#include "gssl/io/points_reader.hpp"

#include <filesystem>
#include <optional>

#include "foreign_files.hpp"
#include "gssl/core/error.hpp"
#include "points_formats.hpp"

namespace gssl {
namespace {

PointsFormat sniff_format(const detail::TextSource& source) {
  using namespace std::string_view_literals;
  const std::string_view text = source.head();
  if (text.starts_with("\x93NUMPY"sv)) return PointsFormat::npy;
  if (text.starts_with("PK\3\4"sv) || text.starts_with("PK\5\6"sv)) return PointsFormat::npz;
  if (text.starts_with("\0\0"sv)) return PointsFormat::idx;
  std::optional<bool> libsvm = detail::looks_like_libsvm(text);
  if (!libsvm) libsvm = detail::looks_like_libsvm(source.text());
  return libsvm.value_or(false) ? PointsFormat::libsvm : PointsFormat::table;
}

void check_columns(PointsFormat format, const PointsReadOptions& options) {
  const auto refuse = [&](const char* option, const char* why, Remedies remedies) {
    throw Error(
        ErrorCode::usage,
        std::string(option) + ": the points are in format " + std::string(to_string(format)) + why,
        remedies);
  };
  if (format == PointsFormat::table) return;
  if (options.table.given()) {
    refuse("delimiter, decimal mark, lines to skip or columns", ", which is no table of text",
           options.table.remedies());
  }
  if (options.header == TableHeader::yes)
    refuse("header", ", which has no header line", Remedy::header);
  if (!options.id_column.empty())
    refuse("column of ids", ", which has no ids; rows are numbered", Remedy::id_column);
  const bool need_not_be = options.feature_columns >= 0 || options.label_optional;
  if (options.label_column.empty() || need_not_be || format == PointsFormat::npz) return;
  refuse("column of labels",
         format == PointsFormat::libsvm ? ", whose labels are read without it"
                                        : ", which has no labels; give them as LABELS, a file of "
                                          "'node label', .npy, .npz or idx",
         Remedy::label_column);
}

}  // namespace

std::string_view to_string(PointsFormat format) { return names_of<PointsFormat>.name(format); }

PointsFormat parse_points_format(const std::string& name) {
  return names_of<PointsFormat>.value(name);
}

TableHeader parse_table_header(const std::string& name) {
  return names_of<TableHeader>.value(name);
}

std::string points_file_path(const std::string& path) {
  const std::size_t colon = path.rfind(':');
  std::error_code ignored;
  const auto exists = [&](const std::string& file) {
    return std::filesystem::exists(file, ignored);
  };
  const bool selects = colon != std::string::npos && colon + 1 < path.size() && !exists(path) &&
                       exists(path.substr(0, colon));
  return path.substr(0, selects ? colon : path.size());
}

PointsFile read_points(const std::string& path, const PointsReadOptions& options,
                       const RunContext& run) {
  const std::string file = points_file_path(path);
  const std::string member = file == path ? "" : path.substr(file.size() + 1);
  const detail::TextSource source =
      detail::TextSource::open(file, run.memory_limit, run.thread_count());
  return source.read_whole([&] { return detail::parse_points(source, member, options, run); });
}

PointsFormat detail::points_format(const TextSource& source, const PointsReadOptions& options) {
  if (options.format != PointsFormat::automatic) return options.format;
  refuse_foreign(source.head(), source.name(), Wanted::table);
  return sniff_format(source);
}

PointsFile detail::parse_points(const TextSource& source, const std::string& member,
                                const PointsReadOptions& options, const RunContext& run) {
  PointsFile file;
  const PointsFormat format = points_format(source, options);
  start_stats(source, to_string(format), file.stats);
  check_columns(format, options);
  if (!member.empty() && format != PointsFormat::npz) {
    throw Error(ErrorCode::usage,
                source.name() + ":" + member + ": only a .npz holds named arrays");
  }
  switch (format) {
    case PointsFormat::npy: read_npy(source, file); break;
    case PointsFormat::npz: read_npz(source, member, options, file); break;
    case PointsFormat::libsvm: read_libsvm(source, run, file); break;
    case PointsFormat::idx: read_idx(source, file); break;
    default:
      refuse_binary(source.head(), source.name(), Wanted::table);
      read_points_table(source, options, run, file);
      break;
  }
  // Rows of libsvm may be zero throughout. An array promises rows without paying for them in bytes.
  if (format != PointsFormat::libsvm && file.points.rows() > 0 && file.points.columns() == 0) {
    throw Error(ErrorCode::bad_data,
                source.name() + ": " + std::to_string(file.points.rows()) +
                    " rows without a number; expected at least one column beside labels and ids");
  }
  file.missing = blank_missing(file.labels, options.missing);
  if (file.names.size() == 0) file.names = VertexNames::numbered(file.points.rows());
  return file;
}

}  // namespace gssl
