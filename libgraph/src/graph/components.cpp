#include "gssl/graph/components.hpp"

#include <algorithm>
#include <utility>

#include "graph/support/component_search.hpp"
#include "graph/support/renumbered_rows.hpp"
#include "gssl/core/error.hpp"

namespace gssl {

VertexId Components::largest_size() const {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

Components connected_components(const Graph& graph) {
  Components result;
  result.of.assign(static_cast<std::size_t>(graph.vertex_count()), no_vertex);
  detail::find_components(graph, result, [](VertexId) {});
  return result;
}

ComponentGraph component_graph(const Graph& graph, const Components& components, VertexId k) {
  return ComponentGraphs(graph, components)[k];
}

ComponentGraphs::ComponentGraphs(const Graph& graph, const Components& components)
    : graph_(&graph), vertices_(components.of.size()), row_(components.of.size()) {
  first_.assign(1, 0);
  for (const VertexId size : components.sizes) first_.push_back(first_.back() + size);
  std::vector<VertexId> next(first_.begin(), first_.end() - 1);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto k = static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)]);
    const VertexId at = next[k]++;
    vertices_[static_cast<std::size_t>(at)] = v;
    row_[static_cast<std::size_t>(v)] = at - first_[k];
  }
}

ComponentGraph ComponentGraphs::operator[](VertexId k) const {
  if (k < 0 || k + 1 >= std::ssize(first_))
    throw Error(ErrorCode::usage, "component " + std::to_string(k) + ": must be in [0, " +
                                      std::to_string(std::ssize(first_) - 1) + ")");
  const auto at = static_cast<std::size_t>(k);
  ComponentGraph part;
  part.vertices.assign(vertices_.begin() + first_[at], vertices_.begin() + first_[at + 1]);
  part.graph = detail::renumbered_rows(*graph_, part.vertices, row_);
  return part;
}

}  // namespace gssl
