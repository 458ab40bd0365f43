// Hedge and bandits: shares by hand, the outside loss, and bounds in the mean over 200 seeds.

#include <algorithm>
#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::unique_ptr<OnlineSession> actions_session(const std::string& spec, std::int64_t width,
                                               std::int64_t horizon, std::uint64_t seed = 1) {
  static const LearnerRegistry registry = builtin_learners();
  RunContext run;
  run.seed = seed;
  return registry.make(spec).online().start({.width = width, .horizon = horizon}, run);
}

// Losses that change sides half-way, with action 1 best in all.
std::vector<std::vector<double>> changing_losses(int trials, int actions) {
  Rng rng(3);
  std::vector<std::vector<double>> losses;
  for (int t = 0; t < trials; ++t) {
    auto& row = losses.emplace_back();
    for (int i = 0; i < actions; ++i) row.push_back(rng.uniform() < 0.6 ? 1.0 : 0.0);
    row[t < trials / 2 ? 0 : 1] = 0.0;
    row[1] = std::min(row[1], rng.uniform() < 0.3 ? 1.0 : 0.0);
  }
  return losses;
}

double best_total(const std::vector<std::vector<double>>& losses) {
  std::vector<double> totals(losses[0].size(), 0.0);
  for (const auto& row : losses)
    for (std::size_t i = 0; i < row.size(); ++i) totals[i] += row[i];
  return *std::min_element(totals.begin(), totals.end());
}

// The mean loss over 200 seeds, and three standard errors of it.
std::pair<double, double> mean_loss(const std::string& spec, std::int64_t horizon,
                                    const std::vector<std::vector<double>>& losses, bool arms) {
  double sum = 0.0, squares = 0.0;
  constexpr int seeds = 200;
  for (int seed = 0; seed < seeds; ++seed) {
    const auto session = actions_session(spec, static_cast<std::int64_t>(losses[0].size()), horizon,
                                         static_cast<std::uint64_t>(seed));
    for (const auto& row : losses) {
      const auto drawn = static_cast<std::size_t>(session->predict({}));
      arms ? session->update({.value = row[drawn]}) : session->update({.losses = row});
    }
    const double loss = session->report().loss;
    sum += loss;
    squares += loss * loss;
  }
  const double mean = sum / seeds;
  return {mean, 3.0 * std::sqrt(std::max(0.0, squares / seeds - mean * mean) / seeds)};
}

}  // namespace

TEST_CASE("hedge: its shares by hand", "[online]") {
  const auto session = actions_session("hedge:eta=1", 2, 0);
  session->predict({});
  const std::vector<double> first = {1.0, 0.0}, second = {0.0, 1.0};
  CHECK(session->update({.losses = first}) == 0.5);
  session->predict({});
  const double left = 1.0 / (1.0 + std::exp(-1.0));  // share of the second action
  CHECK(session->update({.losses = second}) == Approx(left));
  CHECK(session->report().comparator == 1.0);
  CHECK(*session->report().bound == Approx(1.0 + std::log(2.0) + 2.0 / 8.0));
  const std::vector<double> bad = {0.5, 1.5}, few = {0.5};
  session->predict({});
  CHECK_THROWS_AS(session->update({.losses = bad}), Error);
  CHECK_THROWS_AS(session->update({.losses = few}), Error);
  CHECK_THROWS_AS(actions_session("hedge", 0, 0), Error);
}

TEST_CASE("hedge's loss is the reference's", "[online]") {
  const auto path = shared_path("reference/online/experts_dev.csv.gz");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const std::string plain = (dir.path() / "experts.csv").string();
  REQUIRE(std::system(("gzip -dc " + path->string() + " > " + plain).c_str()) == 0);
  const auto session = actions_session("hedge:eta=0.1", 64, 0);
  for (std::vector<double> row : read_numbers(plain)) {
    for (double& x : row) x = x > 0.06 ? 1.0 : 0.0;
    session->predict({});
    session->update({.losses = row});
  }
  CHECK(session->report().loss == Approx(654.1134648786517).margin(1e-9));
  CHECK(session->report().comparator == 618.0);
}

TEST_CASE("hedge stays below its bound at every trial, with and without a horizon", "[online]") {
  const auto losses = changing_losses(500, 5);
  for (const std::int64_t horizon : {0, 500}) {
    const auto session = actions_session("hedge", 5, horizon);
    for (const auto& row : losses) {
      session->predict({});
      session->update({.losses = row});
      CHECK(session->report().loss <= *session->report().bound);
    }
    if (horizon > 0) CHECK(*session->report().regret() <= std::sqrt(500 * std::log(5.0) / 2.0));
  }
}

TEST_CASE("learners that draw stay below their bounds in the mean of 200 seeds", "[online]") {
  const auto losses = changing_losses(300, 5);
  const double best = best_total(losses);
  const auto [hedge, hedge_error] = mean_loss("hedge:play=draw", 300, losses, false);
  CHECK(hedge - hedge_error <= best + std::sqrt(300 * std::log(5.0) / 2.0));
  const auto [known, known_error] = mean_loss("exp3", 300, losses, true);
  CHECK(known - known_error <= best + std::sqrt(2.0 * 300 * 5 * std::log(5.0)));
  const auto [open, open_error] = mean_loss("exp3", 0, losses, true);
  CHECK(open - open_error <= best + 2.0 * std::sqrt(300 * 5 * std::log(5.0)));
}

TEST_CASE("ucb1 pulls every arm, then mostly the best, within its bound", "[online]") {
  const std::vector<double> means = {0.5, 0.2, 0.45};
  constexpr int trials = 2000, seeds = 20;
  double regret = 0.0;
  for (int seed = 0; seed < seeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed), 7);
    const auto session = actions_session("ucb1", 3, 0);
    for (int t = 0; t < trials; ++t) {
      const auto arm = static_cast<std::size_t>(session->predict({}));
      if (t < 3) CHECK(arm == static_cast<std::size_t>(t));
      session->update({.value = rng.uniform() < means[arm] ? 1.0 : 0.0});
      regret += (means[arm] - 0.2) / seeds;
    }
    CHECK(session->report().certificates[0].values[1] > trials / 2.0);
  }
  double bound = 0.0;
  for (const double gap : {0.3, 0.25})
    bound += 8.0 * std::log(trials) / gap + (1.0 + 3.289868) * gap;
  CHECK(regret <= bound);
}
