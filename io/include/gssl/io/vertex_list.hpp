#pragma once
// A list of vertices, one id on each line, the same syntax rules as a label file: a header line
// ("node") is skipped, and so are blank lines and comments. Where that line names more columns, as
// in what gssl label and gssl ask wrote, the first one counts. Or an array of ids: .npy, .npz
// ("FILE.npz:NAME") or idx.
//
//   gssl::VertexListFile list = gssl::read_vertex_list("candidates.txt", file.names);

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/core/types.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"

namespace gssl {

struct VertexListFile {
  std::vector<VertexId> vertices;      // in file order, distinct
  std::int64_t duplicates_merged = 0;  // lines that named a vertex again
  InputStats stats;
};

// Throws ErrorCode::bad_data with file and line on a vertex that is not in `names` or a line that
// is not one field, ErrorCode::cannot_open, ErrorCode::io_failure. "-" is standard input.
// `most_held`: bytes of a text that has to be held, as of a pipe; 0: no limit. Throws MemoryError.
VertexListFile read_vertex_list(const std::string& path, const VertexNames& names,
                                std::size_t most_held = 0);

}  // namespace gssl
