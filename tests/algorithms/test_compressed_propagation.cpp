// Label propagation over compressed rows is label propagation.

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/transductive/compressed_propagation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Two random parts, an unlabelled pair and an isolated vertex.
Graph parts(bool weighted) {
  Rng rng(5);
  std::vector<Edge> edges;
  for (int e = 0; e < 900; ++e) {
    const auto base = static_cast<VertexId>(e % 2 == 0 ? 0 : 100);
    const auto u = static_cast<VertexId>(base + static_cast<VertexId>(rng.below(100)));
    const auto v = static_cast<VertexId>(base + static_cast<VertexId>(rng.below(100)));
    if (u != v) edges.push_back({u, v, weighted ? 0.1 + rng.uniform() : 1.0});
  }
  edges.push_back({200, 201, 2.0});
  return graph_from_edges(203, edges);
}

void check_same(const Fit& a, const Fit& b) {
  CHECK(a.scores.status == b.scores.status);
  CHECK(a.decision == b.decision);
  CHECK(max_difference(a.scores.values, b.scores.values) < 1e-12);
  CHECK(a.report.outcome == b.report.outcome);
  CHECK(a.report.iterations == b.report.iterations);
}

}  // namespace

TEST_CASE("compressed rows give the scores of plain rows", "[compressed]") {
  for (const bool weighted : {false, true}) {
    const Graph graph = parts(weighted);
    const CompressedGraph small = CompressedGraph::of(graph);
    for (const LabeledSet& labeled : {LabeledSet::classes({0, 50, 120, 150}, {"a", "b", "a", "c"}),
                                      LabeledSet::classes({0, 50}, {"a", "a"}),
                                      LabeledSet::targets({0, 50, 120}, {1.0, -3.0, 2.5})}) {
      const LabelPropagationOptions options{.tolerance = 1e-9};
      check_same(propagate_labels(small, labeled, options),
                 LabelPropagationLearner(options).fit(graph, labeled));
    }
  }
}

TEST_CASE("compressed propagation gives the same bytes on any number of threads", "[compressed]") {
  const CompressedGraph graph = CompressedGraph::of(grid_graph(150, 150));
  const LabeledSet labeled = LabeledSet::classes({0, 22499, 75}, {"a", "b", "c"});
  RunContext one, two;
  one.threads = 1;
  two.threads = 2;
  const LabelPropagationOptions options{.max_iterations = 30};
  const Fit a = propagate_labels(graph, labeled, options, one);
  const Fit b = propagate_labels(graph, labeled, options, two);
  CHECK(a.scores.values == b.scores.values);
  CHECK(a.report.relative_residual() == b.report.relative_residual());
  CHECK(a.report.outcome == Outcome::iteration_limit);
}

TEST_CASE("compressed propagation refuses what label propagation refuses", "[compressed]") {
  const CompressedGraph graph = CompressedGraph::of(grid_graph(3, 3));
  CHECK(error_of([&] { propagate_labels(graph, LabeledSet()); }));
  CHECK(error_of([&] { propagate_labels(graph, LabeledSet::classes({9}, {"a"})); }));
  CHECK(error_of(
      [&] { propagate_labels(graph, LabeledSet::classes({0}, {"a"}), {.tolerance = 2.0}); }));
  RunContext late;
  late.deadline = RunContext::Clock::now();
  CHECK(error_of([&] {
          propagate_labels(graph, LabeledSet::classes({0}, {"a"}), {}, late);
        })->code() == ErrorCode::time_limit);
}
