#pragma once
// Files of other programs that are given as graphs and hold none that is read here, told by how
// they begin: NumPy arrays, archives, JSON, graphs of WebGraph. The person is told what it is and
// which command makes a readable file of it.

#include <string>
#include <string_view>

#include "gssl/core/remedy.hpp"

namespace gssl::detail {

struct ForeignGraph {
  std::string kind;    // "JSON"; empty: none of them
  std::string remedy;  // what to do, as a command of another program
  Remedies remedies = {};
};

// Looks at the first 4096 bytes.
ForeignGraph foreign_graph(std::string_view text);

}  // namespace gssl::detail
