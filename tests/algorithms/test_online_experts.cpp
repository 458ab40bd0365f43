// Experts: hand-checked runs, outside losses, and bounds on random and adversarial streams.

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/online/share.hpp"
#include "gssl/online/weighted_average.hpp"
#include "online/share_kernels.hpp"
#include "online_streams.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::unique_ptr<OnlineSession> expert_session(const std::string& spec, OnlineSetting setting = {}) {
  static const LearnerRegistry registry = builtin_learners();
  return registry.make(spec).online().start(setting);
}

double run_to_end(OnlineSession& session, const std::vector<std::vector<double>>& advice) {
  for (const std::vector<double>& row : advice) {
    session.predict({.values = row});
    session.update({.value = 0.0});
  }
  return session.report().loss;
}

// Least over all sequences with at most `most` shifts of loss + η⁻¹(ln n + j ln((n−1)/α) +
// (T−1−j) ln(1/(1−α))), by a table over trials, experts and shifts.
double best_with_shifts(const std::vector<std::vector<double>>& losses, double alpha, double eta,
                        std::size_t most) {
  const std::size_t n = losses[0].size(), trials = losses.size();
  std::vector<std::vector<double>> v(most + 1, std::vector<double>(n, 1e300));
  v[0].assign(n, 0.0);
  for (std::size_t t = 0; t < trials; ++t) {
    for (std::size_t j = most + 1; j-- > 0;)
      for (std::size_t i = 0; i < n; ++i) {
        double before = v[j][i];
        if (t > 0 && j > 0)
          for (std::size_t k = 0; k < n; ++k)
            if (k != i) before = std::min(before, v[j - 1][k]);
        v[j][i] = before + losses[t][i];
      }
  }
  double best = 1e300;
  const auto count = static_cast<double>(n), length = static_cast<double>(trials);
  for (std::size_t j = 0; j <= most; ++j) {
    const auto shifts = static_cast<double>(j);
    const double cost = std::log(count) + shifts * std::log((count - 1.0) / alpha) -
                        (length - 1.0 - shifts) * std::log1p(-alpha);
    for (std::size_t i = 0; i < n; ++i) best = std::min(best, v[j][i] + cost / eta);
  }
  return best;
}

}  // namespace

TEST_CASE("the exponentials of the share loops are right to the last digits", "[online]") {
  for (double x = 0.0; x > -700.0; x = x * 1.07 - 1e-12) {
    const std::vector<double> one = {1.0}, losses = {-x};
    std::vector<double> out(1);
    CHECK(detail::weigh(one, losses, 1.0, out) == Approx(std::exp(x)).epsilon(4e-16));
    CHECK(detail::weigh_less_one(one, losses, 1.0) == Approx(std::expm1(x)).epsilon(6e-16));
  }
  const std::vector<double> one = {1.0}, much = {1e308};
  std::vector<double> out(1);
  CHECK(detail::weigh(one, much, 1.0, out) == 0.0);
  CHECK(detail::weigh_less_one(one, much, 1.0) == -1.0);
}

TEST_CASE("halving and consistent: a run by hand", "[online]") {
  // experts a, b, c, d; outcome; who is left
  const std::vector<std::vector<double>> advice = {
      {1, 1, 0, 1}, {1, 0, 1, 1}, {0, 0, 1, 1}, {1, 1, 0, 0}};
  const std::vector<double> outcomes = {0, 1, 1, 1};
  const auto halving = expert_session("halving", {.class_names = {"0", "1"}});
  const auto consistent = expert_session("consistent", {.class_names = {"0", "1"}});
  std::vector<double> majority, first;
  for (std::size_t t = 0; t < advice.size(); ++t) {
    majority.push_back(halving->predict({.values = advice[t]}));
    first.push_back(consistent->predict({.values = advice[t]}));
    halving->update({.value = outcomes[t]});
    consistent->update({.value = outcomes[t]});
  }
  // After the first outcome only c is left; it is wrong in the end, so all are taken back.
  CHECK(majority == std::vector<double>{1, 1, 1, 0});
  CHECK(first == std::vector<double>{1, 1, 1, 0});
  CHECK(halving->report().certificates[0].values == std::vector<double>{4});
  CHECK(halving->report().comparator == 1.0);
  CHECK(halving->report().bound == 5.0);     // 1 (2 + 1) + 2
  CHECK(consistent->report().bound == 7.0);  // 1 · 4 + 3
}

