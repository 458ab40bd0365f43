// Leave-one-out against scikit-learn 1.2.1: LeaveOneOut and cross_val_predict, then each metric of
// all rows; and what of learners that fail.

#include <cmath>
#include <numeric>

#include "algorithms/evaluation_support.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr int rows = 48;

// Three columns in [0, 4), and a noisy function of them, as a class or as a value.
struct Noisy {
  Points points;
  Targets classes, values;
  std::vector<VertexId> vertices = identity_order(rows);

  Noisy() {
    const std::vector<int> stream = congruential(static_cast<std::size_t>(rows) * 5, 11);
    std::vector<double> x, value;
    std::vector<int> class_of;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto drawn = [&](std::size_t j) { return stream[5 * i + j] % 1000 / 250.0; };
      for (std::size_t j = 0; j < 3; ++j) x.push_back(drawn(j));
      const double sum = drawn(0) - 0.5 * drawn(1) + drawn(3);
      class_of.push_back(sum > 4.2 ? 2 : sum > 2.2 ? 1 : 0);
      value.push_back(2.0 * drawn(0) - drawn(1) + 0.5 * drawn(2) * drawn(2) + 2.0 * drawn(3));
    }
    points = Points::dense(rows, 3, x);
    classes = Targets::classes(class_of, {"p", "q", "r"});
    values = Targets::reals(value);
  }
  EvaluationProblem problem(const Targets& truth) const {
    return {.truth = truth, .vertices = vertices, .points = &points};
  }
};

std::vector<Comparison> left_out(const Noisy& data, const Targets& truth,
                                 const std::vector<std::string>& methods) {
  const auto trials = leave_one_out_trials(truth);
  const EvaluationProblem problem = data.problem(truth);
  const auto results = evaluate(builtin_learners(), problem, methods, trials, {}, on_threads(2));
  return compare(results, trials, static_cast<int>(methods.size()), Protocol::folds,
                 truth.is_regression());
}

}  // namespace

TEST_CASE("Leave-one-out measures the classes of all rows together", "[evaluate]") {
  const Noisy data;
  const auto all = left_out(data, data.classes, {"logistic:tolerance=1e-12", "nearest-mean"});
  REQUIRE(all.size() == 2);
  const Comparison& c = all[0];
  const auto near = [](double value) { return Approx(value).epsilon(1e-6); };
  CHECK(c.pooled);
  CHECK(c.trials == rows);
  CHECK(c.value.mean == near(0.5416666666666666));
  CHECK(c.balanced_accuracy.mean == near(0.5409075573549257));
  CHECK(c.f1_macro.mean == near(0.5421785421785422));
  CHECK(c.matthews.mean == near(0.3044973758464855));
  CHECK(c.auc.mean == near(0.7487326104967327));
  CHECK(c.log_loss.mean == near(0.8923361373952051));
  CHECK(c.brier.mean == near(0.5386414877154907));
  CHECK(c.counts.count(1, 2) == 3);
  // SciPy's binomtest(26, 48).proportion_ci().
  CHECK(c.mean_interval.low == near(0.3917219975989044));
  CHECK(c.mean_interval.high == near(0.6862845779279146));
  CHECK(std::isnan(c.value.sd));
  CHECK(std::isnan(c.auc.sd));
  CHECK(all[1].balanced_accuracy.mean == near(0.5571018893387315));
  CHECK(std::isnan(all[1].log_loss.mean));  // no probabilities
}

TEST_CASE("Leave-one-out measures the values of all rows together", "[evaluate]") {
  const Noisy data;
  const auto all = left_out(data, data.values, {"ridge:lambda=2", "ridge:lambda=500"});
  REQUIRE(all.size() == 2);
  const auto near = [](double value) { return Approx(value).epsilon(1e-7); };
  CHECK(all[0].value.mean == near(2.8179510125646865));
  CHECK(all[0].mae.mean == near(2.4188070617002797));
  CHECK(all[0].r2.mean == near(0.5748045788634591));
  CHECK(std::isnan(all[0].value.sd));
  CHECK(std::isnan(all[0].mean_interval.low));
  CHECK(all[1].value.mean == near(4.173254293204332));
  CHECK(all[1].r2.mean == near(0.06745156280375841));
  // The corrected resampled t of the squared errors, by SciPy.
  CHECK(all[1].test->p_value == near(0.034723897403237496));
  CHECK(all[1].test->difference == near(1.355303280639646));
  CHECK(all[1].test->low == near(0.1015252056442554));
  CHECK(all[1].test->high == near(2.6090813556350363));
  CHECK(all[1].verdict == Verdict::worse);
}

TEST_CASE("Rows of leave-one-out without an answer are wrong and have no scores", "[evaluate]") {
  // 0 ─ 1, 2 ─ 3, and 4, 5 alone: left out, they have no neighbor.
  GraphBuilder builder(6);
  for (const VertexId v : {0, 2}) builder.add(v, v + 1, 1.0);
  const Graph graph = std::move(builder).finish();
  const Targets truth = Targets::classes(std::vector<int>{0, 0, 1, 1, 0, 1}, {"x", "y"});
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(6), .graph = &graph};
  const auto trials = leave_one_out_trials(truth);
  const auto results = evaluate(builtin_learners(), problem, {"harmonic"}, trials);
  const auto all = compare(results, trials, 1, Protocol::folds, false);
  REQUIRE(all.size() == 1);
  CHECK(all[0].unreached == 2);
  CHECK(all[0].value.mean == Approx(4.0 / 6.0));
  CHECK(all[0].counts.answered() == 4);
  CHECK(all[0].auc.mean == 1.0);
  CHECK(all[0].brier.mean == Approx(0.0).margin(1e-12));
  CHECK(results[4].scores.empty());
  CHECK(results[3].scores.size() == 2);
  CHECK(results[3].truth == 1.0);
}

TEST_CASE("A learner that fails in every trial has a row, beside those that do not", "[evaluate]") {
  const Noisy data;
  const Targets& truth = data.classes;
  const auto trials = fold_trials(truth, 5, 1, on_threads(1));
  const std::vector<std::string> methods = {"logistic", "nearest-mean"};
  auto results =
      evaluate(builtin_learners(), data.problem(truth), methods, trials, {}, on_threads(1));
  for (TrialResult& result : results)
    if (result.method == 0) result = {.trial = result.trial, .method = 0, .error = "no luck"};
  const auto all = compare(results, trials, 2, Protocol::folds, false);
  REQUIRE(all.size() == 2);
  CHECK(all[0].verdict == Verdict::failed);
  CHECK(all[0].trials == 0);
  CHECK(all[0].failed == 5);
  CHECK(all[0].error == "no luck");
  CHECK(std::isnan(all[0].value.mean));
  CHECK_FALSE(all[0].test.has_value());
  CHECK(all[1].verdict == Verdict::best);
  std::erase_if(results, [](const TrialResult& r) { return r.method == 1; });
  const auto none = compare(results, trials, 2, Protocol::folds, false);
  REQUIRE(none.size() == 1);
  CHECK(none[0].verdict == Verdict::failed);
}
