#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "gssl/core/rng.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/graph_union.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/graph/metric_spanning_tree.hpp"
#include "gssl/graph/spanning_tree.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using gssl::test::error_of;

namespace {

double total_weight(const Graph& graph) {
  double total = 0.0;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) { total += u < v ? w : 0.0; });
  return total;
}

// Weights are drawn from a few values, so that there are ties.
Graph random_graph(VertexId n, int edges, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Edge> list;
  for (int e = 0; e < edges; ++e) {
    const auto u = static_cast<VertexId>(rng.below(n)), v = static_cast<VertexId>(rng.below(n));
    if (u != v) list.push_back({u, v, 1.0 + static_cast<double>(rng.below(5))});
  }
  return graph_from_edges(n, list, {.duplicates = DuplicatePolicy::max});
}

// The complete graph of the points.
DistanceGraph complete(const Points& points, Metric metric) {
  return neighbor_graph(
      knn_lists(points, std::max(points.rows() - 1, 1), KnnOptions{.metric = metric}));
}

bool same(const DistanceGraph& a, const DistanceGraph& b) {
  return a.offsets == b.offsets && a.neighbors == b.neighbors && a.distances == b.distances;
}

// `clusters` far apart, each `spread` wide; coordinates are rounded to 1/`grid` if that is not 0.
Points cloud(VertexId n, int columns, int clusters, double spread, double grid,
             std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values;
  for (VertexId i = 0; i < n; ++i) {
    for (int c = 0; c < columns; ++c) {
      double x = spread * rng.uniform() + (c == 0 ? 10.0 * (i % clusters) : 1.0);
      if (grid > 0.0) x = std::round(x * grid) / grid;
      values.push_back(x);
    }
  }
  return Points::dense(n, columns, values);
}

RunContext with_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

}  // namespace

TEST_CASE("The minimum spanning tree of a square with a diagonal drops its longest ways") {
  // 0 -1- 1
  // 4  5  2     0-1 1, 1-2 2, 2-3 3, 3-0 4, 0-2 5
  // 3 -3- 2
  const Graph graph = graph_from_edges(4, {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {3, 0, 4}, {0, 2, 5}});
  CHECK(minimum_spanning_forest(graph, EdgeLength::weight) ==
        graph_from_edges(4, {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}}));
  CHECK(minimum_spanning_forest(graph, EdgeLength::inverse) ==
        graph_from_edges(4, {{0, 2, 5}, {3, 0, 4}, {1, 2, 2}}));
  CHECK(minimum_spanning_forest(Graph(), EdgeLength::weight).vertex_count() == 0);
}

TEST_CASE("A spanning forest spans each component with the least weight by Prim's method") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = random_graph(40, 20 * static_cast<int>(seed % 4 + 1), seed);
    const Graph forest = minimum_spanning_forest(graph, EdgeLength::weight);
    const Components before = connected_components(graph), after = connected_components(forest);
    CHECK(before.of == after.of);
    CHECK(forest.edge_count() == graph.vertex_count() - before.count);
    double prim = 0.0;
    std::vector<bool> in(40, false);
    for (VertexId root = 0; root < 40; ++root) {
      if (in[static_cast<std::size_t>(root)]) continue;
      in[static_cast<std::size_t>(root)] = true;
      for (;;) {
        double least = INFINITY;
        VertexId next = no_vertex;
        for (VertexId u = 0; u < 40; ++u)
          graph.visit_row(u, [&](VertexId v, double w) {
            if (in[static_cast<std::size_t>(u)] && !in[static_cast<std::size_t>(v)] && w < least) {
              least = w;
              next = v;
            }
          });
        if (next == no_vertex) break;
        in[static_cast<std::size_t>(next)] = true;
        prim += least;
      }
    }
    CHECK(total_weight(forest) == prim);
  }
}