TEST_CASE("losses of weighted average, fixed and variable share are the reference's", "[online]") {
  const auto path = shared_path("reference/online/experts_dev.csv.gz");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const std::string plain = (dir.path() / "experts.csv").string();
  REQUIRE(std::system(("gzip -dc " + path->string() + " > " + plain).c_str()) == 0);
  const auto advice = read_numbers(plain);
  REQUIRE(advice.size() == 800);
  const auto loss_of = [&](const char* spec) { return run_to_end(*expert_session(spec), advice); };
  CHECK(loss_of("weighted-average") == Approx(47.45256176004458).margin(1e-9));
  CHECK(loss_of("fixed-share:alpha=0.01") == Approx(36.05323823328278).margin(1e-9));
  CHECK(loss_of("variable-share:alpha=0.01") == Approx(42.08631182003661).margin(1e-9));
  // With a larger rate, shifts pay: the good experts of the four parts.
  const auto fixed = expert_session("fixed-share:alpha=0.01,eta=2,prediction=vovk");
  run_to_end(*fixed, advice);
  CHECK(fixed->report().comparator_name == "square loss of the best experts with 3 shifts");
  CHECK(*fixed->report().comparator <= 3.770594088092 + 1e-9);
  CHECK(*fixed->report().comparator == Approx(3.770594088092).margin(0.2));
  const auto average = expert_session("weighted-average");
  run_to_end(*average, advice);
  CHECK(*average->report().comparator == Approx(49.709784510251005).margin(1e-9));
}

TEST_CASE("the path of fixed share is the best over all numbers of shifts", "[online]") {
  Rng rng(5);
  for (const double alpha : {0.02, 0.3, 0.9}) {
    for (const std::size_t n : {2U, 4U}) {
      std::vector<std::vector<double>> advice, losses;
      for (int t = 0; t < 25; ++t) {
        auto& row = advice.emplace_back();
        for (std::size_t i = 0; i < n; ++i) row.push_back(rng.uniform());
        auto& squares = losses.emplace_back();
        for (const double x : row) squares.push_back(x * x);
      }
      const auto session = expert_session("fixed-share:alpha=" + std::to_string(alpha));
      run_to_end(*session, advice);
      CHECK(*session->report().bound ==
            Approx(best_with_shifts(losses, alpha, 0.5, 24)).epsilon(1e-12));
    }
  }
}

TEST_CASE("losses of mixtures stay between the mix loss and the bound", "[online]") {
  const LearnerRegistry registry = builtin_learners();
  for (const char* spec :
       {"weighted-average", "weighted-average:prediction=vovk", "weighted-average:loss=log",
        "fixed-share:alpha=0.05", "fixed-share:alpha=0.2,prediction=vovk",
        "fixed-share:alpha=0.05,loss=log", "variable-share:alpha=0.05",
        "variable-share:alpha=0.3,prediction=vovk"}) {
    INFO(spec);
    const MadeLearner made = registry.make(spec);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const OnlineStream stream = stream_of(made, {.trials = 150, .seed = seed});
      const auto session = made.online().start(stream.setting);
      play(*session, stream, 0, 150);
      const OnlineReport report = session->report();
      const double mix = report.certificates[0].values[0];
      CHECK(report.loss <= mix * (1.0 + 1e-12));
      CHECK(mix <= *report.bound * (1.0 + 1e-12));
    }
  }
}

TEST_CASE("an adversary who answers what hurts most does not break the bounds", "[online]") {
  for (const char* spec :
       {"weighted-average", "weighted-average:prediction=vovk", "weighted-average:loss=absolute",
        "weighted-average:eta=20", "fixed-share:alpha=0.1", "variable-share:alpha=0.1",
        "fixed-share:alpha=0.1,eta=2,prediction=vovk", "variable-share:alpha=1"}) {
    INFO(spec);
    Rng rng(9);
    const auto session = expert_session(spec, {.horizon = 300});
    for (int t = 0; t < 300; ++t) {
      std::vector<double> advice;
      for (int i = 0; i < 6; ++i) advice.push_back(i < 2 ? i : rng.uniform());
      const double predicted = session->predict({.values = advice});
      session->update({.value = predicted < 0.5 ? 1.0 : 0.0});
      const OnlineReport report = session->report();
      CHECK(report.loss <= *report.bound * (1.0 + 1e-12));
    }
  }
}

