// Vertices where two classes have the largest score, to the last bit, in every way to a decision.

#include <numeric>
#include <string>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

Fit fit_by(const std::string& spec, const Graph& graph, const LabeledSet& given) {
  return made(spec).transductive().fit(graph, given, on_threads(1));
}

// A center, vertex 0, and a leaf of each class around it.
LabeledGraph labeled_star(int leaves) {
  std::vector<Edge> edges;
  std::vector<VertexId> vertices;
  std::vector<int> class_of(static_cast<std::size_t>(leaves));
  std::iota(class_of.begin(), class_of.end(), 0);
  for (VertexId v = 1; v <= leaves; ++v) {
    edges.push_back({0, v});
    vertices.push_back(v);
  }
  return {"star", graph_from_edges(leaves + 1, edges), classes(vertices, class_of, leaves)};
}

}  // namespace

TEST_CASE("the center of a star of all classes is tied, however many there are", "[ties]") {
  for (const int leaves : {2, 3, 6, 7, 10, 13, 23, 40, 45}) {
    const LabeledGraph star = labeled_star(leaves);
    for (const char* spec :
         {"harmonic", "harmonic:soft=1", "poisson", "label-propagation", "nearest-label"}) {
      CAPTURE(spec, leaves);
      const Fit fit = fit_by(spec, star.graph, star.labeled);
      CHECK(fit.scores.status[0] == VertexStatus::tied);
      // Soft labels leave rounding in the solved scores: any of the classes may be the first.
      if (std::string(spec) != "harmonic:soft=1") CHECK(fit.decision[0] == 0);
      CHECK(fit.confidence[0] == Approx(1.0 / leaves));
      const Fit bare =
          made(spec).transductive().fit_without_scores(star.graph, star.labeled, on_threads(2));
      CHECK(bare.scores.status == fit.scores.status);
      CHECK(bare.decision == fit.decision);
    }
  }
}

TEST_CASE("the last class of three and more wins no tie that rounding would give it", "[ties]") {
  // A complete graph of which one vertex of each class is given: the others lean to none, and with
  // soft labels, too. Weights that are no powers of two leave rounding in every score.
  for (const int k : {3, 5, 6, 7, 11}) {
    std::vector<Edge> edges;
    for (VertexId u = 0; u < k + 4; ++u)
      for (VertexId v = u + 1; v < k + 4; ++v) edges.push_back({u, v, 0.1});
    const Graph graph = graph_from_edges(k + 4, edges);
    std::vector<VertexId> vertices(static_cast<std::size_t>(k));
    std::iota(vertices.begin(), vertices.end(), 0);
    const LabeledSet given = classes(vertices, {vertices.begin(), vertices.end()}, k);
    const Fit fit = fit_by("harmonic", graph, given);
    int last = 0;
    for (VertexId v = k; v < k + 4; ++v) {
      const auto row = fit.scores.values.row(v);
      CAPTURE(k, v, row[0] - row[row.size() - 1]);
      last += fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::inferred &&
              fit.decision[static_cast<std::size_t>(v)] == k - 1;
      CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1.0).epsilon(1e-14));
    }
    CHECK(last == 0);
  }
}

TEST_CASE("a last class that leads by more than rounding is not tied", "[ties]") {
  // The star of three, with the edge of the last leaf heavier by a millionth of a millionth.
  const Graph star = graph_from_edges(4, {{0, 1, 1.0}, {0, 2, 1.0}, {0, 3, 1.0 + 1e-12}});
  const Fit fit = fit_by("harmonic", star, classes({1, 2, 3}, {0, 1, 2}, 3));
  CHECK(fit.scores.status[0] == VertexStatus::inferred);
  CHECK(fit.decision[0] == 2);
  // Classes of other components leave no rounding, however many there are.
  constexpr int classes_in_all = 40;
  std::vector<Edge> edges = {{0, 1, 1.0}, {0, 2, 1.0}, {0, classes_in_all, 1.0 + 9e-15}};
  std::vector<VertexId> vertices(classes_in_all);
  std::iota(vertices.begin(), vertices.end(), 1);
  std::vector<int> class_of(classes_in_all);
  std::iota(class_of.begin(), class_of.end(), 0);
  const Fit many = fit_by("harmonic", graph_from_edges(classes_in_all + 1, edges),
                          classes(vertices, class_of, classes_in_all));
  CHECK(many.scores.status[0] == VertexStatus::inferred);
  CHECK(many.decision[0] == classes_in_all - 1);
}

TEST_CASE("scores that are rescaled after a tie decide anew", "[ties]") {
  // 0 ─ 1 ─ 2, given at both ends; the middle leans to the class that is said to be larger.
  const Graph path = graph_from_edges(3, {{0, 1}, {1, 2}});
  const LabeledSet given = classes({0, 2}, {0, 1}, 2);
  CHECK(fit_by("harmonic", path, given).scores.status[1] == VertexStatus::tied);
  const Fit leaning = fit_by("harmonic:mass=priors,priors=0.3;0.7", path, given);
  CHECK(leaning.scores.status[1] == VertexStatus::inferred);
  CHECK(leaning.decision[1] == 1);
  const Fit even = fit_by("harmonic:mass=priors,priors=0.5;0.5", path, given);
  CHECK(even.scores.status[1] == VertexStatus::tied);
}

TEST_CASE("one class alone has no rival, and given labels are never tied", "[ties]") {
  const Graph path = graph_from_edges(3, {{0, 1}, {1, 2}});
  const Fit one = fit_by("harmonic", path, classes({0}, {0}, 1));
  CHECK(one.scores.status[1] == VertexStatus::inferred);
  const Fit soft = fit_by("harmonic:soft=1", path, classes({0, 2}, {0, 1}, 2));
  CHECK(soft.scores.status[0] == VertexStatus::given);
  CHECK(soft.scores.status[1] == VertexStatus::tied);
}
