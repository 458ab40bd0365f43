#pragma once
// Cells of TSV and CSV tables, so written that the readers of this library give back the same text.

#include <string>
#include <string_view>

namespace gssl::detail {

// Writes `cell` to `out`, in quotes with doubled quotes if it holds `separator`, a quote, a line end
// or a blank at either end, starts like a comment, or is empty. At most 2 bytes a byte and 2 more;
// the end of what was written.
char* put_cell(std::string_view cell, char separator, char* out);
void append_cell(std::string_view cell, char separator, std::string& out);

}  // namespace gssl::detail
