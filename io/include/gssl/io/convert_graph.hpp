#pragma once
// Any graph file to a binary one, in bounded memory.
//
//   gssl::RunContext run;
//   run.memory_limit = std::size_t{4} << 30;
//   gssl::OutputFile out("web.gssl");
//   gssl::ConvertedGraph made = gssl::convert_to_binary("web.txt.gz", out, {}, {}, run);
//   out.commit();
//
// An edge list is streamed, from a file or from standard input. Names take 12 to 24 bytes a vertex
// for numbers and their bytes more for text, the graph 20 bytes a vertex; the edges get what that
// leaves of RunContext::memory_limit, at least 16 MB, and where it is not enough they are sorted on
// disk (spilling_graph_builder.hpp). So the limit is passed where names alone pass it. Standard
// input whose first line may be a header or an edge is read whole unless ReadOptions::format says
// edge_list; all other formats are read as read_graph() does. The bytes written are the same
// whatever the limit and the number of threads. A binary file is verified on the way.

#include <cstddef>
#include <string>

#include "gssl/core/run_context.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl {

struct ConvertedGraph {
  InputStats stats;
  VertexId vertices = 0;
  EdgeIndex edges = 0;
  VertexId isolated = 0;
  bool sorted_on_disk = false;
};

// What names of so many bytes take until the file is written, and with them all that grows with the
// vertices; and of a limit in bytes, what the edges of a list get beside that. O(1).
std::size_t conversion_least(std::size_t name_bytes, VertexId vertices);
std::size_t conversion_room(std::size_t memory_limit, std::size_t name_bytes, VertexId vertices);

// Throws as read_graph() and write_binary_graph(), and MemoryError where the names of an edge list do
// not fit. Does not commit `out`.
ConvertedGraph convert_to_binary(const std::string& in, OutputFile& out,
                                 const ReadOptions& read = {}, const BinaryWriteOptions& write = {},
                                 const RunContext& run = {});

}  // namespace gssl
