// What a fit says of vertices when its work ended before the tolerance.

#include <chrono>
#include <limits>
#include <optional>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/answer/extend.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/label_propagation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "support/unfinished.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Rows: given, sure, close, nothing, unreached.
Fit fit_of_five(Outcome outcome, std::optional<double> error) {
  Fit fit;
  const double values[5][2] = {{1, 0}, {0.8, 0.2}, {0.501, 0.499}, {0, 0}, {0, 0}};
  fit.scores.values = Block(5, 2);
  for (int v = 0; v < 5; ++v)
    for (int k = 0; k < 2; ++k) fit.scores.values(v, k) = values[v][k];
  fit.scores.status = {VertexStatus::given, VertexStatus::inferred, VertexStatus::inferred,
                       VertexStatus::inferred, VertexStatus::unreached};
  fit.decision = fit.scores.decide();
  fit.confidence = fit.scores.confidence();
  fit.report.outcome = outcome;
  fit.report.score_error = error;
  return fit;
}

std::vector<int> decisions(Outcome outcome, std::optional<double> error) {
  Fit fit = fit_of_five(outcome, error);
  detail::mark_unfinished(fit, classes({0}, {0}, 2), detail::GivenLabels::hard);
  for (std::size_t v = 1; v < 4; ++v) {
    CHECK((fit.scores.status[v] == VertexStatus::unfinished) == (fit.decision[v] < 0));
    CHECK((fit.decision[v] >= 0 || fit.confidence[v] == 0.0));
  }
  CHECK(fit.scores.status[0] == VertexStatus::given);
  CHECK(fit.scores.status[4] == VertexStatus::unreached);
  return fit.decision;
}

RunContext late_run() {
  RunContext run = on_threads(2);
  run.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
  return run;
}

}  // namespace

TEST_CASE("a vertex keeps its class where its margin exceeds the estimated error") {
  using Decisions = std::vector<int>;
  CHECK(decisions(Outcome::converged, {}) == Decisions{0, 0, 0, 0, -1});
  for (const Outcome outcome :
       {Outcome::time_limit, Outcome::cancelled, Outcome::iteration_limit, Outcome::breakdown}) {
    CHECK(decisions(outcome, 1e-6) == Decisions{0, 0, 0, -1, -1});
    CHECK(decisions(outcome, 0.005) == Decisions{0, 0, -1, -1, -1});
    CHECK(decisions(outcome, 0.5) == Decisions{0, -1, -1, -1, -1});
  }
  CHECK(decisions(Outcome::time_limit, {}) == Decisions{0, -1, -1, -1, -1});
  CHECK(decisions(Outcome::cancelled, {}) == Decisions{0, -1, -1, -1, -1});
  CHECK(decisions(Outcome::iteration_limit, {}) == Decisions{0, 0, 0, -1, -1});
  CHECK(decisions(Outcome::breakdown, {}) == Decisions{0, 0, 0, -1, -1});
}

TEST_CASE("the error of scores is estimated from what the solver knows") {
  SolveReport report;
  report.relative_residual = 1e-9;
  CHECK_FALSE(detail::estimated_score_error(report));
  report.outcome = Outcome::breakdown;
  CHECK(*detail::estimated_score_error(report) == Approx(1e-5));
  report.error_estimate = 1e-3;
  CHECK(*detail::estimated_score_error(report) == 1e-3);
  report.relative_residual = 0.3;
  CHECK(*detail::estimated_score_error(report) == 0.3);
  report.relative_residual = std::numeric_limits<double>::quiet_NaN();
  report.error_estimate.reset();
  CHECK(*detail::estimated_score_error(report) == 1.0);
}

