#include "gssl/graph/epsilon_graph.hpp"
#include "gssl/graph/graph_union.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/graph/metric_spanning_tree.hpp"
#include "gssl/graph/point_graph.hpp"
#include "gssl/graph/shortest_paths.hpp"
#include "point_clouds.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// 0 and 1 are near, 2 and 3 are near, 4 is far from all.
Points five_points() { return Points::dense(5, 1, std::vector<double>{0, 1, 10, 11, 40}); }

}  // namespace

TEST_CASE("a point graph is the union of its parts, weighted", "[point-graph]") {
  const Points points = five_points();
  const PointGraph all = point_graph(
      points, {.knn = 1, .epsilon = 9.5, .spanning_tree = true, .weights = {.scale = 2}});
  const DistanceGraph by_hand =
      unite(unite(neighbor_graph(knn_lists(points, 1)), epsilon_distances(points, 9.5)),
            metric_spanning_tree(points));
  CHECK(all.graph == weigh(by_hand, {.scale = 2}).graph);
  CHECK(all.graph.edge_count() == 4);  // 0-1, 2-3, 3-4 of the neighbors; 1-2 of ball and tree
  CHECK(all.knn->k == 1);
  CHECK(all.epsilon->edges == 3);
  CHECK(all.spanning_tree->length == 40.0);
}

TEST_CASE("parts that were not asked for are not made", "[point-graph]") {
  const PointGraph ball =
      point_graph(five_points(), {.epsilon = 1.0, .weights = {WeightKind::unit}});
  CHECK(ball.graph.edge_count() == 2);
  CHECK_FALSE(ball.knn.has_value());
  CHECK_FALSE(ball.spanning_tree.has_value());
  CHECK(point_graph(five_points(), {.epsilon = 0.0}).graph.edge_count() == 0);
}

TEST_CASE("with a root a point graph is the tree of shortest paths from it", "[point-graph]") {
  // The ball joins 0-1, 1-2, 0-2 of points 0, 1, 2; from 0 the straight way to 2 is no longer.
  const Points points = Points::dense(3, 2, std::vector<double>{0, 0, 1, 0, 1, 1});
  const PointGraph tree =
      point_graph(points, {.epsilon = 2.0, .root = 0, .weights = {WeightKind::unit}});
  CHECK(tree.graph.edge_count() == 2);
  CHECK(tree.graph.weight(0, 1) == 1.0);
  CHECK(tree.graph.weight(0, 2) == 1.0);
}

TEST_CASE("self-tuning weights hand out the local scales", "[point-graph]") {
  const auto scale_of = [](WeightKind kind) {
    return point_graph(five_points(), {.knn = 1, .weights = {kind}}).local_scale;
  };
  CHECK(scale_of(WeightKind::self_tuning) == std::vector<double>{1, 1, 1, 1, 29});
  CHECK(scale_of(WeightKind::gaussian).empty());
}

TEST_CASE("a point graph of nothing, of no such root or of no such weight is refused",
          "[point-graph]") {
  const auto code = [](const PointGraphOptions& options) {
    const auto error = error_of([&] { point_graph(five_points(), options); });
    return error ? std::optional(error->code()) : std::nullopt;
  };
  CHECK(code({}) == ErrorCode::usage);
  CHECK(code({.knn = -1}) == ErrorCode::usage);
  CHECK(code({.knn = 1, .root = 5}) == ErrorCode::bad_data);
  CHECK(code({.knn = 1, .weights = {.scale = -1.0}}) == ErrorCode::usage);
}
