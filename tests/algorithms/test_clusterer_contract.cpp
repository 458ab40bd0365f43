// The promises of clusterer.hpp, held against every registered clusterer.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/contract_support.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tested_learners.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

void for_clusterers(const std::function<void(const LearnerEntry&, const Clusterer&)>& body) {
  static const LearnerRegistry registry = tested_learners();
  for (const LearnerEntry* entry : registry.of_kinds({LearnerKind::clusterer})) {
    const MadeLearner made = registry.make(entry->name);
    INFO(made.spec);
    CHECK(registry.make(made.spec).spec == made.spec);
    body(*entry, made.clusterer());
  }
}

// At most k clusters, each with a vertex, numbered in the order of their first ones.
void check_clusters(const Partition& found, VertexId n, int k) {
  REQUIRE(std::ssize(found.cluster_of) == n);
  int known = 0;
  for (const int cluster : found.cluster_of) {
    REQUIRE(cluster >= 0);
    REQUIRE(cluster <= known);
    known += cluster == known;
  }
  CHECK(found.count == known);
  CHECK(found.count <= k);
}

std::vector<int> counts_of(VertexId n) {
  std::vector<int> counts = {1, 2, 3, static_cast<int>(n)};
  std::erase_if(counts, [&](int k) { return k > n; });
  return counts;
}

}  // namespace

TEST_CASE("Every clusterer: each vertex of each small graph is in a cluster", "[clusterers]") {
  for_clusterers([](const LearnerEntry&, const Clusterer& clusterer) {
    for (const LabeledGraph& problem : small_shapes()) {
      const VertexId n = problem.graph.vertex_count();
      for (const int k : counts_of(n)) {
        INFO(problem.name << ", " << k << " clusters");
        const Partition found = clusterer.cluster(problem.graph, k, on_threads(1));
        check_clusters(found, n, k);
        CHECK(found.report.converged());
        // Fewer than were asked for are told of.
        CHECK((found.count == k || !found.report.warnings.empty()));
        CHECK_FALSE(found.report.used.empty());
        CHECK_FALSE(found.report.sentence.empty());
        check_numbers(found.report);
      }
    }
  });
}

TEST_CASE("Every clusterer: the number it suggests is one that it takes", "[clusterers]") {
  for_clusterers([](const LearnerEntry&, const Clusterer& clusterer) {
    for (const LabeledGraph& problem : small_shapes()) {
      const VertexId n = problem.graph.vertex_count();
      for (const int most : {2, 20}) {
        INFO(problem.name << ", at most " << most);
        const int k = clusterer.suggest_count(problem.graph, most, on_threads(1));
        CHECK(k >= 1);
        CHECK(k <= std::min<int>(most, n));
        check_clusters(clusterer.cluster(problem.graph, k, on_threads(1)), n, k);
      }
    }
  });
}

TEST_CASE("Every clusterer: cliques on a bridge are two clusters, whatever they are called",
          "[clusterers]") {
  constexpr VertexId each = 12;
  const std::vector<VertexId> to = shuffled_order(2 * each, 3);
  for_clusterers([&](const LearnerEntry&, const Clusterer& clusterer) {
    const Partition plain = clusterer.cluster(two_cliques(each), 2, on_threads(1));
    const Partition moved = clusterer.cluster(renamed(two_cliques(each), to), 2, on_threads(1));
    const auto moved_cluster = [&](VertexId v) {
      return moved.cluster_of[static_cast<std::size_t>(to[static_cast<std::size_t>(v)])];
    };
    for (VertexId v = 0; v < 2 * each; ++v) {
      CHECK(plain.cluster_of[static_cast<std::size_t>(v)] == v / each);
      CHECK((moved_cluster(v) == moved_cluster(0)) == (v < each));
    }
  });
}

TEST_CASE("Every clusterer: one thread and two give the same bytes", "[clusterers]") {
  const Graph graph = random_graph(500, 1000, 9);
  for_clusterers([&](const LearnerEntry& entry, const Clusterer& clusterer) {
    if (!entry.traits.deterministic) return;
    const Partition one = clusterer.cluster(graph, 4, on_threads(1));
    const Partition two = clusterer.cluster(graph, 4, on_threads(2));
    CHECK(one.cluster_of == two.cluster_of);
    check_equal_reports(one.report, two.report);
    CHECK(clusterer.suggest_count(graph, 6, on_threads(1)) ==
          clusterer.suggest_count(graph, 6, on_threads(2)));
  });
}

TEST_CASE("Every clusterer: a stopped run says so, or was done before it looked", "[clusterers]") {
  for (const int parts : {1, 3}) {
    const Graph graph = random_graph(200, 300, 4, parts);
    for_clusterers([&](const LearnerEntry&, const Clusterer& clusterer) {
      INFO(parts << " parts");
      const Partition undisturbed = clusterer.cluster(graph, 4, on_threads(1));
      for_stopped_runs([&](const RunContext& run, Outcome ended) {
        const auto error = error_of([&] {
          const Partition found = clusterer.cluster(graph, 4, run);
          check_clusters(found, graph.vertex_count(), 4);
          check_numbers(found.report);
          if (found.report.converged())
            CHECK(found.cluster_of == undisturbed.cluster_of);
          else
            CHECK(found.report.outcome == ended);
        });
        if (error) CHECK(error->code() == code_of(ended));
      });
    });
  }
}

TEST_CASE("Every clusterer: counts that no partition has are refused", "[clusterers]") {
  const Graph graph = random_graph(9, 5, 2);
  for_clusterers([&](const LearnerEntry&, const Clusterer& clusterer) {
    for (const int k : {-1, 0, 10}) {
      INFO(k << " clusters");
      CHECK(refusal_of([&] { clusterer.cluster(graph, k, on_threads(1)); }) == ErrorCode::usage);
    }
    CHECK(refusal_of([&] { clusterer.cluster(Graph(), 1, on_threads(1)); }) == ErrorCode::usage);
    CHECK(refusal_of([&] { clusterer.suggest_count(graph, 1, on_threads(1)); }) ==
          ErrorCode::usage);
  });
}
