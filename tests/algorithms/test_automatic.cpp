// `auto`: which scores it takes, held to refits without a label and to what it is for; and
// decisions that meet given shares, in every learner that promises it.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/stray_shares.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/transductive/automatic.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Blocks of the given sizes: a random graph of 4 edges a vertex inside each, and a few between.
struct Blocks {
  Graph graph;
  std::vector<int> truth;
  std::vector<VertexId> first;  // vertex of each block
};

Blocks make_blocks(const std::vector<VertexId>& sizes, int between, std::uint64_t seed) {
  Blocks blocks;
  std::vector<Edge> edges;
  Rng rng(seed);
  VertexId n = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    blocks.first.push_back(n);
    for (VertexId v = 1; v < sizes[k]; ++v)
      for (int e = 0; e < 4; ++e) {
        const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(v)));
        edges.push_back({n + u, n + v, 1.0});
      }
    blocks.truth.insert(blocks.truth.end(), static_cast<std::size_t>(sizes[k]),
                        static_cast<int>(k));
    n += sizes[k];
  }
  for (int e = 0; e < between; ++e) {
    const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    if (u != v) edges.push_back({std::min(u, v), std::max(u, v), 1.0});
  }
  GraphBuilder builder(n, {.duplicates = DuplicatePolicy::sum});
  for (const Edge& edge : edges) builder.add(edge.u, edge.v, edge.weight);
  blocks.graph = std::move(builder).finish();
  return blocks;
}

// counts[k] labels of block k, spread over it.
LabeledSet labels_of(const Blocks& blocks, const std::vector<VertexId>& sizes,
                     const std::vector<int>& counts) {
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (int i = 0; i < counts[k]; ++i) {
      vertices.push_back(blocks.first[k] + (2 * i + 1) * sizes[k] / (2 * counts[k]));
      class_of.push_back(static_cast<int>(k));
    }
  return classes(std::move(vertices), std::move(class_of), static_cast<int>(counts.size()));
}

double right(const Blocks& blocks, const Fit& fit) {
  double count = 0.0;
  for (std::size_t v = 0; v < blocks.truth.size(); ++v) count += fit.decision[v] == blocks.truth[v];
  return count / static_cast<double>(blocks.truth.size());
}

}  // namespace

TEST_CASE("auto finds both blocks where few or uneven labels make harmonic call all one class") {
  const std::vector<VertexId> sizes{600, 600};
  const Blocks blocks = make_blocks(sizes, 150, 3);
  for (const std::vector<int>& counts : {std::vector<int>{1, 1}, {1, 10}, {10, 1}, {3, 30}}) {
    CAPTURE(counts[0], counts[1]);
    const LabeledSet labeled = labels_of(blocks, sizes, counts);
    const Fit fit = AutomaticLearner().fit(blocks.graph, labeled, {});
    const Fit harmonic = HarmonicLearner().fit(blocks.graph, labeled, {});
    CHECK(fit.report.converged());
    CHECK(right(blocks, fit) > 0.9);
    if (counts[0] != counts[1]) CHECK(right(blocks, harmonic) < 0.8);
    for (const VertexId v : labeled.vertices())
      CHECK(fit.confidence[static_cast<std::size_t>(v)] == 1.0);
  }
}

TEST_CASE("auto leaves harmonic scores alone on small components, one class and real targets") {
  const Graph path = graph_from_edges(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}});
  for (const LabeledSet& labeled :
       {classes({0, 2, 3}, {0, 1, 1}, 2), classes({0}, {0}, 1), classes({1}, {1}, 3),
        LabeledSet::targets({0, 2}, {-1.0, 2.0})}) {
    const Fit fit = AutomaticLearner().fit(path, labeled, {});
    const Fit harmonic = HarmonicLearner().fit(path, labeled, {});
    CHECK(fit.scores.values == harmonic.scores.values);
    CHECK(fit.decision == harmonic.decision);
    CHECK(fit.confidence == harmonic.confidence);
  }
}

