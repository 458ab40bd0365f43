#include <atomic>
#include <set>

#include "gssl/graph/components.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "point_clouds.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

constexpr KnnMethod dense_methods[] = {KnnMethod::tree, KnnMethod::blocks, KnnMethod::projection};
constexpr Metric all_metrics[] = {Metric::euclidean, Metric::cosine, Metric::correlation,
                                  Metric::manhattan};

// Every list is as long as it should be, ascending, without the point itself, each distance is that
// of its pair, and the distances are the smallest there are. Whole-number clouds (exact) must also
// have the very same neighbors; others may swap two that rounding cannot tell apart.
using SlowLists = std::vector<std::vector<SlowNeighbor>>;

SlowLists slow_lists(const Points& points, Metric metric) {
  SlowLists lists;
  for (VertexId i = 0; i < points.rows(); ++i) lists.push_back(slow_neighbors(points, i, metric));
  return lists;
}

void check_lists(const Points& points, const KnnLists& lists, const SlowLists& slow, int k,
                 Metric metric, bool exact) {
  REQUIRE(lists.count == points.rows());
  REQUIRE(lists.k == std::clamp(points.rows() - 1, 0, k));
  int wrong = 0;
  for (VertexId i = 0; i < points.rows(); ++i) {
    std::set<VertexId> seen = {i};
    for (int a = 0; a < lists.k; ++a) {
      const VertexId j = lists.row(i)[static_cast<std::size_t>(a)];
      const double d = lists.distance_row(i)[static_cast<std::size_t>(a)];
      const auto& expected = slow[std::size_t(i)][std::size_t(a)];
      const double tolerance = exact ? 0.0 : 1e-14 + 1e-13 * expected.distance;
      wrong += !seen.insert(j).second;
      wrong += !(std::abs(d - expected.distance) <= tolerance);
      wrong += !(std::abs(d - slow_distance(points, i, j, metric)) <= tolerance);
      wrong += exact && j != expected.id;
      wrong += a > 0 && d < lists.distance_row(i)[static_cast<std::size_t>(a - 1)];
    }
  }
  CHECK(wrong == 0);
}

KnnLists lists_by(const Points& points, int k, Metric metric, KnnMethod method, int threads = 2) {
  RunContext run;
  run.threads = threads;
  return knn_lists(points, k, {.metric = metric, .method = method}, run);
}

TEST_CASE("five points on a bent line have the two nearest neighbors found by hand") {
  //  (−2,0) (−1,−1) (0,0) (1,1) (2,0)
  const Points points = Points::dense(5, 2, std::vector<double>{-2, 0, -1, -1, 0, 0, 1, 1, 2, 0});
  for (const KnnMethod method : dense_methods) {
    const KnnLists lists = lists_by(points, 2, Metric::euclidean, method);
    CHECK(lists.neighbors == std::vector<VertexId>{1, 2, 0, 2, 1, 3, 2, 4, 3, 2});
    CHECK(lists.distances[1] == 2.0);
  }
  const KnnGraph graph = knn_graph(points, 2, {.weights = {.kind = WeightKind::unit}});
  CHECK(graph.graph.edge_count() == 6);
  CHECK(graph.graph.weight(0, 2) == 1.0);
  CHECK(graph.graph.weight(2, 4) == 1.0);
  CHECK(graph.graph.weight(1, 3) == 0.0);
  const KnnGraph mutual =
      knn_graph(points, 2, {.mutual = true, .weights = {.kind = WeightKind::unit}});
  CHECK(mutual.graph.edge_count() == 4);
  CHECK(mutual.graph.weight(0, 2) == 0.0);
}

TEST_CASE("lists of normal points equal brute force in every metric, dimension and method") {
  for (const int d : {1, 2, 3, 8, 20, 128})
    for (const Metric metric : all_metrics) {
      if (d == 1 && (metric == Metric::correlation || metric == Metric::cosine)) continue;
      const VertexId n = d == 128 ? 200 : 400;
      const auto values = normal_values(std::int64_t{n} * d);
      for (const bool as_float : {false, true}) {
        const Points points =
            as_float ? Points::dense(n, d, as_floats(values)) : Points::dense(n, d, values);
        const KnnLists first = lists_by(points, 10, metric, KnnMethod::tree);
        CAPTURE(d, to_string(metric), as_float);
        check_lists(points, first, slow_lists(points, metric), 10, metric, false);
        for (const KnnMethod method : dense_methods) {
          const KnnLists other = lists_by(points, 10, metric, method, 1);
          CHECK(other.neighbors == first.neighbors);
          CHECK(other.distances == first.distances);
        }
      }
    }
}

