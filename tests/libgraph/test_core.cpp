#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/options.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

TEST_CASE("streams repeat for the same seed and index and differ otherwise") {
  Rng a(1, 5), same(1, 5), other_stream(1, 6), other_seed(2, 5);
  const std::uint64_t first = a();
  CHECK(first == same());
  CHECK(first != other_stream());
  CHECK(first != other_seed());
  RunContext run;
  run.seed = 1;
  CHECK(run.rng(5)() == first);
  CHECK(run.thread_count() >= 1);
}

TEST_CASE("draws have the moments of their distributions") {
  Rng rng(3);
  const int n = 200000;
  double mean = 0, square = 0, uniform = 0, least = 1, most = 0;
  std::vector<int> times(7, 0);
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal(), u = rng.uniform();
    mean += z / n;
    square += z * z / n;
    uniform += u / n;
    least = std::min(least, u);
    most = std::max(most, u);
    ++times[rng.below(7)];
  }
  CHECK(std::abs(mean) < 0.015);
  CHECK(std::abs(square - 1.0) < 0.02);
  CHECK(std::abs(uniform - 0.5) < 0.004);
  CHECK((least >= 0.0 && most < 1.0));
  for (const int count : times) CHECK(std::abs(count - n / 7.0) < 1000);
  CHECK(rng.below(1) == 0);
}

TEST_CASE("a shuffle is a permutation and not the identity") {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Rng rng(4);
  shuffle(shuffled, rng);
  CHECK(shuffled != items);
  std::sort(shuffled.begin(), shuffled.end());
  CHECK(shuffled == items);
}

TEST_CASE("numbers survive the way to text and back") {
  for (const double x :
       {0.0, -0.0, 0.1, 1.0 / 3, 1e-310, 5e-324, 1.7976931348623157e308, -2.5e17}) {
    const auto back = parse_number<double>(to_text(x));
    REQUIRE(back);
    CHECK(*back == x);
    CHECK(std::signbit(*back) == std::signbit(x));
  }
  CHECK(to_text(0.1) == "0.1");
  CHECK(parse_number<double>("+2") == 2.0);
  for (const auto* text : {"", "+", "+-1", "1x", " 1", "1 ", "1,5", "1e999"})
    CHECK_FALSE(parse_number<double>(text));
  CHECK_FALSE(parse_number<int>("2147483648"));
  CHECK_FALSE(parse_number<int>("1.0"));
}

OptionTable table() {
  OptionTable options;
  options.real("tolerance", 1e-10, {0.0, 1.0, true, false}, "how near")
      .integer("rounds", 5, {1, 10}, "how often")
      .flag("fast", false, "whether")
      .choice("mass", "none", {"none", "cmn"}, "which")
      .text("name", "x", "what");
  return options;
}

TEST_CASE("an option table parses, fills in defaults and echoes in its own order") {
  const OptionValues values = table().parse("mass=cmn,fast,tolerance=1", "harmonic");
  CHECK(values.real("tolerance") == 1.0);
  CHECK(values.integer("rounds") == 5);
  CHECK(values.flag("fast"));
  CHECK(values.text("mass") == "cmn");
  CHECK(values.given("mass"));
  CHECK_FALSE(values.given("rounds"));
  CHECK(values.echo() == "tolerance=1,rounds=5,fast=true,mass=cmn,name=x");
  CHECK(table().parse(values.echo(), "again").echo() == values.echo());
  CHECK(OptionTable().parse("", "none").echo().empty());
}

TEST_CASE("options may be given as values beside those that were parsed") {
  OptionTable table;
  table.text("shares", "", "numbers").choice("mass", "none", {"none", "cmn"}, "a rule");
  OptionValues values = table.parse("", "learner");
  CHECK(values.numbers("shares") == nullptr);
  values.choose("mass", "cmn");
  values.give("shares", {0.1, 0.2});
  CHECK(values.given("shares"));
  CHECK(values.changed("mass"));
  REQUIRE(values.numbers("shares") != nullptr);
  CHECK(*values.numbers("shares") == std::vector<double>{0.1, 0.2});
  CHECK(values.echo() == "shares=0.1;0.2,mass=cmn");
  CHECK_THROWS_AS(values.choose("mass", "none"), Error);  // given twice
  CHECK_THROWS_AS(values.give("mass", {0.5}), Error);     // no text option
}

