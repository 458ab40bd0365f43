// What long learners say while they work: a share of the whole that grows.

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// A label of each class, on every `apart`-th vertex from the first on.
LabeledSet one_of_each(int count, VertexId apart) {
  std::vector<VertexId> given;
  std::vector<int> class_of;
  for (int k = 0; k < count; ++k) {
    given.push_back(apart * k);
    class_of.push_back(k);
  }
  return classes(given, class_of, count);
}

}  // namespace

TEST_CASE("learners that take long on large graphs tell a share that grows", "[progress]") {
  const std::pair<const char*, VertexId> cases[] = {
      {"p-eikonal", 150}, {"volume-mbo", 30}, {"poisson-mbo", 30}};
  for (const auto& [name, side] : cases) {
    const Graph graph = grid_graph(side, side);
    const LabeledSet labeled =
        classes({0, side - 1, side * side / 2, side * side - 1}, {0, 1, 2, 1}, 3);
    const std::string learner = name;
    std::mutex mutex;
    std::vector<double> shares;
    RunContext run = on_threads(2);
    run.progress = [&](std::string_view stage, double share) {
      const std::lock_guard lock(mutex);
      if (stage == learner) shares.push_back(share);
    };
    builtin_learners().make(name).transductive().fit(graph, labeled, run);
    INFO(name);
    REQUIRE(shares.size() >= 3);
    CHECK(std::ranges::is_sorted(shares));
    CHECK(shares.front() >= 0.0);
    CHECK(shares.back() <= 1.0);
    CHECK(shares.back() > shares.front());
  }
}

TEST_CASE("the ordering of a factor is named before it begins", "[progress]") {
  std::vector<std::string> stages;
  RunContext run = on_threads(1);
  run.progress = [&](std::string_view stage, double) { stages.emplace_back(stage); };
  const Graph graph = grid_graph(60, 60);
  builtin_learners()
      .make("harmonic:solver=cholesky")
      .transductive()
      .fit(graph, classes({0, 59}, {0, 1}, 2), run);
  CHECK(std::ranges::find(stages, "ordering") != stages.end());
}

TEST_CASE("resistances of all edges name the ordering and then a share that grows", "[progress]") {
  std::vector<std::string> stages;
  std::vector<double> shares;
  RunContext run = on_threads(1);
  run.progress = [&](std::string_view stage, double share) {
    if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
    if (stage == "resistances") shares.push_back(share);
  };
  edge_resistances(grid_graph(150, 150), {}, run);
  CAPTURE(stages);
  REQUIRE(shares.size() >= 2);
  CHECK(stages.front() == "ordering");
  CHECK(stages.back() == "resistances");
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.back() > shares.front());
  CHECK(shares.back() <= 1.0);
}

// To put the scores of a thousand classes together takes seconds, and they would decide nothing.
TEST_CASE("learners that are stopped with many classes give no scores", "[progress]") {
  const VertexId side = 24;
  const Graph graph = grid_graph(side, side);
  const LabeledSet labeled = one_of_each(60, 9);
  for (const char* method : {"p-laplacian", "p-laplacian:p=inf", "random-walk", "poisson-mbo",
                             "volume-mbo", "min-cut"}) {
    const std::atomic<bool> stop = true;
    RunContext run = on_threads(2);
    run.cancel = &stop;
    INFO(method);
    const auto error =
        error_of([&] { builtin_learners().make(method).transductive().fit(graph, labeled, run); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::cancelled);
  }
}

TEST_CASE("p-laplacian solves many classes in groups as it solves each", "[progress]") {
  const VertexId side = 12;
  const Graph graph = grid_graph(side, side);
  const LabeledSet labeled = one_of_each(45, 3);
  const auto learner = builtin_learners().make("p-laplacian:p=3");
  const Fit all = learner.transductive().fit(graph, labeled, on_threads(2));
  CHECK(all.report.converged());
  for (const int k : {0, 39, 40, 44}) {
    std::vector<double> target(labeled.size(), 0.0);
    target[static_cast<std::size_t>(k)] = 1.0;
    const Fit one = learner.transductive().fit(
        graph, LabeledSet::targets(labeled.vertices(), target), on_threads(1));
    for (VertexId v = 0; v < graph.vertex_count(); ++v)
      CHECK(all.scores.values(v, k) == Approx(one.scores.values(v, 0)).margin(1e-4));
  }
}

// What a class gets depends on its own labels alone, up to the sum that shares are made by.
TEST_CASE("random-walk solves many classes in groups as it solves two", "[progress]") {
  const VertexId side = 12;
  const Graph graph = grid_graph(side, side);
  const LabeledSet labeled = one_of_each(45, 3);
  const auto learner = builtin_learners().make("random-walk");
  const Fit all = learner.transductive().fit(graph, labeled, on_threads(2));
  CHECK(all.report.converged());
  const Fit two =
      learner.transductive().fit(graph, classes({3 * 3, 3 * 44}, {0, 1}, 2), on_threads(1));
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    CHECK(all.scores.values(v, 3) * two.scores.values(v, 1) ==
          Approx(all.scores.values(v, 44) * two.scores.values(v, 0)).margin(1e-9));
}
