// poisson-mbo and volume-mbo begin twice and keep the partition that cuts less, each component by
// itself.

#include <algorithm>
#include <vector>

#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/transductive/poisson_mbo.hpp"
#include "gssl/transductive/volume_mbo.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Five loose blocks of 40 vertices, the first of each with a label.
constexpr VertexId block_size = 40;
const std::vector<VertexId> given{0, 40, 80, 120, 160};
const std::vector<int> given_class{0, 1, 2, 3, 4};

Graph loose_blocks(std::uint64_t seed) {
  Rng rng(seed);
  return stochastic_block_model(std::vector<VertexId>(5, block_size), 0.12, 0.03, rng);
}

double cut_of(const Graph& graph, const std::vector<int>& of) {
  double cut = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u > v && of.at(static_cast<std::size_t>(u)) != of.at(static_cast<std::size_t>(v)))
        cut += w;
    });
  return cut;
}

// Both graphs side by side, the second after the first.
Graph side_by_side(const Graph& a, const Graph& b) {
  std::vector<Edge> edges;
  const auto add = [&](const Graph& graph, VertexId shift) {
    for (VertexId v = 0; v < graph.vertex_count(); ++v)
      for (const VertexId u : graph.neighbors(v))
        if (u > v) edges.push_back({v + shift, u + shift});
  };
  add(a, 0);
  add(b, a.vertex_count());
  return graph_from_edges(a.vertex_count() + b.vertex_count(), edges);
}

LabeledSet twice(VertexId shift) {
  std::vector<VertexId> at = given;
  std::vector<int> of = given_class;
  for (std::size_t i = 0; i < given.size(); ++i) {
    at.push_back(given[i] + shift);
    of.push_back(given_class[i]);
  }
  return classes(at, of, 5);
}

}  // namespace

TEMPLATE_TEST_CASE("of two starts the partition that cuts less is kept", "[least-cut]",
                   VolumeMboLearner, PoissonMboLearner) {
  int apart = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Graph graph = loose_blocks(seed);
    const LabeledSet labeled = classes(given, given_class, 5);
    const Fit fit = TestType().fit(graph, labeled, on_threads(1));
    if (std::ranges::count(fit.scores.status, VertexStatus::unreached) > 0) continue;
    const std::vector<double>& cuts = certificate(fit, "start_cuts").values;
    REQUIRE(cuts.size() == 2);
    CHECK(cut_of(graph, fit.decision) == Approx(std::min(cuts[0], cuts[1])));
    apart += cuts[0] != cuts[1];
  }
  CHECK(apart > 5);  // else nothing was chosen
}

TEMPLATE_TEST_CASE("each component keeps the partition that cuts less there", "[least-cut]",
                   VolumeMboLearner, PoissonMboLearner) {
  const LabeledSet one = classes(given, given_class, 5);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const Graph a = loose_blocks(seed), b = loose_blocks(seed + 100);
    const Fit both = TestType().fit(side_by_side(a, b), twice(a.vertex_count()), on_threads(2));
    std::vector<int> alone = TestType().fit(a, one, on_threads(2)).decision;
    const std::vector<int> rest = TestType().fit(b, one, on_threads(2)).decision;
    alone.insert(alone.end(), rest.begin(), rest.end());
    CHECK(both.decision == alone);
  }
}

TEMPLATE_TEST_CASE("with free volumes there is one start", "[least-cut]", VolumeMboLearner,
                   PoissonMboLearner) {
  const Fit fit = TestType({.mass = MassRule::none})
                      .fit(loose_blocks(3), classes(given, given_class, 5), on_threads(1));
  CHECK(std::ranges::none_of(fit.report.certificates,
                             [](const auto& one) { return one.name == "start_cuts"; }));
}
