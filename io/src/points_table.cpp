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
#include "sniff_table.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

enum class Role : char { feature, label, id, ignored };

// How the lines of one table are written.
struct Layout {
  Separator separator = Separator::blanks;
  char decimal = '.';
  std::vector<Role> roles;          // of columns
  std::vector<std::string> header;  // names of columns, if any
  std::int64_t first_line = 0;      // the first line that is not a comment
};

// "column 3 (age)"
std::string column_name(const Layout& layout, std::size_t column) {
  std::string name = "column " + std::to_string(column + 1);
  if (!layout.header.empty()) name += " (" + shown(layout.header[column]) + ")";
  return name;
}

struct Rows {
  std::vector<double> values;
  std::vector<std::string> labels;
  std::vector<std::string> ids;
  std::vector<std::int64_t> lines;  // of ids
  std::int64_t count = 0;
};

class ChunkParser {
 public:
  ChunkParser(const Layout& layout, const std::string& file)
      : layout_(layout), file_(file), fields_(layout.separator, FieldSplitter::Empty::allowed) {}

  Rows parse(const Chunk& chunk) {
    std::string_view rest = chunk.text;
    for (std::int64_t number = chunk.first_line; !rest.empty(); ++number) {
      const std::string_view line = take_line(rest);
      if (number <= layout_.first_line && (number < layout_.first_line || !layout_.header.empty()))
        continue;
      if (is_skipped(trimmed(line))) continue;
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
    if (count != layout_.roles.size()) {
      bad_line(file_, number,
               std::to_string(count) + (count == 1 ? " field" : " fields") + "; expected " +
                   std::to_string(layout_.roles.size()) + " separated by " +
                   to_string(layout_.separator) + ", as on line " +
                   std::to_string(layout_.first_line) + "; give every line the same fields");
    }
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
                   "; tell the mark with --decimal, or mend the line");
    }
    if (text.find_first_of(";|:") != std::string_view::npos) {
      bad_line(file_, number,
               found + "; expected columns separated by " + to_string(layout_.separator) +
                   "; tell what separates them with --delimiter");
    }
    bad_line(file_, number,
             found +
                 "; expected a number; remove the row or fill the gap, or tell what the column "
                 "is with --label-column or --id-column");
  }

  void keep_text(std::string_view label, std::string_view id) {
    for (const Role role : layout_.roles) {
      if (role == Role::label) rows_.labels.emplace_back(label);
      if (role == Role::id) rows_.ids.emplace_back(id);
    }
  }

  const Layout& layout_;
  const std::string& file_;
  FieldSplitter fields_;
  Rows rows_;
};

class LayoutFinder {
 public:
  LayoutFinder(const std::string& file, const PointsReadOptions& options)
      : file_(file), options_(options) {}

  Layout find(std::string_view text) {
    const std::int64_t skipped = options_.table.skip_lines;
    text = without_lines(text, skipped);
    const TableSyntax syntax =
        sniff_table(text, skipped + 1, file_, TableUse::points, options_.table);
    layout_.separator = syntax.separator;
    layout_.decimal = syntax.decimal;
    for (std::int64_t number = skipped + 1; !text.empty(); ++number) {
      const std::string_view line = take_line(text);
      if (is_skipped(trimmed(line))) continue;
      layout_.first_line = number;
      FieldSplitter fields(layout_.separator, FieldSplitter::Empty::allowed);
      layout_.roles.assign(fields.split(line, file_, number), Role::feature);
      for (std::size_t i = 0; i < layout_.roles.size(); ++i) words_.emplace_back(fields[i]);
      break;
    }
    if (words_.empty()) return layout_;
    const std::size_t ids = options_.id_column.empty() ? 0 : 1;
    const bool bare = options_.feature_columns >= 0 &&
                      words_.size() == static_cast<std::size_t>(options_.feature_columns) + ids;
    choose_features();
    if (!bare) assign(options_.label_column, Role::label, "--label-column");
    assign(options_.id_column, Role::id, "--id-column");
    if (has_header()) layout_.header = words_;
    return layout_;
  }

 private:
  // --columns leaves out all others, but for those of labels and ids.
  void choose_features() {
    if (options_.table.columns.empty()) return;
    std::fill(layout_.roles.begin(), layout_.roles.end(), Role::ignored);
    for (const int column : options_.table.columns) {
      if (static_cast<std::size_t>(column) > words_.size()) {
        bad_line(file_, layout_.first_line,
                 std::to_string(words_.size()) + " columns separated by " +
                     to_string(layout_.separator) + "; --columns asks for column " +
                     std::to_string(column));
      }
      layout_.roles[static_cast<std::size_t>(column - 1)] = Role::feature;
    }
  }

