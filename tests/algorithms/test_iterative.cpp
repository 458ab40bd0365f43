// Label propagation and consensus: both end at the harmonic scores.

#include <atomic>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/transductive/consensus.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/label_propagation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const LabeledSet& given() {
  static const LabeledSet labels = classes({1, 80, 117, 150}, {2, 0, 1, 2}, 3);
  return labels;
}

}  // namespace

TEST_CASE("one step of label propagation on a path moves each label one edge") {
  // 0 - 1 - 2 - 3 with labels at 0 and 3: after one step vertices 1 and 2 are half sure.
  const Graph path = graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}});
  const LabeledSet ends = classes({0, 3}, {0, 1}, 2);
  const Fit one = LabelPropagationLearner({.max_iterations = 1}).fit(path, ends, on_threads(1));
  CHECK(one.report.outcome == Outcome::iteration_limit);
  CHECK(one.report.iterations == 1);
  CHECK(one.scores.values(1, 0) == 0.5);
  CHECK(one.scores.values(1, 1) == 0.0);
  CHECK(one.scores.values(2, 1) == 0.5);
  // b = (1, 0), AX = (2·½, −½): a residual of ½ against a norm of 1.
  CHECK(one.report.relative_residual() == Approx(0.5));
}

TEST_CASE("label propagation ends at the harmonic scores and reports the true residual") {
  const Graph graph = random_graph(200, 500, 41);
  const Fit harmonic = HarmonicLearner().fit(graph, given(), on_threads(1));
  const Fit fit = LabelPropagationLearner({.tolerance = 1e-12}).fit(graph, given(), on_threads(2));
  CHECK(fit.report.converged());
  CHECK(fit.report.relative_residual() < 1e-9);
  CHECK(fit.report.iterations > 10);
  CHECK(max_difference(fit.scores.values, harmonic.scores.values) < 1e-8);
}

TEST_CASE("labels that agree are everywhere at once") {
  const Graph path = path_graph(5000);
  const Fit one = LabelPropagationLearner().fit(path, classes({17}, {0}, 1), on_threads(1));
  CHECK(one.report.converged());
  CHECK(one.report.iterations <= 1);
  CHECK(one.scores.values(4999, 0) == 1.0);
  CHECK(one.report.warnings.size() == 1);
  const LabeledSet twice = LabeledSet::targets({0, 900}, {-2.5, -2.5});
  const Fit constant = LabelPropagationLearner().fit(path, twice, on_threads(1));
  CHECK(constant.report.converged());
  CHECK(constant.scores.values(4999, 0) == Approx(-2.5).epsilon(1e-12));
  CHECK(constant.report.warnings.empty());
}

TEST_CASE("label propagation measures its tolerance against the targets") {
  const Graph graph = random_graph(100, 200, 42);
  const auto steps = [&](double scale) {
    const LabeledSet targets = LabeledSet::targets({0, 50}, {scale, -2.0 * scale});
    return LabelPropagationLearner().fit(graph, targets, on_threads(1)).report.iterations;
  };
  CHECK(steps(1.0) == steps(1024.0));
  const LabeledSet zeros = LabeledSet::targets({0, 50}, {0.0, 0.0});
  CHECK(LabelPropagationLearner().fit(graph, zeros, on_threads(1)).report.converged());
}

TEST_CASE("label propagation stops when it is cancelled or out of time") {
  const Graph graph = random_graph(200, 500, 43);
  std::atomic<bool> raised{true};
  RunContext run = on_threads(1);
  run.cancel = &raised;
  const Fit cancelled = LabelPropagationLearner().fit(graph, given(), run);
  CHECK(cancelled.report.outcome == Outcome::cancelled);
  CHECK(cancelled.report.relative_residual() == Approx(1.0));
  run.cancel = nullptr;
  run.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
  CHECK(LabelPropagationLearner().fit(graph, given(), run).report.outcome == Outcome::time_limit);
}

TEST_CASE("progress is reported while label propagation runs") {
  int calls = 0;
  RunContext run = on_threads(1);
  run.progress = [&](std::string_view, double) { ++calls; };
  const Fit fit =
      LabelPropagationLearner().fit(random_graph(50, 50, 44), classes({0, 9}, {0, 1}, 2), run);
  CHECK(calls == fit.report.iterations);
}

TEST_CASE("consensus in either mode ends at the harmonic scores within its tolerance") {
  const Graph graph = random_graph(200, 500, 45);
  const Fit harmonic = HarmonicLearner().fit(graph, given(), on_threads(1));
  for (const ConsensusMode mode : {ConsensusMode::sequential, ConsensusMode::asynchronous}) {
    for (const int threads : {1, 4}) {
      const ConsensusLearner learner({.mode = mode, .tolerance = 1e-10});
      const Fit fit = learner.fit(graph, given(), on_threads(threads));
      CHECK(fit.report.converged());
      CHECK(fit.report.iterations > 1);  // the relaxation itself, nothing eliminated first
      CHECK(fit.report.relative_residual() <= 1e-10);
      CHECK(max_difference(fit.scores.values, harmonic.scores.values) < 1e-7);
    }
  }
}

TEST_CASE("consensus ends where weights are the smallest numbers there are") {
  const Graph path = graph_from_edges(4, {{0, 1, 5e-324}, {1, 2, 1e-320}, {2, 3, 5e-324}});
  const Fit fit = ConsensusLearner().fit(path, classes({0, 3}, {0, 1}, 2), on_threads(1));
  CHECK(fit.report.converged());
  CHECK(fit.decision == std::vector<int>{0, 0, 1, 1});
}

TEST_CASE("consensus on a long path needs many sweeps and says when it ran out of them") {
  std::vector<Edge> edges;
  for (VertexId v = 0; v + 1 < 100; ++v) edges.push_back({v, v + 1, 1.0});
  const Graph path = graph_from_edges(100, edges);
  const ConsensusLearner learner({.max_iterations = 5});
  const Fit fit = learner.fit(path, classes({0, 99}, {0, 1}, 2), on_threads(1));
  CHECK(fit.report.outcome == Outcome::iteration_limit);
  CHECK(fit.report.iterations == 5);
  CHECK(fit.report.relative_residual() > 1e-8);
}
