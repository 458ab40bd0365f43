// Calibration: curves against scikit-learn 1.2.1 (Debian 12), and what must hold for any scores.

#include "gssl/core/rng.hpp"
#include "gssl/learn/calibration.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const std::vector<double> f = {-2.0, -1.5, -1.0, -0.8, -0.5, -0.1, 0.0, 0.2, 0.4, 0.9, 1.3, 2.5};
const std::vector<double> y = {0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1};

struct Sample {
  Block scores;
  std::vector<int> class_of;
};

// Rows whose class k is drawn with probability softmax(2·scores).
Sample draw(std::int64_t rows, std::int64_t classes, std::uint64_t seed) {
  Rng rng(seed, 0);
  Sample sample{Block(rows, classes), {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    double total = 0.0;
    for (double& s : sample.scores.row(r)) total += std::exp(2.0 * (s = 2.0 * rng.uniform() - 1.0));
    double rest = total * rng.uniform();
    int k = -1;
    while (k + 1 < classes && rest >= 0.0) rest -= std::exp(2.0 * sample.scores(r, ++k));
    sample.class_of.push_back(k);
  }
  return sample;
}

// The nondecreasing fit by its minimax formula: max over a ≤ i of min over b ≥ i of mean(a…b).
std::vector<double> slow_isotonic(const std::vector<double>& values,
                                  const std::vector<double>& weights) {
  std::vector<double> fit(values.size(), -1e300);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t a = 0; a <= i; ++a) {
      double least = 1e300;
      double total = 0.0;
      double weight = 0.0;
      for (std::size_t b = a; b < values.size(); ++b) {
        total += weights[b] * values[b];
        weight += weights[b];
        if (b >= i) least = std::min(least, total / weight);
      }
      fit[i] = std::max(fit[i], least);
    }
  }
  return fit;
}

}  // namespace

TEST_CASE("Platt's sigmoid is that of its minimization", "[calibration]") {
  // scipy.optimize.minimize of the same loss: −0.6418378, 0.3125831 (sklearn: −0.641839, 0.312582).
  const Sigmoid s = fit_sigmoid(f, y);
  CHECK(s.slope == Approx(-0.6418378).margin(1e-6));
  CHECK(s.offset == Approx(0.3125831).margin(1e-6));
  std::vector<double> stretched = f;
  for (double& score : stretched) score *= 1e6;
  CHECK(fit_sigmoid(stretched, y).slope == Approx(1e-6 * s.slope).epsilon(1e-6));
}

TEST_CASE("The isotonic curve is that of scikit-learn and of its definition", "[calibration]") {
  const IsotonicCurve c = fit_isotonic(f, y);
  CHECK(c.at(-3.0) == 0.0);
  CHECK(c.at(-0.3) == Approx(1.0 / 3));
  CHECK(c.at(0.1) == Approx(0.5));
  CHECK(c.at(0.3) == Approx(0.58333333));
  CHECK(c.at(1.0) == Approx(2.0 / 3));
  CHECK(c.at(9.0) == 1.0);
  const std::vector<double> w = {1, 2, 1, 3, 1, 1, 1, 1, 2, 1, 5, 1};
  CHECK(fit_isotonic(f, y, w).at(0.0) == Approx(7.0 / 15));
  Rng rng(3, 0);
  std::vector<double> scores, values, weights;
  for (int i = 0; i < 40; ++i) {
    scores.push_back(i);
    values.push_back(rng.uniform() + 0.02 * i);
    weights.push_back(0.1 + rng.uniform());
  }
  const std::vector<double> slow = slow_isotonic(values, weights);
  const IsotonicCurve fast = fit_isotonic(scores, values, weights);
  for (std::size_t i = 0; i < slow.size(); ++i)
    CHECK(fast.at(scores[i]) == Approx(slow[i]).epsilon(1e-12));
}

TEST_CASE("A weight of 2 is a row twice, a weight of 0 no row", "[calibration]") {
  std::vector<double> twice_f = f, twice_y = y, weights(f.size(), 1.0);
  twice_f.push_back(f[3]);
  twice_y.push_back(y[3]);
  weights[3] = 2.0;
  CHECK(fit_sigmoid(f, y, weights).slope == Approx(fit_sigmoid(twice_f, twice_y).slope));
  CHECK(fit_isotonic(f, y, weights).values == fit_isotonic(twice_f, twice_y).values);
  std::vector<double> more_f = f, more_y = y, with_zero(f.size() + 1, 1.0);
  more_f.push_back(1e9);
  more_y.push_back(0.0);
  with_zero.back() = 0.0;
  CHECK(fit_sigmoid(more_f, more_y, with_zero).offset == fit_sigmoid(f, y).offset);
  CHECK(fit_isotonic(more_f, more_y, with_zero).scores == fit_isotonic(f, y).scores);
}

