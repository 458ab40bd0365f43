// Every registered learner, the example plug-in included, on every small shape: the promises of
// learner.hpp. A tolerance, where there is one, is tightened so that answers compare to 1e-9.

#include <algorithm>
#include <cmath>

#include "algorithms/fixtures.hpp"
#include "algorithms/tested_learners.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double rounding = 1e-9;

LearnerRegistry all_learners() {
  LearnerRegistry registry = tested_learners();
  registry.load_plugin(built_module("gssl_example_plugin"));
  return registry;
}

MadeLearner make_tight(const LearnerRegistry& registry, const LearnerEntry& entry) {
  for (const OptionSpec& spec : entry.options.specs())
    if (spec.name == "tolerance") return registry.make(entry.name + ":tolerance=1e-12");
  return registry.make(entry.name);
}

bool has_label_in_component(const LabeledGraph& problem, const Components& components, VertexId v) {
  return std::any_of(problem.labeled.vertices().begin(), problem.labeled.vertices().end(),
                     [&](VertexId u) {
                       return components.of[static_cast<std::size_t>(u)] ==
                              components.of[static_cast<std::size_t>(v)];
                     });
}

void check_rows(const LabeledGraph& problem, const Fit& fit, bool keeps_given) {
  const VertexId n = problem.graph.vertex_count();
  const Components components = connected_components(problem.graph);
  REQUIRE(fit.scores.values.rows() == n);
  REQUIRE(fit.scores.values.columns() == problem.labeled.class_count());
  REQUIRE(fit.scores.status.size() == static_cast<std::size_t>(n));
  REQUIRE(fit.decision.size() == static_cast<std::size_t>(n));
  REQUIRE(fit.confidence.size() == static_cast<std::size_t>(n));
  const auto& given = problem.labeled.vertices();
  for (VertexId v = 0; v < n; ++v) {
    CAPTURE(v);
    const auto i = static_cast<std::size_t>(v);
    const auto at = std::find(given.begin(), given.end(), v);
    const bool reached = has_label_in_component(problem, components, v);
    const bool tied = fit.scores.status[i] == VertexStatus::tied && reached && at == given.end();
    if (!tied)
      CHECK(fit.scores.status[i] == (at != given.end() ? VertexStatus::given
                                     : reached         ? VertexStatus::inferred
                                                       : VertexStatus::unreached));
    CHECK((!tied || fit.confidence[i] <= 0.5));
    const auto row = fit.scores.values.row(v);
    const bool alone = row.size() < 2 || std::ranges::count(row, std::ranges::max(row)) == 1;
    if (fit.scores.status[i] == VertexStatus::inferred) CHECK(alone);
    double sum = 0.0;
    for (const double score : fit.scores.values.row(v)) {
      CHECK(std::isfinite(score));
      CHECK(score >= 0.0);  // with ≤ 1 the maximum principle of one-hot targets
      CHECK(score <= 1.0);
      sum += score;
    }
    CHECK((sum > 0.0) == reached);
    CHECK((fit.decision[i] >= 0) == reached);
    CHECK(fit.decision[i] < problem.labeled.class_count());
    CHECK(fit.confidence[i] >= 0.0);
    CHECK(fit.confidence[i] <= 1.0);
    CHECK((fit.confidence[i] > 0.0) == reached);
    if (at != given.end() && keeps_given) {
      CHECK(fit.decision[i] ==
            problem.labeled.class_of()[static_cast<std::size_t>(at - given.begin())]);
      CHECK(fit.confidence[i] == 1.0);
    }
  }
}

// Runs body(learner, problem, fit with one thread) over all learners and shapes.
template <class Body>
void for_all(Body&& body) {
  const LearnerRegistry registry = all_learners();
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_transductive || !entry->traits.classification) continue;
    const MadeLearner made = make_tight(registry, *entry);
    for (const LabeledGraph& problem : small_shapes()) {
      CAPTURE(made.spec, problem.name);
      body(made, problem, made.transductive().fit(problem.graph, problem.labeled, on_threads(1)));
    }
  }
}

}  // namespace

TEST_CASE("every learner gives finite scores, right statuses and decisions on every shape") {
  for_all([](const MadeLearner& made, const LabeledGraph& problem, const Fit& fit) {
    check_rows(problem, fit, made.entry->traits.keeps_given);
    CHECK(fit.report.converged());
    CHECK_FALSE(fit.report.used.empty());
    CHECK_FALSE(fit.report.sentence.empty());
  });
}

TEST_CASE("every learner gives the same bytes on one thread and on four") {
  for_all([](const MadeLearner& made, const LabeledGraph& problem, const Fit& fit) {
    const Fit four = made.transductive().fit(problem.graph, problem.labeled, on_threads(4));
    check_rows(problem, four, made.entry->traits.keeps_given);
    if (!made.entry->traits.deterministic) return;
    CHECK(four.scores.values == fit.scores.values);
    CHECK(four.confidence == fit.confidence);
    CHECK(four.decision == fit.decision);
  });
}

