#pragma once
// A graph with what was found of its vertices, as a file that other programs open: --graph-output.
//
//   GraphResults results(session);               // opens the file before the long work
//   …
//   if (results.wanted()) {
//     ResultColumns columns = fit_columns(labeled, fit);
//     results.write(graph, names, std::move(columns));
//   }

#include <optional>

#include "graph_output.hpp"
#include "gssl/learn/learner.hpp"
#include "session.hpp"

namespace gssl::tool {

// Graphs up to this size get places: two eigenvectors and a drawing that can be looked at.
inline constexpr VertexId most_placed_vertices = 50000;

// Adds the columns x and y, from 0 to 1000, unless the graph is too large for a drawing, which is
// said.
void add_places(Session& session, const Graph& graph, ResultColumns& columns);

// Writes, with columns where the format holds them, and says what the file does not hold.
void write_with_columns(Session& session, OutputFile& out, const Graph& graph,
                        const VertexNames& names, const ResultColumns& columns, GraphFormat format,
                        TableFormat table);

// Writes a graph of which nothing else is known, with places where the format holds them, and says
// nothing of what it does not hold. Returns the number of isolated vertices.
std::int64_t write_plain_graph(Session& session, OutputFile& out, const Graph& graph,
                               const VertexNames& names, const GraphOutput& output);

class GraphResults {
 public:
  // By --graph-output; throws ErrorCode::usage where its extension is no format that is written.
  explicit GraphResults(const Session& session);

  bool wanted() const { return out_.has_value(); }
  // Precondition: wanted(). Adds places, writes and commits.
  void write(Session& session, const Graph& graph, const VertexNames& names, ResultColumns columns);

 private:
  std::optional<OutputFile> out_;
  GraphFormat format_ = GraphFormat::edge_list;
};

// class, confidence, status, given, and score_CLASS for each class if there are scores; for a
// regression value in place of class.
ResultColumns fit_columns(const LabeledSet& labeled, const Fit& fit);

// One column of the given numbers of clusters, from 0, called 1, 2, ….
ResultColumns cluster_columns(const std::vector<int>& cluster_of, int count);

}  // namespace gssl::tool
