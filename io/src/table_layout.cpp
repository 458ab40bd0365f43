#include "table_layout.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "sniff_table.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t layout_chunk_bytes = std::size_t{1} << 20;

class LayoutFinder {
 public:
  LayoutFinder(const std::string& file, PointsReadOptions options, CellUse use)
      : file_(file), options_(std::move(options)), use_(use) {}

  TableLayout find(std::string_view text) {
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
    if (options_.adapt) options_.adapt(words_, options_);
    const std::size_t ids = options_.id_column.empty() ? 0 : 1;
    const bool bare = options_.feature_columns >= 0 &&
                      words_.size() <= static_cast<std::size_t>(options_.feature_columns) + ids;
    choose_features();
    if (!bare && !lacks(options_.label_column))
      assign(options_.label_column, Role::label, "labels", Remedy::label_column);
    assign(options_.id_column, Role::id, "ids", Remedy::id_column);
    if (has_header()) layout_.header = words_;
    return layout_;
  }

 private:
  // Whether the column is not there, and need not be.
  bool lacks(const std::string& column) const {
    if (!options_.label_optional) return false;
    if (const auto number = parse_number<std::int64_t>(column))
      return *number > static_cast<std::int64_t>(words_.size());
    return std::ranges::find(words_, column) == words_.end();
  }

  // Where columns are told all others are left out, but for those of labels and ids.
  void choose_features() {
    if (options_.table.columns.empty()) return;
    std::fill(layout_.roles.begin(), layout_.roles.end(), Role::ignored);
    for (const int column : options_.table.columns) {
      if (static_cast<std::size_t>(column) > words_.size()) {
        bad_line(file_, layout_.first_line,
                 std::to_string(words_.size()) + " columns separated by " +
                     to_string(layout_.separator) + "; column " + std::to_string(column) +
                     " is asked for",
                 Remedy::columns);
      }
      layout_.roles[static_cast<std::size_t>(column - 1)] = Role::feature;
    }
  }

  // `holds`: what is in a column of this role, as a message says it.
  void assign(const std::string& column, Role role, const char* holds, Remedy remedy) {
    if (column.empty()) return;
    std::size_t at = 0;
    if (const auto number = parse_number<std::int64_t>(column)) {
      if (*number < 1 || *number > static_cast<std::int64_t>(words_.size())) {
        bad_line(file_, layout_.first_line,
                 std::to_string(words_.size()) + " columns; " + column + ", that of " + holds +
                     ", is none of them; number columns from 1",
                 remedy);
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
                 std::string("no column named ") + shown(column) + " for " + holds +
                     "; the header has " + shown(names) + "; or give its number from 1",
                 remedy);
      }
      refuse_second(at, holds, remedy);
    }
    if (layout_.roles[at] == Role::label || layout_.roles[at] == Role::id) {
      throw Error(ErrorCode::usage, "labels and ids are one column: " + column,
                  Remedy::label_column | Remedy::id_column);
    }
    layout_.roles[at] = role;
  }

  // Throws where another column has the name of the one at `at`.
  void refuse_second(std::size_t at, const char* holds, Remedy remedy) const {
    const auto next =
        std::find(words_.begin() + static_cast<std::ptrdiff_t>(at) + 1, words_.end(), words_[at]);
    if (next == words_.end()) return;
    bad_line(file_, layout_.first_line,
             "columns " + std::to_string(at + 1) + " and " +
                 std::to_string(next - words_.begin() + 1) + " are both named '" +
                 shown(words_[at]) + "'; tell the one of " + holds + " by its number from 1",
             remedy);
  }

  bool has_header() const {
    if (options_.header == TableHeader::no && named_) {
      throw Error(ErrorCode::usage,
                  "no header: a column told by name needs one; give its number from 1",
                  Remedy::no_header);
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
    if (numbers > 0 && numbers < features && use_ == CellUse::numbers) {
      bad_line(file_, layout_.first_line,
               column_name(layout_, other) + " is " +
                   (words_[other].empty() ? "empty" : shown(words_[other])) +
                   " where others are numbers; tell whether it is a label or an id, or whether the "
                   "line is a header",
               Remedy::label_column | Remedy::id_column | Remedy::header);
    }
    return features > 0 && numbers == 0;
  }

  const std::string& file_;
  PointsReadOptions options_;
  CellUse use_;
  TableLayout layout_;
  std::vector<std::string> words_;  // of the first line
  bool named_ = false;
};

}  // namespace

TableLayout find_layout(const TextSource& source, const PointsReadOptions& options, CellUse use) {
  const bool skips = options.table.skip_lines > 0;  // any number of lines
  return LayoutFinder(source.name(), options, use).find(skips ? source.text() : source.head());
}

std::string column_name(const TableLayout& layout, std::size_t column) {
  std::string name = "column " + std::to_string(column + 1);
  if (!layout.header.empty()) name += " (" + shown(layout.header[column]) + ")";
  return name;
}

void check_field_count(const TableLayout& layout, std::size_t count, const std::string& file,
                       std::int64_t line) {
  if (count == layout.roles.size()) return;
  bad_line(file, line,
           std::to_string(count) + (count == 1 ? " field" : " fields") + "; expected " +
               std::to_string(layout.roles.size()) + " separated by " +
               to_string(layout.separator) + ", as on line " + std::to_string(layout.first_line) +
               "; give every line the same fields");
}

void PassedRows::skip(std::string_view line, std::int64_t number, const TableLayout& layout) {
  if (number < layout.first_line) return;
  line = trimmed(line);
  if (line.empty()) {
    if (layout.roles.size() == 1) ++waiting_;
    return;
  }
  FieldSplitter fields(layout.separator, FieldSplitter::Empty::allowed);
  const bool one_word = line.find_first_of(" \t") == std::string_view::npos;
  const bool quoted = line.find('"') != std::string_view::npos;
  const std::size_t count = quoted ? 0 : fields.split(line, "", number);
  if (count == layout.roles.size() && (count > 1 || one_word)) ++comments_;
}

void PassedRows::tell(std::vector<std::string>& notes) const {
  if (comments_ > 0)
    notes.push_back(std::to_string(comments_) +
                    " lines that begin with '#' or '%' have as many fields as rows and are "
                    "comments; where they are rows, put the first field in quotes");
  if (blanks_ > 0)
    notes.push_back(std::to_string(blanks_) +
                    " blank lines between rows are no rows; write \"\" for an empty cell");
}

std::int64_t cut_and_count(std::string_view text, std::int64_t first_line, int threads,
                           std::vector<Chunk>& chunks) {
  chunks = cut_at_lines(text, layout_chunk_bytes);
  std::vector<std::int64_t> ends(chunks.size());
  parallel_blocks(
      static_cast<std::int64_t>(chunks.size()), threads,
      [&](std::int64_t i, std::int64_t) {
        ends[static_cast<std::size_t>(i)] =
            std::ranges::count(chunks[static_cast<std::size_t>(i)].text, '\n');
      },
      1);
  std::int64_t lines = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].first_line = first_line + lines;
    lines += ends[i];
  }
  const bool open = !text.empty() && text.back() != '\n';
  return lines + (open ? 1 : 0);
}

void take_ids(const std::vector<std::string>& ids, const std::vector<std::int64_t>& lines,
              const std::string& file, VertexNames& names) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const VertexId expected = names.size();
    const VertexId row = names.insert(ids[i]);
    if (row != expected) {
      bad_line(file, lines[i],
               "id " + shown(ids[i]) + " again, as row " + std::to_string(row) +
                   " (from 0) has it; expected ids that differ; rename one");
    }
  }
}

}  // namespace gssl::detail
