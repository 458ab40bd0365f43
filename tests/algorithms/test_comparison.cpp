// Who is compared with whom on which rows, and by which test.

#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TrialResult of_residuals(int trial, int method, std::vector<double> residuals) {
  TrialResult result{.trial = trial, .method = method, .chosen = "m"};
  double squares = 0.0, answered = 0.0;
  for (const double residual : residuals) {
    if (std::isnan(residual)) continue;
    squares += residual * residual;
    answered += 1.0;
  }
  result.test = std::ssize(residuals);
  result.unreached = result.test - static_cast<std::int64_t>(answered);
  result.errors.rmse = std::sqrt(squares / answered);
  result.residuals = std::move(residuals);
  return result;
}

// Rows of class 0 of two, each right, wrong or without an answer.
TrialResult of_rows(int trial, int method, const std::string& right) {
  TrialResult result{.trial = trial, .method = method, .chosen = "m", .counts = Confusion(2)};
  for (const char c : right) {
    result.counts.add(0, c == '1' ? 0 : c == '0' ? 1 : no_answer);
    result.tied += c == '-' ? 1 : 0;
  }
  result.test = std::ssize(right);
  result.right = right;
  return result;
}

// Trials of one group that learn from three rows and measure three others, each part `step` or
// `test_step` rows behind that of the trial before.
std::vector<Trial> trials_of(int count, int step, std::int32_t test_step) {
  std::vector<Trial> trials;
  for (int t = 0; t < count; ++t) {
    Trial trial{.group = "g"};
    for (int i = 0; i < 3; ++i) {
      trial.split.training.push_back(t * step + i);
      trial.split.test.push_back(100 + t * test_step + i);
    }
    trials.push_back(trial);
  }
  return trials;
}

}  // namespace

TEST_CASE("regressions are compared on the rows that both answer", "[comparison]") {
  // The first answers one row of three, an easy one, and is worse on it than the second.
  std::vector<TrialResult> results;
  std::vector<double> own, best;
  for (int t = 0; t < 6; ++t) {
    own.push_back(0.2 + 0.01 * t);
    best.push_back(0.1 + 0.02 * t * t / 6.0);
    results.push_back(of_residuals(t, 0, {none, -own.back(), none}));
    results.push_back(of_residuals(t, 1, {2.0, best.back(), -3.0}));
  }
  const std::vector<Trial> trials = trials_of(6, 3, 3);
  const auto table = compare(results, trials, 2, Protocol::folds, true);
  REQUIRE(table.size() == 2);
  CHECK(table[1].verdict == Verdict::best);
  CHECK(table[1].unanswered == 0);
  CHECK_FALSE(table[1].common.has_value());
  CHECK(table[0].unanswered == 12);
  CHECK(table[0].value.mean < table[1].value.mean);  // each of its own rows
  REQUIRE(table[0].common.has_value());
  CHECK(table[0].common->rows == 6);
  CHECK(table[0].common->value == Approx(mean_and_deviation(own).mean));
  CHECK(table[0].common->best == Approx(mean_and_deviation(best).mean));
  const PairedTest expected = corrected_resampled_t_test(own, best, 1.0);
  CHECK(table[0].test->difference == Approx(expected.difference));
  CHECK(table[0].test->p_value == Approx(expected.p_value));
}

TEST_CASE("rows of leave-one-out without a value are in no pair", "[comparison]") {
  std::vector<Trial> trials;
  std::vector<TrialResult> results;
  std::vector<double> a, b;
  for (int t = 0; t < 8; ++t) {
    trials.push_back({"g", {{8}, {t}}, {}});
    const double x = 1.0 + 0.1 * t, y = t % 3 == 0 ? none : 2.0 - 0.05 * t;
    for (const auto& [method, residual] : {std::pair(0, x), std::pair(1, y)}) {
      results.push_back(of_residuals(t, method, {residual}));
      results.back().truth = 5.0;
      if (!std::isnan(residual)) results.back().scores = {5.0 + residual};
    }
    if (std::isnan(y)) continue;
    a.push_back(x * x);
    b.push_back(y * y);
  }
  const auto table = compare(results, trials, 2, Protocol::folds, true);
  REQUIRE(table[1].pooled);
  CHECK(table[0].verdict == Verdict::best);
  CHECK(table[1].common->rows == 5);
  CHECK(table[1].common->best == Approx(std::sqrt(mean_and_deviation(a).mean)));
  CHECK(table[1].common->value == Approx(std::sqrt(mean_and_deviation(b).mean)));
  CHECK(table[1].test->pairs == 5);
}

TEST_CASE("methods that answer no row in common are not judged", "[comparison]") {
  std::vector<TrialResult> results;
  for (int t = 0; t < 6; ++t) {
    results.push_back(of_residuals(t, 0, {0.1, none, none}));
    results.push_back(of_residuals(t, 1, {none, 0.5, 0.2}));
  }
  const auto table = compare(results, trials_of(6, 3, 3), 2, Protocol::folds, true);
  CHECK(table[1].verdict == Verdict::best);  // beats nobody either, and answers more
  CHECK(table[0].verdict == Verdict::unknown);
  CHECK(table[0].common->rows == 0);
  CHECK(std::isnan(table[0].common->value));
  CHECK_FALSE(table[0].test.has_value());
}

