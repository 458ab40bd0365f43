#pragma once
// What has changed in a graph and its labels since yesterday, as lines:
//
//   + u v [w]      a new edge, of weight 1 if none is given
//   - u v          an edge is gone
//   = u v w        an edge has another weight
//   + u            a new vertex
//   label u c      the label of u is now c, whatever it was
//   unlabel u      u has no label any more
//
//   gssl::ChangeFile changes = gssl::read_changes("today.txt", graph, names);    // names may grow
//   graph = gssl::with_changes(graph, names.size(), changes.edges);
//   labeled = gssl::with_label_changes(labeled, changes, names);
//
// Fields by blanks, tabs or commas; # and % comment lines; gzip, zstd and "-" as everywhere. Lines
// are taken in their order, so that an edge may go and come again. What does not fit the graph is
// ErrorCode::bad_data "FILE:LINE: found; expected": a vertex that is not there, a new one that is, an
// edge that is gone or changed without being there, or new and there already.

#include <string>
#include <utility>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/graph/graph_changes.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/missing_labels.hpp"

namespace gssl {

struct ChangeFile {
  std::vector<EdgeChange> edges;  // each pair once, as it is in the end
  // What each vertex is labeled afterwards; "": not any more. Each vertex once.
  std::vector<std::pair<VertexId, std::string>> labels;
  std::vector<std::int64_t> label_lines;  // the last of each
  std::int64_t edges_added = 0, edges_removed = 0, edges_reweighted = 0;
  std::int64_t vertices_added = 0;
  InputStats stats;
};

// New vertices are added to `names`. Throws ErrorCode::cannot_open, ErrorCode::io_failure and
// ErrorCode::bad_data.
// `most_held`: bytes of a text that has to be held, as of a pipe; 0: no limit. Throws MemoryError.
ChangeFile read_changes(const std::string& path, const Graph& graph, VertexNames& names,
                        std::size_t most_held = 0);

// Throws ErrorCode::bad_data where a vertex loses a label it does not have, no label is left, a real
// target is no number, or a label says that there is none (`marks`).
LabeledSet with_label_changes(const LabeledSet& labeled, const ChangeFile& changes,
                              const VertexNames& names,
                              const MissingMarks& marks = MissingMarks::none());

}  // namespace gssl