TEST_CASE("votes of experts stay below their bounds whatever the outcomes", "[online]") {
  for (const char* spec :
       {"weighted-majority", "weighted-majority:beta=0.2", "halving", "consistent"}) {
    INFO(spec);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Rng rng(seed);
      const std::size_t n = 1 + rng.below(9);
      const auto session = expert_session(spec, {.class_names = {"0", "1"}});
      for (int t = 0; t < 60; ++t) {
        std::vector<double> advice;
        for (std::size_t i = 0; i < n; ++i) advice.push_back(rng.uniform() < 0.5 ? 1.0 : 0.0);
        const double predicted = session->predict({.values = advice});
        session->update({.value = seed % 2 == 0 ? 1.0 - predicted : advice[0]});
        CHECK(session->report().loss <= *session->report().bound);
      }
    }
  }
}

TEST_CASE("share weights survive streams in which every expert loses much", "[online]") {
  for (const char* spec : {"fixed-share:eta=900,loss=absolute,alpha=1e-6",
                           "variable-share:eta=900,loss=absolute", "weighted-average:eta=5000"}) {
    INFO(spec);
    const auto session = expert_session(spec);
    for (int t = 0; t < 500; ++t) {
      const std::vector<double> advice = {t < 250 ? 0.0 : 1.0, 1.0, 0.9};
      const double predicted = session->predict({.values = advice});
      CHECK((predicted >= 0.0 && predicted <= 1.0));
      session->update({.value = 0.0});
    }
    CHECK(std::isfinite(session->report().loss));
  }
}

TEST_CASE("options of experts that contradict each other are refused", "[online]") {
  CHECK_THROWS_AS(expert_session("weighted-average:loss=absolute,prediction=vovk"), Error);
  CHECK_THROWS_AS(expert_session("variable-share:loss=log"), Error);
  CHECK_THROWS_AS(expert_session("fixed-share:alpha=1.5"), Error);
  const auto session = expert_session("weighted-average");
  const std::vector<double> high = {0.5, 1.5}, none;
  CHECK_THROWS_AS(session->predict({.values = high}), Error);
  CHECK_THROWS_AS(session->predict({.values = none}), Error);
}

TEST_CASE("a loss of one's own keeps its bound, and its range", "[online]") {
  WeightedAverageOptions options;
  options.loss = ExpertLoss::bounded;
  // Three times the pinball loss of the quantile 0.9.
  options.bounded = {
      .value = [](double y, double x) { return 3.0 * std::max(0.9 * (y - x), 0.1 * (x - y)); },
      .range = 2.7};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const auto session = WeightedAverageLearner(options).start({.width = 4, .horizon = 300});
    std::vector<double> totals(4, 0.0);
    for (int t = 0; t < 300; ++t) {
      std::vector<double> advice;
      for (int i = 0; i < 4; ++i) advice.push_back(rng.uniform());
      const double predicted = session->predict({.values = advice});
      const double y = seed % 2 == 0 ? rng.uniform() : (predicted < 0.5 ? 1.0 : 0.0);
      CHECK(session->update({.value = y}) == Approx(options.bounded.value(y, predicted)));
      for (std::size_t i = 0; i < 4; ++i) totals[i] += options.bounded.value(y, advice[i]);
    }
    const OnlineReport report = session->report();
    const double best = *std::min_element(totals.begin(), totals.end());
    CHECK(*report.comparator == Approx(best));
    CHECK(*report.bound == Approx(best + 2.7 * std::sqrt(300 * std::log(4.0) / 2.0)));
    CHECK(report.loss <= *report.bound);
  }
  options.bounded = {.value = [](double y, double x) { return std::abs(y - x); }, .range = 1.0};
  WeightedAverageOptions absolute;
  absolute.loss = ExpertLoss::absolute;
  const auto a = WeightedAverageLearner(options).start({.width = 2, .horizon = 9});
  const auto b = WeightedAverageLearner(absolute).start({.width = 2, .horizon = 9});
  const std::vector<std::vector<double>> advice(9, {0.25, 0.75});
  CHECK(run_to_end(*a, advice) == run_to_end(*b, advice));
  CHECK(a->report().bound == b->report().bound);
  options.bounded.range = 0.5;
  const auto narrow = WeightedAverageLearner(options).start({.width = 2});
  narrow->predict({.values = advice[0]});
  const auto beyond = error_of([&] { narrow->update({.value = 0.0}); });
  REQUIRE(beyond);
  CHECK(beyond->code() == ErrorCode::bad_data);
  options.bounded.value = nullptr;
  CHECK_THROWS_AS(WeightedAverageLearner(options), Error);
}
