// The promises of active.hpp, held against every registered criterion.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "algorithms/contract_support.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tested_learners.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/graph/components.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

void for_criteria(const std::function<void(const LearnerEntry&, const AskOptions&)>& body) {
  static const LearnerRegistry registry = tested_learners();
  for (const LearnerEntry* entry : registry.of_kinds({LearnerKind::criterion})) {
    const MadeLearner made = registry.make(entry->name);
    INFO(made.spec);
    body(*entry, made.criterion());
  }
}

Scores harmonic_scores_of(const Graph& graph, const LabeledSet& labeled) {
  return made("harmonic").transductive().fit(graph, labeled, on_threads(1)).scores;
}

// Reached vertices and one of each component without a label; a criterion that reads no scores goes
// on with the others.
std::size_t most_questions(const LabeledGraph& problem, const Scores& scores, bool scored) {
  if (!scored) return scores.status.size() - problem.labeled.size();
  const Components components = connected_components(problem.graph);
  std::set<VertexId> unreached;
  std::size_t reached = 0;
  for (std::size_t v = 0; v < scores.status.size(); ++v) {
    if (scores.status[v] == VertexStatus::unreached)
      unreached.insert(components.of[v]);
    else if (scores.status[v] != VertexStatus::given)
      ++reached;
  }
  return reached + unreached.size();
}

void check_equal_questions(const std::vector<Question>& a, const std::vector<Question>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].vertex == b[i].vertex);
    CHECK(a[i].score == b[i].score);
    CHECK(a[i].unreached == b[i].unreached);
  }
}

}  // namespace

TEST_CASE("Every criterion: asks all that it can of every small graph, and nothing twice",
          "[criteria]") {
  for (const LabeledGraph& problem : small_shapes()) {
    const Scores scores = harmonic_scores_of(problem.graph, problem.labeled);
    const std::vector<VertexId>& labeled = problem.labeled.vertices();
    for_criteria([&](const LearnerEntry&, const AskOptions& options) {
      INFO(problem.name);
      Asker asker(problem.graph, labeled, std::nullopt, options, on_threads(1));
      std::int64_t left = problem.graph.vertex_count() - std::ssize(labeled);
      CHECK(asker.remaining() == left);
      CHECK(asker.next(0, &scores, on_threads(1)).empty());
      std::set<VertexId> known(labeled.begin(), labeled.end());
      for (const int wanted : {1, 100}) {
        const std::vector<Question> asked = asker.next(wanted, &scores, on_threads(1));
        CHECK(std::ssize(asked) <= wanted);
        for (const Question& question : asked) {
          CHECK(known.insert(question.vertex).second);
          REQUIRE(question.vertex >= 0);
          REQUIRE(question.vertex < problem.graph.vertex_count());
          CHECK(std::isfinite(question.score));
        }
        left -= std::ssize(asked);
        CHECK(asker.remaining() == left);
      }
      CHECK(known.size() - labeled.size() ==
            most_questions(problem, scores, uses_scores(options.criterion)));
      CHECK(asker.report().converged());
      check_numbers(asker.report());
    });
  }
}

TEST_CASE("Every criterion: asks candidates alone", "[criteria]") {
  const Graph graph = random_graph(60, 90, 7, 2);
  const LabeledSet labeled = classes({0, 10, 20}, {0, 1, 1}, 2);
  const Scores scores = harmonic_scores_of(graph, labeled);
  const std::vector<VertexId> candidates = {2, 4, 10, 31, 33, 40};  // 10 has its label
  for_criteria([&](const LearnerEntry&, const AskOptions& options) {
    Asker asker(graph, labeled.vertices(), candidates, options, on_threads(1));
    CHECK(asker.remaining() == 5);
    const std::vector<Question> asked = asker.next(3, &scores, on_threads(1));
    CHECK(asked.size() == 3);
    for (const Question& question : asked) {
      CHECK(std::ranges::count(candidates, question.vertex) == 1);
      CHECK(question.vertex != 10);
    }
  });
}

TEST_CASE("Every criterion: one thread and two ask the same", "[criteria]") {
  const Graph graph = random_graph(300, 500, 9, 2);
  const LabeledSet labeled = classes({0, 100, 200}, {0, 1, 1}, 2);
  const Scores scores = harmonic_scores_of(graph, labeled);
  for_criteria([&](const LearnerEntry& entry, const AskOptions& options) {
    if (!entry.traits.deterministic) return;
    const auto asked = [&](int threads) {
      Asker asker(graph, labeled.vertices(), std::nullopt, options, on_threads(threads));
      return asker.next(6, &scores, on_threads(threads));
    };
    check_equal_questions(asked(1), asked(2));
  });
}

TEST_CASE("Every criterion: a stopped run says so, or was done before it looked", "[criteria]") {
  const Graph graph = random_graph(60, 90, 7);
  const LabeledSet labeled = classes({0, 10, 20}, {0, 1, 1}, 2);
  const Scores scores = harmonic_scores_of(graph, labeled);
  for_criteria([&](const LearnerEntry&, const AskOptions& options) {
    Asker undisturbed(graph, labeled.vertices(), std::nullopt, options, on_threads(1));
    const std::vector<Question> all = undisturbed.next(4, &scores, on_threads(1));
    REQUIRE(all.size() == 4);
    for_stopped_runs([&](const RunContext& run, Outcome ended) {
      const auto error = error_of([&] {
        Asker asker(graph, labeled.vertices(), std::nullopt, options, run);
        const std::vector<Question> asked = asker.next(4, &scores, run);
        if (asked.size() == all.size())
          check_equal_questions(asked, all);
        else
          CHECK(asker.report().outcome == ended);
      });
      if (error) CHECK(error->code() == code_of(ended));
    });
  });
}

TEST_CASE("Every criterion: what is not of the graph is refused", "[criteria]") {
  const Graph graph = random_graph(12, 10, 5);
  const LabeledSet labeled = classes({0, 5}, {0, 1}, 2);
  const Scores scores = harmonic_scores_of(graph, labeled);
  const Scores others{.values = Block(3, 2), .status = std::vector(3, VertexStatus::inferred)};
  for_criteria([&](const LearnerEntry&, const AskOptions& options) {
    const auto refusal = [&](const std::vector<VertexId>& known,
                             const std::vector<VertexId>& candidates) {
      return refusal_of([&] { Asker(graph, known, candidates, options, on_threads(1)); });
    };
    CHECK(refusal({12}, {1}) == ErrorCode::bad_data);
    CHECK(refusal({-1}, {1}) == ErrorCode::bad_data);
    CHECK(refusal({0, 0}, {1}) == ErrorCode::bad_data);
    CHECK(refusal({0}, {12}) == ErrorCode::bad_data);
    CHECK(refusal({0}, {1, 1}) == ErrorCode::bad_data);
    Asker asker(graph, labeled.vertices(), std::nullopt, options, on_threads(1));
    CHECK(refusal_of([&] { asker.next(-1, &scores, on_threads(1)); }) == ErrorCode::usage);
    if (!uses_scores(options.criterion)) return;
    CHECK(refusal_of([&] { asker.next(1, nullptr, on_threads(1)); }) == ErrorCode::usage);
    CHECK(refusal_of([&] { asker.next(1, &others, on_threads(1)); }) == ErrorCode::bad_data);
  });
}
