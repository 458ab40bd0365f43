// Rows of trials that no comparison looks at are dropped while an evaluation runs; what it says
// stays.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Two cliques of twelve with a bridge, and six vertices that are in no edge, so that no label
// reaches them.
Graph cliques_and_strays() {
  std::vector<Edge> edges = {{11, 12}};
  for (VertexId c = 0; c < 2; ++c)
    for (VertexId a = 0; a < 12; ++a)
      for (VertexId b = a + 1; b < 12; ++b) edges.push_back({12 * c + a, 12 * c + b});
  return graph_from_edges(30, edges);
}

Targets classes_of_thirty() {
  std::vector<int> class_of;
  for (int v = 0; v < 30; ++v)
    class_of.push_back(v < 24 ? (v + (v % 7 == 0 ? 12 : 0)) / 12 % 2 : v % 2);
  return Targets::classes(class_of, {"x", "y"});
}

struct Both {
  std::vector<TrialResult> kept, whole;  // in one order
};

Both evaluated(const EvaluationProblem& problem, const std::vector<std::string>& methods,
               const std::vector<Trial>& trials, std::vector<TrialResult> done = {}) {
  std::map<std::pair<int, int>, TrialResult> whole;
  for (const TrialResult& result : done) whole[{result.trial, result.method}] = result;
  const EvaluationOptions options{.finished = [&](const TrialResult& result) {
    whole[{result.trial, result.method}] = result;
  }};
  Both both;
  both.kept = evaluate(builtin_learners(), problem, methods, trials, options, on_threads(2),
                       std::move(done));
  for (auto& [place, result] : whole) both.whole.push_back(std::move(result));
  return both;
}

void check_same(const std::vector<Comparison>& a, const std::vector<Comparison>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(a[i].verdict == b[i].verdict);
    CHECK(a[i].p_adjusted == b[i].p_adjusted);
    CHECK(a[i].mcnemar_p == b[i].mcnemar_p);
    REQUIRE(a[i].common.has_value() == b[i].common.has_value());
    if (a[i].common) {
      CHECK(a[i].common->rows == b[i].common->rows);
      CHECK(a[i].common->value == b[i].common->value);
      CHECK(a[i].common->best == b[i].common->best);
    }
    CHECK(a[i].against_second.has_value() == b[i].against_second.has_value());
  }
}

}  // namespace

TEST_CASE("of label sets drawn anew the rows stay that a learner leaves open", "[kept-rows]") {
  const Graph graph = cliques_and_strays();
  const Targets truth = classes_of_thirty();
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(30), .graph = &graph};
  const auto trials = label_rate_trials(truth, std::vector<std::int64_t>{1, 3}, 6, on_threads(1));
  const std::vector<std::string> methods = {"harmonic", "local-global", "nearest-label"};
  const Both found = evaluated(problem, methods, trials);
  REQUIRE(found.kept.size() == 36);
  REQUIRE(found.whole.size() == 36);
  std::map<int, std::set<std::size_t>> open;  // of each trial
  for (const TrialResult& whole : found.whole) {
    CHECK(std::ssize(whole.right) == whole.test);
    for (std::size_t i = 0; i < whole.right.size(); ++i)
      if (whole.right[i] == '-') open[whole.trial].insert(i);
  }
  for (const TrialResult& kept : found.kept) {
    CAPTURE(kept.trial, kept.method);
    CHECK(kept.right.size() == open[kept.trial].size());
    CHECK(std::ranges::count(kept.right, '-') == kept.unanswered());
  }
  CHECK(std::ranges::any_of(open, [](const auto& one) { return one.second.size() < 20; }));
  const auto said = [&](const std::vector<TrialResult>& results) {
    return compare(results, trials, 3, Protocol::label_rates, false);
  };
  check_same(said(found.kept), said(found.whole));

  // Results of an earlier run, whole, are taken as they are and end as the others do.
  std::vector<TrialResult> done(found.whole.begin(), found.whole.begin() + 10);
  const Both resumed = evaluated(problem, methods, trials, done);
  for (std::size_t i = 0; i < found.kept.size(); ++i)
    CHECK(resumed.kept[i].right == found.kept[i].right);
}

