// Labels that wait, are pushed on or solved for: against dense solves from scratch and against the
// factor.

#include <algorithm>
#include <cmath>

#include "algorithms/online_graph_support.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/online/seminorm.hpp"
#include "online/local_labels.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double tolerance = 1e-6;

// Every value beside the extension solved from scratch, which it is nowhere further from than told,
// and decides as, where that is proved; what is not proved is tied.
void compare_every_value(const Graph& graph, std::int64_t columns, std::uint64_t seed,
                         double of_the_solve = 1e-12) {
  const VertexId n = graph.vertex_count();
  const auto shared = std::make_shared<const Graph>(graph);
  detail::LocalLabels labels(shared, columns, tolerance, on_threads(1));
  Rng rng(seed);
  std::vector<int> shown(static_cast<std::size_t>(n), -1);
  Block y(n, columns);
  for (const VertexId v : shuffled_order(n, seed)) {
    const Block w = extension_from_scratch(graph, shown, y);
    labels.look_at(v);
    for (std::int64_t k = 0; k < columns; ++k) {
      const double off = w(v, k) - labels.value()[static_cast<std::size_t>(k)];
      REQUIRE(off <= labels.above() + of_the_solve);
      REQUIRE(off >= -labels.below() - of_the_solve);
    }
    // A value of −1e-10 or more counts as positive.
    if (columns == 1 && labels.is_proved() && std::abs(w(v, 0)) > std::max(1e-9, of_the_solve))
      REQUIRE((labels.value()[0] >= -1e-10) == (w(v, 0) > 0.0));
    if (!labels.is_proved()) REQUIRE(labels.above() + labels.below() < 1e-6);
    if (rng.uniform() < 0.2) continue;  // its label never comes
    shown[static_cast<std::size_t>(v)] = v;
    std::vector<double> value;
    for (std::int64_t k = 0; k < columns; ++k) value.push_back(rng.uniform() < 0.5 ? -1.0 : 1.0);
    std::ranges::copy(value, y.row(v).begin());
    labels.reveal(v, value);
  }
}

Graph neighbors_in_the_plane(VertexId n) {
  Rng rng(5);
  std::vector<double> xy;
  for (VertexId i = 0; i < 2 * n; ++i) xy.push_back(rng.uniform());
  return knn_graph(Points::dense(n, 2, xy), 6, {}, on_threads(1)).graph;
}

}  // namespace

TEST_CASE("values of local solves are as near to the extension as they say",
          "[seminorm][local_labels]") {
  Rng rng(7);
  compare_every_value(path_graph(40), 1, 1);
  compare_every_value(grid_graph(8, 9), 1, 2);
  compare_every_value(two_cliques(12), 1, 3);
  compare_every_value(random_graph(90, 60, 4, 3), 4, 4);
  compare_every_value(star_graph(30), 3, 5);
  compare_every_value(with_log_uniform_weights(grid_graph(8, 8), 1e-6, 1e6, rng), 1, 6, 1e-7);
}

TEST_CASE("local solves predict as the factor does, and state their error",
          "[seminorm][local_labels]") {
  for (const int classes : {2, 5}) {
    const Graph graph = neighbors_in_the_plane(600);
    const auto factor = SeminormLearner({.engine = SeminormOptions::Engine::factor})
                            .start(vertex_setting(graph, classes), on_threads(1));
    const auto local = SeminormLearner({.engine = SeminormOptions::Engine::local})
                           .start(vertex_setting(graph, classes), on_threads(1));
    Rng rng(classes);
    for (const VertexId v : shuffled_order(600, 3)) {
      const double predicted = factor->predict({.first = v});
      REQUIRE(local->predict({.first = v}) == predicted);
      const double truth = rng.uniform() < 0.8 ? v % classes : predicted;
      factor->update({.value = truth});
      local->update({.value = truth});
    }
    const OnlineReport exact = factor->report(), report = local->report();
    CHECK(report.mistakes == exact.mistakes);
    CHECK(static_cast<double>(report.mistakes) <= *report.bound);
    CHECK(certified(report, "tied") == 0);
    CHECK(certified(report, "energy") == Approx(certified(exact, "energy")).epsilon(1e-5));
    CHECK(certified(report, "solves") <= certified(report, "times_labels_were_taken_in"));
  }
}

TEST_CASE("values that are tied are told apart from those that are not",
          "[seminorm][local_labels]") {
  // 0 − 2 − 1 with labels −1 and +1 at the ends: the middle is 0, which predicts the second class.
  const auto graph = std::make_shared<const Graph>(path_graph(3));
  detail::LocalLabels labels(graph, 1, tolerance, on_threads(1));
  const auto reveal = [&](VertexId v, double y) {
    labels.look_at(v);
    labels.reveal(v, {&y, 1});
  };
  reveal(0, -1.0);
  reveal(2, 1.0);
  labels.look_at(1);
  CHECK(std::abs(labels.value()[0]) < 1e-11);
  CHECK(labels.above() < 2e-11);
  CHECK(labels.below() < 2e-11);
}

TEST_CASE("labels that are foreseen cost nothing and change no class", "[seminorm][local_labels]") {
  // Two cliques of 40 with labels of their own: after one label of each, every other is foreseen.
  const auto graph = std::make_shared<const Graph>(two_cliques(40));
  const auto session = SeminormLearner({.engine = SeminormOptions::Engine::local})
                           .start(vertex_setting(*graph, 2), on_threads(1));
  for (const VertexId v : shuffled_order(80, 4)) {
    session->predict({.first = v});
    session->predict({.first = v});  // an outcome that never came changes nothing
    session->update({.value = v < 40 ? 0.0 : 1.0});
  }
  const OnlineReport report = session->report();
  CHECK(report.mistakes <= 2);
  CHECK(certified(report, "times_labels_were_taken_in") <= 4);
}
