// Calibration by left-out labels, redrawn labels and neighbors.

#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/graph_calibration.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Two cliques of m with a bridge, four labels on each; `wrong` of the first are of the other class.
LabeledSet labels_on_cliques(VertexId m, int wrong) {
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  for (VertexId v = 0; v < 4; ++v) {
    vertices.insert(vertices.end(), {v, m + v + 1});
    class_of.insert(class_of.end(), {v < wrong ? 1 : 0, 1});
  }
  return classes(vertices, class_of, 2);
}

// Every step-th vertex, the classes by turns.
LabeledSet labels_by_turns(VertexId n, VertexId step, int class_count) {
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  for (VertexId v = 0; v < n; v += step) {
    vertices.push_back(v);
    class_of.push_back((v / step) % class_count);
  }
  return classes(vertices, class_of, class_count);
}

struct Calibrated {
  GraphCalibration calibration;
  Fit before, after;
};

Calibrated calibrated(const Graph& graph, const LabeledSet& labeled, const std::string& spec,
                      CalibrationMethod method, int threads = 1) {
  const MadeLearner learner = made(spec);
  const RunContext run = on_threads(threads);
  Calibrated found;
  found.before = learner.transductive().fit(graph, labeled, run);
  found.calibration =
      calibrate_on_graph(learner.transductive(), graph, labeled, found.before, method, run);
  found.after = found.before;
  apply_calibration(found.calibration, graph, found.after, threads);
  return found;
}

}  // namespace

TEST_CASE("Where redrawn labels change no answer, all labels left out being right is the bound",
          "[graph-calibration]") {
  const Graph graph = two_cliques(12);
  const Calibrated found =
      calibrated(graph, labels_on_cliques(12, 0), "harmonic", CalibrationMethod::temperature);
  CHECK(found.calibration.left_out.left_out == 8);
  CHECK(found.calibration.redrawn_differ == 0.0);
  CHECK(found.calibration.share_right == Approx(9.0 / 10.0));  // (8 + 1)/(8 + 2)
  CHECK(found.after.decision == found.before.decision);
  CHECK(found.after.scores.values == found.before.scores.values);
  for (std::size_t v = 0; v < found.after.confidence.size(); ++v) {
    CHECK(found.after.confidence[v] <= 1.0);
    const bool given = found.after.scores.status[v] == VertexStatus::given;
    // The ends of the bridge have one neighbor in twelve in the other clique.
    CHECK(found.after.confidence[v] > (given ? 0.999 : 0.8));
  }
}

TEST_CASE("Where answers hang on the choice of the labels, they are less sure",
          "[graph-calibration]") {
  const auto sure = calibrated(two_cliques(12), labels_on_cliques(12, 0), "harmonic",
                               CalibrationMethod::temperature);
  const auto chance = calibrated(random_graph(300, 600, 3), labels_by_turns(300, 10, 2), "harmonic",
                                 CalibrationMethod::temperature);
  CHECK(chance.calibration.redrawn_differ > 0.1);
  CHECK(chance.calibration.share_right < sure.calibration.share_right);
  CHECK(chance.calibration.share_right >= 0.5);
}

// Each probability again by its definition, edge by edge.
TEST_CASE("Probabilities are of own scores, the neighbors, and a vote that knows nothing",
          "[graph-calibration]") {
  const int extra = GENERATE(150, 900);
  const std::string spec = GENERATE(as<std::string>{}, "harmonic", "poisson");
  const VertexId n = 60;
  const Graph graph = random_graph(n, extra, 7);
  const Calibrated found =
      calibrated(graph, labels_by_turns(n, 3, 3), spec, CalibrationMethod::temperature);
  REQUIRE(found.calibration.asks_neighbors());
  const GraphCalibration& c = found.calibration;
  CHECK(c.own >= 0.0);
  CHECK(c.own <= 1.0);
  const Block p = calibrated_probabilities(c, graph, found.before);
  const Block said = calibrated_probabilities(c.left_out.calibration.at_beta(c.beta), found.before);
  double weights = 0.0, entries = 0.0;
  for (VertexId v = 0; v < n; ++v)
    graph.visit_row(v, [&](VertexId, double w) { weights += w, entries += 1.0; });
  const double blank = (1.0 - c.share_right) * weights / entries;
  double mean = 0.0, answered = 0.0;
  for (VertexId v = 0; v < n; ++v) {
    const auto at = static_cast<std::size_t>(v);
    for (int k = 0; k < 3; ++k) {
      double votes = blank / 3.0, all = blank;
      for (VertexId u = 0; u < n; ++u) {
        votes += graph.weight(v, u) * said(u, k);
        all += graph.weight(v, u);
      }
      CHECK(p(v, k) == Approx(c.own * said(v, k) + (1.0 - c.own) * votes / all).margin(1e-12));
    }
    if (found.after.scores.status[at] != VertexStatus::inferred) continue;
    mean += found.after.confidence[at];
    answered += 1.0;
  }
  // As sure on average as answers are right, or less where no steepness reaches that.
  CHECK(mean / answered <= c.share_right + 1e-6);
  if (c.own > 0.0 && c.own < 1.0) CHECK(mean / answered == Approx(c.share_right).margin(1e-6));
}

TEST_CASE("Calibration on a graph has the same bytes at any thread count", "[graph-calibration]") {
  const Graph graph = random_graph(300, 600, 3);
  const LabeledSet labeled = labels_by_turns(300, 10, 2);
  const auto one = calibrated(graph, labeled, "harmonic", CalibrationMethod::temperature, 1);
  const auto four = calibrated(graph, labeled, "harmonic", CalibrationMethod::temperature, 4);
  CHECK(one.calibration.redrawn_differ == four.calibration.redrawn_differ);
  CHECK(one.after.confidence == four.after.confidence);
}

TEST_CASE("Isotonic and Platt's curves do not ask the neighbors", "[graph-calibration]") {
  const Graph graph = two_cliques(12);
  const LabeledSet labeled = labels_on_cliques(12, 1);
  const MadeLearner learner = made("harmonic");
  for (const CalibrationMethod method : {CalibrationMethod::isotonic, CalibrationMethod::platt}) {
    const Calibrated found = calibrated(graph, labeled, "harmonic", method);
    CHECK_FALSE(found.calibration.asks_neighbors());
    Fit alone = found.before;
    apply_calibration(
        calibrate_on_left_out(learner.transductive(), graph, labeled, method, on_threads(1))
            .calibration,
        alone);
    CHECK(found.after.confidence == alone.confidence);
  }
}

TEST_CASE("Where every vertex is given, the curve of the left-out labels decides",
          "[graph-calibration]") {
  const Graph graph = two_cliques(2);
  const LabeledSet labeled = classes({0, 1, 2, 3}, {0, 0, 1, 1}, 2);
  const Calibrated found = calibrated(graph, labeled, "harmonic", CalibrationMethod::temperature);
  CHECK_FALSE(found.calibration.asks_neighbors());
  CHECK(std::isnan(found.calibration.redrawn_differ));
}
