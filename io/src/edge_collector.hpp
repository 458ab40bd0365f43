#pragma once
// Edges of one file on their way to its graph: weights of 0 are counted, not kept. Where a file has
// arcs and edges that are none, the weight of an edge counts beside that of the arcs of its pair,
// whichever way these lead.
//
//   EdgeCollector edges(options);
//   edges.add(u, v, weight);                 // what may be an arc
//   edges.add_arc(u, v, weight);             // the file says that it is one
//   edges.add_undirected(u, v, weight);      // … that it is none: v u is u v again
//   edges.add(u, v, weight, layers.last());  // of one layer of several
//   edges.finish(source, run, file);   // file.names are whole by now

#include <algorithm>
#include <vector>

#include "graph_formats.hpp"
#include "layered_edges.hpp"

namespace gssl::detail {

class EdgeCollector {
 public:
  explicit EdgeCollector(const ReadOptions& options)
      : merging_{.duplicates = options.duplicates, .opposite = options.opposite},
        builder_(0, merging_) {}

  // The weight is finite and ≥ 0.
  void add(VertexId u, VertexId v, double weight) {
    if (weight == 0) {
      ++zeros_;
    } else {
      builder_.add(u, v, weight);
    }
  }

  void add_undirected(VertexId u, VertexId v, double weight) {
    any_undirected_ = true;
    add(std::min(u, v), std::max(u, v), weight);
  }

  void add_arc(VertexId u, VertexId v, double weight) {
    if (weight == 0) {
      ++zeros_;
    } else {
      arcs_.push_back({u, v, weight});
    }
  }

  void add(VertexId u, VertexId v, double weight, std::int32_t layer) {
    if (weight == 0) {
      ++zeros_;
    } else {
      layered_.add(u, v, weight, layer);
    }
  }

  // Fills graph and counts of `file`. Throws as finish_graph().
  void finish(const TextSource& source, const RunContext& run, GraphFile& file) {
    builder_.grow(file.names.size());
    for (const Arc& arc : arcs_)
      any_undirected_ ? layered_.add(arc.u, arc.v, arc.weight, 0)
                      : builder_.add(arc.u, arc.v, arc.weight);
    arcs_ = {};
    layered_.hand_over(builder_, merging_);
    check_progress(run, 1.0);
    file.graph = finish_graph(builder_, file.names, source, run);
    take_counts(builder_.counts(), zeros_, file.stats);
  }

 private:
  struct Arc {
    VertexId u, v;
    double weight;
  };
  GraphBuilderOptions merging_;
  GraphBuilder builder_;
  std::vector<Arc> arcs_;
  bool any_undirected_ = false;
  LayeredEdges layered_;
  std::int64_t zeros_ = 0;
};

inline constexpr const char* arcs_note =
    "the file says that its edges are directed: its arcs are taken as edges";

}  // namespace gssl::detail
