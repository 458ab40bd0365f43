// Fits from what label sets of one graph share are those made apart.

#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/shared_graph.hpp"
#include "support/catch.hpp"
#include "support/costs_in_use.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Enough columns that a factor always pays.
constexpr double many = 1e9;

SharedGraphOptions of_all(const Graph& graph) {
  return {.labeled = identity_order(graph.vertex_count()), .columns = many};
}

void check_same(const MadeLearner& learner, const SharedGraph& shared, const LabeledSet& labeled) {
  const auto* sharing = learner.as<SharingLearner>();
  REQUIRE(sharing != nullptr);
  const std::optional<Fit> fit = sharing->fit_on(shared, labeled, on_threads(1));
  REQUIRE(fit);
  const Fit apart = learner.transductive().fit(shared.graph(), labeled, on_threads(1));
  CHECK(fit->decision == apart.decision);
  CHECK(fit->scores.status == apart.scores.status);
  CHECK(max_difference(fit->scores.values, apart.scores.values) < 1e-7);
  for (std::size_t v = 0; v < apart.confidence.size(); ++v)
    CHECK(std::abs(fit->confidence[v] - apart.confidence[v]) < 1e-7);
  CHECK(fit->report.certificates.size() == apart.report.certificates.size());
}

const char* const specs[] = {"harmonic",
                             "harmonic:mass=cmn",
                             "harmonic:soft=10",
                             "poisson",
                             "poisson:mass=priors,priors=0.2;0.5;0.3",
                             "local-global",
                             "local-global:alpha=0.5",
                             "auto"};

}  // namespace

TEST_CASE("fits that share a factor are fits made apart", "[shared-graph]") {
  const Graph graph = random_graph(120, 400, 5);
  const SharedGraph shared(graph, of_all(graph), on_threads(1));
  REQUIRE(shared.potentials() != nullptr);
  Rng rng(3, 0);
  for (const int each : {1, 4, 12}) {
    std::vector<VertexId> order = identity_order(120);
    shuffle(order, rng);
    std::vector<VertexId> vertices(order.begin(), order.begin() + 3 * each);
    std::vector<int> class_of;
    for (int i = 0; i < 3 * each; ++i) class_of.push_back(i % 3);
    const LabeledSet labeled = classes(vertices, class_of, 3);
    for (const char* spec : specs) {
      INFO(spec << ", " << each << " labels a class");
      check_same(made(spec), shared, labeled);
    }
  }
}

TEST_CASE("components without labels, with one, and single vertices are shared too",
          "[shared-graph]") {
  // Two cliques of 6 with a bridge, a path of 4, a pair, and a vertex alone.
  std::vector<Edge> edges;
  for (VertexId c = 0; c < 2; ++c)
    for (VertexId a = 0; a < 6; ++a)
      for (VertexId b = a + 1; b < 6; ++b) edges.push_back({6 * c + a, 6 * c + b});
  for (const Edge& edge : {Edge{5, 6}, Edge{12, 13}, Edge{13, 14}, Edge{14, 15}, Edge{16, 17}})
    edges.push_back(edge);
  const Graph graph = graph_from_edges(19, edges);
  const SharedGraph shared(graph, of_all(graph), on_threads(1));
  REQUIRE(shared.potentials() != nullptr);
  // Labels of three classes, so that no vertex is as near to two; of the path one end alone; the
  // vertex alone has one; the pair none.
  const LabeledSet labeled = classes({0, 7, 8, 9, 12, 18}, {0, 1, 1, 2, 1, 0}, 3);
  for (const char* spec : specs) {
    INFO(spec);
    check_same(made(spec), shared, labeled);
  }
}

TEST_CASE("real targets are shared", "[shared-graph]") {
  const Graph graph = random_graph(60, 150, 8);
  const SharedGraph shared(graph, of_all(graph), on_threads(1));
  const LabeledSet labeled = LabeledSet::targets({3, 20, 41}, {-1.0, 2.5, 7.0});
  const MadeLearner learner = made("harmonic");
  const std::optional<Fit> fit =
      learner.as<SharingLearner>()->fit_on(shared, labeled, on_threads(1));
  REQUIRE(fit);
  const Fit apart = learner.transductive().fit(graph, labeled, on_threads(1));
  CHECK(max_difference(fit->scores.values, apart.scores.values) < 1e-7);
}

TEST_CASE("whether sharing pays is asked of the cost model", "[shared-graph]") {
  const Graph graph = random_graph(60, 150, 8);
  const LabeledSet labeled = classes({3, 20, 41}, {0, 1, 1}, 2);
  const auto shares = [&](const SharedGraph& shared) {
    return made("harmonic")
        .as<SharingLearner>()
        ->fit_on(shared, labeled, on_threads(1))
        .has_value();
  };
  const SharedGraph shared(graph, of_all(graph), on_threads(1));
  CHECK(shares(shared));
  {
    const CostsInUse costs({.apart_steps = 0.0});
    CHECK(SharedGraph(graph, of_all(graph), on_threads(1)).potentials() == nullptr);
  }
  const CostsInUse costs({.shared_flops = 0.0});
  CHECK_FALSE(shares(shared));
}

TEST_CASE("what does not pay or was asked for otherwise is not shared", "[shared-graph]") {
  const Graph graph = random_graph(60, 150, 8);
  const LabeledSet labeled = classes({3, 20, 41}, {0, 1, 1}, 2);
  const SharedGraph no_columns(graph, {.labeled = {3, 20, 41}, .columns = 0.0}, on_threads(1));
  CHECK(no_columns.potentials() == nullptr);
  const SharedGraph shared(graph, {.labeled = {3, 20}, .columns = many}, on_threads(1));
  const auto fit_on_shared = [&](const char* spec) {
    return made(spec).as<SharingLearner>()->fit_on(shared, labeled, on_threads(1)).has_value();
  };
  CHECK_FALSE(fit_on_shared("harmonic"));  // vertex 41 was not announced
  CHECK(fit_on_shared("poisson"));         // by a solver that is prepared once
  const SharedGraph all(graph, of_all(graph), on_threads(1));
  CHECK_FALSE(made("harmonic:solver=cg")
                  .as<SharingLearner>()
                  ->fit_on(all, labeled, on_threads(1))
                  .has_value());
  CHECK(made("nearest-label").as<SharingLearner>() == nullptr);
  const MadeLearner learner = made("nearest-label");
  CHECK(fit_on(learner.transductive(), all, labeled, on_threads(1)).decision ==
        learner.transductive().fit(graph, labeled, on_threads(1)).decision);
}

TEST_CASE("shared fits are the same bytes on one thread and on four", "[shared-graph]") {
  const Graph graph = random_graph(700, 2500, 6);
  const LabeledSet labeled = classes({1, 5, 80, 200, 333, 501}, {0, 1, 2, 0, 1, 2}, 3);
  const SharedGraph one(graph, of_all(graph), on_threads(1)),
      four(graph, of_all(graph), on_threads(4));
  for (const char* spec : specs) {
    INFO(spec);
    const auto fit = [&](const SharedGraph& shared, int threads) {
      return made(spec)
          .as<SharingLearner>()
          ->fit_on(shared, labeled, on_threads(threads))
          ->scores.values;
    };
    CHECK(fit(one, 1) == fit(four, 4));
  }
}
