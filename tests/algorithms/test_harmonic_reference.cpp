// Harmonic and local-global answers against those of scipy in ../shared/reference.

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/local_global.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double equal = 1e-8;

std::string labels_of(const std::string& name) {
  return "data/graphs/" + name + "/plain/" + name + ".labels.txt";
}

std::vector<VertexId> others(VertexId n, const std::vector<VertexId>& given) {
  std::vector<VertexId> rest;
  for (VertexId v = 0; v < n; ++v)
    if (std::find(given.begin(), given.end(), v) == given.end()) rest.push_back(v);
  return rest;
}

// The label file restricted to the largest component.
std::vector<int> component_labels(const std::string& name) {
  const std::vector<int> all = shared_integers(labels_of(name));
  std::vector<int> kept;
  for (const int v : shared_integers("reference/graphs/" + name + ".lcc_ids.txt"))
    kept.push_back(all.at(static_cast<std::size_t>(v)));
  return kept;
}

LabeledSet labels_at(const std::vector<VertexId>& vertices, const std::vector<int>& truth, int k) {
  std::vector<int> class_of;
  for (const VertexId v : vertices) class_of.push_back(truth.at(static_cast<std::size_t>(v)));
  return classes(vertices, class_of, k);
}

// σ of the Gaussian weights of the digits reference (points.json, sigma_mean_kth_distance).
constexpr double digits_sigma = 23.171051160545424;

// Union of the 10 nearest-neighbor lists. Pixels are integers, so d² is the integer nearest to the
// square of the printed distance.
std::optional<Graph> digits_graph() {
  const Block index = shared_block("reference/points/digits.knn10_index.csv");
  const Block distance = shared_block("reference/points/digits.knn10_dist.csv");
  if (index.rows() == 0 || distance.rows() == 0) return std::nullopt;
  std::map<std::pair<VertexId, VertexId>, double> weights;
  for (std::int64_t r = 0; r < index.rows(); ++r)
    for (std::int64_t c = 0; c < index.columns(); ++c) {
      const auto u = static_cast<VertexId>(r);
      const auto v = static_cast<VertexId>(index(r, c));
      const double squared = std::round(distance(r, c) * distance(r, c));
      weights[std::minmax(u, v)] = std::exp(-squared / (2.0 * digits_sigma * digits_sigma));
    }
  std::vector<Edge> edges;
  for (const auto& [pair, weight] : weights) edges.push_back({pair.first, pair.second, weight});
  return graph_from_edges(static_cast<VertexId>(index.rows()), edges);
}

}  // namespace

TEST_CASE("harmonic potentials on karate, dolphins and polblogs equal the reference") {
  struct Case {
    std::string name;
    std::vector<VertexId> positive;
    std::vector<VertexId> negative;
  };
  for (const Case& test : {Case{"karate", {0}, {33}}, Case{"dolphins", {0}, {1}},
                           Case{"polblogs", {586, 587, 588, 589, 590}, {0, 1, 2, 3, 4}}}) {
    const auto graph = shared_largest_component(test.name);
    const Block expected = shared_block("reference/graphs/" + test.name + ".harmonic_pm1.csv");
    if (!graph || expected.rows() == 0) {
      WARN("skipped: ../shared has no " << test.name);
      continue;
    }
    CAPTURE(test.name);
    std::vector<VertexId> vertices = test.positive;
    vertices.insert(vertices.end(), test.negative.begin(), test.negative.end());
    std::vector<double> targets(test.positive.size(), 1.0);
    targets.resize(vertices.size(), -1.0);
    const Fit real = HarmonicLearner().fit(*graph, LabeledSet::targets(vertices, targets), {});
    CHECK(max_difference(real.scores.values, expected) < equal);

    std::vector<int> class_of(test.positive.size(), 1);
    class_of.resize(vertices.size(), 0);
    const Fit two = HarmonicLearner().fit(*graph, classes(vertices, class_of, 2), {});
    Block difference(graph->vertex_count(), 1);
    for (VertexId v = 0; v < graph->vertex_count(); ++v)
      difference(v, 0) = two.scores.values(v, 1) - two.scores.values(v, 0);
    CHECK(max_difference(difference, expected) < equal);
  }
}

TEST_CASE("football: scores, mass rule and local-global equal the reference") {
  const auto graph = shared_largest_component("football");
  const Block expected = shared_block("reference/graphs/football.harmonic_1_per_class_F.csv");
  if (!graph || expected.rows() == 0) {
    WARN("skipped: ../shared has no football");
    return;
  }
  const std::vector<int> truth = component_labels("football");
  const std::vector<VertexId> given{89, 19, 15, 107, 66, 42, 26, 41, 21, 62, 97, 88};
  const LabeledSet labeled = labels_at(given, truth, 12);
  const std::vector<VertexId> test = others(graph->vertex_count(), given);
  const Fit plain = HarmonicLearner().fit(*graph, labeled, {});
  CHECK(max_difference(plain.scores.values, expected) < equal);
  CHECK(accuracy(plain.decision, truth, test) == Approx(0.883495145631068));
  const Fit cmn = HarmonicLearner({.mass = MassRule::cmn}).fit(*graph, labeled, {});
  CHECK(accuracy(cmn.decision, truth, test) == Approx(0.8737864077669902));
  const Fit spread = LocalGlobalLearner().fit(*graph, labeled, {});
  CHECK(accuracy(spread.decision, truth, test) == Approx(0.883495145631068));
}