TEST_CASE("ties go to the lower row number, duplicates and constant columns included") {
  struct Cloud {
    int d;
    std::uint64_t side;
  };
  for (const Cloud& cloud : {Cloud{1, 50}, Cloud{2, 8}, Cloud{3, 4}, Cloud{8, 2}, Cloud{20, 2},
                             Cloud{128, 2}, Cloud{3, 1}})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan}) {
      const VertexId n = 200;
      auto values = grid_values(std::int64_t{n} * cloud.d, cloud.side);
      if (cloud.d > 2)
        for (VertexId i = 0; i < n; ++i) values[static_cast<std::size_t>(i * cloud.d + 1)] = 7.0;
      const Points points = Points::dense(n, cloud.d, values);
      const SlowLists slow = slow_lists(points, metric);
      for (const KnnMethod method : dense_methods)
        for (const int k : {1, 40}) {
          CAPTURE(cloud.d, cloud.side, to_string(metric), to_string(method), k);
          check_lists(points, lists_by(points, k, metric, method), slow, k, metric, true);
        }
      const Points sparse = without_zeros(n, cloud.d, values);
      check_lists(sparse, lists_by(sparse, 10, metric, KnnMethod::automatic), slow, 10, metric,
                  true);
    }
}

TEST_CASE("parallel rows are at cosine distance 0, exactly") {
  Rng rng(23);
  for (const std::int64_t d : {2, 7, 64, 300}) {
    std::vector<double> row, values;
    for (std::int64_t j = 0; j < d; ++j) row.push_back(rng.normal());
    const double factors[] = {1.0, 3.0, 0.1, 1e-7, 12345.678, 1e30};
    for (const double factor : factors)
      for (const double x : row) values.push_back(factor * x);
    for (std::int64_t j = 0; j < d; ++j)
      values.push_back(j == 0 ? -row[0] : row[static_cast<std::size_t>(j)]);
    const KnnLists lists =
        knn_lists(Points::dense(7, d, std::move(values)), 5, {.metric = Metric::cosine});
    for (VertexId v = 0; v < 6; ++v)
      for (int i = 0; i < 5; ++i)
        CHECK(lists.distances[static_cast<std::size_t>(5 * v + i)] == 0.0);
    CHECK(lists.distances[static_cast<std::size_t>(5 * 6)] > 0.0);
  }
}

TEST_CASE("k of n or more gives everyone, and few points are fine") {
  for (const VertexId n : {0, 1, 2, 3, 31, 32, 33, 65})
    for (const int k : {1, 2, 40, 1000})
      for (const KnnMethod method : dense_methods) {
        const Points points = Points::dense(n, 3, normal_values(std::int64_t{n} * 3));
        CAPTURE(n, k, to_string(method));
        const KnnLists lists = lists_by(points, k, Metric::euclidean, method);
        check_lists(points, lists, slow_lists(points, Metric::euclidean), k, Metric::euclidean,
                    false);
        CHECK(lists.report.k_requested == k);
        const KnnGraph graph = knn_graph(points, k, {.search = {.method = method}});
        CHECK(graph.graph.vertex_count() == n);
        if (k >= n) CHECK(graph.graph.edge_count() == std::int64_t{n} * (n - 1) / 2);
      }
  const Points nowhere = Points::dense(40, 0, std::vector<double>{});
  CHECK(knn_lists(nowhere, 3).row(7)[2] == 2);
}

TEST_CASE("points far from the origin, of tiny or huge scale, and with outliers lose no neighbor") {
  const VertexId n = 200;
  for (const int d : {3, 30})
    for (const KnnMethod method : dense_methods)
      for (const Metric metric : {Metric::euclidean, Metric::manhattan})
        for (int kind = 0; kind < 6; ++kind) {
          auto values = normal_values(std::int64_t{n} * d);
          for (double& v : values) {
            if (kind == 0) v += 1e9;
            if (kind == 1) v *= 1e-150;
            if (kind == 2) v *= 1e140;
            if (kind == 5) v *= 1e-310;
          }
          // Sentinels, and pairs of points that only differ far behind the comma.
          if (kind == 3)
            for (VertexId i = 0; i < n; i += 7) values[static_cast<std::size_t>(i * d)] = -1e30;
          if (kind == 4)
            for (VertexId i = 0; i + 1 < n; i += 2)
              for (int c = 0; c < d; ++c)
                values[static_cast<std::size_t>((i + 1) * d + c)] =
                    values[static_cast<std::size_t>(i * d + c)] * (1 + 1e-12 * (c + 1));
          const Points points = Points::dense(n, d, values);
          CAPTURE(d, to_string(method), to_string(metric), kind);
          const KnnLists lists = lists_by(points, 10, metric, method);
          if (kind == 0 || kind == 3 || kind == 4)
            check_lists(points, lists, slow_lists(points, metric), 10, metric, false);
          else
            CHECK((lists.neighbors == lists_by(points, 10, metric, KnnMethod::tree, 1).neighbors));
        }
}