TEST_CASE("The tree of points is Kruskal's on the complete graph, edge for edge") {
  struct Case {
    VertexId n;
    int columns, clusters;
    double spread, grid;
  };
  const std::vector<Case> cases = {{1, 2, 1, 1, 0},     {2, 2, 1, 1, 0},   {12, 2, 1, 1, 0},
                                   {300, 1, 1, 1, 0},   {500, 2, 1, 1, 0}, {500, 2, 4, 1, 0},
                                   {400, 3, 2, 1, 4},   {400, 2, 1, 5, 1}, {300, 20, 3, 1, 0},
                                   {200, 60, 2, 3, 2},  {150, 2, 1, 0, 0}, {300, 2, 5, 0, 0},
                                   {400, 2, 100, 1, 0}, {90, 3, 30, 1, 2}, {400, 18, 2, 1, 0}};
  std::uint64_t seed = 1;
  for (const Case& c : cases) {
    const Points points = cloud(c.n, c.columns, c.clusters, c.spread, c.grid, ++seed);
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::cosine}) {
      INFO(c.n << " points of " << c.columns << " columns in " << c.clusters << " clusters, "
               << to_string(metric));
      const DistanceGraph expected = minimum_spanning_forest(complete(points, metric));
      MetricTreeReport report;
      const KnnOptions options{.metric = metric};
      const DistanceGraph tree = metric_spanning_tree(points, options, with_threads(1), &report);
      CHECK(tree.edge_count() == c.n - 1);
      CHECK(tree.offsets == expected.offsets);
      CHECK(tree.neighbors == expected.neighbors);
      CHECK(same(tree, metric_spanning_tree(points, options, with_threads(4))));
      const KnnLists lists = knn_lists(points, 3, options);
      CHECK(same(tree, metric_spanning_tree(points, options, {}, nullptr, &lists)));
    }
  }
}

TEST_CASE("Sparse points and no points have their tree too") {
  Rng rng(5);
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> ids;
  std::vector<double> values, dense(150 * 40, 0.0);
  for (std::int64_t r = 0; r < 150; ++r) {
    for (std::int32_t c = 0; c < 40; ++c)
      if (rng.uniform() < 0.2 || c == r % 40) {
        ids.push_back(c);
        values.push_back(1.0 + rng.uniform());
        dense[static_cast<std::size_t>(r * 40 + c)] = values.back();
      }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
  }
  const Points sparse = Points::sparse(150, 40, offsets, ids, values);
  const DistanceGraph tree = metric_spanning_tree(sparse, {.metric = Metric::cosine});
  const DistanceGraph expected =
      metric_spanning_tree(Points::dense(150, 40, dense), {.metric = Metric::cosine});
  CHECK(tree.neighbors == expected.neighbors);
  CHECK(metric_spanning_tree(Points()).vertex_count() == 0);
}

TEST_CASE("Shortest paths equal relaxation until nothing changes, and the tree has their lengths") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Graph graph = random_graph(30, 60, seed);
    for (const EdgeLength length : {EdgeLength::inverse, EdgeLength::unit, EdgeLength::weight}) {
      const VertexId root = static_cast<VertexId>(seed % 30);
      const auto distances = [&](const Graph& g) {
        return shortest_paths(g, {&root, 1}, length).distance;
      };
      std::vector<double> relaxed(30, INFINITY);
      relaxed[static_cast<std::size_t>(root)] = 0.0;
      for (int round = 0; round < 30; ++round)
        for (VertexId u = 0; u < 30; ++u)
          graph.visit_row(u, [&](VertexId v, double w) {
            double& d = relaxed[static_cast<std::size_t>(v)];
            d = std::min(d, relaxed[static_cast<std::size_t>(u)] + edge_length(w, length));
          });
      CHECK(distances(graph) == relaxed);
      const Graph tree = shortest_path_tree(graph, root, length);
      CHECK(distances(tree) == relaxed);
      const auto reached =
          std::count_if(relaxed.begin(), relaxed.end(), [](double d) { return std::isfinite(d); });
      CHECK(tree.edge_count() == reached - 1);
    }
  }
}

