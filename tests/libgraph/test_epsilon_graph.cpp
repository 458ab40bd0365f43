#include <atomic>

#include "gssl/graph/epsilon_graph.hpp"
#include "point_clouds.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

// Edges that should be and are not, or are and should not be.
int wrong_edges(const Points& points, double epsilon, const DistanceGraph& graph, Metric metric) {
  const Graph shape = weigh(graph, {.kind = WeightKind::unit}).graph;
  int wrong = 0;
  for (VertexId i = 0; i < points.rows(); ++i)
    for (VertexId j = 0; j < points.rows(); ++j)
      wrong +=
          (shape.weight(i, j) > 0.0) != (i != j && slow_distance(points, i, j, metric) <= epsilon);
  return wrong;
}

TEST_CASE("the epsilon graph equals brute force in every metric and dimension") {
  for (const int d : {1, 2, 3, 8, 20, 128})
    for (const Metric metric :
         {Metric::euclidean, Metric::manhattan, Metric::cosine, Metric::correlation}) {
      // Few columns have few cosines, which rounding decides about.
      if (d <= 2 && (metric == Metric::cosine || metric == Metric::correlation)) continue;
      const VertexId n = 200;
      const Points points = Points::dense(n, d, normal_values(std::int64_t{n} * d));
      const auto near = slow_neighbors(points, 0, metric);
      for (const std::size_t rank : {std::size_t{3}, std::size_t{100}}) {
        const double epsilon = (near[rank].distance + near[rank + 1].distance) / 2;
        CAPTURE(d, to_string(metric), epsilon);
        CHECK(wrong_edges(points, epsilon, epsilon_distances(points, epsilon, {.metric = metric}),
                          metric) == 0);
        const Points sparse = as_sparse(points);
        CHECK(wrong_edges(points, epsilon, epsilon_distances(sparse, epsilon, {.metric = metric}),
                          metric) == 0);
      }
    }
}

TEST_CASE("points exactly epsilon apart are joined, and equal points at epsilon 0") {
  for (const int d : {2, 20}) {
    const VertexId n = 200;
    const Points points = Points::dense(n, d, grid_values(std::int64_t{n} * d, d == 2 ? 10 : 2));
    for (const double epsilon : {0.0, 1.0, 2.0, 5.0})
      for (const Metric metric : {Metric::euclidean, Metric::manhattan})
        for (const Points& rows : {points, as_sparse(points)})
          CHECK(wrong_edges(points, epsilon, epsilon_distances(rows, epsilon, {.metric = metric}),
                            metric) == 0);
  }
}

TEST_CASE("the epsilon graph reports and is the same at any thread count") {
  const Points points = Points::dense(2000, 3, normal_values(6000));
  RunContext one, five;
  one.threads = 1;
  five.threads = 5;
  const EpsilonGraph a = epsilon_graph(points, 0.4, {}, one);
  const EpsilonGraph b = epsilon_graph(points, 0.4, {}, five);
  CHECK(a.graph == b.graph);
  CHECK(a.report.edges == a.graph.edge_count());
  std::int64_t isolated = 0;
  for (VertexId v = 0; v < 2000; ++v) isolated += a.graph.degree(v) == 0;
  CHECK((a.report.isolated == isolated && isolated > 0));
  CHECK(a.weights.kind == WeightKind::gaussian);
}

TEST_CASE("few points and none have epsilon graphs") {
  for (const VertexId n : {0, 1, 2, 33}) {
    const EpsilonGraph g =
        epsilon_graph(Points::dense(n, 2, normal_values(std::int64_t{n} * 2)), 100.0);
    CHECK(g.graph.edge_count() == std::int64_t{n} * (n - 1) / 2);
    CHECK(g.graph.vertex_count() == n);
  }
}

TEST_CASE("too many edges are refused with their number") {
  const Points points = Points::dense(100, 2, normal_values(200));
  const auto error = error_of([&] { epsilon_graph(points, 50.0, {.max_edges = 4949}); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::out_of_memory);
  CHECK_THAT(error->what(), Catch::Contains("4950 edges"));
  CHECK_NOTHROW(epsilon_graph(points, 50.0, {.max_edges = 4950}));
}

TEST_CASE("a sample refuses a dense graph before its edges are counted") {
  const VertexId n = 20000;
  const Points points = Points::dense(n, 2, normal_values(2 * n));
  for (const Points& rows : {points, as_sparse(points)}) {
    const auto error = error_of([&] { epsilon_graph(rows, 1.0, {.max_edges = 1000000}); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::out_of_memory);
    const std::string text = error->what();
    CAPTURE(text);
    const std::string before = "gives about ";
    REQUIRE(text.find(before) != std::string::npos);
    // Of all pairs 1 − exp(−1/4) are within 1.
    const double edges = std::stod(text.substr(text.find(before) + before.size()));
    CHECK(edges == Approx(0.2212 * 0.5 * n * n).epsilon(0.05));
    CHECK(text.find("by a sample of") != std::string::npos);
    CHECK(text.find("bytes") != std::string::npos);
  }
  // Three hundred points in one place: few leaves of many, about which a sample is not sure.
  std::vector<double> values = normal_values(2 * n);
  for (std::size_t i = 0; i < 600; ++i) values[i] = 50.0;
  const auto error =
      error_of([&] { epsilon_graph(Points::dense(n, 2, values), 1e-9, {.max_edges = 40000}); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Catch::Contains(" gives 44850 edges"));
}

TEST_CASE("wrong requests for an epsilon graph are refused") {
  const auto code = [](auto call) {
    const auto error = error_of(call);
    return error ? exit_status(error->code()) : 0;
  };
  const Points points = Points::dense(2, 1, std::vector<double>{0, 1});
  CHECK(code([&] { epsilon_graph(points, -1.0); }) == 64);
  CHECK(code([&] { epsilon_graph(points, NAN); }) == 64);
  CHECK(code([&] { epsilon_graph(points, INFINITY); }) == 64);
  CHECK(code([&] { epsilon_graph(points, 1.0, {.max_edges = -1}); }) == 64);
  CHECK(code([&] {
          epsilon_graph(without_zeros(2, 1, {1.0, 0.0}), 1.0, {.metric = Metric::cosine});
        }) == 65);
  const std::atomic<bool> stop = true;
  RunContext run;
  run.cancel = &stop;
  CHECK(code([&] { epsilon_graph(points, 1.0, {}, run); }) == 1);
}

}  // namespace
