#include "instances.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/knn_graph.hpp"

namespace gssl::bench {
namespace {

double whole(double value) { return std::max(1.0, std::round(1000.0 * value)); }

Graph with_whole_weights(const Graph& graph) {
  std::vector<double> weights;
  for (std::size_t e = 0; e < graph.neighbor_array().size(); ++e)
    weights.push_back(whole(graph.weight_at(static_cast<EdgeIndex>(e))));
  return Graph({graph.offset_array().begin(), graph.offset_array().end()},
               {graph.neighbor_array().begin(), graph.neighbor_array().end()}, std::move(weights));
}

Labeled moons(VertexId n) {
  Rng rng(1);
  const PlanePoints plane = two_moons(n, 0.15, rng);
  std::vector<double> values;
  for (std::size_t i = 0; i < plane.x.size(); ++i) {
    values.push_back(plane.x[i]);
    values.push_back(plane.y[i]);
  }
  return {knn_graph(Points::dense(n, 2, std::move(values)), 10).graph, plane.class_of, {}};
}

// Ten unit gaussians in 20 dimensions; classes are halves of the blobs.
Labeled blobs(VertexId n) {
  constexpr int d = 20;
  Rng rng(1);
  std::vector<double> center, values;
  for (int i = 0; i < 10 * d; ++i) center.push_back(rng.normal());
  Labeled made;
  for (VertexId i = 0; i < n; ++i) {
    const auto blob = static_cast<int>(rng.below(10));
    for (int j = 0; j < d; ++j)
      values.push_back(center[static_cast<std::size_t>(blob * d + j)] + rng.normal());
    made.class_of.push_back(blob % 2);
    made.blob_of.push_back(blob);
  }
  made.graph = knn_graph(Points::dense(n, d, std::move(values)), 10).graph;
  return made;
}

Labeled grid(VertexId side) {
  Rng rng(1);
  const Graph plain = grid_graph(side, side);
  Labeled made;
  std::vector<Edge> edges;
  for (VertexId u = 0; u < plain.vertex_count(); ++u) {
    made.class_of.push_back(u % side < side / 2 ? 0 : 1);
    for (const VertexId v : plain.neighbors(u))
      if (u < v) edges.push_back({u, v, 0.1 + 0.9 * rng.uniform()});
  }
  made.graph = graph_from_edges(plain.vertex_count(), edges);
  return made;
}

Labeled rmat(int scale) {
  Rng rng(1);
  const Graph whole_graph = rmat_graph(scale, 16, rng);
  const Components components = connected_components(whole_graph);
  std::vector<VertexId> number(components.of.size(), no_vertex);
  const VertexId largest = components.largest_size();
  VertexId n = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (components.sizes[static_cast<std::size_t>(components.of[v])] == largest) number[v] = n++;
  std::vector<Edge> edges;
  Labeled made;
  for (VertexId u = 0; u < whole_graph.vertex_count(); ++u) {
    if (number[static_cast<std::size_t>(u)] == no_vertex) continue;
    made.class_of.push_back(static_cast<int>(rng.below(2)));
    for (const VertexId v : whole_graph.neighbors(u))
      if (u < v)
        edges.push_back(
            {number[static_cast<std::size_t>(u)], number[static_cast<std::size_t>(v)], 1.0});
  }
  made.graph = graph_from_edges(n, edges);
  return made;
}

// Two clusters of half the vertices each, 12 random edges a vertex, and 1000 edges between them.
Labeled bridged(VertexId n) {
  Rng rng(1);
  std::vector<Edge> edges;
  const VertexId half = n / 2;
  const auto pick = [&](VertexId from) {
    return from + static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(half)));
  };
  for (VertexId v = 0; v < 2 * half; ++v)
    for (int k = 0; k < 12; ++k)
      edges.push_back({v, pick(v < half ? 0 : half), 0.5 + rng.uniform()});
  for (int k = 0; k < 1000; ++k) edges.push_back({pick(0), pick(half), 0.001});
  return {graph_from_edges(2 * half, edges), {0}, {}};
}

}  // namespace

Labeled labeled_graph(const std::string& name) {
  if (name == "moons10k") return moons(10000);
  if (name == "moons100k") return moons(100000);
  if (name == "moons1m") return moons(1000000);
  if (name == "knn10k") return blobs(10000);
  if (name == "knn100k") return blobs(100000);
  if (name == "rmat14") return rmat(14);
  if (name == "rmat18") return rmat(18);
  if (name == "grid1000") return grid(1000);
  if (name == "grid1000u") return {grid_graph(1000, 1000), {0}, {}};
  if (name == "bridged") return bridged(100000);
  throw std::invalid_argument("unknown instance " + name);
}

Instance with_terminals(const Labeled& labeled, bool soft) {
  Instance made{with_whole_weights(labeled.graph), {}, {}};
  const VertexId n = made.graph.vertex_count();
  made.source.assign(static_cast<std::size_t>(n), 0.0);
  made.sink = made.source;
  Rng rng(2);
  double mean_degree = 0.0;
  for (VertexId v = 0; v < n; ++v) mean_degree += made.graph.weighted_degree(v);
  mean_degree /= static_cast<double>(n);
  if (soft) {
    for (VertexId v = 0; v < n; ++v) {
      const double truth = labeled.class_of[static_cast<std::size_t>(v)] == 0 ? 1.0 : -1.0;
      const double lean = std::round(mean_degree * (0.1 * truth + 0.2 * rng.normal()));
      (lean > 0.0 ? made.source : made.sink)[static_cast<std::size_t>(v)] = std::abs(lean);
    }
  }
  int wanted[2] = {50, 50};
  while (wanted[0] + wanted[1] > 0) {
    const auto v = static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(n)));
    const int k = labeled.class_of[v];
    if (wanted[k] == 0) continue;
    --wanted[k];
    const double all = made.graph.weighted_degree(static_cast<VertexId>(v)) + 1.0;
    made.source[v] = k == 0 ? all : 0.0;
    made.sink[v] = k == 0 ? 0.0 : all;
  }
  return made;
}

}  // namespace gssl::bench