TEST_CASE("auto: left-out labels are predicted as by a fit without them") {
  const std::vector<VertexId> sizes{150, 100, 120};
  const Blocks blocks = make_blocks(sizes, 260, 5);
  const LabeledSet labeled = labels_of(blocks, sizes, {12, 10, 11});
  const Fit fit = AutomaticLearner({.tolerance = 1e-12}).fit(blocks.graph, labeled, {});
  const std::vector<double> found = certificate(fit, "left_out").values;
  REQUIRE(found.size() == 2);

  std::vector<double> plain(3, 0.0), massed(3, 0.0), tried(3, 0.0);
  const std::vector<double> shares{11.0, 10.0, 11.0};  // 12 is above the median
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    std::vector<VertexId> vertices = labeled.vertices();
    std::vector<int> class_of = labeled.class_of();
    const auto at = static_cast<std::ptrdiff_t>(i);
    vertices.erase(vertices.begin() + at);
    class_of.erase(class_of.begin() + at);
    const LabeledSet rest = classes(vertices, class_of, 3);
    const Fit without = HarmonicLearner({.tolerance = 1e-12}).fit(blocks.graph, rest, {});
    const VertexId v = labeled.vertices()[i];
    const auto own = static_cast<std::size_t>(labeled.class_of()[i]);
    std::vector<double> mass(3, 0.0);
    for (VertexId u = 0; u < blocks.graph.vertex_count(); ++u)
      if (without.scores.status[static_cast<std::size_t>(u)] == VertexStatus::inferred)
        for (int k = 0; k < 3; ++k)
          mass[static_cast<std::size_t>(k)] += without.scores.values(u, k);
    std::vector<double> score(3), by_mass(3);
    for (std::size_t k = 0; k < 3; ++k) {
      score[k] = without.scores.values(v, static_cast<int>(k));
      by_mass[k] = score[k] * shares[k] / mass[k];
    }
    const auto best = [](const std::vector<double>& x) {
      return static_cast<std::size_t>(std::ranges::max_element(x) - x.begin());
    };
    tried[own] += 1.0;
    plain[own] += best(score) == own;
    massed[own] += best(by_mass) == own;
  }
  double plain_mean = 0.0, massed_mean = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    plain_mean += plain[k] / tried[k] / 3.0;
    massed_mean += massed[k] / tried[k] / 3.0;
  }
  CHECK(std::abs(found[0] - plain_mean) < 1e-12);
  CHECK(std::abs(found[1] - massed_mean) < 1e-12);
}

TEST_CASE("auto that is stopped says so and still has a row for every vertex") {
  const Blocks blocks = make_blocks({300, 300}, 80, 7);
  RunContext run;
  run.deadline = RunContext::Clock::now();
  const LabeledSet labeled = labels_of(blocks, {300, 300}, {12, 12});
  const Fit fit =
      AutomaticLearner({.solver = SolverKind::conjugate_gradient}).fit(blocks.graph, labeled, run);
  CHECK_FALSE(fit.report.converged());
  CHECK(fit.decision.size() == 600);
}

