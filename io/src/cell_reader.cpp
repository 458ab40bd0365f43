#include "gssl/io/cell_reader.hpp"

#include <cmath>
#include <optional>
#include <unordered_map>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_formats.hpp"
#include "list_lines.hpp"
#include "text_source.hpp"

namespace gssl {
namespace {

using namespace detail;

// Calls take(fields, line, is_first) for every data line of at least `least` fields.
template <class Take>
std::int64_t walk_lines(const TextSource& source, std::size_t least, const char* expected,
                        Take&& take) {
  return walk_list_lines(source, expected,
                         [&](const FieldSplitter& fields, std::size_t count, std::string_view line,
                             std::int64_t number, bool first) {
                           if (count < least)
                             bad_line(source.name(), number,
                                      "'" + shown(line) + "'; expected " + expected);
                           take(fields, number, first);
                         });
}

// A cell's place in a table of those that were given.
std::uint64_t cell_key(VertexId row, VertexId column) {
  return (static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint32_t>(column);
}

CellFile parse_cells(const TextSource& source) {
  CellFile file;
  start_stats(source, "cells", file.stats);
  std::unordered_map<std::uint64_t, std::size_t> place_of;
  std::vector<std::int64_t> line_of;
  file.stats.lines = walk_lines(
      source, 3, "'row column value'",
      [&](const FieldSplitter& fields, std::int64_t line, bool first) {
        const std::optional<double> value = parse_decimal(fields[2], '.');
        if (!value && first) return;
        if (!value || !std::isfinite(*value))
          bad_line(source.name(), line, "value " + shown(fields[2]) + "; expected a finite number");
        const VertexId row = file.rows.insert(fields[0]);
        const VertexId column = file.columns.insert(fields[1]);
        const auto [at, is_new] = place_of.try_emplace(cell_key(row, column), file.value.size());
        if (is_new) {
          file.row.push_back(row);
          file.column.push_back(column);
          file.value.push_back(*value);
          line_of.push_back(line);
        } else if (file.value[at->second] == *value) {
          ++file.duplicates_merged;
        } else {
          bad_line(source.name(), line,
                   "the cell of row " + shown(fields[0]) + " and column " + shown(fields[1]) +
                       " has another value on line " + std::to_string(line_of[at->second]) +
                       "; keep one");
        }
      });
  return file;
}

}  // namespace

CellFile read_cells(const std::string& path) {
  const TextSource source = TextSource::open(path);
  return source.read_whole([&] { return parse_cells(source); });
}

CellPairFile read_cell_pairs(const std::string& path, const VertexNames& rows,
                             const VertexNames& columns) {
  const TextSource source = TextSource::open(path);
  return source.read_whole([&] {
    CellPairFile file;
    start_stats(source, "cells", file.stats);
    file.stats.lines = walk_lines(
        source, 2, "'row column'", [&](const FieldSplitter& fields, std::int64_t line, bool first) {
          const VertexId row = rows.find(fields[0]), column = columns.find(fields[1]);
          if (first && row == no_vertex && column == no_vertex) return;
          if (row == no_vertex || column == no_vertex)
            bad_line(source.name(), line,
                     row == no_vertex ? "row " + shown(fields[0]) + " has no known cell"
                                      : "column " + shown(fields[1]) + " has no known cell");
          file.row.push_back(row);
          file.column.push_back(column);
        });
    return file;
  });
}

}  // namespace gssl