TEST_CASE("Scores of any kind and size give probabilities", "[calibration]") {
  const std::vector<double> one_score(6, 2.0);
  const std::vector<double> outcome = {1, 0, 0, 1, 0, 0};
  CHECK(fit_sigmoid(one_score, outcome).at(2.0) == Approx(1.0 / 3).margin(0.1));
  CHECK(fit_isotonic(one_score, outcome).at(2.0) == Approx(1.0 / 3));
  CHECK(fit_sigmoid({}, {}).at(5.0) == 0.5);
  CHECK(fit_isotonic({}, {}).at(5.0) == 0.0);
  CHECK(fit_sigmoid(f, std::vector<double>(f.size(), 1.0)).at(0.0) > 0.9);
  // Of a class that was not learned in one fold: far below every other.
  std::vector<double> far = f;
  far[0] = -1e300;
  const Sigmoid s = fit_sigmoid(far, y);
  CHECK(std::isfinite(s.slope));
  CHECK(s.slope < 0.0);
}

TEST_CASE("Calibrated probabilities sum to 1 and are as far off as chance allows",
          "[calibration]") {
  for (const std::int64_t classes : {2, 4}) {
    const Sample learned = draw(4000, classes, 1);
    const Sample fresh = draw(4000, classes, 2);
    for (const auto method :
         {CalibrationMethod::platt, CalibrationMethod::isotonic, CalibrationMethod::temperature}) {
      const auto c =
          Calibration::fit(method, learned.scores, ScoreKind::decision, learned.class_of);
      const Block p = c.probabilities(fresh.scores);
      std::vector<double> decided, right;
      for (std::int64_t r = 0; r < p.rows(); ++r) {
        const auto row = p.row(r);
        CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1.0));
        const auto best = std::ranges::max_element(row);
        decided.push_back(*best);
        const int k = fresh.class_of[static_cast<std::size_t>(r)];
        right.push_back(best - row.begin() == k ? 1.0 : 0.0);
      }
      INFO(to_string(method) << ", " << classes << " classes");
      CHECK(expected_calibration_error(decided, right) < 0.05);
    }
  }
}

TEST_CASE("Temperature finds the β that the rows were drawn with and moves no decision",
          "[calibration]") {
  const Sample sample = draw(20000, 3, 5);
  const auto c = Calibration::fit(CalibrationMethod::temperature, sample.scores,
                                  ScoreKind::decision, sample.class_of);
  CHECK_THAT(c.sentence(), Catch::StartsWith("temperature (beta "));
  CHECK(std::stod(c.sentence().substr(18)) == Approx(2.0).margin(0.1));
  const Block p = c.probabilities(sample.scores);
  CHECK(decide(p, ScoreKind::probability) == decide(sample.scores, ScoreKind::decision));
}

TEST_CASE("With prior rows the largest probabilities are the share right on average",
          "[calibration]") {
  // One row of seven is wrong by far: the least log loss would have the others doubt themselves.
  Block scores(7, 3, 0.0);
  for (std::int64_t r = 0; r < 7; ++r)
    scores(r, r % 3) = r == 6 ? 9.0 : 1.0 + 0.1 * static_cast<double>(r);
  const std::vector<int> class_of = {0, 1, 2, 0, 1, 2, 1};
  const auto mean_of_largest = [&](double prior) {
    const Block p = Calibration::fit(CalibrationMethod::temperature, scores, ScoreKind::decision,
                                     class_of, {}, prior)
                        .probabilities(scores);
    double sum = 0.0;
    for (std::int64_t r = 0; r < 7; ++r) sum += std::ranges::max(p.row(r)) / 7.0;
    return sum;
  };
  for (const double prior : {1e-9, 1.0, 10.0, 1e9})
    CHECK(mean_of_largest(prior) == Approx(7.0 / 9.0));  // (6 + 1)/(7 + 2)
  CHECK(mean_of_largest(0.0) < 0.6);
  // However far the scores of one row are apart.
  for (const double far : {1e3, 1e9, 1e15}) {
    scores(6, 0) = far;
    CAPTURE(far);
    CHECK(mean_of_largest(10.0) == Approx(7.0 / 9.0));
  }
}

TEST_CASE("Scores that differ by the least numbers have a temperature", "[calibration]") {
  const double least = std::numeric_limits<double>::denorm_min();
  const std::vector<int> class_of = {0, 1, 1};
  for (const double spread : {1e-306, 1e-307, 1e-308, 1e-320, least}) {
    const Block scores(3, 2, {spread, 0.0, 0.0, spread, spread, 0.0});
    for (const double prior : {0.0, 10.0}) {
      CAPTURE(spread, prior);
      const Block p = Calibration::fit(CalibrationMethod::temperature, scores, ScoreKind::decision,
                                       class_of, {}, prior)
                          .probabilities(scores);
      for (std::int64_t r = 0; r < 3; ++r) {
        CHECK(p(r, 0) + p(r, 1) == Approx(1.0));
        CHECK(p(r, 0) >= 0.0);
        CHECK(p(r, r == 1 ? 1 : 0) >= 0.5);
      }
    }
  }
}