TEST_CASE("given shares are met by the decisions of every learner that promises it") {
  const std::vector<VertexId> sizes{300, 150, 150};
  const Blocks blocks = make_blocks(sizes, 120, 11);
  const LabeledSet labeled = labels_of(blocks, sizes, {3, 20, 3});
  const LearnerRegistry registry = builtin_learners();
  int promised = 0;
  for (const auto* entry : registry.labelers()) {
    const auto& options = entry->options.specs();
    const auto mass = std::ranges::find(options, "mass", &OptionSpec::name);
    const bool automatic = entry->name == "auto";
    if (!automatic && (mass == options.end() || std::ranges::count(mass->choices, "shares") == 0))
      continue;
    ++promised;
    const std::string priors = "priors=0.5;0.25;0.25";
    const Fit fit = registry.make(entry->name + (automatic ? ":" : ":mass=shares,") + priors)
                        .transductive()
                        .fit(blocks.graph, labeled, {});
    CAPTURE(entry->name);
    std::vector<double> count(3, 0.0);
    for (const int decision : fit.decision) count[static_cast<std::size_t>(decision)] += 1.0;
    const std::vector<double> off = certificate(fit, "share_error").values;
    REQUIRE(off.size() == 1);
    CHECK(
        std::abs(off[0] - std::max({std::abs(count[0] / 600 - 0.5), std::abs(count[1] / 600 - 0.25),
                                    std::abs(count[2] / 600 - 0.25)})) < 1e-12);
    // Six vertices; rows that are sure of their class do not move.
    CHECK(off[0] < (entry->name == "modularity-mbo" ? 0.05 : 0.01));
    for (VertexId v = 0; v < 600; ++v) {
      double sum = 0.0;
      for (const double score : fit.scores.values.row(v)) {
        CHECK(score >= 0.0);
        sum += score;
      }
      if (fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::inferred)
        CHECK(std::abs(sum - 1.0) < 1e-9);
    }
  }
  CHECK(promised == 10);
}

TEST_CASE("classes that stray far from the labels are found, and healthy fits have none") {
  const std::vector<VertexId> sizes{600, 600};
  const Blocks blocks = make_blocks(sizes, 150, 3);
  const LabeledSet uneven = labels_of(blocks, sizes, {10, 1});
  Fit fit = AutomaticLearner().fit(blocks.graph, uneven, {});
  CHECK_FALSE(find_stray_shares(fit, uneven));
  for (std::size_t v = 0; v < fit.decision.size(); ++v)
    if (v % 20 != 0) fit.decision[v] = 1;  // 95 % in the class of one label
  const auto stray = find_stray_shares(fit, uneven);
  REQUIRE(stray);
  CHECK(stray->class_of == 1);
  CHECK(stray->decided > 0.9);
  CHECK(std::abs(stray->labeled - 1.0 / 11.0) < 1e-12);
  std::ranges::fill(fit.decision, 0);  // the other way: the class of one label got nothing
  const LabeledSet even = labels_of(blocks, sizes, {1, 1});
  CHECK(find_stray_shares(fit, even));
  const Fit real = HarmonicLearner().fit(blocks.graph, LabeledSet::targets({0, 9}, {0.0, 1.0}), {});
  CHECK_FALSE(find_stray_shares(real, LabeledSet::targets({0, 9}, {0.0, 1.0})));
}

TEST_CASE("shares are met on what can move, and what is left is said") {
  // Component 3-4-5 has one class: only vertices 1 and 2 of the path 0-1-2 … can choose.
  const Graph graph = graph_from_edges(8, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}});
  const LabeledSet labeled = classes({0, 3, 4}, {0, 1, 1}, 2);
  const Fit fit =
      HarmonicLearner({.mass = MassRule::shares, .priors = {0.9, 0.1}}).fit(graph, labeled, {});
  CHECK(fit.decision == std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1});
  CHECK(std::abs(certificate(fit, "share_error").values.at(0) - (0.9 - 3.0 / 8.0)) < 1e-12);
  CHECK_FALSE(fit.report.warnings.empty());
  const Fit none =
      HarmonicLearner({.mass = MassRule::shares, .priors = {0.0, 1.0}}).fit(graph, labeled, {});
  CHECK(none.decision == std::vector<int>{0, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("mass=shares needs priors, as mass=priors does") {
  CHECK(error_of([] { HarmonicLearner({.mass = MassRule::shares}); }));
  CHECK(error_of([] { HarmonicLearner({.mass = MassRule::cmn, .priors = {1.0}}); }));
  const Graph graph = graph_from_edges(2, {{0, 1}});
  CHECK(error_of([&] {
    AutomaticLearner({.priors = {1.0}}).fit(graph, classes({0, 1}, {0, 1}, 2), {});
  }));
}
