#include "gssl/graph/components.hpp"

#include <algorithm>

namespace gssl {

VertexId Components::largest_size() const {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

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

}  // namespace gssl
