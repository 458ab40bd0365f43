#pragma once
// A system that libgraph made from another one, whose components it knows.

#include <memory>
#include <utility>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl {

struct TrustedSystem {
  // `components` are those of the graph.
  static GroundedLaplacian make(std::shared_ptr<const Graph> graph, std::vector<double> ground,
                                Components components) {
    return {std::move(graph), std::move(ground), std::move(components)};
  }

  // A connected graph without a ground.
  static GroundedLaplacian make_connected(std::shared_ptr<const Graph> graph) {
    const auto n = static_cast<std::size_t>(graph->vertex_count());
    Components one;
    one.count = 1;
    one.of.assign(n, 0);
    one.sizes = {graph->vertex_count()};
    return {std::move(graph), std::vector<double>(n, 0.0), std::move(one)};
  }

  // Vertex r was vertex_of(r) in a system with components `before`; connections are what they were.
  template <class VertexOf>
  static GroundedLaplacian make(std::shared_ptr<const Graph> graph, std::vector<double> ground,
                                const Components& before, VertexOf&& vertex_of) {
    const VertexId n = graph->vertex_count();
    Components now;
    now.of.resize(static_cast<std::size_t>(n));
    std::vector<VertexId> number(static_cast<std::size_t>(before.count), no_vertex);
    for (VertexId r = 0; r < n; ++r) {
      VertexId& k =
          number[static_cast<std::size_t>(before.of[static_cast<std::size_t>(vertex_of(r))])];
      if (k == no_vertex) {
        k = now.count++;
        now.sizes.push_back(0);
      }
      ++now.sizes[static_cast<std::size_t>(k)];
      now.of[static_cast<std::size_t>(r)] = k;
    }
    return {std::move(graph), std::move(ground), std::move(now)};
  }
};

}  // namespace gssl
