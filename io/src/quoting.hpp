#pragma once
// Cells of TSV and CSV tables, so written that the readers of this library give back the same text.

#include <string>
#include <string_view>

namespace gssl::detail {

// Appends `cell`, in quotes with doubled quotes if it holds `separator`, a quote, a line end or a
// blank at either end, starts like a comment, or is empty.
void append_cell(std::string_view cell, char separator, std::string& out);

}  // namespace gssl::detail
