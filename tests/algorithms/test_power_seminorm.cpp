// Minimum p-seminorm interpolation online for p < 2: against a fit from scratch, its limit p = 2,
// and its bound.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

#include "algorithms/online_graph_support.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/shortest_paths.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/p_resistance.hpp"
#include "gssl/network/path_cover.hpp"
#include "gssl/online/seminorm.hpp"
#include "gssl/transductive/p_laplacian.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("every prediction for p < 2 is that of a fit from scratch", "[power-seminorm]") {
  for (const int classes : {2, 3}) {
    const VertexId n = 30;
    const Graph graph = random_graph(n, 25, 5, classes - 1);
    const auto session = SeminormLearner({.p = 1.5, .tolerance = 1e-9})
                             .start(vertex_setting(graph, classes), on_threads(1));
    Rng rng(4);
    std::vector<VertexId> shown;
    std::vector<int> class_of;
    for (const VertexId v : shuffled_order(n, 8)) {
      const auto predicted = static_cast<int>(session->predict({.first = v}));
      if (!shown.empty()) {
        const Fit fit = PLaplacianLearner({.p = 1.5, .tolerance = 1e-9})
                            .fit(graph, test::classes(shown, class_of, classes), on_threads(1));
        double best = 0.0;
        for (int k = 0; k < classes; ++k) best = std::max(best, fit.scores.values(v, k));
        REQUIRE(fit.scores.values(v, predicted) >= best - 1e-3);
      }
      if (rng.uniform() < 0.2) continue;  // its label never comes
      shown.push_back(v);
      class_of.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(classes))));
      session->update({.value = static_cast<double>(class_of.back())});
    }
  }
}

TEST_CASE("an exponent next to 2 mistakes what 2 mistakes", "[power-seminorm]") {
  const auto stream = shared_stream("karate", "karate_natural");
  if (!stream) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const auto near =
      SeminormLearner({.p = 1.9999}).start(vertex_setting(stream->graph), on_threads(1));
  CHECK(play(*near, stream->order, stream->label).mistake_trials == std::vector<int>{8, 9, 14, 28});
  const auto low = SeminormLearner({.p = 1.2}).start(vertex_setting(stream->graph), on_threads(1));
  const VertexRun run = play(*low, stream->order, stream->label);
  CHECK(run.report.mistakes <= 6);
  CHECK(static_cast<double>(run.report.mistakes) <= *run.report.bound);
  // The last labeling is that of the stream: 10 edges are cut, each with 2^p.
  CHECK(certified(run.report, "energy") == Approx(10.0 * std::pow(2.0, 1.2)));
}

TEST_CASE("an adversary of p < 2 makes no more mistakes than the bound", "[power-seminorm]") {
  Rng rng(31);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<VertexId>(2 + rng.below(9));
    const Graph graph = random_graph(n, static_cast<int>(rng.below(9)), 500 + round);
    const double p = 1.1 + 0.8 * rng.uniform();
    const auto session = SeminormLearner({.p = p}).start(vertex_setting(graph), on_threads(1));
    const double contrary = rng.uniform();
    for (const VertexId v : shuffled_order(n, 600 + round)) {
      const double predicted = session->predict({.first = v});
      session->update({.value = rng.uniform() < contrary ? 1.0 - predicted : predicted});
    }
    const OnlineReport report = session->report();
    REQUIRE(static_cast<double>(report.mistakes) <= *report.bound);
    // A smooth labeling: the cover bound itself is not above its own k = n.
    const PathCoverBound all = best_path_cover_bound(graph, p, certified(report, "energy"), n);
    REQUIRE(all.bound <= n);
  }
}

TEST_CASE("no two vertices of a ball have a larger p-resistance than the cover says",
          "[power-seminorm]") {
  const Graph graph = random_graph(12, 8, 9);
  for (const double p : {1.3, 1.7, 2.0}) {
    const PathCoverBound one = best_path_cover_bound(graph, p, 1e-6, 1);
    CHECK(one.centers == 1);
    for (VertexId u = 0; u < 12; ++u)
      for (VertexId v = 0; v < u; ++v)
        REQUIRE(p_resistance(graph, u, v, {.p = p}, on_threads(1)).resistance <=
                one.resistance * (1.0 + 1e-6));
  }
  CHECK(error_of([&] { best_path_cover_bound(graph, 2.5, 1.0, 1); })->code() == ErrorCode::usage);
}

