#include <cmath>

#include "gssl/answer/extend.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

// Vertices 0 and 1 given as two classes, 2 inferred half-way, 3 without an answer.
Fit four_vertices() {
  Fit fit;
  fit.scores.values = Block(4, 2);
  fit.scores.values(0, 0) = fit.scores.values(1, 1) = 1.0;
  fit.scores.values(2, 0) = fit.scores.values(2, 1) = 0.5;
  fit.scores.status = {VertexStatus::given, VertexStatus::given, VertexStatus::inferred,
                       VertexStatus::unreached};
  fit.decision = {0, 1, 0, -1};
  return fit;
}

KnnLists one_list(std::vector<VertexId> neighbors, std::vector<double> distances) {
  KnnLists lists;
  lists.count = 1;
  lists.k = static_cast<int>(neighbors.size());
  lists.neighbors = std::move(neighbors);
  lists.distances = std::move(distances);
  return lists;
}

TEST_CASE("a new point has the weighted mean of its neighbors, by each kind of weight") {
  const KnnLists near = one_list({0, 1}, {1.0, 2.0});
  struct Case {
    ExtensionWeights weights;
    double first, second;  // weights by hand
  };
  const std::vector<Case> cases = {
      {{WeightKind::unit, 3.0}, 1.0, 1.0},
      {{WeightKind::gaussian, 0.5}, std::exp(-0.5), std::exp(-2.0)},
      {{WeightKind::exponential, 0.5}, std::exp(-0.5), std::exp(-1.0)},
      {{WeightKind::inverse, 7.0}, 1.0, 0.5},
      // s = 2, that of its last neighbor; t = 4 and, for 0, the smallest positive scale, 3
      {{WeightKind::self_tuning, 1.5, {0.0, 4.0, 3.0, 9.0}},
       std::exp(-1.5 / (2.0 * 3.0)),
       std::exp(-1.5 * 4.0 / (2.0 * 4.0))},
  };
  for (const Case& c : cases) {
    CAPTURE(to_string(c.weights.kind));
    const Fit found = extend(four_vertices(), near, c.weights);
    const double share = c.first / (c.first + c.second);
    CHECK(found.scores.values(0, 0) == Approx(share).epsilon(1e-14));
    CHECK(found.scores.values(0, 1) == Approx(1 - share).epsilon(1e-14));
    const bool tied = c.first == c.second;
    CHECK(found.scores.status == std::vector{tied ? VertexStatus::tied : VertexStatus::inferred});
    CHECK(found.decision == std::vector<int>{0});
    CHECK(found.confidence[0] == Approx(share).epsilon(1e-14));
  }
}

TEST_CASE("neighbors without an answer do not count, and far ones are not lost to underflow") {
  const Fit fit = four_vertices();
  const Fit skipped = extend(fit, one_list({3, 1}, {0.1, 5.0}), {});
  CHECK(skipped.scores.values(0, 1) == 1.0);
  const Fit nothing = extend(fit, one_list({3}, {0.1}), {});
  CHECK(nothing.scores.status == std::vector{VertexStatus::unreached});
  CHECK((nothing.decision[0] == -1 && nothing.confidence[0] == 0.0));
  // exp(−1e6) is 0; only the difference counts.
  const Fit far = extend(fit, one_list({0, 1}, {1000.0, std::sqrt(1e6 + std::log(3.0))}), {});
  CHECK(far.scores.values(0, 0) == Approx(0.75).epsilon(1e-9));
  const Fit same = extend(fit, one_list({1, 2, 0}, {0.0, 0.0, 1.0}), {WeightKind::inverse, 1.0});
  CHECK(same.scores.values(0, 1) == Approx(0.75));
  CHECK(extend(fit, KnnLists{}, {}).scores.status.empty());
}

TEST_CASE("an extension equals the harmonic answer at a vertex that changes no one else") {
  // A new vertex joined to its k nearest is the mean of them; the others do not feel it only if it
  // is left out when they are solved for, which is what is done here: its own equation alone.
  Rng rng(3);
  std::vector<double> values(2 * 120);
  for (double& v : values) v = rng.normal();
  const Points all = Points::dense(120, 2, values);
  const std::vector<double> first(values.begin(), values.begin() + 200);
  const std::vector<double> rest(values.begin() + 200, values.end());
  const Points points = Points::dense(100, 2, first), others = Points::dense(20, 2, rest);
  const KnnGraph graph = knn_graph(points, 8);
  const LabeledSet given = LabeledSet::targets({0, 1, 2}, {1.0, -1.0, 0.25});
  const Fit fit = HarmonicLearner().fit(graph.graph, given, {});
  const KnnLists near = nearest_points(points, others, 8);
  const Fit found = extend(fit, near, {graph.weights.kind, graph.weights.scale});
  for (VertexId q = 0; q < 20; ++q) {
    double flow = 0.0, scale = 0.0;  // Σ w (f(q) − f_j) = 0
    for (std::size_t a = 0; a < 8; ++a) {
      const double d = near.distance_row(q)[a];
      const double w = std::exp(-graph.weights.scale * d * d);
      flow += w * (found.scores.values(q, 0) - fit.scores.values(near.row(q)[a], 0));
      scale += w;
    }
    CHECK(std::abs(flow) < 1e-13 * scale);
    CHECK(found.decision[std::size_t(q)] == -1);
    CHECK(found.confidence[std::size_t(q)] == 1.0);
  }
  RunContext one;
  one.threads = 1;
  CHECK(extend(fit, near, {}, one).scores.values == extend(fit, near, {}).scores.values);
}

TEST_CASE("wrong requests for an extension are refused") {
  const auto refused = [](const KnnLists& lists, const ExtensionWeights& weights) {
    const auto error = test::error_of([&] { extend(four_vertices(), lists, weights); });
    return error && error->code() == ErrorCode::usage;
  };
  const KnnLists near = one_list({0}, {1.0});
  CHECK(refused(one_list({4}, {1.0}), {}));
  CHECK(refused(near, {WeightKind::gaussian, 0.0}));
  CHECK(refused(near, {WeightKind::gaussian, INFINITY}));
  CHECK(refused(near, {WeightKind::self_tuning, 1.0}));
}

}  // namespace
