// Calibration by labels that are left out: what it makes of sure and unsure learners.

#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/left_out_calibration.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Two cliques of m with a bridge, and four labels on each; `wrong` of the first are of the other
// class.
LabeledSet labels_on_cliques(VertexId m, int wrong) {
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  for (VertexId v = 0; v < 4; ++v) {
    vertices.push_back(v);
    class_of.push_back(v < wrong ? 1 : 0);
    vertices.push_back(m + v + 1);
    class_of.push_back(1);
  }
  return classes(vertices, class_of, 2);
}

}  // namespace

TEST_CASE("Labels that are left out make harmonic scores of cliques sure", "[left-out]") {
  const Graph graph = two_cliques(12);
  const LabeledSet labeled = labels_on_cliques(12, 0);
  const MadeLearner learner = made("harmonic");
  for (const CalibrationMethod method :
       {CalibrationMethod::temperature, CalibrationMethod::isotonic}) {
    const LeftOutCalibration found =
        calibrate_on_left_out(learner.transductive(), graph, labeled, method, on_threads(1));
    CHECK(found.left_out == 8);
    // All eight were answered right, which is no proof that all others are: nine in ten are, say
    // the prior of ten labels and, of the curve itself, temperature.
    const double own = method == CalibrationMethod::temperature ? 0.9 : 1.0;
    CHECK(found.after.expected_error ==
          Approx(1.0 - 8.0 / 18.0 * own - 10.0 / 18.0 * 0.9).margin(1e-3));
    Fit fit = learner.transductive().fit(graph, labeled, on_threads(1));
    const Fit before = fit;
    apply_calibration(found.calibration, fit);
    CHECK(fit.decision == before.decision);
    CHECK(fit.scores.values == before.scores.values);
    for (std::size_t v = 0; v < fit.confidence.size(); ++v) {
      CHECK(fit.confidence[v] >= 0.0);
      CHECK(fit.confidence[v] <= 1.0);
      if (fit.scores.status[v] == VertexStatus::given) CHECK(fit.confidence[v] == 1.0);
    }
    // Every label that was left out was answered right.
    CHECK(fit.confidence[7] > 0.89);
  }
}

TEST_CASE("Wrong labels make the same scores less sure", "[left-out]") {
  const Graph graph = two_cliques(12);
  const MadeLearner learner = made("harmonic");
  const auto confidence_of = [&](int wrong) {
    const LabeledSet labeled = labels_on_cliques(12, wrong);
    const LeftOutCalibration found = calibrate_on_left_out(
        learner.transductive(), graph, labeled, CalibrationMethod::temperature, on_threads(1));
    Fit fit = learner.transductive().fit(graph, labeled, on_threads(1));
    apply_calibration(found.calibration, fit);
    return fit.confidence[20];
  };
  CHECK(confidence_of(2) < confidence_of(0));
}

TEST_CASE("Calibration refuses what it cannot leave out", "[left-out]") {
  const Graph graph = two_cliques(5);
  const MadeLearner learner = made("harmonic");
  const auto code = [&](const LabeledSet& labeled) {
    return error_of([&] {
             calibrate_on_left_out(learner.transductive(), graph, labeled,
                                   CalibrationMethod::temperature, on_threads(1));
           })
        ->code();
  };
  CHECK(code(LabeledSet::targets({0, 1}, {0.0, 1.0})) == ErrorCode::usage);
  CHECK(code(classes({0, 1, 9}, {0, 0, 1}, 2)) == ErrorCode::bad_data);
  CHECK(code(classes({0, 1}, {0, 0}, 1)) == ErrorCode::bad_data);
}

// Two cliques of 12, and a pair apart whose two labels contradict each other: each of them, left out,
// gets the other's class with certainty.
TEST_CASE("Labels that contradict each other in a small component do not decide for all",
          "[left-out]") {
  std::vector<Edge> edges;
  for (VertexId c = 0; c < 2; ++c)
    for (VertexId a = 0; a < 12; ++a)
      for (VertexId b = a + 1; b < 12; ++b) edges.push_back({12 * c + a, 12 * c + b});
  edges.push_back({11, 12});
  edges.push_back({24, 25});
  const Graph graph = graph_from_edges(26, edges);
  std::vector<VertexId> vertices = {24, 25};
  std::vector<int> class_of = {0, 1};
  for (VertexId v = 0; v < 10; ++v) {
    vertices.insert(vertices.end(), {v, v + 13});
    class_of.insert(class_of.end(), {0, 1});
  }
  const LabeledSet labeled = classes(vertices, class_of, 2);
  const MadeLearner learner = made("harmonic");
  const LeftOutCalibration found = calibrate_on_left_out(
      learner.transductive(), graph, labeled, CalibrationMethod::temperature, on_threads(1));
  Fit fit = learner.transductive().fit(graph, labeled, on_threads(1));
  apply_calibration(found.calibration, fit);
  // 20 of 22 labels that were left out were answered right.
  CHECK(fit.confidence[10] > 0.8);
  CHECK(fit.confidence[10] < 1.0);
}
