// Experts for several tasks that switch and come back: a twin that subtracts, conservation of
// weight, and the bounds.

#include <cmath>

#include "algorithms/online_graph_support.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/online/switching_multitask.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

OnlineSetting experts(std::int64_t n, std::int64_t horizon) {
  OnlineSetting setting;
  setting.width = n;
  setting.class_names = {"0", "1"};
  setting.horizon = horizon;
  return setting;
}

// `modes` experts are good in turn; task i changes its one every `stay` trials. All others guess.
struct Simulation {
  std::int64_t n, tasks, modes, stay;
  Rng rng;
  std::vector<double> advice;
  std::int64_t task = 0;
  double truth = 0.0;

  void next(std::int64_t trial) {
    advice.resize(static_cast<std::size_t>(n));
    for (double& a : advice) a = static_cast<double>(rng.below(2));
    task = trial % tasks;
    truth = static_cast<double>(rng.below(2));
    advice[static_cast<std::size_t>((trial / stay + task) % modes)] = truth;
  }
};

}  // namespace

TEST_CASE("weights of switching multitask follow the formulas of the paper", "[multitask]") {
  const std::int64_t n = 7, s = 3, horizon = 300, m = 3, k = 8;
  const auto session =
      SwitchingMultitaskLearner({.modes = m, .switches = k, .tasks = s}).start(experts(n, horizon));
  Simulation world{n, s, m, 50, Rng(3), {}};
  const double theta = 1.0 - k / static_cast<double>(horizon - s);
  const double phi = k / (static_cast<double>(m - 1) * (horizon - s));
  const double eta = certified(session->report(), "rate");
  std::vector<double> pi(n, 1.0 / n);
  std::vector<std::vector<double>> w(s, std::vector<double>(n, 1.0 / m));
  double expected = 0.0;
  for (int t = 0; t < horizon; ++t) {
    world.next(t);
    session->predict({.values = world.advice, .first = world.task});
    session->update({.value = world.truth});
    std::vector<double>& own = w[static_cast<std::size_t>(world.task)];
    std::vector<double> delta(n);
    double total = 0.0, kept = 0.0, wrong = 0.0;
    for (int h = 0; h < n; ++h) {
      const bool is_wrong = world.advice[h] != world.truth;
      delta[h] = own[h] * std::exp(is_wrong ? -eta : 0.0);
      total += pi[h] * own[h];
      kept += pi[h] * delta[h];
      if (is_wrong) wrong += pi[h] * own[h];
    }
    expected += wrong / total;
    for (int h = 0; h < n; ++h) {
      const double stays = total / kept * delta[h];
      const double scale = 1.0 - own[h] + stays;
      pi[h] *= scale;
      own[h] = (phi * (1.0 - own[h]) + theta * stays) / scale;
    }
  }
  CHECK(certified(session->report(), "expected_loss") == Approx(expected).epsilon(1e-10));
}

TEST_CASE("switching multitask keeps its bounds, and its weights sum to 1", "[multitask]") {
  const std::int64_t n = 40, s = 4, horizon = 4000, m = 3, stay = 400;
  const std::int64_t k = s * (horizon / stay - 1);
  double realized = 0.0;
  const int seeds = 30;
  OnlineReport report;
  for (int seed = 0; seed < seeds; ++seed) {
    RunContext run = on_threads(1);
    run.seed = static_cast<std::uint64_t>(seed);
    const auto session = SwitchingMultitaskLearner({.modes = m, .switches = k, .tasks = s})
                             .start(experts(n, horizon), run);
    Simulation world{n, s, m, stay, Rng(8), {}};
    for (int t = 0; t < horizon; ++t) {
      world.next(t);
      session->predict({.values = world.advice, .first = world.task});
      session->update({.value = world.truth});
    }
    report = session->report();
    realized += report.loss / seeds;
  }
  const double expected = certified(report, "expected_loss");
  CHECK(expected <= *report.bound);
  CHECK(expected <= certified(report, "regret_bound"));  // the sequence of good ones has loss 0
  CHECK(expected < 0.3 * horizon / 2.0);
  CHECK(std::abs(realized - expected) < 4.0 * std::sqrt(horizon * 0.25 / seeds));
  CHECK(std::abs(certified(report, "weight_sum") - 1.0) <= 1e-12);
}

