// Metrics against scikit-learn 1.2.1 on a case that a congruential stream makes, against counts by
// hand, and where there is nothing to measure.

#include <cmath>

#include "algorithms/evaluation_support.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "gssl/evaluate/probability_metrics.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::size_t rows = 60;
constexpr int class_count = 4;

// What the constants below were computed of.
struct Case {
  std::vector<int> stream = congruential(rows * (class_count + 2), 7);
  std::vector<int> truth, answer;
  Block probabilities{rows, class_count};

  Case() {
    for (std::size_t i = 0; i < rows; ++i) {
      truth.push_back(stream[i] % class_count);
      const int other = stream[rows + i];
      answer.push_back(other % 3 != 0 ? truth[i] : other / 3 % class_count);
      for (std::size_t k = 0; k < class_count; ++k) {
        const int drawn = stream[2 * rows + i * class_count + k] % 50;
        probabilities(static_cast<std::int64_t>(i), static_cast<std::int64_t>(k)) =
            1.0 + drawn + (static_cast<int>(k) == truth[i] ? 20.0 : 0.0);
      }
    }
  }
};

Approx near(double value) { return Approx(value).epsilon(1e-13); }

void check_measures(const ClassMeasures& found, double precision, double recall, double f1) {
  CHECK(found.precision == near(precision));
  CHECK(found.recall == near(recall));
  CHECK(found.f1 == near(f1));
}

}  // namespace

TEST_CASE("Counts of classes are those of scikit-learn", "[metrics]") {
  const Case c;
  const Confusion found = confusion(c.truth, c.answer, class_count);
  const int expected[4][4] = {{10, 0, 0, 2}, {1, 12, 1, 0}, {3, 1, 17, 2}, {1, 1, 0, 9}};
  for (int t = 0; t < 4; ++t)
    for (int a = 0; a < 4; ++a) CHECK(found.count(t, a) == expected[t][a]);
  CHECK(found.accuracy() == near(0.8));
  CHECK(found.balanced_accuracy() == near(0.8119471108601544));
  CHECK(found.matthews() == near(0.7353476243145143));
  check_measures(found.macro(), 0.7901404151404152, 0.8119471108601544, 0.7942879726416312);
  check_measures(found.weighted(), 0.8222934472934472, 0.8, 0.8035343270099368);
  check_measures(found.micro(), 0.8, 0.8, 0.8);
  check_measures(found.of_class(2), 17.0 / 18.0, 17.0 / 23.0, 34.0 / 41.0);
  CHECK(found.of_class(2).support == 23);
}

TEST_CASE("A row without an answer is wrong and no class gets it", "[metrics]") {
  // Truth 0 0 1 1 2, answers 0 ? 1 0 ?: two of five right, two of three answered.
  const std::vector<int> truth = {0, 0, 1, 1, 2}, answer = {0, no_answer, 1, 0, no_answer};
  const Confusion found = confusion(truth, answer, 4);
  CHECK(found.total() == 5);
  CHECK(found.answered() == 3);
  CHECK(found.accuracy() == near(0.4));
  CHECK(found.accuracy_answered() == near(2.0 / 3.0));
  CHECK(found.balanced_accuracy() == near((0.5 + 0.5 + 0.0) / 3.0));
  CHECK(found.matthews() == near(0.25));  // scikit-learn, none as a class 9
  check_measures(found.of_class(0), 0.5, 0.5, 0.5);
  check_measures(found.of_class(2), 0.0, 0.0, 0.0);
  check_measures(found.of_class(3), 0.0, 0.0, 0.0);  // neither a row nor an answer
  // Class 3 does not occur and is in no average.
  CHECK(found.macro().precision == near((0.5 + 1.0 + 0.0) / 3.0));
  CHECK(found.micro().precision == near(2.0 / 3.0));
  CHECK(found.micro().recall == near(0.4));
}

TEST_CASE("A tied vertex has no answer, an inferred one has its class", "[metrics]") {
  Fit fit;
  fit.scores.status = {VertexStatus::given, VertexStatus::inferred, VertexStatus::unreached,
                       VertexStatus::tied, VertexStatus::unfinished};
  fit.decision = {0, 1, -1, 0, -1};
  CHECK(answer_of(fit, 0) == 0);
  CHECK(answer_of(fit, 1) == 1);
  for (const VertexId v : {2, 3, 4}) CHECK(answer_of(fit, v) == no_answer);
}