TEST_CASE("a row without an answer is wrong, and no row of both", "[comparison]") {
  // Of 15 rows the first has 9 right, the second 6 and no answer for 7: on the 8 of both 4 and 6.
  const std::vector<TrialResult> results = {of_rows(0, 0, "111110000111100"),
                                            of_rows(0, 1, "-----1111-1-100")};
  const std::vector<Trial> trials = {
      {"g", {{0}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}, {}}};
  const auto table = compare(results, trials, 2, Protocol::shares, false);
  CHECK(table[0].verdict == Verdict::best);
  CHECK(table[1].value.mean == Approx(6.0 / 15.0));
  CHECK(table[1].unanswered == 7);
  CHECK(table[1].common->rows == 8);
  CHECK(table[1].common->value == Approx(6.0 / 8.0));
  CHECK(table[1].common->best == Approx(2.0 / 8.0));
  CHECK(table[1].test->difference == Approx(-3.0 / 15.0));
  CHECK(*table[1].mcnemar_p == Approx(mcnemar_test(7, 4).p_exact));
}

TEST_CASE("the best has a binomial test against the second", "[comparison]") {
  std::vector<TrialResult> results;
  for (int t = 0; t < 5; ++t) {
    results.push_back(of_rows(t, 0, "000"));                   // the third
    results.push_back(of_rows(t, 1, t == 0 ? "011" : "111"));  // the best: 14 of 15
    results.push_back(of_rows(t, 2, t < 2 ? "1-1" : "110"));   // the second: 10 of 15
  }
  const auto table = compare(results, trials_of(5, 3, 3), 3, Protocol::folds, false);
  REQUIRE(table[1].verdict == Verdict::best);
  REQUIRE(table[1].against_second.has_value());
  // Alone right: the best 5 times, the second once.
  CHECK(table[1].against_second->share == Approx(5.0 / 6.0));
  CHECK(table[1].against_second->p_value == Approx(14.0 / 64.0));
  CHECK_FALSE(table[2].against_second.has_value());
  // Rows that are measured twice are no independent trials.
  const auto twice = compare(results, trials_of(5, 3, 1), 3, Protocol::folds, false);
  CHECK_FALSE(twice[1].against_second.has_value());
}

TEST_CASE("splits whose training parts overlap are tested as folds are", "[comparison]") {
  std::vector<TrialResult> results;
  std::vector<double> a, b;
  for (int t = 0; t < 6; ++t) {
    results.push_back(of_rows(t, 0, "111"));
    results.push_back(of_rows(t, 1, t % 2 == 0 ? "110" : "100"));
    a.push_back(1.0);
    b.push_back(results.back().accuracy());
  }
  const auto p_of = [&](int step, Protocol protocol) {
    const auto table = compare(results, trials_of(6, step, 3), 2, protocol, false);
    CHECK(table[1].wilcoxon_p.has_value() == (protocol != Protocol::folds && step == 3));
    return table[1].test->p_value;
  };
  const double corrected = corrected_resampled_t_test(b, a, 1.0).p_value;
  CHECK(p_of(3, Protocol::splits) == Approx(paired_t_test(b, a).p_value));
  CHECK(p_of(1, Protocol::splits) == Approx(corrected));
  CHECK(p_of(3, Protocol::folds) == Approx(corrected));
}

TEST_CASE("a choice that leaves rows of a regression without a value pays for them",
          "[comparison]") {
  // a: pairs of equal value and three vertices alone; b: everything in a row. The pairs are exact in
  // a, and off by a half in b; the mean of what is learned from is far from the three.
  GraphBuilder pairs(9), row(9);
  for (VertexId v = 0; v + 1 < 9; ++v) {
    if (v % 2 == 0 && v < 6) pairs.add(v, v + 1, 1.0);
    row.add(v, v + 1, 1.0);
  }
  const Graph a = std::move(pairs).finish(), b = std::move(row).finish();
  EvaluationProblem problem{.truth = Targets::reals({0, 0, 1, 1, 9, 9, 9, 9, 9}),
                            .vertices = identity_order(9),
                            .graph = &b};
  problem.graphs = {{"a", &a}, {"b", &b}};
  const std::vector<Trial> trials = {{"g", {{0, 2, 4}, {8}}, {1, 3, 6, 7}}};
  const auto results = evaluate(builtin_learners(), problem, {"harmonic"}, trials);
  REQUIRE(results.size() == 1);
  CHECK(results[0].chosen.ends_with(" on b"));
  REQUIRE(results[0].residuals.size() == 1);
  CHECK(std::abs(results[0].residuals[0]) < 1e-6);
}