TEST_CASE("an expert that was good in one task is found faster in another", "[multitask]") {
  // Two tasks, one after the other, with the same good expert among 200.
  const std::int64_t n = 200, horizon = 400;
  const auto loss_of_second = [&](bool same) {
    const auto session = SwitchingMultitaskLearner({.modes = 2, .switches = 2, .tasks = 2})
                             .start(experts(n, horizon));
    Rng rng(12);
    std::vector<double> advice(n);
    double before = 0.0;
    for (int t = 0; t < horizon; ++t) {
      const int task = t < horizon / 2 ? 0 : 1;
      if (t == horizon / 2) before = certified(session->report(), "expected_loss");
      const auto truth = static_cast<double>(rng.below(2));
      for (double& a : advice) a = static_cast<double>(rng.below(2));
      advice[task == 0 || same ? 5 : 9] = truth;
      session->predict({.values = advice, .first = task});
      session->update({.value = truth});
    }
    return certified(session->report(), "expected_loss") - before;
  };
  CHECK(loss_of_second(true) < 0.5 * loss_of_second(false));
}

TEST_CASE("the sum of weights holds for 10⁵ trials", "[multitask]") {
  const std::int64_t n = 6, horizon = 100'000;
  const auto session = SwitchingMultitaskLearner({.modes = 3, .switches = 100, .tasks = 2})
                           .start(experts(n, horizon));
  Simulation world{n, 2, 3, 2000, Rng(21), {}};
  for (int t = 0; t < horizon; ++t) {
    world.next(t);
    session->predict({.values = world.advice, .first = world.task});
    session->update({.value = world.truth});
  }
  CHECK(std::abs(certified(session->report(), "weight_sum") - 1.0) <= 1e-12);
}

TEST_CASE("a saved multitask session goes on with the same bits", "[multitask]") {
  const SwitchingMultitaskLearner learner({.modes = 2, .switches = 3, .tasks = 2});
  const auto undisturbed = learner.start(experts(5, 100));
  auto session = learner.start(experts(5, 100));
  Simulation world{5, 2, 2, 20, Rng(4), {}};
  for (int t = 0; t < 100; ++t) {
    world.next(t);
    Record record;
    session->save(record);
    session = learner.resume({}, record);
    session->predict({.values = world.advice, .first = 1 - world.task});  // no outcome comes
    const Instance instance{.values = world.advice, .first = world.task};
    REQUIRE(session->predict(instance) == undisturbed->predict(instance));
    session->update({.value = world.truth});
    undisturbed->update({.value = world.truth});
  }
  Record a, b;
  session->save(a);
  undisturbed->save(b);
  CHECK(a.entries() == b.entries());
}

TEST_CASE("what switching multitask refuses", "[multitask]") {
  const auto code = [](const SwitchingMultitaskOptions& options, const OnlineSetting& setting) {
    return error_of([&] { SwitchingMultitaskLearner(options).start(setting); })->code();
  };
  CHECK(code({.modes = 1}, experts(5, 100)) == ErrorCode::usage);
  CHECK(code({.modes = 6}, experts(5, 100)) == ErrorCode::usage);
  CHECK(code({}, experts(0, 100)) == ErrorCode::usage);
  CHECK(code({}, experts(5, 0)) == ErrorCode::usage);
  CHECK(code({.switches = 99}, experts(5, 100)) == ErrorCode::usage);
  const auto session = SwitchingMultitaskLearner().start(experts(2, 100));
  const std::vector<double> advice = {0.0, 1.0}, wrong = {0.0, 0.5};
  CHECK(error_of([&] { session->predict({.values = advice, .first = 1}); })->code() ==
        ErrorCode::bad_data);
  CHECK(error_of([&] { session->predict({.values = wrong, .first = 0}); })->code() ==
        ErrorCode::bad_data);
}
