// Tables of numbers, a row a line. Chunks of lines are parsed side by side and put together in
// file order.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <optional>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "points_formats.hpp"
#include "table_layout.hpp"

namespace gssl::detail {
namespace {

struct Rows {
  std::vector<double> values;
  std::vector<std::string> labels;
  std::vector<std::string> ids;
  std::vector<std::int64_t> lines;  // of ids
  std::int64_t count = 0;
  PassedRows passed;
};

class ChunkParser {
 public:
  ChunkParser(const TableLayout& layout, const std::string& file)
      : layout_(layout), file_(file), fields_(layout.separator, FieldSplitter::Empty::allowed) {}

  Rows parse(const Chunk& chunk) {
    std::string_view rest = chunk.text;
    for (std::int64_t number = chunk.first_line; !rest.empty(); ++number) {
      const std::string_view line = take_line(rest);
      if (layout_.is_header_line(number)) continue;
      if (is_skipped(trimmed(line))) {
        rows_.passed.skip(line, number, layout_);
        continue;
      }
      rows_.passed.row();
      if (!plain_row(line)) any_row(line, number);
      ++rows_.count;
      if (rows_.ids.size() > rows_.lines.size()) rows_.lines.push_back(number);
    }
    return std::move(rows_);
  }

 private:
  // The fast way: finite numbers and unquoted text. False with nothing done where it is not that.
  bool plain_row(std::string_view line) {
    if (layout_.decimal != '.') return false;
    const bool runs = layout_.separator == Separator::blanks;
    const char separator = static_cast<char>(layout_.separator);
    const std::size_t values = rows_.values.size();
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto skip_blanks = [&] {
      while (at != end && (*at == ' ' || (*at == '\t' && separator != '\t'))) ++at;
    };
    std::string_view label;
    std::string_view id;
    for (std::size_t column = 0; column < layout_.roles.size(); ++column) {
      skip_blanks();
      if (layout_.roles[column] == Role::feature) {
        double value = 0.0;
        const auto [stop, error] = std::from_chars(at, end, value);
        if (error != std::errc{} || !std::isfinite(value)) break;
        rows_.values.push_back(value);
        at = stop;
      } else {
        const char* const begin = at;
        while (at != end && *at != separator && !(runs && *at == '\t')) ++at;
        const std::string_view text = trimmed({begin, static_cast<std::size_t>(at - begin)});
        if (text.empty() || text.front() == '"' || is_binary(text)) break;
        keep(layout_.roles[column], text, label, id);
      }
      const char* const field_end = at;
      skip_blanks();
      if (column + 1 == layout_.roles.size()) {
        if (at != end) break;
        keep_text(label, id);
        return true;
      }
      if (runs ? at == field_end : at == end || *at != separator) break;
      if (!runs) ++at;
    }
    rows_.values.resize(values);
    return false;
  }

  void any_row(std::string_view line, std::int64_t number) {
    if (is_binary(line)) {
      bad_line(file_, number, "binary data; expected a table of numbers; check the file");
    }
    const std::size_t count = fields_.split(line, file_, number);
    check_field_count(layout_, count, file_, number);
    std::string_view label;
    std::string_view id;
    for (std::size_t column = 0; column < count; ++column) {
      if (layout_.roles[column] == Role::feature) {
        rows_.values.push_back(number_in(column, number));
        continue;
      }
      keep(layout_.roles[column], fields_[column], label, id);
    }
    keep_text(label, id);
  }

  static void keep(Role role, std::string_view text, std::string_view& label,
                   std::string_view& id) {
    if (role == Role::label) label = text;
    if (role == Role::id) id = text;
  }

  double number_in(std::size_t column, std::int64_t number) {
    const std::string_view text = fields_[column];
    const std::optional<double> value = parse_decimal(text, layout_.decimal);
    if (value && std::isfinite(*value)) return *value;
    const std::string found =
        column_name(layout_, column) + " is " + (text.empty() ? "empty" : shown(text));
    if (value) {
      bad_line(file_, number, found + "; must be finite; remove the row or fill the gap");
    }
    if (parse_decimal(text, layout_.decimal == '.' ? ',' : '.')) {
      bad_line(file_, number,
               found + "; expected a decimal " + (layout_.decimal == '.' ? "point" : "comma") +
                   "; tell the mark, or mend the line",
               Remedy::decimal);
    }
    if (text.find_first_of(";|:") != std::string_view::npos) {
      bad_line(file_, number,
               found + "; expected columns separated by " + to_string(layout_.separator) +
                   "; tell what separates them",
               Remedy::delimiter);
    }
    bad_line(file_, number,
             found +
                 "; expected a number; remove the row or fill the gap, or tell whether the column "
                 "is one of labels or of ids",
             Remedy::label_column | Remedy::id_column);
  }

  void keep_text(std::string_view label, std::string_view id) {
    for (const Role role : layout_.roles) {
      if (role == Role::label) rows_.labels.emplace_back(label);
      if (role == Role::id) rows_.ids.emplace_back(id);
    }
  }

  const TableLayout& layout_;
  const std::string& file_;
  FieldSplitter fields_;
  Rows rows_;
};

// Adds the rows of each chunk to `parts`; of several errors, the first in the file is thrown.
void parse_chunks(const std::vector<Chunk>& chunks, const TableLayout& layout,
                  const TextSource& source, const RunContext& run, std::vector<Rows>& parts) {
  const std::size_t before = parts.size();
  parts.resize(before + chunks.size());
  std::vector<std::exception_ptr> errors(chunks.size());
  parallel_blocks(
      std::ssize(chunks), run.thread_count(),
      [&](std::int64_t i, std::int64_t) {
        if (run.cancelled()) return;
        const auto at = static_cast<std::size_t>(i);
        try {
          parts[before + at] = ChunkParser(layout, source.name()).parse(chunks[at]);
        } catch (const Error&) {
          errors[at] = std::current_exception();
        }
        source.release(chunks[at].text);
      },
      1);
  if (run.cancelled()) return;
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace

void read_points_table(const TextSource& source, const PointsReadOptions& options,
                       const RunContext& run, PointsFile& file) {
  const TableLayout layout = find_layout(source, options, CellUse::numbers);
  std::vector<Rows> parts;
  check_progress(run, 0.0);
  TextPieces pieces(source);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    std::vector<Chunk> chunks;
    file.stats.lines += cut_and_count(piece, file.stats.lines + 1, run.thread_count(), chunks);
    parse_chunks(chunks, layout, source, run, parts);
    if (run.cancelled()) break;
  }
  check_progress(run, 1.0);
  std::int64_t rows = 0;
  PassedRows passed;
  for (const Rows& part : parts) {
    rows += part.count;
    passed.add(part.passed);
  }
  passed.tell(file.stats.notes);
  const std::int64_t columns = std::count(layout.roles.begin(), layout.roles.end(), Role::feature);
  for (std::size_t i = 0; i < layout.header.size(); ++i)
    if (layout.roles[i] == Role::feature) file.column_names.push_back(layout.header[i]);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (Rows& part : parts) {
    values.insert(values.end(), part.values.begin(), part.values.end());
    std::move(part.labels.begin(), part.labels.end(), std::back_inserter(file.labels));
    take_ids(part.ids, part.lines, source.name(), file.names);
    part = {};
  }
  file.points = Points::dense(rows, columns, std::move(values));
}

}  // namespace gssl::detail