TEST_CASE("a hundred thousand equal points take no square of the time, and tie by row number") {
  const VertexId n = 100000;
  std::vector<double> values(std::size_t(3 * n), 1.0);
  for (VertexId i = 0; i < n; i += 10) values[std::size_t(3 * i)] = i % 20 == 0 ? 2.0 : i;
  const Points points = Points::dense(n, 3, values);
  for (const KnnMethod method : {KnnMethod::tree, KnnMethod::blocks}) {
    const KnnLists lists = lists_by(points, 3, Metric::euclidean, method);
    const auto row = [&](VertexId i) {
      return std::vector<VertexId>(lists.row(i).begin(), lists.row(i).end());
    };
    CHECK(row(1) == std::vector<VertexId>{2, 3, 4});
    CHECK(row(2) == std::vector<VertexId>{1, 3, 4});
    CHECK(row(99999) == std::vector<VertexId>{1, 2, 3});
    CHECK(row(0) == std::vector<VertexId>{20, 40, 60});
    CHECK(row(99980) == std::vector<VertexId>{0, 20, 40});
    CHECK(row(10) == std::vector<VertexId>{0, 20, 40});
    CHECK(row(50010) == std::vector<VertexId>{49990, 50030, 49970});
    CHECK(lists.distance_row(99999)[2] == 0.0);
    CHECK_THAT(lists.report.sentence, Catch::Contains("equal rows"));
  }
}

TEST_CASE("sparse rows have the neighbors of the same rows written out") {
  const VertexId n = 250;
  const int d = 60;
  Rng rng(3);
  std::vector<double> values(static_cast<std::size_t>(n * d));
  for (double& v : values) v = rng.uniform() < 0.1 ? rng.normal() : 0.0;
  for (VertexId i = 0; i < n; ++i) values[static_cast<std::size_t>(i * d + i % d)] = 1.5;
  const Points dense = Points::dense(n, d, values);
  const Points sparse = without_zeros(n, d, values);
  for (const Metric metric : all_metrics) {
    CAPTURE(to_string(metric));
    const KnnLists lists = lists_by(sparse, 7, metric, KnnMethod::automatic);
    CHECK(lists.report.used == KnnMethod::inverted);
    check_lists(dense, lists, slow_lists(dense, metric), 7, metric, false);
    CHECK(lists_by(sparse, 7, metric, KnnMethod::automatic, 1).distances == lists.distances);
  }
}

TEST_CASE("columns without an entry cost nothing, however many there are") {
  // The same rows in columns 0 … 3, and spread over all that an id can number.
  constexpr std::int32_t last = 2147483646;
  const std::vector<std::int64_t> offsets = {0, 2, 3, 5, 6};
  const std::vector<double> values = {1, 2, 3, -1, 4, 2};
  const Points near = Points::sparse(4, 4, offsets, {0, 3, 1, 2, 3, 3}, values);
  const Points far =
      Points::sparse(4, std::int64_t{last} + 1, offsets, {0, last, 7, 1 << 20, last, last}, values);
  for (const Metric metric : {Metric::euclidean, Metric::cosine, Metric::manhattan}) {
    const KnnLists expected = knn_lists(near, 2, {.metric = metric}, {});
    const KnnLists found = knn_lists(far, 2, {.metric = metric}, {});
    CHECK(found.neighbors == expected.neighbors);
    CHECK(found.distances == expected.distances);
  }
  const KnnLists crossed = nearest_points(far, near, 1, Metric::euclidean, {});
  CHECK(crossed.neighbors.size() == 4);
  CHECK(crossed.neighbors[1] == 3);  // 3 at column 1; the least vector is nearest
}

