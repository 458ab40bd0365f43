#include "algorithms/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/tested_learners.hpp"
#include "support/support.hpp"

namespace gssl::test {

LabeledSet classes(std::vector<VertexId> vertices, std::vector<int> class_of, int class_count) {
  std::vector<std::string> names;
  for (int k = 0; k < class_count; ++k) names.push_back("c" + std::to_string(k));
  return LabeledSet::classes(std::move(vertices), std::move(class_of), std::move(names));
}

MadeLearner made(std::string_view spec) {
  static const LearnerRegistry registry = tested_learners();
  return registry.make(spec);
}

Graph random_graph(VertexId n, int extra, std::uint64_t seed, int parts) {
  Rng rng(seed);
  std::vector<Edge> edges;
  const auto weight = [&] { return 0.1 + 2.0 * rng.uniform(); };
  for (VertexId v = parts; v < n; ++v) {
    const auto peers = static_cast<VertexId>(v / parts);  // earlier vertices of the same part
    const auto pick = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(peers)));
    edges.push_back({static_cast<VertexId>(pick * parts + v % parts), v, weight()});
  }
  for (int e = 0; e < extra; ++e) {
    const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    if (u != v && u % parts == v % parts)
      edges.push_back({std::min(u, v), std::max(u, v), weight()});
  }
  return graph_from_edges(n, edges);
}

std::vector<LabeledGraph> small_shapes() {
  const auto graph = [](VertexId n, std::vector<Edge> edges) { return graph_from_edges(n, edges); };
  std::vector<LabeledGraph> list;
  list.push_back({"path", graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}), classes({0, 4}, {0, 1}, 2)});
  list.push_back(
      {"star", graph(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}), classes({1, 2, 3}, {0, 1, 2}, 3)});
  list.push_back({"cycle", graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}),
                  classes({0, 2}, {1, 0}, 2)});
  list.push_back({"two components", graph(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {3, 5}}),
                  classes({0, 2, 5}, {0, 1, 1}, 2)});
  list.push_back({"one unlabelled component", graph(7, {{0, 1}, {1, 2}, {3, 4}, {4, 5}}),
                  classes({0, 2}, {0, 1}, 2)});
  list.push_back({"one class", graph(4, {{0, 1}, {1, 2}}), classes({1}, {0}, 1)});
  list.push_back({"single vertex", graph(1, {}), classes({0}, {0}, 1)});
  list.push_back({"no edges", graph(3, {}), classes({0, 2}, {1, 0}, 2)});
  list.push_back({"all labelled", graph(3, {{0, 1}, {1, 2}}), classes({0, 1, 2}, {0, 1, 0}, 2)});
  list.push_back(
      {"a class without labels", graph(3, {{0, 1}, {1, 2}}), classes({0, 2}, {0, 2}, 3)});
  list.push_back(
      {"loops, parallel edges and an isolated vertex",
       graph(6, {{0, 1}, {0, 1, 0.5}, {1, 1, 2.0}, {1, 2}, {2, 0}, {3, 4}, {4, 3}, {5, 5}}),
       classes({0, 2, 4}, {0, 1, 1}, 2)});
  list.push_back({"weighted", random_graph(40, 40, 7), classes({3, 9, 22, 31}, {0, 1, 2, 1}, 3)});
  list.push_back(
      {"weighted parts", random_graph(45, 60, 8, 3), classes({0, 3, 10, 13}, {0, 1, 1, 2}, 3)});
  return list;
}

Graph renamed(const Graph& graph, const std::vector<VertexId>& to, double scale) {
  std::vector<Edge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v)
        edges.push_back(
            {to[static_cast<std::size_t>(u)], to[static_cast<std::size_t>(v)], w * scale});
    });
  return graph_from_edges(graph.vertex_count(), edges);
}

std::vector<VertexId> identity_order(VertexId n) {
  std::vector<VertexId> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), VertexId{0});
  return order;
}

std::vector<VertexId> shuffled_order(VertexId n, std::uint64_t seed) {
  std::vector<VertexId> order = identity_order(n);
  Rng rng(seed);
  shuffle(order, rng);
  return order;
}