TEST_CASE("The shortest-path tree of points keeps distances, through points that are equal too") {
  const Points points = cloud(200, 2, 2, 3, 2, 9);
  const DistanceGraph graph = neighbor_graph(knn_lists(points, 8));
  const DistanceGraph tree = shortest_path_tree(graph, 7);
  CHECK(tree.local_scale == graph.local_scale);
  CHECK(same(tree, minimum_spanning_forest(tree)));  // no cycle
  CHECK(same(shortest_path_tree(tree, 7), tree));
  CHECK(error_of([&] { shortest_path_tree(graph, 200); })->code() == ErrorCode::usage);
  CHECK(error_of([&] { shortest_path_tree(graph, -1); })->code() == ErrorCode::usage);
}

TEST_CASE("A union has the edges of both, and with the spanning tree it is connected") {
  const Points points = cloud(300, 2, 6, 1, 0, 4);
  const DistanceGraph knn = neighbor_graph(knn_lists(points, 4));
  const DistanceGraph tree = metric_spanning_tree(points);
  const DistanceGraph both = unite(knn, tree);
  CHECK(both.local_scale == knn.local_scale);
  CHECK(same(unite(both, tree), both));
  CHECK(same(unite(tree, knn), both));
  const EdgeWeightOptions unit{.kind = WeightKind::unit};
  CHECK(connected_components(weigh(knn, unit).graph).count > 1);
  CHECK(connected_components(weigh(both, unit).graph).count == 1);
  CHECK(same(minimum_spanning_forest(both), minimum_spanning_forest(unite(tree, knn))));
  CHECK(minimum_spanning_forest(both).neighbors == tree.neighbors);
  CHECK(error_of([&] { unite(knn, DistanceGraph{}); })->code() == ErrorCode::usage);
}

TEST_CASE("A union of graphs keeps the weights of the first where both have an edge") {
  const auto graph = [](std::vector<std::tuple<VertexId, VertexId, double>> edges) {
    GraphBuilder builder(4);
    for (const auto& [u, v, weight] : edges) builder.add(u, v, weight);
    return std::move(builder).finish();
  };
  const Graph a = graph({{0, 1, 2.0}, {1, 2, 0.5}}), b = graph({{2, 1, 3.0}, {3, 0, 1.0}});
  CHECK(unite(a, b) == graph({{0, 1, 2.0}, {1, 2, 0.5}, {0, 3, 1.0}}));
  CHECK(unite(b, a) == graph({{0, 1, 2.0}, {1, 2, 3.0}, {0, 3, 1.0}}));
  CHECK(unite(a, a) == a);
  CHECK(unite(path_graph(3), Graph(path_graph(3))).has_unit_weights());
  CHECK(unite(Graph(), Graph()) == Graph());
  CHECK(error_of([&] { unite(a, path_graph(3)); })->code() == ErrorCode::usage);
}

TEST_CASE("A tree is exact beside approximate lists, and takes none of them") {
  const Points points = cloud(3000, 16, 1, 1, 0, 4);
  const KnnOptions approximate = {.method = KnnMethod::descent, .recall = 0.6};
  CHECK(same(metric_spanning_tree(points, approximate), metric_spanning_tree(points)));
  const KnnLists lists = knn_lists(points, 10, approximate);
  REQUIRE_FALSE(lists.report.exact());
  CHECK(error_of([&] { metric_spanning_tree(points, {}, {}, nullptr, &lists); })->code() ==
        ErrorCode::usage);
}

TEST_CASE("Euclidean trees have the length of the reference") {
  // points.json of the reference data, dense Prim: iris 43.52377963829874
  MetricTreeReport report;
  std::vector<double> values;
  std::istringstream text(test::read_file(test::source_path("datasets/iris/points.csv")));
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    for (int c = 0; c < 4; ++c) {
      std::getline(cells, line, ',');
      values.push_back(std::stod(line));
    }
  }
  REQUIRE(values.size() == 600);
  metric_spanning_tree(Points::dense(150, 4, values), {}, {}, &report);
  CHECK(report.length == Approx(43.52377963829874).epsilon(1e-13));
}
