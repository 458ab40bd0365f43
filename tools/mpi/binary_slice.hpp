#pragma once
// This rank's rows of a binary graph file (.gssl), which every rank maps.
//
//   BinarySlice slice = read_binary_slice("web.gssl", run, ranks);   // collective
//   slice.graph;  slice.names.find("alice");           // names of the whole graph
//
// Offsets say where the rows of each rank begin, so nothing is exchanged but the ghosts. Every rank
// compares the checksums of the whole file once, and holds 4 bytes an arc of its own rows (12 if
// weighted) beside the map. The file must be seen under the same path by every rank, and hold plain
// rows: compressed ones would be expanded by each.

#include <string>

#include "communicator.hpp"
#include "distributed_graph.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"

namespace gssl::mpi {

struct BinarySlice {
  DistributedGraph graph;
  VertexNames names;  // of all vertices, looked up in the file
  InputStats stats;
};

// Throws, on every rank, what BinaryGraph does, and ErrorCode::usage for compressed rows.
BinarySlice read_binary_slice(const std::string& path, const RunContext& run,
                              const Communicator& ranks);

}  // namespace gssl::mpi
