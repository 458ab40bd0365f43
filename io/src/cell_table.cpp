#include "cell_table.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <limits>
#include <unordered_map>

#include "foreign_files.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "table_layout.hpp"

namespace gssl::detail {
namespace {

// The fields of some lines.
struct CellRows {
  std::vector<std::string_view> cells;  // of the features, row by row
  std::deque<std::string> unquoted;     // what cells point to that are not in the text
  std::vector<std::string> labels;
  std::vector<std::string> ids;
  std::vector<std::int64_t> lines;  // of rows
  PassedRows passed;
};

bool points_into(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

CellRows split_lines(const Chunk& chunk, const TableLayout& layout, const std::string& file) {
  CellRows rows;
  FieldSplitter fields(layout.separator, FieldSplitter::Empty::allowed);
  std::string_view rest = chunk.text;
  for (std::int64_t number = chunk.first_line; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (layout.is_header_line(number)) continue;
    if (is_skipped(trimmed(line))) {
      rows.passed.skip(line, number, layout);
      continue;
    }
    rows.passed.row();
    if (is_binary(line)) bad_line(file, number, "binary data; expected a table; check the file");
    check_field_count(layout, fields.split(line, file, number), file, number);
    rows.lines.push_back(number);
    for (std::size_t c = 0; c < layout.roles.size(); ++c) {
      const std::string_view cell = fields[c];
      if (layout.roles[c] == Role::label) rows.labels.emplace_back(cell);
      if (layout.roles[c] == Role::id) rows.ids.emplace_back(cell);
      if (layout.roles[c] != Role::feature) continue;
      const bool stays = cell.empty() || points_into(cell, line);
      rows.cells.push_back(stays ? cell : rows.unquoted.emplace_back(cell));
    }
  }
  return rows;
}

// All cells of one column, in file order.
class ColumnBuilder {
 public:
  ColumnBuilder(const std::vector<CellRows>& parts, std::size_t width, std::size_t column,
                const std::vector<std::string>& missing)
      : parts_(parts), width_(width), column_(column), missing_(missing) {}

  template <class Body>  // body(cell, is missing, line)
  void visit(Body&& body) const {
    for (const CellRows& part : parts_)
      for (std::size_t r = 0; r < part.lines.size(); ++r) {
        const std::string_view cell = part.cells[r * width_ + column_];
        body(cell, is_missing(cell), part.lines[r]);
      }
  }

  bool is_missing(std::string_view cell) const {
    return cell.empty() || std::ranges::find(missing_, cell) != missing_.end();
  }

 private:
  const std::vector<CellRows>& parts_;
  std::size_t width_;
  std::size_t column_;
  const std::vector<std::string>& missing_;
};

FeatureColumn word_column(const ColumnBuilder& cells) {
  std::unordered_map<std::string_view, std::int32_t> place;
  cells.visit([&](std::string_view cell, bool missing, std::int64_t) {
    if (!missing) place.emplace(cell, 0);
  });
  FeatureColumn column{.of_words = true};
  for (const auto& [word, unused] : place) column.words.emplace_back(word);
  std::ranges::sort(column.words);
  for (std::size_t i = 0; i < column.words.size(); ++i)
    place[column.words[i]] = static_cast<std::int32_t>(i);
  cells.visit([&](std::string_view cell, bool missing, std::int64_t) {
    column.word_of.push_back(missing ? -1 : place[cell]);
  });
  return column;
}

// What a column holds, and the first cell that is no finite number.
struct Census {
  std::int64_t numbers = 0;
  std::int64_t others = 0;
  std::string other;
  std::int64_t line = 0;
};

Census count_cells(const ColumnBuilder& cells, char decimal, FeatureColumn& column) {
  Census census;
  cells.visit([&](std::string_view cell, bool missing, std::int64_t line) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!missing) {
      const auto number = parse_decimal(cell, decimal);
      const bool finite = number && std::isfinite(*number);
      if (finite) value = *number;
      ++(finite ? census.numbers : census.others);
      if (!finite && census.line == 0) {
        census.other = cell;
        census.line = line;
      }
    }
    column.numbers.push_back(value);
  });
  return census;
}

FeatureColumn build_column(const ColumnBuilder& cells, bool told, const TableLayout& layout,
                           std::size_t place, const std::string& file) {
  if (told) return word_column(cells);
  FeatureColumn column;
  const Census census = count_cells(cells, layout.decimal, column);
  if (census.others == 0) return column;
  if (census.numbers >= census.others) {
    bad_line(file, census.line,
             column_name(layout, place) + " is " + shown(census.other) + " where " +
                 std::to_string(census.numbers) +
                 " others are finite numbers; mend the line, add the word to those that stand for "
                 "nothing, or say that the column holds words",
             Remedy::missing | Remedy::categorical);
  }
  return word_column(cells);
}

// Columns of the file that hold features, from 0.
std::vector<std::size_t> feature_places(const TableLayout& layout) {
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < layout.roles.size(); ++c)
    if (layout.roles[c] == Role::feature) places.push_back(c);
  return places;
}

