#pragma once
// The edges that one rank has read, with its own numbers for the ids that it has seen.
//
//   LocalEdges edges = read_local_edges(text, options, keep_header, ranks);   // collective
//   for (const EdgeRun& run : edges.runs)
//     edges.names.name(run.pairs[i].first);
//
// Memory: 8 bytes an edge, 16 if a weight is not 1, and the distinct ids of this rank's lines.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "communicator.hpp"
#include "edge_text.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::mpi {

// The edges of some megabytes of text, in its order.
struct EdgeRun {
  std::vector<std::pair<VertexId, VertexId>> pairs;
  std::vector<double> weights;  // empty: all are 1

  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
};

struct LocalEdges {
  VertexNames names;  // by first appearance in this rank's lines
  std::vector<EdgeRun> runs;
  std::int64_t given = 0;       // lines with an edge, those below included
  std::int64_t self_loops = 0;  // dropped
  std::int64_t zeros = 0;       // edges of weight 0, dropped
  std::int64_t lines = 0;
  std::vector<std::string> notes;         // how the file says that it is to be taken
  std::vector<std::string> header_words;  // that may be ids: then the header is an edge
  std::string header_note;                // to be said where it is none
};

// `no_header`: a first line of two one-letter words is an edge. Throws, on every rank,
// ErrorCode::bad_data as "FILE:LINE: found; expected", and ErrorCode::usage.
LocalEdges read_local_edges(EdgeText& text, const ReadOptions& options, bool no_header,
                            const Communicator& ranks);

}  // namespace gssl::mpi
