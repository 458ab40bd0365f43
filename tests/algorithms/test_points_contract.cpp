// The promises of learner.hpp, held against every registered learner that labels points without a
// graph.

#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/contract_support.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tested_learners.hpp"
#include "gssl/core/rng.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const LearnerRegistry& points_registry() {
  static const LearnerRegistry all = tested_learners();
  return all;
}

std::vector<double> values_of_groups(VertexId each) {
  Rng rng(8);
  std::vector<double> values;
  for (int k = 0; k < 3; ++k)
    for (VertexId i = 0; i < each; ++i)
      for (int c = 0; c < 4; ++c)
        values.push_back(rng.normal() + (c == 0 ? 8.0 * k : 0.0) + (c == 1 && k == 1 ? 9.0 : 0.0));
  return values;
}

// Three groups, far apart, one after the other.
Points far_groups(VertexId each) { return Points::dense(3 * each, 4, values_of_groups(each)); }

// Two rows of each group.
LabeledSet labels_of_groups(VertexId each) {
  return classes({0, 1, each, each + 1, 2 * each, 2 * each + 1}, {0, 0, 1, 1, 2, 2}, 3);
}

// Those that learn classes, which `body` takes with its SPEC in the messages.
void for_points_learners(
    const std::function<void(const LearnerEntry&, const PointsLearner&)>& body) {
  for (const LearnerEntry* entry : points_registry().of_kinds({LearnerKind::points})) {
    if (!entry->traits.classification) continue;
    const MadeLearner made = points_registry().make(entry->name);
    INFO(made.spec);
    REQUIRE(made.points_learner != nullptr);
    body(*entry, *made.points_learner);
  }
}

void check_answer(const LearnerEntry& entry, const Fit& fit, VertexId rows,
                  const LabeledSet& labeled) {
  REQUIRE(fit.scores.values.rows() == rows);
  REQUIRE(fit.scores.values.columns() == labeled.class_count());
  REQUIRE(std::ssize(fit.scores.status) == rows);
  REQUIRE(std::ssize(fit.decision) == rows);
  REQUIRE(std::ssize(fit.confidence) == rows);
  CHECK(fit.class_names == labeled.class_names());
  for (VertexId r = 0; r < rows; ++r) {
    INFO("row " << r);
    const auto i = static_cast<std::size_t>(r);
    const auto at = std::ranges::find(labeled.vertices(), r);
    const bool given = at != labeled.vertices().end();
    const VertexStatus status = fit.scores.status[i];
    CHECK((status == VertexStatus::given) == given);
    if (!given) CHECK((status == VertexStatus::inferred || status == VertexStatus::tied));
    for (const double score : fit.scores.values.row(r)) CHECK(std::isfinite(score));
    CHECK(fit.decision[i] >= 0);
    CHECK(fit.decision[i] < labeled.class_count());
    CHECK(fit.confidence[i] >= 0.0);
    CHECK(fit.confidence[i] <= 1.0);
    if (!given || !entry.traits.keeps_given) continue;
    CHECK(fit.decision[i] ==
          labeled.class_of()[static_cast<std::size_t>(at - labeled.vertices().begin())]);
    CHECK(fit.confidence[i] == 1.0);
  }
}

}  // namespace

TEST_CASE("Every learner on points: each row has an answer, and the report its numbers",
          "[points]") {
  struct Problem {
    const char* name;
    Points points;
    LabeledSet labeled;
  };
  const std::vector<Problem> problems = {
      {"groups", far_groups(20), labels_of_groups(20)},
      {"equal rows", Points::dense(5, 2, std::vector<double>(10, 1.5)), classes({0, 2}, {0, 1}, 2)},
      {"one row", Points::dense(1, 1, std::vector<double>{2.0}), classes({0}, {0}, 1)},
      {"all labeled", Points::dense(3, 1, std::vector<double>{0.0, 1.0, 5.0}),
       classes({0, 1, 2}, {0, 1, 0}, 2)},
      {"a class without labels", far_groups(10), classes({0, 10}, {0, 2}, 3)},
  };
  for_points_learners([&](const LearnerEntry& entry, const PointsLearner& learner) {
    for (const Problem& problem : problems) {
      INFO(problem.name);
      const Fit fit = learner.fit(problem.points, problem.labeled, on_threads(1));
      check_answer(entry, fit, problem.points.rows(), problem.labeled);
      CHECK(fit.report.converged());
      CHECK_FALSE(fit.report.used.empty());
      CHECK_FALSE(fit.report.sentence.empty());
      check_numbers(fit.report);
    }
  });
}

TEST_CASE("Every learner on points: groups that are far apart get their own labels", "[points]") {
  constexpr VertexId each = 200;
  for_points_learners([](const LearnerEntry&, const PointsLearner& learner) {
    const Fit fit = learner.fit(far_groups(each), labels_of_groups(each), on_threads(1));
    int right = 0;
    for (VertexId r = 0; r < 3 * each; ++r)
      right += fit.decision[static_cast<std::size_t>(r)] == r / each;
    CHECK(right > 3 * each * 95 / 100);
  });
}