TEST_CASE("renaming the vertices permutes the scores of every learner") {
  for_all([](const MadeLearner& made, const LabeledGraph& problem, const Fit& fit) {
    const VertexId n = problem.graph.vertex_count();
    const std::vector<VertexId> to = shuffled_order(n, 5);
    std::vector<VertexId> vertices;
    for (const VertexId v : problem.labeled.vertices())
      vertices.push_back(to[static_cast<std::size_t>(v)]);
    const LabeledSet labeled =
        classes(vertices, problem.labeled.class_of(), problem.labeled.class_count());
    const Fit other = made.transductive().fit(renamed(problem.graph, to), labeled, on_threads(1));
    Block back(n, problem.labeled.class_count());
    for (VertexId v = 0; v < n; ++v)
      std::ranges::copy(other.scores.values.row(to[static_cast<std::size_t>(v)]),
                        back.row(v).begin());
    CHECK(max_difference(back, fit.scores.values) < rounding);
  });
}

TEST_CASE("renaming the classes permutes the columns of every learner") {
  for_all([](const MadeLearner& made, const LabeledGraph& problem, const Fit& fit) {
    const int k = problem.labeled.class_count();
    std::vector<int> reversed;
    for (const int c : problem.labeled.class_of()) reversed.push_back(k - 1 - c);
    const Fit other = made.transductive().fit(
        problem.graph, classes(problem.labeled.vertices(), reversed, k), on_threads(1));
    Block back = other.scores.values;
    for (std::int64_t v = 0; v < back.rows(); ++v) std::ranges::reverse(back.row(v));
    CHECK(max_difference(back, fit.scores.values) < rounding);
  });
}

TEST_CASE("scaling all weights leaves the scores of every learner") {
  for_all([](const MadeLearner& made, const LabeledGraph& problem, const Fit& fit) {
    const Graph scaled = renamed(problem.graph, identity_order(problem.graph.vertex_count()), 1e-7);
    const Fit other = made.transductive().fit(scaled, problem.labeled, on_threads(1));
    CHECK(max_difference(other.scores.values, fit.scores.values) < rounding);
  });
}

TEST_CASE("components do not influence each other in any learner") {
  const LearnerRegistry registry = all_learners();
  const Graph graph = random_graph(60, 60, 11, 2);  // part of v is v mod 2
  const LabeledSet both = classes({0, 10, 20, 1, 31}, {0, 1, 2, 2, 0}, 3);
  const LabeledSet even = classes({0, 10, 20}, {0, 1, 2}, 3);
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_transductive || !entry->traits.classification) continue;
    const MadeLearner made = make_tight(registry, *entry);
    CAPTURE(made.spec);
    const Fit together = made.transductive().fit(graph, both, on_threads(1));
    const Fit alone = made.transductive().fit(graph, even, on_threads(1));
    double difference = 0.0;
    for (VertexId v = 0; v < 60; v += 2)
      for (int k = 0; k < 3; ++k)
        difference = std::max(difference,
                              std::abs(together.scores.values(v, k) - alone.scores.values(v, k)));
    CHECK(difference < rounding);
    CHECK(alone.scores.status[1] == VertexStatus::unreached);
  }
}

TEST_CASE("every learner does a regression within the range of its targets, or refuses it") {
  const LearnerRegistry registry = all_learners();
  const Graph graph = random_graph(30, 20, 3, 2);
  const LabeledSet targets = LabeledSet::targets({0, 8, 14}, {-2.5, 1.0, 4.0});
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_transductive) continue;
    const MadeLearner made = make_tight(registry, *entry);
    CAPTURE(made.spec);
    if (!entry->traits.regression) {
      const auto error = error_of([&] { made.transductive().fit(graph, targets, on_threads(1)); });
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::usage);
      continue;
    }
    const Fit fit = made.transductive().fit(graph, targets, on_threads(1));
    REQUIRE(fit.scores.values.columns() == 1);
    CHECK(fit.scores.values(8, 0) == 1.0);
    for (VertexId v = 0; v < 30; ++v) {
      CHECK(fit.decision[static_cast<std::size_t>(v)] == -1);
      CHECK(fit.scores.values(v, 0) >= -2.5);
      CHECK(fit.scores.values(v, 0) <= 4.0);
      CHECK(fit.confidence[static_cast<std::size_t>(v)] == (v % 2 == 0 ? 1.0 : 0.0));
      if (v % 2 == 1) CHECK(fit.scores.values(v, 0) == 0.0);
    }
  }
}

TEST_CASE("every learner refuses no labels and labels outside the graph") {
  const LearnerRegistry registry = all_learners();
  const Graph graph = graph_from_edges(2, {{0, 1}});
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_transductive) continue;
    const MadeLearner made = registry.make(entry->name);
    CAPTURE(made.spec);
    for (const LabeledSet& wrong : {LabeledSet(), classes({2}, {0}, 1)}) {
      const auto error = error_of([&] { made.transductive().fit(graph, wrong, on_threads(1)); });
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::bad_data);
    }
  }
}
