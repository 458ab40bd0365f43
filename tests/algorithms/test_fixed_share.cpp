// Fixed share, two loops a trial, beside plain formulas: weights, mix loss, and the best sequence.

#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "online/fixed_share.hpp"
#include "support/catch.hpp"

using namespace gssl;
using detail::FixedShare;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// The formulas, trial by trial, a sequence for each expert that it ends with and number of shifts.
struct PlainShare {
  double alpha, rate;
  std::vector<double> weights;
  std::vector<std::vector<double>> cost;  // of expert and shifts, in units of loss
  double mix = 0.0;

  PlainShare(std::size_t n, double a, double r)
      : alpha(a),
        rate(r),
        weights(n, 1.0 / static_cast<double>(n)),
        cost(n, std::vector<double>{std::log(static_cast<double>(n)) / r}) {}

  void lose(const std::vector<double>& losses) {
    const std::size_t n = weights.size();
    const auto others = static_cast<double>(n) - 1.0;
    double pool = 0.0;
    for (std::size_t i = 0; i < n; ++i) pool += weights[i] *= std::exp(-rate * losses[i]);
    mix -= std::log(pool) / rate;
    for (double& w : weights)
      w = n == 1 ? 1.0 : ((1.0 - alpha) * w + alpha * (pool - w) / others) / pool;
    for (std::size_t i = 0; i < n; ++i)
      for (double& c : cost[i]) c += losses[i];
  }

  // Before the next trial.
  void share() {
    const std::size_t n = weights.size();
    if (n == 1) return;
    const auto others = static_cast<double>(n) - 1.0;
    const double stay = alpha < 1.0 ? -std::log1p(-alpha) / rate : never;
    const double leave = alpha > 0.0 ? std::log(others / alpha) / rate : never;
    const auto before = cost;
    for (std::size_t i = 0; i < n; ++i) {
      cost[i].push_back(never);
      for (std::size_t j = 0; j < cost[i].size(); ++j) {
        double best = j < before[i].size() ? before[i][j] + stay : never;
        for (std::size_t k = 0; k < n && j > 0; ++k)
          if (k != i) best = std::min(best, before[k][j - 1] + leave);
        cost[i][j] = best;
      }
    }
  }

  double bound() const {
    double best = never;
    for (const auto& of_expert : cost)
      for (const double c : of_expert) best = std::min(best, c);
    return best;
  }
};

std::vector<double> advice_of(Rng& rng, std::size_t n, bool binary) {
  std::vector<double> advice(n);
  for (double& x : advice) x = binary ? static_cast<double>(rng.below(2)) : rng.uniform();
  return advice;
}

}  // namespace

TEST_CASE("fixed share has the weights and the bound of its formulas", "[fixed-share]") {
  const bool binary = GENERATE(false, true);
  const double alpha = GENERATE(0.0, 0.01, 0.4, 0.9, 1.0);
  const double rate = GENERATE(0.1, 0.5, 2.0, 60.0);
  for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 21U}) {
    INFO("n " << n << ", alpha " << alpha << ", rate " << rate << ", binary " << binary);
    Rng rng(n);
    FixedShare share(n, alpha, rate);
    PlainShare plain(n, alpha, rate);
    std::vector<double> copy(n);
    double mix = 0.0;
    for (int t = 0; t < 30; ++t) {
      const auto advice = advice_of(rng, n, binary);
      const double outcome = t % 3 == 0 ? 1.0 : t % 3 == 1 ? 0.0 : binary ? 1.0 : rng.uniform();
      const detail::AdviceSums sums = share.mean(advice, copy);
      CHECK(copy == advice);
      double mean = 0.0;
      std::vector<double> losses;
      for (std::size_t i = 0; i < n; ++i) {
        mean += plain.weights[i] * advice[i];
        losses.push_back((outcome - advice[i]) * (outcome - advice[i]));
        // With alpha = 1 the weight of who had all is what rounding left of it.
        CHECK(share.weights()[i] == Approx(plain.weights[i]).epsilon(1e-12).margin(1e-15));
      }
      CHECK(sums.mean == Approx(mean).epsilon(1e-12).margin(1e-15));
      CHECK(sums.least == *std::ranges::min_element(advice));
      CHECK(sums.largest == *std::ranges::max_element(advice));
      if (t > 0) plain.share();
      plain.lose(losses);
      mix += t % 2 == 0 ? share.lose_squares(outcome, copy) : share.lose(losses);
      CHECK(mix == Approx(plain.mix).epsilon(1e-12).margin(1e-13));
      CHECK(share.best().cost == Approx(rate * plain.bound()).epsilon(1e-12));
    }
  }
}

TEST_CASE("the weights of fixed share keep to its formulas over many trials", "[fixed-share]") {
  const std::size_t n = 13;
  Rng rng(3);
  FixedShare share(n, 0.02, 0.5);
  PlainShare plain(n, 0.02, 0.5);
  std::vector<double> copy(n);
  double mix = 0.0;
  for (int t = 0; t < 20000; ++t) {
    const auto advice = advice_of(rng, n, false);
    share.mean(advice, copy);
    std::vector<double> losses;
    for (const double x : advice) losses.push_back(x * x);
    mix += share.lose_squares(0.0, copy);
    plain.lose(losses);
  }
  CHECK(mix == Approx(plain.mix).epsilon(1e-13));
  share.mean(advice_of(rng, n, false), copy);
  for (std::size_t i = 0; i < n; ++i)
    CHECK(share.weights()[i] == Approx(plain.weights[i]).epsilon(1e-12));
}

TEST_CASE("costs of fixed share keep their digits when they are large", "[fixed-share]") {
  // Two experts, one of them right in each half of 1000 trials; all lose 0.5 besides.
  const double alpha = 0.01, rate = 0.5;
  FixedShare share(2, alpha, rate);
  std::vector<double> copy(2);
  for (int t = 0; t < 1000; ++t) {
    share.mean(std::vector<double>{0.5, 0.5}, copy);
    share.lose(std::vector<double>{t < 500 ? 0.5 : 1.0, t < 500 ? 1.0 : 0.5});
  }
  CHECK(share.best().shifts == 1.0);
  CHECK(share.best().loss == Approx(500.0).epsilon(1e-13));
  CHECK(share.best().cost ==
        Approx(rate * 500.0 + std::log(2.0) + std::log(1.0 / alpha) - 998.0 * std::log1p(-alpha))
            .epsilon(1e-13));
}

TEST_CASE("advice that is no prediction is told from advice at the ends", "[fixed-share]") {
  const auto made = builtin_learners().make("fixed-share");
  for (const std::size_t n : {1U, 4U, 9U, 16U})
    for (const double wrong : {-1e-300, std::nextafter(1.0, 2.0), std::nan(""), never, -never}) {
      const auto session = made.online().start({});
      std::vector<double> advice(n, 0.0);
      advice.back() = -0.0;
      CHECK(session->predict({.values = advice}) == 0.0);
      session->update({.value = 0.5});
      advice[n / 2] = wrong;
      CHECK_THROWS_AS(session->predict({.values = advice}), Error);
      advice[n / 2] = 1.0;
      CHECK_NOTHROW(session->predict({.values = advice}));
    }
}