bool is_told(const TableLayout& layout, std::size_t place, const std::vector<std::string>& told) {
  return std::ranges::any_of(told, [&](const std::string& column) {
    if (parse_number<std::size_t>(column) == place + 1) return true;
    return !layout.header.empty() && layout.header[place] == column;
  });
}

// Feature c of `count`; the places that are told leave a column of weights out.
bool is_told_by_place(const FeatureReadOptions& options, std::int64_t count, std::int64_t c) {
  const bool weighted = options.weight_place >= 0 && count == options.features_with_weight;
  if (weighted && c == options.weight_place) return false;
  const std::int64_t place = weighted && c > options.weight_place ? c - 1 : c;
  return std::ranges::find(options.word_places, place) != options.word_places.end();
}

// Numbers alone are points.
void join_numbers(FeatureTable& table, std::int64_t rows) {
  const auto gap = [](double x) { return std::isnan(x); };
  for (const FeatureColumn& column : table.columns)
    if (column.of_words || std::ranges::any_of(column.numbers, gap)) return;
  const std::size_t width = table.columns.size();
  std::vector<double> values(static_cast<std::size_t>(rows) * width);
  for (std::size_t c = 0; c < width; ++c)
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
      values[r * width + c] = table.columns[c].numbers[r];
  table.points = Points::dense(rows, static_cast<std::int64_t>(width), std::move(values));
  table.columns.clear();
}

// Runs body(i) for all i, and throws what the first of them threw.
template <class Body>
void for_all(std::size_t count, const RunContext& run, Body&& body) {
  std::vector<std::exception_ptr> errors(count);
  parallel_blocks(
      static_cast<std::int64_t>(count), run.thread_count(),
      [&](std::int64_t i, std::int64_t) {
        if (run.cancelled()) return;
        try {
          body(static_cast<std::size_t>(i));
        } catch (const Error&) {
          errors[static_cast<std::size_t>(i)] = std::current_exception();
        }
      },
      1);
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace

void read_cell_table(const TextSource& source, const FeatureReadOptions& options,
                     const RunContext& run, FeaturesFile& file) {
  const TableLayout layout = find_layout(source, options.points, CellUse::words);
  std::vector<Chunk> chunks;
  file.stats.lines = cut_and_count(source.text(), 1, run.thread_count(), chunks);
  check_progress(run, 0.0);
  std::vector<CellRows> parts(chunks.size());
  for_all(chunks.size(), run,
          [&](std::size_t i) { parts[i] = split_lines(chunks[i], layout, source.name()); });
  check_progress(run, 0.5);
  const std::vector<std::size_t> places = feature_places(layout);
  std::vector<FeatureColumn> columns(places.size());
  for_all(places.size(), run, [&](std::size_t c) {
    const ColumnBuilder cells(parts, places.size(), c, options.missing_cells);
    const bool told = is_told(layout, places[c], options.word_columns) ||
                      is_told_by_place(options, std::ssize(places), static_cast<std::int64_t>(c));
    columns[c] = build_column(cells, told, layout, places[c], source.name());
  });
  check_progress(run, 1.0);
  std::int64_t rows = 0;
  PassedRows passed;
  for (CellRows& part : parts) {
    passed.add(part.passed);
    rows += static_cast<std::int64_t>(part.lines.size());
    std::ranges::move(part.labels, std::back_inserter(file.labels));
    take_ids(part.ids, part.lines, source.name(), file.names);
  }
  passed.tell(file.stats.notes);
  const bool no_number = std::ranges::all_of(columns, &FeatureColumn::of_words);
  file.header_assumed = no_number && !layout.header.empty() &&
                        options.points.header == TableHeader::automatic && !columns.empty();
  for (const FeatureColumn& column : columns)
    file.missing_cells +=
        column.of_words
            ? std::ranges::count(column.word_of, -1)
            : std::ranges::count_if(column.numbers, [](double x) { return std::isnan(x); });
  for (const std::size_t place : places) {
    file.file_columns.push_back(static_cast<std::int64_t>(place) + 1);
    if (!layout.header.empty()) file.table.names.push_back(layout.header[place]);
  }
  file.table.columns = std::move(columns);
  file.table.from_text = true;
  join_numbers(file.table, rows);
}

}  // namespace gssl::detail
