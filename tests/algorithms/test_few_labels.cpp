// What the learners for few labels are for: one label of each class, where harmonic collapses.

#include <algorithm>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// datasets/digits: 1,797 vertices, 10 classes.
struct Digits {
  Graph graph;
  std::vector<int> truth;
  std::vector<std::vector<VertexId>> members = std::vector<std::vector<VertexId>>(10);

  Digits() {
    for (const auto& row : read_numbers(source_path("datasets/digits/truth.tsv"))) {
      const auto v = static_cast<VertexId>(row.at(0));
      truth.push_back(static_cast<int>(row.at(1)));
      members.at(static_cast<std::size_t>(truth.back())).push_back(v);
    }
    std::vector<Edge> edges;
    for (const auto& row : read_numbers(source_path("datasets/digits/edges.tsv")))
      edges.push_back(
          {static_cast<VertexId>(row.at(0)), static_cast<VertexId>(row.at(1)), row.at(2)});
    graph = graph_from_edges(static_cast<VertexId>(truth.size()), edges);
  }

  // One label of each class.
  LabeledSet draw(std::uint64_t set) const {
    Rng rng(7, set);
    std::vector<VertexId> given;
    for (const auto& list : members)
      given.push_back(list[static_cast<std::size_t>(rng.below(list.size()))]);
    return classes(given, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10);
  }
};

}  // namespace

TEST_CASE("digits at one label per class: harmonic falls behind the learners for few labels",
          "[large]") {
  const Digits digits;
  REQUIRE(digits.truth.size() == 1797);
  const LearnerRegistry registry = builtin_learners();
  constexpr int sets = 8;
  const auto mean_accuracy = [&](const std::string& spec) {
    double sum = 0.0;
    for (int set = 0; set < sets; ++set) {
      const LabeledSet labeled = digits.draw(static_cast<std::uint64_t>(set));
      const Fit fit = registry.make(spec).transductive().fit(digits.graph, labeled, on_threads(1));
      CHECK(fit.report.converged());
      sum += accuracy(fit.decision, digits.truth, identity_order(1797));
    }
    return sum / sets;
  };
  const double harmonic = mean_accuracy("harmonic");
  CAPTURE(harmonic);
  CHECK(harmonic < 0.88);
  for (const std::string better : {"poisson", "poisson-reweighted", "volume-mbo", "poisson-mbo"}) {
    CAPTURE(better);
    CHECK(1.0 - mean_accuracy(better) < 0.75 * (1.0 - harmonic));
  }
}

TEST_CASE("two blocks, one label each: harmonic collapses and the learners for few labels do not") {
  // The label of higher degree takes nearly everything under harmonic; see docs/low_label_rates.md.
  const LearnerRegistry registry = builtin_learners();
  const auto mean_accuracy = [&](const std::string& spec) {
    double sum = 0.0;
    for (std::uint64_t set = 0; set < 6; ++set) {
      Rng rng(set + 1);
      const Graph blocks = stochastic_block_model({600, 600}, 0.04, 0.004, rng);
      std::vector<int> truth(1200, 0);
      std::fill(truth.begin() + 600, truth.end(), 1);
      const auto u = static_cast<VertexId>(rng.below(600));
      const auto v = static_cast<VertexId>(600 + rng.below(600));
      const Fit fit =
          registry.make(spec).transductive().fit(blocks, classes({u, v}, {0, 1}, 2), on_threads(1));
      CHECK(fit.report.converged());
      sum += accuracy(fit.decision, truth, identity_order(1200)) / 6.0;
    }
    return sum;
  };
  CHECK(mean_accuracy("harmonic") < 0.65);
  for (const std::string better : {"poisson", "poisson-reweighted", "poisson-mbo", "random-walk",
                                   "volume-mbo", "modularity-mbo", "cut-ssl:iterations=20"}) {
    CAPTURE(better);
    CHECK(mean_accuracy(better) > 0.9);
  }
}

TEST_CASE("poisson-reweighted lets classes count alike where one has most of the labels") {
  const LearnerRegistry registry = builtin_learners();
  Rng rng(5);
  const Graph blocks = stochastic_block_model({300, 300}, 0.06, 0.006, rng);
  std::vector<int> truth(600, 0);
  std::fill(truth.begin() + 300, truth.end(), 1);
  std::vector<VertexId> given;
  std::vector<int> class_of;
  for (VertexId v = 0; v < 30; ++v) {
    given.push_back(v);
    class_of.push_back(0);
  }
  given.push_back(599);
  class_of.push_back(1);
  const LabeledSet labeled = classes(given, class_of, 2);
  const auto fit_by = [&](const std::string& spec) {
    return registry.make(spec).transductive().fit(blocks, labeled, on_threads(1));
  };
  const auto right = [&](const Fit& fit) {
    return accuracy(fit.decision, truth, identity_order(600));
  };
  const Fit by_labels = fit_by("poisson-reweighted");
  const Fit by_classes = fit_by("poisson-reweighted:sources=classes");
  CHECK(std::ranges::any_of(by_labels.report.warnings, [](const std::string& warning) {
    return warning.find("sources=classes") != std::string::npos;
  }));
  CHECK(by_classes.report.warnings.empty());
  CHECK(right(by_classes) > right(by_labels) + 0.2);
  CHECK(right(by_classes) > 0.8);
}
