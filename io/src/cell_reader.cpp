#include "gssl/io/cell_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
                        const RunContext& run, Take&& take) {
  return walk_list_lines(
      source, expected,
      [&](const FieldSplitter& fields, std::size_t count, std::string_view line,
          std::int64_t number, bool first) {
        if (count < least)
          bad_line(source.name(), number, "'" + shown(line) + "'; expected " + expected);
        take(fields, number, first);
      },
      run);
}

// Of the cells that are given more than once, in order of row, column and line: calls
// repeat(first, later) with their places in the file.
template <class Repeat>
void find_repeats(const CellFile& file, Repeat&& repeat) {
  std::vector<std::pair<std::uint64_t, std::size_t>> places(file.value.size());  // of each cell
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = {
        static_cast<std::uint64_t>(file.row[i]) << 32 | static_cast<std::uint32_t>(file.column[i]),
        i};
  std::ranges::sort(places);
  for (std::size_t i = 1, first = 0; i < places.size(); ++i) {
    if (places[i].first != places[first].first)
      first = i;
    else
      repeat(places[first].second, places[i].second);
  }
}

// Keeps the first line of each cell; line_of[i] is that of the i-th.
void merge_repeats(const TextSource& source, const std::vector<std::int64_t>& line_of,
                   CellFile& file) {
  std::vector<bool> is_repeat(file.value.size(), false);
  std::optional<std::pair<std::size_t, std::size_t>> differing;  // later in the file, earlier
  find_repeats(file, [&](std::size_t first, std::size_t later) {
    is_repeat[later] = true;
    ++file.duplicates_merged;
    const std::pair both(later, first);
    if (file.value[later] != file.value[first] && (!differing || both < *differing))
      differing = both;
  });
  if (differing) {
    const auto [later, first] = *differing;
    bad_line(source.name(), line_of[later],
             "the cell of row " + shown(file.rows.name(file.row[later])) + " and column " +
                 shown(file.columns.name(file.column[later])) + " has another value on line " +
                 std::to_string(line_of[first]) + "; keep one");
  }
  if (file.duplicates_merged == 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < file.value.size(); ++i) {
    if (is_repeat[i]) continue;
    file.row[kept] = file.row[i];
    file.column[kept] = file.column[i];
    file.value[kept++] = file.value[i];
  }
  file.row.resize(kept);
  file.column.resize(kept);
  file.value.resize(kept);
}

CellFile parse_cells(const TextSource& source, const RunContext& run) {
  CellFile file;
  start_stats(source, "cells", file.stats);
  std::vector<std::int64_t> line_of;
  file.stats.lines = walk_lines(
      source, 3, "'row column value'", run,
      [&](const FieldSplitter& fields, std::int64_t line, bool first) {
        const std::optional<double> value = parse_decimal(fields[2], '.');
        if (!value && first) return;
        if (!value || !std::isfinite(*value))
          bad_line(source.name(), line, "value " + shown(fields[2]) + "; expected a finite number");
        file.row.push_back(file.rows.insert(fields[0]));
        file.column.push_back(file.columns.insert(fields[1]));
        file.value.push_back(*value);
        line_of.push_back(line);
      });
  merge_repeats(source, line_of, file);
  return file;
}

}  // namespace

CellFile read_cells(const std::string& path, const RunContext& run) {
  const TextSource source = TextSource::open(path, 0, run.thread_count());
  return source.read_whole([&] { return parse_cells(source, run); });
}

CellPairFile read_cell_pairs(const std::string& path, const VertexNames& rows,
                             const VertexNames& columns, const RunContext& run) {
  const TextSource source = TextSource::open(path, 0, run.thread_count());
  return source.read_whole([&] {
    CellPairFile file;
    start_stats(source, "cells", file.stats);
    file.stats.lines = walk_lines(
        source, 2, "'row column'", run,
        [&](const FieldSplitter& fields, std::int64_t line, bool first) {
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
