#pragma once
// What the columns of a text table are, and where its data begin; tables of numbers and of cells
// share it.
//
//   const TableLayout layout = find_layout(source, options, CellUse::numbers);
//   layout.roles[2] == Role::label;

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/io/points_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

enum class Role : char { feature, label, id, ignored };

// How the lines of one table are written.
struct TableLayout {
  Separator separator = Separator::blanks;
  char decimal = '.';
  std::vector<Role> roles;          // of columns
  std::vector<std::string> header;  // names of columns, if any
  std::int64_t first_line = 0;      // the first line that is not a comment

  bool is_header_line(std::int64_t line) const {
    return line < first_line || (line == first_line && !header.empty());
  }
};

// What features may be: numbers alone, or words and gaps too. A first line of numbers and words is
// an error where all must be numbers, and a row of data otherwise.
enum class CellUse { numbers, words };

// Throws ErrorCode::bad_data and ErrorCode::usage.
TableLayout find_layout(const TextSource& source, const PointsReadOptions& options, CellUse use);

// "column 3 (age)"; `column` is from 0.
std::string column_name(const TableLayout& layout, std::size_t column);

// Throws bad_line unless a line has as many fields as the first.
void check_field_count(const TableLayout& layout, std::size_t count, const std::string& file,
                       std::int64_t line);

// Lines between rows that were passed over, though they may have been meant for rows: comments of as
// many fields, and blank lines of a table of one column.
class PassedRows {
 public:
  // A line that is skipped.
  void skip(std::string_view line, std::int64_t number, const TableLayout& layout);
  // A row: blank lines before it stand between rows.
  void row() {
    blanks_ += waiting_;
    waiting_ = 0;
    rows_ = true;
  }
  // Those of the lines that follow.
  void add(const PassedRows& next) {
    comments_ += next.comments_;
    if (next.rows_) row();
    blanks_ += next.blanks_;
    waiting_ += next.waiting_;
  }
  // A note for each kind that there is.
  void tell(std::vector<std::string>& notes) const;

 private:
  std::int64_t comments_ = 0;
  std::int64_t blanks_ = 0;
  std::int64_t waiting_ = 0;  // blank lines since the last row
  bool rows_ = false;
};

// Cuts the text, which starts with line `first_line`, and tells each chunk the number of its first
// line; returns the number of lines.
std::int64_t cut_and_count(std::string_view text, std::int64_t first_line, int threads,
                           std::vector<Chunk>& chunks);

// Names the rows; throws bad_line where an id comes again.
void take_ids(const std::vector<std::string>& ids, const std::vector<std::int64_t>& lines,
              const std::string& file, VertexNames& names);

}  // namespace gssl::detail