TEST_CASE("no learner that is out of time decides for a class that it has not found") {
  const Graph graph = grid_graph(60, 60);
  const LabeledSet labeled = classes({0, 3599, 59}, {0, 1, 2}, 3);
  const LearnerRegistry registry = builtin_learners();
  const RunContext run = late_run();
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_transductive || !entry->traits.classification) continue;
    INFO(entry->name);
    const MadeLearner learner = registry.make(entry->name);
    Fit fit;
    const auto error = error_of([&] { fit = learner.transductive().fit(graph, labeled, run); });
    if (error) {
      CHECK(error->code() == ErrorCode::time_limit);
      continue;
    }
    if (fit.report.converged()) continue;  // there was nothing that takes time
    CHECK(fit.report.outcome == Outcome::time_limit);
    std::int64_t unfinished = 0;
    for (std::size_t v = 0; v < fit.decision.size(); ++v)
      unfinished += fit.scores.status[v] == VertexStatus::unfinished && fit.decision[v] == -1 &&
                    fit.confidence[v] == 0.0;
    CHECK(unfinished == graph.vertex_count() - 3);
    for (std::size_t i = 0; i < labeled.size(); ++i)
      CHECK(fit.decision[static_cast<std::size_t>(labeled.vertices()[i])] == labeled.class_of()[i]);
  }
}

TEST_CASE("soft labels that were not solved for are the given ones, without confidence") {
  const Graph graph = grid_graph(60, 60);
  const LabeledSet labeled = classes({0, 3599}, {0, 1}, 2);
  const Fit fit = HarmonicLearner({.soft = 10.0}).fit(graph, labeled, late_run());
  REQUIRE_FALSE(fit.report.converged());
  CHECK((fit.decision[0] == 0 && fit.confidence[0] == 0.0));
  CHECK((fit.decision[3599] == 1 && fit.confidence[3599] == 0.0));
  CHECK(fit.scores.status[0] == VertexStatus::given);
}

// 0 – 1 – … – 99: after ten steps of averaging only ten vertices at each end have heard of a label.
TEST_CASE("steps that are counted decide as far as they got") {
  const Graph path = path_graph(100);
  const LabeledSet labeled = classes({0, 99}, {0, 1}, 2);
  const Fit fit = LabelPropagationLearner({.max_iterations = 10}).fit(path, labeled, on_threads(1));
  CHECK(fit.report.outcome == Outcome::iteration_limit);
  for (std::size_t v = 1; v < 99; ++v) {
    const int expected = v <= 10 ? 0 : v >= 89 ? 1 : -1;
    CHECK(fit.decision[v] == expected);
    CHECK((fit.scores.status[v] == VertexStatus::unfinished) == (expected < 0));
  }
}

TEST_CASE("a value of a regression that was not finished is none") {
  const Graph graph = grid_graph(60, 60);
  const LabeledSet labeled = LabeledSet::targets({0, 3599}, {1.0, 3.0});
  const Fit fit = HarmonicLearner().fit(graph, labeled, late_run());
  REQUIRE_FALSE(fit.report.converged());
  CHECK(fit.scores.status[100] == VertexStatus::unfinished);
  CHECK(fit.confidence[100] == 0.0);
  CHECK(fit.scores.status[0] == VertexStatus::given);
}

TEST_CASE("points beside unfinished vertices alone are unfinished") {
  Fit fit = fit_of_five(Outcome::time_limit, {});
  detail::mark_unfinished(fit, classes({0}, {0}, 2), detail::GivenLabels::hard);
  // Neighbors of three points: {unfinished, unreached}, {given, unfinished}, {unreached twice}.
  KnnLists nearest;
  nearest.count = 3;
  nearest.k = 2;
  nearest.neighbors = {1, 4, 0, 1, 4, 4};
  nearest.distances = {1.0, 2.0, 1.0, 2.0, 1.0, 2.0};
  const Fit found = extend(fit, nearest, {}, on_threads(1));
  CHECK(found.scores.status ==
        std::vector{VertexStatus::unfinished, VertexStatus::inferred, VertexStatus::unreached});
  CHECK(found.decision == std::vector<int>{-1, 0, -1});
}
