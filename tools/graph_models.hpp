#pragma once
// Models of a graph: how gssl fit --graph makes one, and how gssl predict and gssl info use it.

#include <string>

#include "gssl/io/output_file.hpp"
#include "gssl/learn/graph_model.hpp"
#include "session.hpp"

namespace gssl::tool {

struct GraphFitOptions {
  std::string graph;
  std::string labels;
  std::string method;
  bool regression = false;
};

// Reads graph and labels, learns, and writes the model to the output of the session. Returns the
// exit status.
int fit_on_graph(Session& session, const GraphFitOptions& options);

struct VertexPredictOptions {
  std::string model;
  std::string nodes;   // a file with a vertex on each line; empty: all vertices
  std::string scores;  // output; empty: none
  std::string truth;   // empty: none
};

// Answers of the model for these vertices.
int predict_vertices(Session& session, const VertexPredictOptions& options);

// Rows of gssl info.
class PropertyTable;
void write_graph_model_info(PropertyTable& table, const GraphModel& model);

// Throws ErrorCode::bad_data, naming the file.
GraphModel graph_model_of(const Record& record, const std::string& path);

}  // namespace gssl::tool