TEST_CASE("Cora: scores, unreached vertices and accuracies equal the reference") {
  const std::vector<int> truth = shared_integers(labels_of("cora"));
  const auto graph = shared_graph("cora", static_cast<VertexId>(truth.size()));
  const Block expected = shared_block("reference/graphs/cora.harmonic_F.csv");
  if (!graph || expected.rows() == 0) {
    WARN("skipped: ../shared has no cora");
    return;
  }
  const std::vector<int> train = shared_integers("data/graphs/cora/plain/cora.train.txt");
  const std::vector<int> test = shared_integers("data/graphs/cora/plain/cora.test.txt");
  const LabeledSet labeled = labels_at(train, truth, 7);
  const Fit plain = HarmonicLearner().fit(*graph, labeled, {});
  const auto unreached = [&](VertexId v) {
    return plain.scores.status[static_cast<std::size_t>(v)] == VertexStatus::unreached;
  };

  // The reference holds the label frequencies, 1/7 each, where no label is in the component.
  double worst = 0.0;
  bool unreached_agree = true;
  for (VertexId v = 0; v < graph->vertex_count(); ++v) {
    const auto row = expected.row(v);
    const bool flat = std::all_of(row.begin(), row.end(),
                                  [](double x) { return std::abs(x - 1.0 / 7.0) < 1e-12; });
    unreached_agree = unreached_agree && flat == unreached(v);
    if (unreached(v)) continue;
    for (int k = 0; k < 7; ++k)
      worst = std::max(worst, std::abs(plain.scores.values(v, k) - expected(v, k)));
  }
  CHECK(unreached_agree);
  CHECK(worst < equal);

  std::vector<VertexId> reached;
  std::ranges::copy_if(test, std::back_inserter(reached),
                       [&](VertexId v) { return !unreached(v); });
  CHECK(test.size() - reached.size() == 59);
  CHECK(accuracy(plain.decision, truth, reached) == Approx(0.7598299681190224));
  Fit massed = HarmonicLearner({.mass = MassRule::cmn}).fit(*graph, labeled, {});
  // The reference rescales the flat rows too, which puts them in the class of least mass.
  std::vector<double> mass(7, 0.0);
  for (VertexId v = 0; v < graph->vertex_count(); ++v)
    if (plain.scores.status[static_cast<std::size_t>(v)] == VertexStatus::inferred)
      for (int k = 0; k < 7; ++k) mass[static_cast<std::size_t>(k)] += plain.scores.values(v, k);
  const auto lightest = static_cast<int>(std::ranges::min_element(mass) - mass.begin());
  std::ranges::replace(massed.decision, -1, lightest);
  CHECK(accuracy(massed.decision, truth, test) == Approx(0.736));

  // local-global sends what it does not reach to class 0 in the reference.
  for (const auto& [alpha, expected_accuracy] : {std::pair{0.99, 0.689}, std::pair{0.5, 0.681}}) {
    Fit spread = LocalGlobalLearner({.alpha = alpha}).fit(*graph, labeled, {});
    std::ranges::replace(spread.decision, -1, 0);
    CHECK(accuracy(spread.decision, truth, test) == Approx(expected_accuracy));
  }
}

TEST_CASE("digits: scores on the 10-nearest-neighbor graph equal the reference") {
  const auto graph = digits_graph();
  if (!graph) {
    WARN("skipped: ../shared has no digits");
    return;
  }
  CHECK(graph->edge_count() == 12339);
  for (const int per_class : {1, 5}) {
    const std::string count = std::to_string(per_class);
    const auto lists =
        read_numbers(*shared_path("reference/points/digits.labelled_" + count + "_per_class.txt"));
    const Block expected =
        shared_block("reference/points/digits.harmonic_gauss_" + count + "pc_split0_F.csv");
    std::vector<VertexId> given;
    std::vector<int> class_of;
    for (const double v : lists.at(0)) {
      given.push_back(static_cast<VertexId>(v));
      const auto row = expected.row(given.back());  // one-hot at a given vertex
      class_of.push_back(static_cast<int>(std::ranges::max_element(row) - row.begin()));
      CHECK(row[static_cast<std::size_t>(class_of.back())] == 1.0);
    }
    const Fit plain = HarmonicLearner().fit(*graph, classes(given, class_of, 10), {});
    CHECK(max_difference(plain.scores.values, expected) < equal);
  }
}