TEST_CASE("Every learner on points: one thread and two give the same bytes", "[points]") {
  constexpr VertexId each = 1700;  // more rows than one block of a loop has
  const Points points = far_groups(each);
  for_points_learners([&](const LearnerEntry& entry, const PointsLearner& learner) {
    if (!entry.traits.deterministic) return;
    const Fit one = learner.fit(points, labels_of_groups(each), on_threads(1));
    const Fit two = learner.fit(points, labels_of_groups(each), on_threads(2));
    CHECK(one.scores.values == two.scores.values);
    CHECK(one.decision == two.decision);
    CHECK(one.confidence == two.confidence);
    check_equal_reports(one.report, two.report);
  });
}

TEST_CASE("Every learner on points: names of rows and of classes do not matter", "[points]") {
  constexpr VertexId each = 60;
  const Points points = far_groups(each);
  const LabeledSet labeled = labels_of_groups(each);
  const std::vector<VertexId> to = shuffled_order(3 * each, 5);
  std::vector<std::int32_t> from(to.size());
  for (std::size_t r = 0; r < to.size(); ++r)
    from[static_cast<std::size_t>(to[r])] = static_cast<std::int32_t>(r);
  std::vector<VertexId> vertices;
  for (const VertexId v : labeled.vertices()) vertices.push_back(to[static_cast<std::size_t>(v)]);
  std::vector<int> reversed;
  for (const int k : labeled.class_of()) reversed.push_back(2 - k);
  for_points_learners([&](const LearnerEntry&, const PointsLearner& learner) {
    const Block scores = learner.fit(points, labeled, on_threads(1)).scores.values;
    const Block moved =
        learner.fit(select(points, from), classes(vertices, labeled.class_of(), 3), on_threads(1))
            .scores.values;
    Block turned =
        learner.fit(points, classes(labeled.vertices(), reversed, 3), on_threads(1)).scores.values;
    Block back(3 * each, 3);
    for (VertexId r = 0; r < 3 * each; ++r) {
      std::ranges::copy(moved.row(to[static_cast<std::size_t>(r)]), back.row(r).begin());
      std::ranges::reverse(turned.row(r));
    }
    CHECK(max_difference(back, scores) < 1e-9);
    CHECK(max_difference(turned, scores) < 1e-9);
  });
}

TEST_CASE("Every learner on points: equal rows score alike, and sparse rows as dense ones",
          "[points]") {
  constexpr VertexId each = 30;
  std::vector<double> values = values_of_groups(each);
  for (int c = 0; c < 4; ++c) values.push_back(values[values.size() - 4]);  // the last row again
  const Points points = Points::dense(3 * each + 1, 4, std::move(values));
  for_points_learners([&](const LearnerEntry&, const PointsLearner& learner) {
    const Block scores = learner.fit(points, labels_of_groups(each), on_threads(1)).scores.values;
    for (int k = 0; k < 3; ++k)
      CHECK(scores(3 * each, k) == Approx(scores(3 * each - 1, k)).margin(1e-9));
    const Fit sparse = learner.fit(as_sparse(points), labels_of_groups(each), on_threads(1));
    CHECK(max_difference(sparse.scores.values, scores) < 1e-9);
  });
}

TEST_CASE("Every learner on points: a stopped fit says so, or was done before it looked",
          "[points]") {
  constexpr VertexId each = 50;
  const Points points = far_groups(each);
  const LabeledSet labeled = labels_of_groups(each);
  for_points_learners([&](const LearnerEntry&, const PointsLearner& learner) {
    const Fit undisturbed = learner.fit(points, labeled, on_threads(1));
    for_stopped_runs([&](const RunContext& run, Outcome ended) {
      const auto error = error_of([&] {
        const Fit fit = learner.fit(points, labeled, run);
        REQUIRE(std::ssize(fit.decision) == points.rows());
        for (std::size_t r = 0; r < fit.decision.size(); ++r) {
          CHECK(has_no_answer(fit.scores.status[r]) == (fit.decision[r] < 0));
          if (fit.decision[r] < 0) CHECK(fit.confidence[r] == 0.0);
        }
        check_numbers(fit.report);
        if (fit.report.converged())
          CHECK(fit.scores.values == undisturbed.scores.values);
        else
          CHECK(fit.report.outcome == ended);
      });
      if (error) CHECK(error->code() == code_of(ended));
    });
  });
}

TEST_CASE("Every learner on points: what it cannot learn from is refused", "[points]") {
  const Points points = far_groups(4);
  for (const LearnerEntry* entry : points_registry().of_kinds({LearnerKind::points})) {
    INFO(entry->name);
    const MadeLearner made = points_registry().make(entry->name);
    const auto refusal = [&](const LabeledSet& labeled) {
      return refusal_of([&] { made.points_learner->fit(points, labeled, on_threads(1)); });
    };
    CHECK(refusal(LabeledSet()) == ErrorCode::bad_data);
    CHECK(refusal(classes({12}, {0}, 1)) == ErrorCode::bad_data);
    if (!entry->traits.regression)
      CHECK(refusal(LabeledSet::targets({0, 5}, {1.0, 2.0})) == ErrorCode::usage);
    if (!entry->traits.classification)
      CHECK(refusal(classes({0, 5}, {0, 1}, 2)) == ErrorCode::usage);
  }
}