TEST_CASE("Prior rows draw a curve to the share right", "[calibration]") {
  // Three of four rows are right: (3 + 1)/(4 + 2) of them, and 6 prior rows make 6/10 of it.
  const Block scores(4, 3, {2.0, 0.0, 1.0, 0.0, 3.0, 1.0, 1.0, 0.0, 4.0, 0.5, 0.0, 0.2});
  const std::vector<int> class_of = {0, 1, 2, 1};
  for (const auto method :
       {CalibrationMethod::platt, CalibrationMethod::isotonic, CalibrationMethod::temperature}) {
    const auto fitted = [&](double prior) {
      return Calibration::fit(method, scores, ScoreKind::decision, class_of, {}, prior)
          .probabilities(scores);
    };
    // Without prior rows temperature takes another β, so that next to none are its plain curve.
    const bool by_mean = method == CalibrationMethod::temperature;
    const Block plain = fitted(by_mean ? 1e-15 : 0.0), drawn = fitted(6.0);
    const std::vector<int> first = decide(scores, ScoreKind::decision);
    for (std::int64_t r = 0; r < 4; ++r)
      for (int k = 0; k < 3; ++k)
        CHECK(drawn(r, k) ==
              Approx(0.4 * plain(r, k) +
                     0.6 * (k == first[static_cast<std::size_t>(r)] ? 2.0 / 3.0 : 1.0 / 6.0)));
  }
  // No row right: the class of the largest score has no less than chance.
  const auto wrong = Calibration::fit(CalibrationMethod::temperature, scores, ScoreKind::decision,
                                      std::vector<int>{1, 0, 0, 2}, {}, 1e9);
  CHECK(wrong.probabilities(scores)(0, 0) == Approx(1.0 / 3.0));
  for (const double prior : {-1.0, std::nan("")})
    CHECK(error_of([&] {
            Calibration::fit(CalibrationMethod::temperature, scores, ScoreKind::decision, class_of,
                             {}, prior);
          })->code() == ErrorCode::usage);
}

TEST_CASE("A calibration comes back from its record", "[calibration]") {
  const Sample sample = draw(300, 3, 7);
  for (const auto method :
       {CalibrationMethod::platt, CalibrationMethod::isotonic, CalibrationMethod::temperature}) {
    const auto c =
        Calibration::fit(method, sample.scores, ScoreKind::decision, sample.class_of, {}, 10.0);
    Record record;
    c.save(record);
    CHECK(Calibration::load(record).probabilities(sample.scores) == c.probabilities(sample.scores));
  }
  Record none;
  Calibration().save(none);
  CHECK_FALSE(Calibration::load(none));
  const auto forged = [](const char* method, double blended) {
    Record record;
    record.put("method", std::string_view(method));
    record.put("classes", std::int64_t{3});
    record.put("of_shares", std::int64_t{0});
    record.put("beta", 1.0);
    record.put("blended", blended);
    record.put("right", 0.5);
    record.put("sigmoids", std::vector<double>{1.0, 0.0});
    record.put("curves", std::int64_t{0});
    return error_of([&] { Calibration::load(record); });
  };
  CHECK_FALSE(forged("temperature", 0.5));
  CHECK(forged("platt", 0.5)->code() == ErrorCode::bad_data);
  CHECK(forged("temperature", 1.5)->code() == ErrorCode::bad_data);
}

TEST_CASE("What cannot be calibrated is refused", "[calibration]") {
  const auto code = [](CalibrationMethod method, const Block& scores, ScoreKind kind,
                       const std::vector<int>& classes) {
    const auto error = error_of([&] { Calibration::fit(method, scores, kind, classes); });
    return error ? error->code() : ErrorCode::internal;
  };
  const auto platt = CalibrationMethod::platt;
  CHECK(code(platt, Block(1, 1), ScoreKind::value, {0}) == ErrorCode::usage);
  CHECK(code(CalibrationMethod::none, Block(1, 2), ScoreKind::decision, {0}) == ErrorCode::usage);
  CHECK(code(platt, Block(1, 1), ScoreKind::decision, {0}) == ErrorCode::bad_data);
  CHECK(code(platt, Block(1, 2), ScoreKind::decision, {2}) == ErrorCode::bad_data);
  CHECK(code(platt, Block(1, 2), ScoreKind::decision, {}) == ErrorCode::bad_data);
  CHECK(code(platt, Block(1, 2, std::nan("")), ScoreKind::decision, {0}) == ErrorCode::bad_data);
  CHECK(error_of([] { calibration_method_named("plat"); })->code() == ErrorCode::usage);
}
