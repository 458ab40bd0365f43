#pragma once
// Text that a terminal shows and does not obey.

#include <string>
#include <string_view>

namespace gssl::tool {

// `text` with its control characters (C0, DEL, C1) written out as \n, \t, \x1b: file names, ids and
// arguments may hold any.
std::string printable(std::string_view text);

}  // namespace gssl::tool