TEST_CASE("Shares of nothing are not numbers, and wrong classes are refused", "[metrics]") {
  const Confusion none = confusion({}, {}, 3);
  CHECK(std::isnan(none.accuracy()));
  CHECK(std::isnan(none.accuracy_answered()));
  CHECK(std::isnan(none.balanced_accuracy()));
  CHECK(std::isnan(none.macro().f1));
  CHECK(std::isnan(value_errors({}, {}).rmse));
  CHECK(std::isnan(mean_and_deviation({}).mean));
  const std::vector<int> one = {1}, two = {0, 1};
  CHECK(error_of([&] { confusion(two, one, 2); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { confusion(one, one, 1); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { Confusion(2) += Confusion(3); })->code() == ErrorCode::usage);
  Confusion sum = confusion(one, one, 2);
  sum += confusion(two, two, 2);
  CHECK(sum.count(1, 1) == 2);
  CHECK(sum.total() == 3);
}

TEST_CASE("Errors of values are those of scikit-learn", "[metrics]") {
  const Case c;
  std::vector<double> truth, value;
  for (std::size_t i = 0; i < rows; ++i) {
    truth.push_back(c.stream[i] % 100 / 10.0);
    value.push_back(truth[i] + (c.stream[rows + i] % 21 - 10) / 10.0);
  }
  const ValueErrors found = value_errors(truth, value);
  CHECK(found.rmse == near(0.6341661191412442));
  CHECK(found.mae == near(0.565));
  CHECK(found.r2 == near(0.9417067856957358));

  const std::vector<double> constant = {2.0, 2.0}, off = {2.0, 3.0};
  CHECK(value_errors(constant, constant).r2 == 1.0);
  CHECK(value_errors(constant, off).r2 == 0.0);
  CHECK(std::isnan(value_errors(std::vector{1.0}, std::vector{1.0}).r2));
}

TEST_CASE("Log loss, Brier score and area are those of scikit-learn", "[metrics]") {
  const Case c;
  const LogLoss loss = log_loss(c.probabilities, c.truth);
  CHECK(loss.value == near(0.9940162880530348));
  CHECK(loss.clipped == 0);
  CHECK(brier_score(c.probabilities, c.truth) == near(0.5522727120892329));
  Block scaled = c.probabilities;
  for (std::int64_t i = 0; i < scaled.rows(); ++i) {
    double sum = 0.0;
    for (const double p : scaled.row(i)) sum += p;
    for (double& p : scaled.row(i)) p /= sum;
  }
  CHECK(area_under_roc(scaled, c.truth) == near(0.8779054461313778));

  std::vector<double> score;
  std::vector<char> positive;
  for (std::size_t i = 0; i < rows; ++i) {
    score.push_back(c.stream[i] % 7);
    positive.push_back(static_cast<char>(c.stream[rows + i] % 2));
  }
  CHECK(area_under_roc(score, positive) == near(0.5516666666666666));
}

TEST_CASE("Probabilities of zero, of nothing and of one class", "[metrics]") {
  const std::vector<int> truth = {1, 0};
  const Block sure(2, 2, {1.0, 0.0, 0.0, 0.0});
  const LogLoss loss = log_loss(sure, truth);
  CHECK(loss.clipped == 1);
  // One row costs −ln 2⁻⁵²; the row of zeros is one half for each class.
  CHECK(loss.value == near((52.0 + 1.0) * std::log(2.0) / 2.0));
  CHECK(brier_score(sure, truth) == near((2.0 + 0.5) / 2.0));
  CHECK(std::isnan(area_under_roc(std::vector{0.1, 0.2}, std::vector<char>{1, 1})));
  CHECK(area_under_roc(std::vector{0.2, 0.1}, std::vector<char>{1, 0}) == 1.0);
  CHECK(area_under_roc(std::vector{0.1, 0.1}, std::vector<char>{1, 0}) == 0.5);
  CHECK(std::isnan(log_loss(Block(0, 2), {}).value));
  CHECK(error_of([&] { log_loss(Block(2, 1), truth); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { log_loss(Block(2, 2, -1.0), truth); })->code() == ErrorCode::bad_data);
}

TEST_CASE("Calibration error of equal counts and equal widths", "[metrics]") {
  const Case c;
  std::vector<double> confidence;
  std::vector<char> right;
  for (std::size_t i = 0; i < rows; ++i) {
    confidence.push_back(c.stream[i] % 1000 / 999.0);
    right.push_back(c.stream[rows + i] % 1000 < c.stream[i] % 1000 ? 1 : 0);
  }
  const Reliability counts = reliability(confidence, right);
  REQUIRE(counts.bins.size() == 15);
  for (const ReliabilityBin& bin : counts.bins) CHECK(bin.count == 4);
  CHECK(counts.expected_error == near(0.15016683350016682));
  CHECK(reliability(confidence, right, 15, Binning::equal_width).expected_error ==
        near(0.1325492158825492));

  // Rows of one confidence stay in one bin: half of them right, confidence 0.9.
  const Reliability tied = reliability(std::vector<double>(8, 0.9), {"\1\0\1\0\1\0\1\0", 8}, 4);
  REQUIRE(tied.bins.size() == 1);
  CHECK(tied.bins[0].count == 8);
  CHECK(tied.expected_error == near(0.4));
  CHECK(reliability(std::vector{1.0}, std::vector<char>{1}, 15, Binning::equal_width)
            .expected_error == 0.0);
  CHECK(std::isnan(reliability({}, {}).expected_error));
  CHECK(error_of([] { reliability(std::vector{1.5}, std::vector<char>{1}); })->code() ==
        ErrorCode::bad_data);
  CHECK(error_of([] { reliability({}, {}, 0); })->code() == ErrorCode::usage);
}

TEST_CASE("The area of many rows is the share of pairs in order, ties half", "[metrics]") {
  // More rows than are sorted by comparison; scores of few values, of both signs, and of ones that
  // differ in their last bits alone.
  for (const double step : {0.25, 1e-15}) {
    const std::vector<int> drawn = congruential(6000, 3);
    std::vector<double> score;
    std::vector<char> positive;
    for (std::size_t i = 0; i < 3000; ++i) {
      const double value = 1.0 + step * (drawn[2 * i] % 97);
      score.push_back(i % 3 == 0 && step > 0.1 ? 2.0 - value : value);
      positive.push_back(drawn[2 * i + 1] % 5 == 0 ? 1 : 0);
    }
    double ordered = 0.0, pairs = 0.0;
    for (std::size_t i = 0; i < score.size(); ++i)
      for (std::size_t j = 0; positive[i] != 0 && j < score.size(); ++j) {
        if (positive[j] != 0) continue;
        pairs += 1.0;
        ordered += score[i] > score[j] ? 1.0 : score[i] == score[j] ? 0.5 : 0.0;
      }
    CHECK(area_under_roc(score, positive) == Approx(ordered / pairs).epsilon(1e-12));
  }
}
