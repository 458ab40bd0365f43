#pragma once
// Graph files of other programs, told by how they begin: GraphML, GEXF, GML, Pajek, DIMACS, DOT,
// JSON, NumPy arrays. The person is told what it is and which command makes a readable file of it.

#include <string>
#include <string_view>

namespace gssl::detail {

struct ForeignGraph {
  std::string kind;    // "a GraphML file"; empty: none of them
  std::string remedy;  // a command
};

// Looks at the first 4096 bytes.
ForeignGraph foreign_graph(std::string_view text);

}  // namespace gssl::detail
