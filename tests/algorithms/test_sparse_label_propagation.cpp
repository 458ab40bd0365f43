// Total variation against all cuts of small graphs.

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/sparse_label_propagation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("sparse-label-propagation reaches the least cut of two classes, and its gap says so") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Graph graph = random_graph(12, 12, seed);
    const LabeledSet labeled = classes({0, 5, 11}, {0, 1, 0}, 2);
    const std::vector<std::vector<double>> w = dense_adjacency(graph);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned side = 0; side < (1U << 12U); ++side) {
      if ((side & 1U) != 0 || (side >> 5U & 1U) == 0 || (side >> 11U & 1U) != 0) continue;
      double cut = 0.0;
      for (unsigned u = 0; u < 12; ++u)
        for (unsigned v = u + 1; v < 12; ++v)
          if ((side >> u & 1U) != (side >> v & 1U)) cut += w[u][v];
      least = std::min(least, cut);
    }
    const Fit fit = SparseLabelPropagationLearner({.gap = 1e-6}).fit(graph, labeled, on_threads(2));
    REQUIRE(fit.report.converged());
    const Certificate& variation = fit.report.certificates.at(0);
    const Certificate& gap = fit.report.certificates.at(1);
    REQUIRE(variation.name == "total_variation");
    REQUIRE(gap.name == "duality_gap");
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(variation.values.at(k) >= least * (1.0 - 1e-12));
      CHECK(variation.values.at(k) <= least * (1.0 + 3e-6));
      CHECK(gap.values.at(k) >= -1e-12 * least);
      CHECK(gap.values.at(k) <= 3e-6 * least);
    }
    double measured = 0.0;
    for (VertexId u = 0; u < 12; ++u)
      for (VertexId v = 0; v < u; ++v)
        measured += w[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)] *
                    std::abs(fit.scores.values(u, 0) - fit.scores.values(v, 0));
    CHECK(measured == Approx(variation.values.at(0)));
  }
}

TEST_CASE("sparse-label-propagation stopped early says how far it got") {
  const Fit fit =
      SparseLabelPropagationLearner({.gap = 1e-9, .max_iterations = 3})
          .fit(random_graph(30, 35, 3), classes({1, 8, 14}, {0, 2, 1}, 3), on_threads(1));
  CHECK(fit.report.outcome == Outcome::iteration_limit);
  CHECK(fit.report.iterations == 3);
  double gap = 0.0;
  for (const double value : fit.report.certificates.at(1).values) gap += value;
  CHECK(gap > 0.0);
}

TEST_CASE("sparse-label-propagation gives a component of one class to it, at no variation") {
  const Graph graph = graph_from_edges(7, {{0, 1}, {0, 3}, {0, 5}, {1, 3}, {1, 4}, {2, 6}});
  const Fit fit =
      SparseLabelPropagationLearner().fit(graph, classes({0, 4, 2}, {1, 1, 0}, 2), on_threads(1));
  CHECK(fit.report.converged());
  CHECK(fit.decision == std::vector<int>{1, 1, 0, 1, 1, 1, 0});
  CHECK(fit.report.certificates.at(0).values == std::vector<double>{0.0, 0.0});
  CHECK(fit.report.certificates.at(1).values == std::vector<double>{0.0, 0.0});
}
