#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/local_global.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// F = (1−α)(I − αD^-½WD^-½)⁻¹Y in full, by its definition.
Block dense_local_global(const Graph& graph, const LabeledSet& labeled, double alpha) {
  std::vector<std::vector<double>> a = dense_adjacency(graph);
  std::vector<double> degree(a.size(), 0.0);
  for (std::size_t u = 0; u < a.size(); ++u)
    for (const double w : a[u]) degree[u] += w;
  for (std::size_t u = 0; u < a.size(); ++u)
    for (std::size_t v = 0; v < a.size(); ++v) {
      const double s = a[u][v] == 0.0 ? 0.0 : a[u][v] / std::sqrt(degree[u] * degree[v]);
      a[u][v] = (u == v ? 1.0 : 0.0) - alpha * s;
    }
  Block b(graph.vertex_count(), labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i)
    b(labeled.vertices()[i], labeled.class_of()[i]) = 1.0 - alpha;
  return dense_solve(std::move(a), std::move(b));
}

}  // namespace

TEST_CASE("local-global scores equal the formula for any alpha, parts and isolated vertices too") {
  for (const int parts : {1, 3}) {
    const Graph graph = random_graph(50, 70, 31, parts);
    const LabeledSet given = classes({0, 3, 12, 27, 33}, {0, 2, 1, 1, 0}, 3);
    for (const double alpha : {0.01, 0.5, 0.9, 0.99, 0.9999}) {
      CAPTURE(parts, alpha);
      const Fit fit = LocalGlobalLearner({.alpha = alpha}).fit(graph, given, on_threads(2));
      CHECK(fit.report.converged());
      CHECK(max_difference(fit.scores.values, dense_local_global(graph, given, alpha)) < 1e-9);
    }
  }
  const Graph lonely = graph_from_edges(4, {{0, 1}});
  const LabeledSet given = classes({0, 2}, {0, 1}, 2);
  const Fit fit = LocalGlobalLearner({.alpha = 0.25}).fit(lonely, given, on_threads(1));
  CHECK(max_difference(fit.scores.values, dense_local_global(lonely, given, 0.25)) < 1e-12);
  CHECK(fit.decision == std::vector<int>{0, 0, 1, -1});
}

TEST_CASE("two joined vertices share a label as 1 to alpha") {
  // (I − αS)⁻¹ = [1 α; α 1]/(1 − α²), so F = (1, α)/(1 + α).
  const Graph pair = graph_from_edges(2, {{0, 1, 3.0}});
  const Fit fit = LocalGlobalLearner({.alpha = 0.6}).fit(pair, classes({0}, {0}, 1), on_threads(1));
  CHECK(fit.scores.values(0, 0) == Approx(1.0 / 1.6));
  CHECK(fit.scores.values(1, 0) == Approx(0.6 / 1.6));
}

TEST_CASE("a given vertex is outvoted when alpha is near one") {
  const Graph graph = two_cliques(5);
  const LabeledSet given = classes({0, 1, 2, 4, 7, 8, 9}, {0, 0, 0, 1, 1, 1, 1}, 2);
  const Fit fit = LocalGlobalLearner({.alpha = 0.95}).fit(graph, given, on_threads(1));
  CHECK(fit.decision[4] == 0);
  CHECK(fit.scores.status[4] == VertexStatus::given);
  CHECK(fit.confidence[4] < 1.0);
  const Fit stiff = LocalGlobalLearner({.alpha = 0.01}).fit(graph, given, on_threads(1));
  CHECK(stiff.decision[4] == 1);
}
