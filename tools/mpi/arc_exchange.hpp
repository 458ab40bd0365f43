#pragma once
// The arcs of a graph on their way to the ranks that own their rows, some at a time.
//
//   graph.first = …; graph.begin = …; graph.offsets = …;   // with repetitions
//   send_arcs(edges, numbering, weighted, in_file_order, graph, ranks);     // collective
//   graph.neighbors;   // entries of row_sort.hpp, unsorted: own numbers, and the direction given
//
// Memory: the graph, 8 bytes a row and a name of this rank, of the edges of one run twice 24 bytes (40
// if weighted; 8 more above 2^32 vertices), and 4 a vertex of the whole graph where they are fewer than the arcs of this rank,
// else 50 a ghost. In the order of the file all edges are one run.

#include <cstdint>

#include "communicator.hpp"
#include "distributed_graph.hpp"
#include "local_edges.hpp"
#include "vertex_directory.hpp"

namespace gssl::mpi {

constexpr std::int64_t most_local = std::int64_t{1} << 31;  // numbers of vertices that a rank sees

// Fills neighbors, weights and ghosts; takes the edges but for their names. `in_file_order`: all
// arcs travel at once, and each row has them in the order of the file. Throws, on every rank,
// ErrorCode::out_of_memory where a rank sees too many vertices.
void send_arcs(LocalEdges& edges, const Numbering& numbering, bool weighted, bool in_file_order,
               DistributedGraph& graph, const Communicator& ranks);

}  // namespace gssl::mpi
