#include "gssl/graph/components.hpp"

#include <algorithm>
#include <utility>

#include "graph/support/renumbered_rows.hpp"
#include "gssl/core/error.hpp"

namespace gssl {

VertexId Components::largest_size() const {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

namespace {

// So many vertices lie between what is fetched early and its use: with scattered ids every row is a
// cache miss.
constexpr std::size_t ahead = 8;

// The rows that come up in the queue. Inlined, since GCC drops calls of functions that do nothing
// but fetch.
inline __attribute__((always_inline)) void fetch_ahead(const Graph& graph,
                                                       const std::vector<VertexId>& queue,
                                                       std::size_t head, std::size_t tail) {
  if (head + 2 * ahead < tail)
    __builtin_prefetch(graph.offset_array().data() + queue[head + 2 * ahead]);
  if (head + ahead < tail)
    __builtin_prefetch(graph.neighbor_array().data() + graph.row_begin(queue[head + ahead]));
}

}  // namespace

Components connected_components(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  Components result;
  result.of.assign(n, no_vertex);
  std::vector<VertexId> queue(n);  // of all components, one behind the other
  std::size_t head = 0, tail = 0;
  for (VertexId root = 0; root < graph.vertex_count(); ++root) {
    if (result.of[static_cast<std::size_t>(root)] != no_vertex) continue;
    const VertexId component = result.count++;
    const std::size_t first = tail;
    result.of[static_cast<std::size_t>(root)] = component;
    queue[tail++] = root;
    for (; head < tail; ++head) {
      fetch_ahead(graph, queue, head, tail);
      for (const VertexId v : graph.neighbors(queue[head])) {
        VertexId& mark = result.of[static_cast<std::size_t>(v)];
        if (mark != no_vertex) continue;
        mark = component;
        queue[tail++] = v;
      }
    }
    result.sizes.push_back(static_cast<VertexId>(tail - first));
  }
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
