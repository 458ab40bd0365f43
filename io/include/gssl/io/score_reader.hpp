#pragma once
// The table that `gssl label --scores` writes, read back: a row for each vertex, a column for each
// class.
//
//   gssl::ScoreFile file = gssl::read_scores("yesterday.tsv", names);
//   file.scores(v, k);              // of class file.columns[k]; zeros where the file has no row
//
// TSV or CSV with a header whose first column is "node"; gzip and zstd are unpacked, "-" is
// standard input. Vertices of the file that are not in the graph are counted and left out; a file
// most of whose vertices are not is of another graph, which is ErrorCode::bad_data, as are a number
// that is not finite, a vertex given twice and a row of another length: "FILE:LINE: found; expected".

#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"

namespace gssl {

struct ScoreFile {
  Block scores;                      // rows: names.size()
  std::vector<std::string> columns;  // class names, or "value"
  std::int64_t rows = 0;             // of the file, in the graph
  std::int64_t unknown = 0;          // and not in it
  InputStats stats;
};

// Throws ErrorCode::cannot_open, ErrorCode::io_failure and ErrorCode::bad_data.
// `most_held`: bytes that the scores may take, and a text that has to be held, as of a pipe; 0: no
// limit. Throws MemoryError. O(bytes), shared by `threads`; the result is the same for any number.
ScoreFile read_scores(const std::string& path, const VertexNames& names, std::size_t most_held = 0,
                      int threads = 1);

}  // namespace gssl
