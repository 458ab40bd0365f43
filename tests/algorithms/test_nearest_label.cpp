#include <atomic>
#include <cmath>
#include <limits>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/nearest_label.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

double length_of(double weight, EdgeLength length) {
  if (length == EdgeLength::unit) return 1.0;
  return length == EdgeLength::inverse ? 1.0 / weight : weight;
}

// All distances by Floyd and Warshall.
std::vector<std::vector<double>> all_distances(const Graph& graph, EdgeLength length) {
  auto d = dense_adjacency(graph);
  for (std::size_t u = 0; u < d.size(); ++u)
    for (std::size_t v = 0; v < d.size(); ++v) {
      const double w = d[u][v];
      d[u][v] = u == v    ? 0.0
                : w > 0.0 ? length_of(w, length)
                          : std::numeric_limits<double>::infinity();
    }
  for (std::size_t k = 0; k < d.size(); ++k)
    for (std::size_t u = 0; u < d.size(); ++u)
      for (std::size_t v = 0; v < d.size(); ++v) d[u][v] = std::min(d[u][v], d[u][k] + d[k][v]);
  return d;
}

}  // namespace

TEST_CASE("nearest-label scores equal those from all distances, for every edge length") {
  const Graph graph = random_graph(45, 60, 51, 2);
  const LabeledSet given = classes({0, 7, 18, 24, 31}, {0, 1, 2, 1, 0}, 3);
  for (const EdgeLength length : {EdgeLength::inverse, EdgeLength::unit, EdgeLength::weight}) {
    const auto distance = all_distances(graph, length);
    const Fit fit = NearestLabelLearner({.length = length}).fit(graph, given, on_threads(2));
    for (VertexId v = 0; v < 45; ++v) {
      CAPTURE(v);
      std::vector<double> closest(3, std::numeric_limits<double>::infinity());
      for (std::size_t i = 0; i < given.size(); ++i) {
        double& d = closest[static_cast<std::size_t>(given.class_of()[i])];
        d = std::min(
            d,
            distance[static_cast<std::size_t>(v)][static_cast<std::size_t>(given.vertices()[i])]);
      }
      if (fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::given) continue;
      double sum = 0.0;
      for (const double d : closest) sum += 1.0 / d;
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(fit.scores.values(v, static_cast<std::int64_t>(k)) == Approx(1.0 / closest[k] / sum));
    }
  }
}

TEST_CASE("a heavy edge is short by default, and long when lengths are weights") {
  // 0 -10- 1 -1- 2, labels at the ends.
  const Graph path = graph_from_edges(3, {{0, 1, 10.0}, {1, 2, 1.0}});
  const LabeledSet ends = classes({0, 2}, {0, 1}, 2);
  CHECK(NearestLabelLearner().fit(path, ends, on_threads(1)).decision[1] == 0);
  CHECK(NearestLabelLearner({.length = EdgeLength::weight})
            .fit(path, ends, on_threads(1))
            .decision[1] == 1);
}

TEST_CASE("equal distances give equal scores and the lower class") {
  const Graph path = graph_from_edges(3, {{0, 1}, {1, 2}});
  const Fit fit = NearestLabelLearner().fit(path, classes({0, 2}, {1, 0}, 2), on_threads(1));
  CHECK(fit.scores.values(1, 0) == 0.5);
  CHECK(fit.scores.values(1, 1) == 0.5);
  CHECK(fit.decision[1] == 0);
}

TEST_CASE("a regression takes the nearest target, the lower vertex on a tie") {
  const Graph path = graph_from_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const Fit fit =
      NearestLabelLearner().fit(path, LabeledSet::targets({4, 0}, {8.0, -3.0}), on_threads(1));
  const std::vector<double> expected{-3.0, -3.0, -3.0, 8.0, 8.0, 0.0};
  CHECK(std::vector<double>(fit.scores.values.values().begin(), fit.scores.values.values().end()) ==
        expected);
  CHECK(fit.scores.status[5] == VertexStatus::unreached);
}

TEST_CASE("weights at the ends of the double range leave scores finite and vertices reached") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const Graph path = graph_from_edges(5, {{0, 1, tiny}, {1, 2, tiny}, {2, 3, huge}, {3, 4, huge}});
  // Lengths are capped, and beside the cap the short half vanishes: the vertex amid the long half
  // is as far from either label.
  for (const EdgeLength length : {EdgeLength::inverse, EdgeLength::weight}) {
    const Fit fit = NearestLabelLearner({.length = length})
                        .fit(path, classes({0, 4}, {0, 1}, 2), on_threads(1));
    CHECK(fit.decision == (length == EdgeLength::inverse ? std::vector<int>{0, 0, 1, 1, 1}
                                                         : std::vector<int>{0, 0, 0, 0, 1}));
  }
}

TEST_CASE("nearest-label throws when it is cancelled before its distances are final") {
  const Graph graph = random_graph(200000, 1, 52);  // longer than between two looks
  std::atomic<bool> raised{true};
  RunContext run = on_threads(2);
  run.cancel = &raised;
  const auto error = error_of([&] {
    NearestLabelLearner().fit(graph, classes({0, 1}, {0, 1}, 2), run);
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
}

TEST_CASE("a vertex as near to two classes is tied, and sure by their share of it") {
  //  0 ─ 1 ─ 2     5
  //      │         │
  //      3 ─ 4     6       given: 0, 2 and 3 of classes 0, 1, 2; 5 of class 1
  const Graph graph = graph_from_edges(7, {{0, 1}, {1, 2}, {1, 3}, {3, 4}, {5, 6}});
  const LabeledSet given = classes({0, 2, 3, 5}, {0, 1, 2, 1}, 3);
  const Fit fit = NearestLabelLearner().fit(graph, given);
  CHECK(fit.scores.status[1] == VertexStatus::tied);
  CHECK(fit.decision[1] == 0);
  CHECK(fit.confidence[1] == Approx(1.0 / 3.0));
  CHECK(fit.scores.status[4] == VertexStatus::inferred);
  CHECK(fit.scores.status[6] == VertexStatus::inferred);
  // A component with one class alone has no rival.
  CHECK(fit.confidence[6] == 1.0);
}