Graph two_cliques(VertexId m) {
  std::vector<Edge> edges{{m - 1, m, 1.0}};
  for (VertexId u = 0; u < m; ++u)
    for (VertexId v = u + 1; v < m; ++v) {
      edges.push_back({u, v, 1.0});
      edges.push_back({m + u, m + v, 1.0});
    }
  return graph_from_edges(2 * m, edges);
}

Block dense_solve(std::vector<std::vector<double>> a, Block b) {
  const std::size_t n = a.size();
  const auto swap_rows = [&](std::size_t p, std::size_t q) {
    std::swap(a[p], a[q]);
    for (std::int64_t c = 0; c < b.columns(); ++c)
      std::swap(b(static_cast<std::int64_t>(p), c), b(static_cast<std::int64_t>(q), c));
  };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < n; ++r)
      if (std::abs(a[r][k]) > std::abs(a[pivot][k])) pivot = r;
    swap_rows(k, pivot);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == k || a[r][k] == 0.0) continue;
      const double factor = a[r][k] / a[k][k];
      for (std::size_t c = k; c < n; ++c) a[r][c] -= factor * a[k][c];
      for (std::int64_t c = 0; c < b.columns(); ++c)
        b(static_cast<std::int64_t>(r), c) -= factor * b(static_cast<std::int64_t>(k), c);
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (double& value : b.row(static_cast<std::int64_t>(k))) value /= a[k][k];
  return b;
}

std::vector<std::vector<double>> dense_adjacency(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::vector<double>> w(n, std::vector<double>(n, 0.0));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double weight) {
      w[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)] = weight;
    });
  return w;
}

namespace {

// Edges between vertices with a number in `to` (negative: left out).
Graph read_edges(const std::filesystem::path& path, const std::vector<VertexId>& to, VertexId n) {
  std::vector<Edge> edges;
  for (const auto& row : read_numbers(path)) {
    const VertexId u = to.at(static_cast<std::size_t>(row.at(0)));
    const VertexId v = to.at(static_cast<std::size_t>(row.at(1)));
    if (u >= 0 && v >= 0) edges.push_back({u, v, row.size() > 2 ? row[2] : 1.0});
  }
  return graph_from_edges(n, edges);
}

std::string edges_of(const std::string& name) {
  return "data/graphs/" + name + "/plain/" + name + ".edges.txt";
}

}  // namespace

std::optional<Graph> shared_graph(const std::string& name, VertexId n) {
  const auto path = shared_path(edges_of(name));
  if (!path) return std::nullopt;
  return read_edges(*path, identity_order(n), n);
}

std::optional<Graph> shared_largest_component(const std::string& name) {
  const auto path = shared_path(edges_of(name));
  const std::vector<int> ids = shared_integers("reference/graphs/" + name + ".lcc_ids.txt");
  if (!path || ids.empty()) return std::nullopt;
  const auto labels = shared_integers("data/graphs/" + name + "/plain/" + name + ".labels.txt");
  std::vector<VertexId> to(labels.size(), no_vertex);
  for (std::size_t i = 0; i < ids.size(); ++i)
    to.at(static_cast<std::size_t>(ids[i])) = static_cast<VertexId>(i);
  return read_edges(*path, to, static_cast<VertexId>(ids.size()));
}

std::vector<int> shared_integers(const std::string& relative) {
  std::vector<int> numbers;
  if (const auto path = shared_path(relative))
    for (const auto& row : read_numbers(*path))
      for (const double value : row) numbers.push_back(static_cast<int>(value));
  return numbers;
}

Block shared_block(const std::string& relative) {
  const auto path = shared_path(relative);
  if (!path) return {};
  const auto rows = read_numbers(*path);
  Block block(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.at(0).size()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::ranges::copy(rows[r], block.row(static_cast<std::int64_t>(r)).begin());
  return block;
}

double accuracy(const std::vector<int>& decision, const std::vector<int>& truth,
                const std::vector<VertexId>& vertices) {
  int right = 0;
  for (const VertexId v : vertices)
    right += decision[static_cast<std::size_t>(v)] == truth[static_cast<std::size_t>(v)];
  return static_cast<double>(right) / static_cast<double>(vertices.size());
}

}  // namespace gssl::test
