#pragma once
// Breadth-first search of the components of a graph, less some of its vertices.
//
//   Components c;
//   c.of.assign(n, no_vertex);  c.of[v] = -2;         // v is left out: anything below no_vertex
//   find_components(graph, c, [&](VertexId k) { … }); // k has an arc to what is left out, arc by arc

#include <vector>

#include "gssl/graph/components.hpp"

namespace gssl::detail {

// So many vertices lie between what is fetched early and its use: with scattered ids every row is a
// cache miss.
constexpr std::size_t fetched_ahead = 8;

// The rows that come up in the queue. Inlined, since GCC drops calls of functions that do nothing
// but fetch.
inline __attribute__((always_inline)) void fetch_ahead(const Graph& graph,
                                                       const std::vector<VertexId>& queue,
                                                       std::size_t head, std::size_t tail) {
  if (head + 2 * fetched_ahead < tail)
    __builtin_prefetch(graph.offset_array().data() + queue[head + 2 * fetched_ahead]);
  if (head + fetched_ahead < tail)
    __builtin_prefetch(graph.neighbor_array().data() +
                       graph.row_begin(queue[head + fetched_ahead]));
}

// Numbers the vertices v with of[v] == no_vertex by their components, which ascend by their smallest
// vertices. O(n + m).
template <class LeftOut>
void find_components(const Graph& graph, Components& found, LeftOut&& meets_left_out) {
  std::vector<VertexId> queue(static_cast<std::size_t>(graph.vertex_count()));  // of all components
  std::size_t head = 0, tail = 0;
  for (VertexId root = 0; root < graph.vertex_count(); ++root) {
    if (found.of[static_cast<std::size_t>(root)] != no_vertex) continue;
    const VertexId component = found.count++;
    const std::size_t first = tail;
    found.of[static_cast<std::size_t>(root)] = component;
    queue[tail++] = root;
    for (; head < tail; ++head) {
      fetch_ahead(graph, queue, head, tail);
      for (const VertexId v : graph.neighbors(queue[head])) {
        VertexId& mark = found.of[static_cast<std::size_t>(v)];
        if (mark < no_vertex) meets_left_out(component);
        if (mark != no_vertex) continue;
        mark = component;
        queue[tail++] = v;
      }
    }
    found.sizes.push_back(static_cast<VertexId>(tail - first));
  }
}

}  // namespace gssl::detail
