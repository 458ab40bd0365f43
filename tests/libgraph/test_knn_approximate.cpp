// Lists that may miss neighbors: how many they miss, and when they are not made.
#include <atomic>
#include <set>

#include "gssl/graph/knn_lists.hpp"
#include "point_clouds.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

// Ten gaussians, some so near that their points mix.
Points mixture(VertexId n, int d, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<double> center(std::size_t(10 * d));
  for (double& v : center) v = rng.uniform();
  std::vector<double> values;
  for (VertexId i = 0; i < n; ++i) {
    const auto home = rng.below(10) * std::uint64_t(d);
    for (int c = 0; c < d; ++c)
      values.push_back(center[home + std::uint64_t(c)] + 0.2 * rng.normal());
  }
  return Points::dense(n, d, as_floats(values));
}

// The share of the neighbors in `exact` that are in `lists`. Distances must be those of the pairs.
double true_recall(const Points& points, const KnnLists& lists, const KnnLists& exact,
                   Metric metric) {
  std::int64_t right = 0, wrong = 0;
  for (VertexId i = 0; i < lists.count; ++i) {
    std::set<VertexId> seen = {i};
    for (int a = 0; a < lists.k; ++a) {
      const auto at = static_cast<std::size_t>(a);
      const VertexId j = lists.row(i)[at];
      const double d = lists.distance_row(i)[at];
      wrong += !seen.insert(j).second;
      wrong += std::abs(d - slow_distance(points, i, j, metric)) > 1e-12 + 1e-12 * d;
      wrong += a > 0 && d < lists.distance_row(i)[at - 1];
      right += d <= exact.distance_row(i).back();
    }
  }
  CHECK(wrong == 0);
  return static_cast<double>(right) / static_cast<double>(lists.neighbors.size());
}

TEST_CASE("approximate lists have the recall asked for, and the estimate is close to the truth") {
  for (const Metric metric : {Metric::euclidean, Metric::cosine, Metric::manhattan})
    for (const double recall : {0.7, 0.98}) {
      const Points points = mixture(6000, 16);
      const KnnLists exact = knn_lists(points, 10, {.metric = metric});
      const KnnLists lists =
          knn_lists(points, 10, {.metric = metric, .method = KnnMethod::descent, .recall = recall});
      const KnnReport& report = lists.report;
      CAPTURE(to_string(metric), recall, report.sentence);
      CHECK(report.used == KnnMethod::descent);
      CHECK(report.recall_sample == 1024);
      CHECK(report.recall_requested == recall);
      CHECK(report.recall - report.recall_error >= recall);
      CHECK(report.recall < 1.0);
      const double truth = true_recall(points, lists, exact, metric);
      CHECK(truth >= recall - 3 * report.recall_error);
      CHECK(std::abs(truth - report.recall) <= 4 * report.recall_error);
    }
}

TEST_CASE(
    "approximate lists are the same bytes at any thread count, and another for another seed") {
  const Points points = mixture(5000, 20);
  const auto lists = [&](int threads, std::uint64_t seed) {
    RunContext run;
    run.threads = threads;
    run.seed = seed;
    return knn_lists(points, 8, {.method = KnnMethod::descent, .recall = 0.9}, run);
  };
  const KnnLists one = lists(1, 1), five = lists(5, 1);
  CHECK((one.neighbors == five.neighbors && one.distances == five.distances));
  CHECK(one.report.sentence == five.report.sentence);
  CHECK(one.report.distances == five.report.distances);
  CHECK(lists(2, 2).report.recall != one.report.recall);  // another sample
}

