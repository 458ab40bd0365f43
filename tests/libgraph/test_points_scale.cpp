#include <functional>

#include "gssl/graph/epsilon_graph.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/graph/metric_spanning_tree.hpp"
#include "point_clouds.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

std::vector<double> times(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

// Whether b is a with all distances times `factor`, to the last bit.
bool scaled(const KnnLists& a, const KnnLists& b, double factor) {
  return a.neighbors == b.neighbors && times(a.distances, factor) == b.distances;
}
bool scaled(const DistanceGraph& a, const DistanceGraph& b, double factor) {
  return a.offsets == b.offsets && a.neighbors == b.neighbors &&
         times(a.distances, factor) == b.distances;
}

}  // namespace

TEST_CASE(
    "values whose squares overflow or vanish have the neighbors, balls and tree they should") {
  constexpr VertexId n = 150;
  for (const int d : {3, 30})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan}) {
      const std::vector<double> values = grid_values(std::int64_t{n} * d, 9);
      const Points points = Points::dense(n, d, values), sparse = without_zeros(n, d, values);
      const KnnLists lists = knn_lists(points, 6, {.metric = metric});
      const double epsilon = lists.distances[5];
      const DistanceGraph balls = epsilon_distances(points, epsilon, {.metric = metric});
      const DistanceGraph tree = metric_spanning_tree(points, {.metric = metric});
      for (const double factor : {0x1p1000, 0x1p500, 0x1p-460, 0x1p-1010}) {
        CAPTURE(d, to_string(metric), factor);
        const std::vector<double> far = times(values, factor);
        const Points dense = Points::dense(n, d, far), held = without_zeros(n, d, far);
        for (const KnnMethod method : {KnnMethod::tree, KnnMethod::blocks, KnnMethod::projection})
          CHECK(scaled(lists, knn_lists(dense, 6, {.metric = metric, .method = method}), factor));
        CHECK(scaled(lists, knn_lists(held, 6, {.metric = metric}), factor));
        for (const Points& rows : {dense, held}) {
          CHECK(
              scaled(balls, epsilon_distances(rows, epsilon * factor, {.metric = metric}), factor));
          CHECK(scaled(tree, metric_spanning_tree(rows, {.metric = metric}), factor));
          const KnnLists near = nearest_points(points, rows, 6, metric);
          CHECK(near.neighbors == nearest_points(sparse, rows, 6, metric).neighbors);
          CHECK(scaled(nearest_points(points, points, 6, metric),
                       nearest_points(rows, rows, 6, metric), factor));
        }
      }
    }
}

TEST_CASE("values whose distances may overflow are refused, and by cosine they are fine") {
  const Points points = Points::dense(3, 2, std::vector<double>{1.7e308, 1, -1.7e308, 1, 0, 1});
  const Points sparse = as_sparse(points);
  for (const Points& rows : {points, sparse}) {
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { knn_lists(rows, 1); }, [&] { metric_spanning_tree(rows); },
             [&] { epsilon_distances(rows, 1.0); }, [&] { nearest_points(rows, sparse, 1); }}) {
      const auto error = error_of(call);
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::bad_data);
      CHECK_THAT(error->what(), Catch::Contains("magnitude 1.7e+308"));
    }
    CHECK(knn_lists(rows, 1, {.metric = Metric::cosine}).row(0)[0] == 2);
  }
}