// Each center looks at all vertices.
TEST_CASE("a cover is that of whole searches from each center, and takes far fewer steps",
          "[power-seminorm]") {
  Rng rng(12);
  const Graph weighted = with_log_uniform_weights(random_graph(60, 60, 9), 0.01, 100.0, rng);
  const VertexId n = weighted.vertex_count();
  const double energy = 40.0;
  PathCoverBound best{std::numeric_limits<double>::infinity(), 0, 0.0};
  std::vector<double> distance(60, std::numeric_limits<double>::infinity());
  for (int k = 1; k <= n && k < best.bound; ++k) {
    const auto center =
        static_cast<VertexId>(std::ranges::max_element(distance) - distance.begin());
    const ShortestPaths paths = shortest_paths(weighted, {{center}}, EdgeLength::inverse);
    for (std::size_t v = 0; v < distance.size(); ++v)
      distance[v] = std::min(distance[v], paths.distance[v]);
    const double radius = std::ranges::max(distance);
    const double bound = k + 2.0 * radius * energy;
    if (bound < best.bound) best = {bound, k, 2.0 * radius};
  }
  const PathCoverBound found = best_path_cover_bound(weighted, 2.0, energy, n);
  CHECK(found.centers == best.centers);
  CHECK(found.bound == best.bound);
  CHECK(found.resistance == best.resistance);

  // 10,000 centers of a path of as many vertices, each of which sees two.
  std::vector<Edge> edges;
  for (VertexId v = 0; v + 1 < 10'000; ++v) edges.push_back({v, v + 1, 1.0});
  const auto before = std::clock();
  CHECK(best_path_cover_bound(graph_from_edges(10'000, edges), 1.5, 1e6, 10'000).centers == 10'000);
  CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 4.0);
}

TEST_CASE("a saved session of p < 2 goes on with the same bits", "[power-seminorm]") {
  const OnlineSetting setting = vertex_setting(random_graph(25, 25, 3), 2);
  const SeminormLearner learner({.p = 1.4});
  const auto undisturbed = learner.start(setting, on_threads(1));
  auto session = learner.start(setting, on_threads(1));
  for (const VertexId v : shuffled_order(25, 2)) {
    Record record;
    session->save(record);
    session = learner.resume({.graph = setting.graph}, record, on_threads(1));
    REQUIRE(session->predict({.first = v}) == undisturbed->predict({.first = v}));
    session->update({.value = static_cast<double>(v % 2)});
    undisturbed->update({.value = static_cast<double>(v % 2)});
  }
  Record a, b;
  session->save(a);
  undisturbed->save(b);
  CHECK(a.entries() == b.entries());
  CHECK(error_of([] { SeminormLearner({.p = 1.0}); })->code() == ErrorCode::usage);
  CHECK(error_of([] { SeminormLearner({.p = 0.0, .cut = -1.0}); })->code() == ErrorCode::usage);
  CHECK(error_of([] { builtin_learners().make("seminorm:p=best"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { SeminormLearner({.p = 2.1}); })->code() == ErrorCode::usage);
}

TEST_CASE("p=auto is the exponent that the wide diameter of the graph and the cut ask for",
          "[power-seminorm]") {
  const Graph graph = path_graph(40);
  const auto exponent = [](const OnlineReport& report) {
    const auto found = std::ranges::find(report.certificates, "exponent", &Certificate::name);
    return found == report.certificates.end() ? 0.0 : found->values.front();
  };
  std::vector<int> label;
  for (VertexId v = 0; v < 40; ++v) label.push_back(v < 25 ? 0 : 1);
  const std::vector<VertexId> order = shuffled_order(40, 3);
  // One path of 39 edges: c = ln(39/cut), p = c/(c − 1), and 2 where c ≤ 2.
  for (const double cut : {1.0, 3.0, 20.0}) {
    const double c = std::max(2.0, std::log(39.0 / cut));
    const double p = c / (c - 1.0);
    const auto session =
        SeminormLearner({.p = 0.0, .cut = cut}).start(vertex_setting(graph), on_threads(1));
    const VertexRun run = play(*session, order, label);
    CHECK(exponent(run.report) == Approx(p));
    CHECK(static_cast<double>(run.report.mistakes) <= *run.report.bound);
    const auto plain = SeminormLearner({.p = p}).start(vertex_setting(graph), on_threads(1));
    CHECK(play(*plain, order, label).report.mistakes == run.report.mistakes);
    CHECK(exponent(play(*plain, order, label).report) == 0.0);
  }
  const SeminormLearner learner({.p = 0.0});
  const auto half = learner.start(vertex_setting(graph), on_threads(1));
  half->predict({.first = 3});
  half->update({.value = 0});
  Record record;
  half->save(record);
  CHECK(exponent(learner.resume(vertex_setting(graph), record, on_threads(1))->report()) ==
        exponent(half->report()));
  // Above 300 vertices, by the farthest pair.
  const double c = std::log(300.0);
  CHECK(exponent(learner.start(vertex_setting(path_graph(301)), on_threads(1))->report()) ==
        Approx(c / (c - 1.0)));
}