TEST_CASE("nearest points of others equal brute force, dense, sparse and mixed") {
  const VertexId n = 300, m = 70;
  for (const int d : {2, 40}) {
    auto values = grid_values(std::int64_t{n + m} * d, d == 2 ? 9 : 3);
    for (VertexId i = 0; i < n + m; ++i) values[std::size_t(i * d)] += 1.0 + i % 2;  // no zero rows
    if (d == 40) values[std::size_t((n + 3) * d)] = 1e30;                            // an outlier
    const Points both = Points::dense(n + m, d, values);
    const auto cut = values.begin() + std::ptrdiff_t(n) * d;
    const std::vector<double> first(values.begin(), cut), rest(cut, values.end());
    const Points points = Points::dense(n, d, first), queries = Points::dense(m, d, rest);
    const Points floats = Points::dense(m, d, as_floats(rest));
    for (const Metric metric : all_metrics) {
      if (d == 2 && metric == Metric::correlation) continue;
      const KnnLists lists = nearest_points(points, queries, 7, metric);
      CAPTURE(d, to_string(metric));
      REQUIRE((lists.count == m && lists.k == 7));
      int wrong = 0;
      for (VertexId q = 0; q < m; ++q) {
        auto slow = slow_neighbors(both, n + q, metric);
        std::erase_if(slow, [](const SlowNeighbor& neighbor) { return neighbor.id >= n; });
        for (std::size_t a = 0; a < 7; ++a) {
          const double tolerance = 1e-14 + 1e-13 * slow[a].distance;
          wrong += !(std::abs(lists.distance_row(q)[a] - slow[a].distance) <= tolerance);
          if (metric == Metric::euclidean) wrong += lists.row(q)[a] != slow[a].id;
        }
      }
      CHECK(wrong == 0);
      const KnnLists sparse = nearest_points(without_zeros(n, d, first), queries, 7, metric);
      CHECK(sparse.report.used == KnnMethod::inverted);
      for (std::size_t e = 0; e < lists.distances.size(); ++e)
        wrong += !(std::abs(sparse.distances[e] - lists.distances[e]) <=
                   1e-13 * (1 + lists.distances[e]));
      CHECK(wrong == 0);
      if (metric == Metric::euclidean && d == 2)
        CHECK(nearest_points(points, floats, 7, metric).neighbors == lists.neighbors);
    }
    RunContext one;
    one.threads = 1;
    CHECK(nearest_points(points, queries, 7, Metric::euclidean, one).distances ==
          nearest_points(points, queries, 7).distances);
  }
  const Points points = Points::dense(3, 2, std::vector<double>{0, 0, 1, 2, 3, 3});
  CHECK(nearest_points(points, Points::dense(1, 2, std::vector<double>{3, 4}), 9).neighbors ==
        std::vector<VertexId>{2, 1, 0});
  CHECK(nearest_points(points, Points::dense(0, 2, std::vector<double>{}), 2).count == 0);
  CHECK(nearest_points(Points::dense(0, 2, std::vector<double>{}), points, 2).k == 0);
  // A column that the sparse side lacks is 0 there.
  const Points narrow = Points::sparse(1, 1, {0, 1}, {0}, std::vector<double>{3});
  CHECK(nearest_points(points, narrow, 1).distances == std::vector<double>{std::sqrt(8.0)});
  CHECK(error_of([&] {
          nearest_points(points, Points::dense(1, 1, std::vector<double>{0}), 1);
        })->code() == ErrorCode::usage);
}

TEST_CASE("the number of threads does not change a byte") {
  for (const int d : {2, 8, 40}) {
    const VertexId n = 2000;
    const Points points = Points::dense(n, d, as_floats(normal_values(std::int64_t{n} * d)));
    for (const KnnMethod method : dense_methods) {
      const KnnLists one = lists_by(points, 10, Metric::euclidean, method, 1);
      const KnnLists two = lists_by(points, 10, Metric::euclidean, method, 2);
      const KnnLists five = lists_by(points, 10, Metric::euclidean, method, 5);
      CHECK((one.neighbors == two.neighbors && one.distances == two.distances));
      CHECK((one.neighbors == five.neighbors && one.distances == five.distances));
    }
    RunContext single;
    single.threads = 1;
    CHECK(knn_graph(points, 5, {}, single).graph == knn_graph(points, 5).graph);
  }
}

