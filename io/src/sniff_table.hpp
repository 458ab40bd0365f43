#pragma once
// Which separator and which decimal mark a text table has, told by its first lines together.
//
// One line does not tell: "a;b;1,5" may be two fields by the comma or three by the semicolon. So up
// to 100 lines of data within 64 KiB are split in every way that is possible, and the ways are
// compared: fields must hold no other separator, weights must be numbers, lines must have the same
// number of fields. A comma in a number is its decimal mark where another character separates.
// Where two ways are as good, nothing is guessed: the error names the first line that shows it, and
// the option that decides.
//
//   TableSyntax syntax = sniff_table(text, 1, "edges.csv", TableUse::edges, options.table);
//   FieldSplitter fields(syntax.separator);

#include <cstdint>
#include <string>
#include <string_view>

#include "fields.hpp"
#include "gssl/io/table_options.hpp"

namespace gssl::detail {

struct TableSyntax {
  Separator separator = Separator::blanks;
  char decimal = '.';
};

// In an edge list the third column, or the third of TableOptions::columns, is of numbers; in a
// table of points any column may be.
enum class TableUse { edges, points };

// `first_line` is the number of the line that `text` starts with. Throws ErrorCode::bad_data as
// "FILE:LINE: …", ErrorCode::usage as TableOptions::validate(). O(64 KiB).
TableSyntax sniff_table(std::string_view text, std::int64_t first_line, const std::string& file,
                        TableUse use, const TableOptions& given);

// `text` after its first `lines` lines.
std::string_view without_lines(std::string_view text, std::int64_t lines);

}  // namespace gssl::detail
