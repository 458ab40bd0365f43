#pragma once
// What a transductive learner found on a graph, as a model: a function on a finite set of vertices
// is all of its values. Each vertex keeps its name, its scores, its status, its class and how sure
// that is, so that neither the graph nor the learner is needed to answer.
//
//   gssl::GraphModel model = gssl::train_on_graph(learner, graph, names, labeled, run);
//   gssl::Record record = model.to_record();             // gssl/io/record_file.hpp writes it
//   gssl::GraphModel again = gssl::GraphModel::from_record(record);
//   gssl::Fit some = again.answers({3, 7});              // of two vertices, in that order
//
// O(n·K) memory: 8 bytes a score.

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/data/record.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

// The kind of its record file.
inline constexpr const char* graph_model_kind = "graph-model";

struct GraphModel {
  std::string learner;  // "svm"
  std::string spec;     // "svm:kernel=diffusion(time=2),…": every option spelled out
  bool regression = false;
  std::vector<std::string> class_names;  // empty for a regression
  VertexNames names;
  std::int64_t edges = 0;
  std::int64_t given = 0;  // labels that were learned from
  std::uint64_t seed = 1;
  Fit fit;  // of every vertex; seconds are not kept

  // Rows of these vertices, in that order, with the report of all. Throws ErrorCode::bad_data on a
  // vertex that there is not.
  Fit answers(const std::vector<VertexId>& vertices) const;

  Record to_record() const;
  // Throws ErrorCode::bad_data where the record holds none, or one whose parts do not fit.
  static GraphModel from_record(const Record& record);
};

// Learns on the graph. Throws what the learner does.
GraphModel train_on_graph(const MadeLearner& learner, const Graph& graph, VertexNames names,
                          const LabeledSet& labeled, const RunContext& run = {});

}  // namespace gssl