TEST_CASE("an option table refuses with owner, option and rule") {
  const std::pair<const char*, const char*> cases[] = {
      {"speed=1", "no option 'speed'; it has tolerance, rounds, fast, mass, name"},
      {"rounds=2,rounds=2", "given twice"},
      {"rounds", "needs a value"},
      {"rounds=", "must be an integer in [1, 10]"},
      {"rounds=11", "rounds=11: must be an integer in [1, 10]"},
      {"rounds=1.5", "must be an integer"},
      {"tolerance=0", "must be a number in (0, 1]"},
      {"tolerance=nan", "must be a number"},
      {"tolerance=abc", "must be a number"},
      {"fast=yes", "true|false"},
      {"mass=heavy", "none|cmn"},
      {"=1", "no option ''"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    const auto error = test::error_of([text = text] { table().parse(text, "harmonic"); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    CHECK_THAT(error->what(), Catch::StartsWith("harmonic: ") && Catch::Contains(message));
  }
  const OptionValues values = table().parse("", "harmonic");
  CHECK(test::error_of([&] { values.real("absent"); })->code() == ErrorCode::internal);
  CHECK(test::error_of([&] { values.real("rounds"); })->code() == ErrorCode::internal);
}

TEST_CASE("parallel blocks cover every index once and carry exceptions out") {
  for (const int threads : {1, 4}) {
    std::vector<int> seen(50001, 0);
    parallel_blocks(50001, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    CHECK(seen == std::vector<int>(50001, 1));
    CHECK_THROWS_AS(parallel_blocks(50001, threads,
                                    [](std::int64_t begin, std::int64_t) {
                                      if (begin > 20000) throw std::out_of_range("late");
                                    }),
                    std::out_of_range);
    parallel_blocks(0, threads, [](std::int64_t, std::int64_t) { FAIL("no block expected"); });
  }
}

TEST_CASE("parallel blocks are each run once, by more threads than there are blocks too") {
  for (const int threads : {1, 2, 3, 7, 40}) {
    for (const std::int64_t blocks : {1, 2, 5, 13, 100}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(blocks));
      parallel_blocks(
          blocks * 10 - 3, threads,
          [&](std::int64_t begin, std::int64_t end) {
            if (begin % 10 == 0 && end == std::min(begin + 10, blocks * 10 - 3))
              ++runs[static_cast<std::size_t>(begin / 10)];
          },
          10);
      CHECK(std::ranges::all_of(runs, [](int count) { return count == 1; }));
    }
  }
}

TEST_CASE("tasks are begun in ascending order") {
  std::atomic<std::int64_t> beside{-1};  // the first task that is begun while task 0 waits
  parallel_blocks(
      200, 2,
      [&](std::int64_t task, std::int64_t) {
        std::int64_t none = -1;
        if (task > 0) beside.compare_exchange_strong(none, task);
        for (int i = 0; i < 5000 && beside < 0; ++i)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      1);
  CHECK(beside == 1);
}

TEST_CASE("blocks of a thread that sleeps are run by the others") {
  std::atomic<int> done{0};
  int before_it_woke = 0;
  parallel_blocks(
      200, 2,
      [&](std::int64_t begin, std::int64_t) {
        if (begin == 0) {
          for (int i = 0; i < 5000 && done < 19; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          before_it_woke = done;
        }
        ++done;
      },
      10);
  CHECK(before_it_woke == 19);
}

TEST_CASE("blocked sums have the same bytes on any number of threads") {
  Rng rng(6);
  std::vector<double> x(100000);
  for (double& value : x) value = rng.normal();
  const auto sum = [&](int threads) {
    return blocked_sum(static_cast<std::int64_t>(x.size()), threads,
                       [&](std::int64_t begin, std::int64_t end) {
                         return std::accumulate(x.begin() + begin, x.begin() + end, 0.0);
                       });
  };
  CHECK(sum(1) == sum(2));
  CHECK(sum(1) == sum(7));
  CHECK(sum(1) == Approx(std::accumulate(x.begin(), x.end(), 0.0)));
}

TEST_CASE("errors have their exit status and outcomes their spelling") {
  CHECK(exit_status(ErrorCode::usage) == 64);
  CHECK(exit_status(ErrorCode::bad_data) == 65);
  CHECK(exit_status(ErrorCode::cannot_open) == 66);
  CHECK(exit_status(ErrorCode::internal) == 70);
  CHECK(exit_status(ErrorCode::out_of_memory) == 71);
  CHECK(exit_status(ErrorCode::cannot_create) == 73);
  CHECK(exit_status(ErrorCode::io_failure) == 74);
  CHECK(exit_status(ErrorCode::cancelled) == 1);
  CHECK(exit_status(ErrorCode::time_limit) == 1);
  CHECK(to_string(Outcome::iteration_limit) == "iteration_limit");
  CHECK(test::error_of([] { GSSL_ASSERT(1 + 1 == 3); })->code() == ErrorCode::internal);
}

TEST_CASE("a run stops when it is cancelled or out of time, and says which") {
  RunContext run;
  CHECK_FALSE(run.stop());
  std::atomic<bool> cancel{false};
  run.cancel = &cancel;
  run.deadline = RunContext::Clock::now() + std::chrono::hours(1);
  CHECK_FALSE(run.should_stop());
  run.throw_if_stopped("work", "before it was done");
  run.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
  CHECK(run.stop() == Outcome::time_limit);
  CHECK(test::error_of([&] { run.throw_if_stopped("work", "before its end"); })->code() ==
        ErrorCode::time_limit);
  cancel = true;
  CHECK(run.stop() == Outcome::cancelled);
  CHECK(test::error_of([&] { run.throw_if_stopped("work", "before its end"); })->code() ==
        ErrorCode::cancelled);
  CHECK(run.should_stop());
}

TEST_CASE("the error of a stopped run and its outcome say the same") {
  std::atomic<bool> cancel{true};
  RunContext run;
  run.cancel = &cancel;
  const auto by_flag = test::error_of([&] { run.throw_if_stopped("work", "before its end"); });
  cancel = false;
  run.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
  const auto by_clock = test::error_of([&] { run.throw_if_stopped("work", "before its end"); });
  CHECK(stop_of(*by_flag) == Outcome::cancelled);
  CHECK(stop_of(*by_clock) == Outcome::time_limit);
  CHECK(stop_of(Error(ErrorCode::bad_data, "a line")) == std::nullopt);
  CHECK(run.stop_reason() == Outcome::time_limit);
  run.deadline.reset();
  CHECK(run.stop_reason() == Outcome::cancelled);  // the flag was raised and lowered
  for (const Outcome outcome : {Outcome::converged, Outcome::iteration_limit, Outcome::breakdown})
    CHECK_FALSE(ended_by_run(outcome));
  CHECK((ended_by_run(Outcome::cancelled) && ended_by_run(Outcome::time_limit)));
}

TEST_CASE("of two outcomes the worse is kept, in either order") {
  const std::vector<Outcome> from_best = {Outcome::converged, Outcome::iteration_limit,
                                          Outcome::breakdown, Outcome::time_limit,
                                          Outcome::cancelled};
  for (std::size_t i = 0; i < from_best.size(); ++i)
    for (std::size_t j = 0; j < from_best.size(); ++j)
      CHECK(worse(from_best[i], from_best[j]) == from_best[std::max(i, j)]);
}

SolveReport solved(Outcome outcome, std::int64_t iterations, double residual, const char* used,
                   const char* sentence) {
  SolveReport report;
  report.outcome = outcome;
  report.iterations = iterations;
  report.relative_residual = residual;
  report.used = used;
  report.sentence = sentence;
  return report;
}

TEST_CASE("reports of several solves become one") {
  SolveReport all;
  all.used = "none";
  const SolveReport good = solved(Outcome::converged, 7, 1e-9, "cg", "good");
  merge(all, good);
  CHECK(all.sentence == "good");
  SolveReport bad = solved(Outcome::iteration_limit, 5, 1e-3, "multigrid", "bad");
  bad.error_estimate = 0.25;
  bad.inconsistency = 0.5;
  merge(all, bad);
  CHECK(all.outcome == Outcome::iteration_limit);
  CHECK((all.sentence == "bad" && all.used == "multigrid"));
  CHECK((all.iterations == 7 && all.relative_residual == 1e-3));
  CHECK((all.error_estimate == 0.25 && all.inconsistency == 0.5));
  merge(all, good);
  merge(all, solved(Outcome::iteration_limit, 0, 0.0, "cg", "as bad, but later"));
  merge(all, solved(Outcome::breakdown, 0, 0.0, "none", "nothing was solved"));
  CHECK((all.outcome == Outcome::iteration_limit && all.sentence == "bad"));
}

TEST_CASE("a run that solved no system has no residual") {
  SolveReport all;
  CHECK_FALSE(all.relative_residual.has_value());
  SolveReport rounds;
  rounds.used = "rounds";
  merge(all, rounds);
  CHECK_FALSE(all.relative_residual.has_value());
  merge(all, solved(Outcome::converged, 0, 0.0, "cholesky", "solved"));
  CHECK(all.relative_residual == 0.0);
}

TEST_CASE("the report of a run has numbers of a system only where one was solved") {
  Report run;
  run.used = "votes";
  run.sentence = "counted";
  CHECK((!run.system && !run.relative_residual()));
  CHECK_FALSE(solve_report(run).relative_residual.has_value());
  CHECK(solve_report(run).sentence == "counted");
  take_solve(run, solve_report(run));
  CHECK((!run.system && run.used == "votes"));

  merge(run, solved(Outcome::iteration_limit, 5, 1e-3, "cg", "not there yet"));
  REQUIRE(run.system);
  CHECK((run.outcome == Outcome::iteration_limit && run.sentence == "not there yet"));
  CHECK((run.relative_residual() == 1e-3 && run.iterations == 5));
  const SolveReport again = solve_report(run);
  Report other;
  take_solve(other, again);
  CHECK((other.relative_residual() == 1e-3 && other.outcome == Outcome::iteration_limit));

  SolveReport nothing;
  nothing.used = "none";
  take_solve(other, nothing);
  CHECK((!other.system && other.used == "none" && other.converged()));
}

TEST_CASE("a stopwatch never runs back") {
  const Stopwatch watch;
  const double first = watch.seconds();
  CHECK((first >= 0.0 && watch.seconds() >= first));
}

TEST_CASE("blocks that were not begun when one threw are left out") {
  std::atomic<int> begun{0};
  const auto throws = [&](std::int64_t, std::int64_t) {
    ++begun;
    throw std::runtime_error("no");
  };
  CHECK_THROWS_AS(parallel_blocks(1'000 * parallel_block, 2, throws), std::runtime_error);
  CHECK(begun <= 2);  // one on each thread
}

TEST_CASE("of blocks that throw the first is told of, whichever thread is faster") {
  const auto throws = [](std::int64_t begin, std::int64_t) {
    const std::int64_t block = begin / parallel_block;
    if (block < 3) return;
    if (block == 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    throw std::runtime_error(std::to_string(block));
  };
  for (const int threads : {1, 2, 4})
    for (int trial = 0; trial < 10; ++trial)
      CHECK_THROWS_WITH(parallel_blocks(100 * parallel_block, threads, throws), "3");
}

}  // namespace