TEST_CASE("the union and mutual graphs join what their definitions say") {
  const VertexId n = 200;
  const int k = 6;
  const Points points = Points::dense(n, 2, grid_values(2 * n, 12));
  const KnnLists lists = knn_lists(points, k);
  for (const bool mutual : {false, true}) {
    const DistanceGraph graph = neighbor_graph(lists, mutual);
    const Graph shape = weigh(graph, {.kind = WeightKind::unit}).graph;
    const auto has = [&](VertexId i, VertexId j) {
      return std::count(lists.row(i).begin(), lists.row(i).end(), j) > 0;
    };
    int wrong = 0;
    for (VertexId i = 0; i < n; ++i)
      for (VertexId j = 0; j < n; ++j) {
        const bool joined = mutual ? has(i, j) && has(j, i) : has(i, j) || has(j, i);
        wrong += (shape.weight(i, j) > 0.0) != joined;
      }
    for (VertexId i = 0; i < n; ++i)
      for (EdgeIndex e = graph.offsets[std::size_t(i)]; e < graph.offsets[std::size_t(i) + 1]; ++e)
        wrong += graph.distances[std::size_t(e)] !=
                 slow_distance(points, i, graph.neighbors[std::size_t(e)], Metric::euclidean);
    CHECK(wrong == 0);
    CHECK(graph.local_scale[7] == lists.distance_row(7).back());
  }
}

TEST_CASE("automatic says what it took and why") {
  const auto used = [](const Points& points) {
    const KnnReport report = knn_lists(points, 3).report;
    CHECK(report.requested == KnnMethod::automatic);
    CHECK_THAT(report.sentence, Catch::Contains(std::string(to_string(report.used))));
    return report.used;
  };
  CHECK(used(Points::dense(100, 3, normal_values(300))) == KnnMethod::tree);
  CHECK(used(Points::dense(100, 64, normal_values(6400))) == KnnMethod::blocks);
  CHECK(used(without_zeros(100, 3, normal_values(300))) == KnnMethod::inverted);
}

TEST_CASE("wrong requests are refused") {
  const auto code = [](auto call) {
    const auto error = error_of(call);
    return error ? exit_status(error->code()) : 0;
  };
  const Points points = Points::dense(3, 2, std::vector<double>{0, 0, 1, 2, 3, 3});
  const Points sparse = Points::sparse(2, 2, {0, 1, 2}, {0, 1}, std::vector<double>{1, 1});
  CHECK(code([&] { knn_lists(points, 0); }) == 64);
  CHECK(code([&] { knn_lists(points, 1, {.method = KnnMethod::inverted}); }) == 64);
  CHECK(code([&] { knn_lists(sparse, 1, {.method = KnnMethod::tree}); }) == 64);
  CHECK(code([&] { knn_lists(points, 1, {.metric = Metric::cosine}); }) == 65);
  CHECK(code([&] { knn_lists(points, 1, {.metric = Metric::correlation}); }) == 65);
  for (const double recall : {0.0, -1.0, 1.5, std::nan("")})
    CHECK(code([&] { knn_lists(points, 1, {.recall = recall}); }) == 64);
  CHECK(code([&] { knn_lists(points, 1, {.method = KnnMethod::descent}); }) == 64);
  CHECK(code([&] { knn_lists(points, 1, {.method = KnnMethod::blocks, .recall = 0.9}); }) == 64);
  CHECK(code([&] { knn_lists(sparse, 1, {.method = KnnMethod::descent, .recall = 0.9}); }) == 64);
  CHECK(code([&] { metric_named("hamming"); }) == 64);
  CHECK(code([&] { knn_method_named("magic"); }) == 64);
  CHECK(metric_named("manhattan") == Metric::manhattan);
  CHECK(knn_method_named("blocks") == KnnMethod::blocks);
  const auto error = error_of([&] { knn_lists(points, 1, {.metric = Metric::cosine}); });
  CHECK_THAT(error->what(), Catch::Contains("row 0 is all zero"));
}

TEST_CASE("a run that is to stop stops") {
  const std::atomic<bool> stop = true;
  RunContext cancelled;
  cancelled.cancel = &stop;
  RunContext late;
  late.deadline = RunContext::Clock::now();
  const Points points = Points::dense(2000, 3, normal_values(6000));
  for (const RunContext* run : {&cancelled, &late})
    for (const KnnMethod method : dense_methods) {
      const auto error = error_of([&] { knn_lists(points, 3, {.method = method}, *run); });
      REQUIRE(error);
      CHECK(error->code() == (run == &late ? ErrorCode::time_limit : ErrorCode::cancelled));
    }
}

}  // namespace