TEST_CASE("rows that a test of two learners counts are kept", "[kept-rows]") {
  const Graph graph = cliques_and_strays();
  const Targets truth = classes_of_thirty();
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(30), .graph = &graph};
  const std::vector<std::string> methods = {"harmonic", "nearest-label"};
  for (const auto& trials :
       {fold_trials(truth, 5, 1, on_threads(1)),
        label_rate_trials(truth, std::vector<std::int64_t>{2}, 1, on_threads(1))}) {
    const Both found = evaluated(problem, methods, trials);
    for (const TrialResult& kept : found.kept) CHECK(std::ssize(kept.right) == kept.test);
  }
}

TEST_CASE("residuals stay where a learner leaves a row open", "[kept-rows]") {
  const Graph graph = cliques_and_strays();
  std::vector<double> values;
  for (int v = 0; v < 30; ++v) values.push_back(0.1 * (v * v % 17));
  const std::vector<std::string> methods = {"harmonic", "harmonic:soft=1"};
  for (const VertexId n : {VertexId{24}, VertexId{30}}) {
    CAPTURE(n);
    const std::vector<double> some(values.begin(), values.begin() + n);
    const EvaluationProblem problem{
        .truth = Targets::reals(some), .vertices = identity_order(n), .graph = &graph};
    const auto trials =
        share_trials(problem.truth, {.training = 0.3, .test = 0.7}, 6, on_threads(1));
    const Both found = evaluated(problem, methods, trials);
    for (const TrialResult& kept : found.kept)
      CHECK(std::ssize(kept.residuals) == (n == 24 ? 0 : kept.test));
    check_same(compare(found.kept, trials, 2, Protocol::shares, true),
               compare(found.whole, trials, 2, Protocol::shares, true));
  }
}

namespace {

// Of an evaluation whose results are all there: two methods on trials of one group that measure the
// same three vertices, and the marks of each result, "" for one that fails.
std::vector<std::string> kept_of(const std::vector<std::string>& marks) {
  const Graph graph = graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}});
  const Targets truth = Targets::classes({0, 0, 1, 1}, {"x", "y"});
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(4), .graph = &graph};
  Trial trial{.group = "g"};
  trial.split.training = {3};
  trial.split.test = {0, 1, 2};
  std::vector<TrialResult> done;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    TrialResult one{.trial = static_cast<int>(i / 2), .method = static_cast<int>(i % 2)};
    one.error = marks[i].empty() ? "fails" : "";
    one.right = marks[i];
    one.test = std::ssize(marks[i]);
    done.push_back(one);
  }
  const std::vector<TrialResult> kept =
      evaluate(builtin_learners(), problem, {"harmonic", "nearest-label"},
               std::vector<Trial>(marks.size() / 2, trial), {}, on_threads(1), done);
  std::vector<std::string> right;
  for (const TrialResult& result : kept) right.push_back(result.right);
  return right;
}

}  // namespace

TEST_CASE("trials where a method fails wait for one where the same fail", "[kept-rows]") {
  using Rows = std::vector<std::string>;
  // Of each set of methods that have results one trial keeps its rows, until there is a second.
  CHECK(kept_of({"101", "1-0", "011", ""}) == Rows{"101", "1-0", "011", ""});
  CHECK(kept_of({"101", "1-0", "011", "", "", "110"}) == Rows{"101", "1-0", "011", "", "", "110"});
  CHECK(kept_of({"101", "1-0", "0-1", "", "110", ""}) == Rows{"101", "1-0", "-", "", "", ""});
  CHECK(kept_of({"101", "1-0", "0-1", "", "110", "", "111", "--1"}) ==
        Rows{"0", "-", "-", "", "", "", "11", "--"});
}

TEST_CASE("a result of another number of rows than its trial is left as it is", "[kept-rows]") {
  CHECK(kept_of({"1-0", "1", "0-1", "11111111111", "--1", "011"}) ==
        std::vector<std::string>{"-", "1", "-", "11111111111", "--", "01"});
}
