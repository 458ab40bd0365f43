#pragma once
// The report page of gssl label and gssl cluster: a drawing of the graph with its labels, the least
// certain vertices, sizes of classes and components, and what proves the answer.
//
//   out.write(report_page(fit_document(session, {.graph = graph, .names = names, …})));

#include <optional>
#include <string>

#include "evaluation_results.hpp"
#include "gssl/learn/learner.hpp"
#include "report_drawing.hpp"
#include "session.hpp"
#include "truth.hpp"

namespace gssl::tool {

struct FittedGraph {
  const Graph& graph;
  const VertexNames& names;
  std::vector<std::string> classes;
  DrawnLabels labels;
  const Report& report;
  std::string method;
  std::string data;  // path of the graph or the points
  std::optional<Agreement> agreement = {};
};

// Vertices of a fit as they are drawn.
DrawnLabels drawn_labels(const Fit& fit);

Json fit_document(const Session& session, const FittedGraph& fitted);

}  // namespace gssl::tool