TEST_CASE("a descent reaches any recall below 1, on few points, duplicates and a projection too") {
  for (const VertexId n : {2, 31, 33, 700}) {
    const Points points = mixture(n, 16);
    const KnnLists lists = knn_lists(points, 5, {.method = KnnMethod::descent, .recall = 0.999});
    CAPTURE(n, lists.report.sentence);
    const KnnLists exact = knn_lists(points, 5);
    CHECK(lists.k == exact.k);
    CHECK(true_recall(points, lists, exact, Metric::euclidean) >= 0.999);
    if (n <= 1024) CHECK(lists.report.recall_error == 0.0);
  }
  CHECK(knn_lists(mixture(1, 3), 5, {.method = KnnMethod::descent, .recall = 0.5}).k == 0);
  // Rows twice, 14 more columns that repeat two, so that few directions hold everything.
  const VertexId n = 5000;
  const Points base = mixture(n, 2);
  std::vector<float> values;
  for (VertexId i = 0; i < n; ++i)
    for (int c = 0; c < 130; ++c)
      values.push_back(static_cast<float>(base.value(i / 2, c % 2) * (1 + c / 2)));
  const Points points = Points::dense(n, 130, values);
  for (const KnnMethod method : {KnnMethod::automatic, KnnMethod::descent}) {
    const KnnLists lists = knn_lists(points, 6, {.method = method, .recall = 0.95});
    CAPTURE(lists.report.sentence);
    CHECK(true_recall(points, lists, knn_lists(points, 6), Metric::euclidean) >= 0.94);
  }
}

TEST_CASE("a descent that gives up goes on to lists that are exact") {
  // Normal points that fill their dimensions: no neighbor of a neighbor is likely to be one.
  const Points points = Points::dense(8300, 24, as_floats(normal_values(8300 * 24)));
  const KnnLists exact = knn_lists(points, 4);
  const KnnLists lists = knn_lists(points, 4, {.recall = 0.9999});
  CHECK((lists.report.rounds > 0 && lists.report.recall_sample == 0));
  CHECK((lists.report.used == KnnMethod::blocks && lists.report.recall == 1.0));
  CHECK(lists.neighbors == exact.neighbors);
  CHECK(lists.distances == exact.distances);
}

TEST_CASE("where neighbors of neighbors give out, some blocks meet all others") {
  const Points points = Points::dense(8300, 24, as_floats(normal_values(8300 * 24)));
  const KnnLists exact = knn_lists(points, 4);
  for (const double recall : {0.9, 0.99}) {
    const auto by = [&](int threads) {
      RunContext run;
      run.threads = threads;
      return knn_lists(points, 4, {.method = KnnMethod::descent, .recall = recall}, run);
    };
    const KnnLists lists = by(2);
    CAPTURE(lists.report.sentence, lists.report.distances, exact.report.distances);
    const double truth = true_recall(points, lists, exact, Metric::euclidean);
    CHECK((truth >= recall - 3 * lists.report.recall_error && truth < 1.0));
    const KnnLists one = by(1);
    CHECK((one.neighbors == lists.neighbors && one.distances == lists.distances));
  }
}

TEST_CASE("where an exact search is as fast it runs, and says so") {
  const KnnOptions options = {.recall = 0.98};
  const KnnReport few_columns = knn_lists(mixture(3000, 3), 5, options).report;
  CHECK(few_columns.used == KnnMethod::tree);
  const KnnReport few_points = knn_lists(mixture(3000, 30), 5, options).report;
  CHECK(few_points.used == KnnMethod::blocks);
  CHECK(few_points.rounds == 0);
  const KnnReport sparse = knn_lists(without_zeros(100, 3, normal_values(300)), 3, options).report;
  CHECK(sparse.used == KnnMethod::inverted);
  for (const KnnReport& report : {few_columns, few_points, sparse}) {
    CHECK((report.exact() && report.recall == 1.0 && report.recall_sample == 0));
    CHECK_THAT(report.sentence, Catch::EndsWith("exact"));
  }
}

TEST_CASE("an approximate run that is to stop stops") {
  const std::atomic<bool> stop = true;
  RunContext cancelled;
  cancelled.cancel = &stop;
  const auto error = error_of([&] {
    knn_lists(mixture(2000, 16), 3, {.method = KnnMethod::descent, .recall = 0.9}, cancelled);
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
}

}  // namespace
