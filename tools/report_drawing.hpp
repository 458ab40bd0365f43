#pragma once
// A drawing of a graph, or of a sample of it, with its labels: places by two eigenvectors, then a
// little repulsion so that vertices do not lie upon each other.
//
//   json["drawing"] = drawing_of(graph, names, {.answer = …, .confidence = …, .given = …}, run);
//   html += drawing_figure(json["drawing"], json["classes"]);

#include <span>
#include <string>
#include <vector>

#include "evaluation_results.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::tool {

struct DrawnLabels {
  std::vector<int> answer;         // class of each vertex, −1 none
  std::vector<double> confidence;  // of each vertex
  std::vector<char> given;         // whether its label was given
};

// Vertices that were found, those first that have no class for want of confidence or since they are
// tied, then by confidence. O(n log n).
std::vector<VertexId> least_certain(const DrawnLabels& labels);

inline constexpr VertexId most_drawn_vertices = 2000;
inline constexpr std::size_t most_drawn_edges = 6000;

// Graphs of more than 2,000 vertices are drawn as a sample: given and least certain vertices and
// what is around the given ones. O(m) and two eigenvectors of what is drawn.
Json drawing_of(const Graph& graph, const VertexNames& names, const DrawnLabels& labels,
                const RunContext& run);

std::string drawing_figure(const Json& drawing, const Json& classes);

}  // namespace gssl::tool