  void assign(const std::string& column, Role role, const char* option) {
    if (column.empty()) return;
    std::size_t at = 0;
    if (const auto number = parse_number<std::int64_t>(column)) {
      if (*number < 1 || *number > static_cast<std::int64_t>(words_.size())) {
        bad_line(file_, layout_.first_line,
                 std::to_string(words_.size()) + " columns; " + option + " " + column +
                     " is none of them; number columns from 1");
      }
      at = static_cast<std::size_t>(*number - 1);
    } else {
      named_ = true;
      at = static_cast<std::size_t>(std::find(words_.begin(), words_.end(), column) -
                                    words_.begin());
      if (at == words_.size()) {
        std::string names;
        for (const std::string& word : words_) names += (names.empty() ? "" : ", ") + word;
        bad_line(file_, layout_.first_line,
                 std::string("no column named ") + shown(column) + " for " + option +
                     "; the header has " + shown(names) + "; or give its number from 1");
      }
    }
    if (layout_.roles[at] == Role::label || layout_.roles[at] == Role::id) {
      throw Error(ErrorCode::usage, "--label-column and --id-column are one column: " + column);
    }
    layout_.roles[at] = role;
  }

  bool has_header() const {
    if (options_.header == TableHeader::no && named_) {
      throw Error(ErrorCode::usage,
                  "--header no: a column told by name needs a header; give its number from 1");
    }
    if (options_.header != TableHeader::automatic) return options_.header == TableHeader::yes;
    if (named_) return true;
    std::size_t features = 0;
    std::size_t numbers = 0;
    std::size_t other = 0;  // one that is not a number
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (layout_.roles[i] != Role::feature) continue;
      ++features;
      if (parse_decimal(words_[i], layout_.decimal)) {
        ++numbers;
      } else {
        other = i;
      }
    }
    if (numbers > 0 && numbers < features) {
      bad_line(file_, layout_.first_line,
               column_name(layout_, other) + " is " +
                   (words_[other].empty() ? "empty" : shown(words_[other])) +
                   " where others are numbers; if it is a label or an id, tell it with "
                   "--label-column or --id-column; if the line is a header, with --header yes");
    }
    return features > 0 && numbers == 0;
  }

  const std::string& file_;
  const PointsReadOptions& options_;
  Layout layout_;
  std::vector<std::string> words_;  // of the first line
  bool named_ = false;
};

// Cuts the text and tells each chunk the number of its first line; returns the number of lines.
std::int64_t cut_and_count(const TextSource& source, int threads, std::vector<Chunk>& chunks) {
  chunks = cut_at_lines(source.text(), chunk_bytes);
  std::vector<std::int64_t> ends(chunks.size());
  parallel_blocks(
      static_cast<std::int64_t>(chunks.size()), threads,
      [&](std::int64_t i, std::int64_t) {
        const std::string_view text = chunks[static_cast<std::size_t>(i)].text;
        ends[static_cast<std::size_t>(i)] = std::count(text.begin(), text.end(), '\n');
      },
      1);
  std::int64_t lines = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].first_line = lines + 1;
    lines += ends[i];
  }
  const bool open = !source.text().empty() && source.text().back() != '\n';
  return lines + (open ? 1 : 0);
}

void take_ids(const Rows& rows, const std::string& file, PointsFile& points) {
  for (std::size_t i = 0; i < rows.ids.size(); ++i) {
    const VertexId expected = points.names.size();
    const VertexId row = points.names.insert(rows.ids[i]);
    if (row != expected) {
      bad_line(file, rows.lines[i],
               "id " + shown(rows.ids[i]) + " again, as row " + std::to_string(row) +
                   " (from 0) has it; expected ids that differ; rename one");
    }
  }
}

}  // namespace

void read_points_table(const TextSource& source, const PointsReadOptions& options,
                       const RunContext& run, PointsFile& file) {
  const Layout layout = LayoutFinder(source.name(), options).find(source.text());
  std::vector<Chunk> chunks;
  file.stats.lines = cut_and_count(source, run.thread_count(), chunks);
  std::vector<Rows> parts(chunks.size());
  std::vector<std::exception_ptr> errors(chunks.size());
  check_progress(run, 0.0);
  parallel_blocks(
      static_cast<std::int64_t>(chunks.size()), run.thread_count(),
      [&](std::int64_t i, std::int64_t) {
        if (run.cancelled()) return;
        const auto at = static_cast<std::size_t>(i);
        try {
          parts[at] = ChunkParser(layout, source.name()).parse(chunks[at]);
        } catch (const Error&) {
          errors[at] = std::current_exception();
        }
        source.release(chunks[at].text);
      },
      1);
  check_progress(run, 1.0);
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);  // the first in the file
    rows += parts[i].count;
  }
  const std::int64_t columns = std::count(layout.roles.begin(), layout.roles.end(), Role::feature);
  for (std::size_t i = 0; i < layout.header.size(); ++i)
    if (layout.roles[i] == Role::feature) file.column_names.push_back(layout.header[i]);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (Rows& part : parts) {
    values.insert(values.end(), part.values.begin(), part.values.end());
    std::move(part.labels.begin(), part.labels.end(), std::back_inserter(file.labels));
    take_ids(part, source.name(), file);
    part = {};
  }
  file.points = Points::dense(rows, columns, std::move(values));
}

}  // namespace gssl::detail
