#pragma once
// Which format a graph is written in: by the name of the file, or as told.

#include <string>
#include <vector>

#include "gssl/io/graph_writer.hpp"

namespace gssl::tool {

struct GraphOutput {
  GraphFormat format = GraphFormat::edge_list;
  TableFormat table = TableFormat::tsv;  // of an edge list
};

// Names of the formats that are written, edge lists first.
std::vector<std::string> written_graph_formats();

// `told` is a name of a format, or empty; `table` is --format, and `table_told` whether it was
// given: a file called .csv holds commas unless it was. '-', devices and names without an extension
// get an edge list. Throws ErrorCode::usage, with a list of what can be written, for an extension
// of another format or of packed files, and for tables that no graph is written as.
GraphOutput graph_output(const std::string& path, const std::string& told, const std::string& table,
                         bool table_told);

}  // namespace gssl::tool
