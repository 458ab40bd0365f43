// Steps of a run that is ended at any moment and goes on.

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "gssl/core/rng.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/data/checkpoint.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/solve/solve_from.hpp"
#include "support/catch.hpp"

using namespace gssl;

namespace {

// What a file would hold: all that is kept, as a record.
Record stored(const Checkpoint& checkpoint) {
  Record record;
  for (const Checkpoint::NamedValue& one : checkpoint.to_values())
    record.put_value(one.name, *one.value);
  return record;
}

Block charges(VertexId n, std::int64_t columns) {
  Block b(n, columns);
  for (std::int64_t v = 0; v < n; ++v)
    for (std::int64_t j = 0; j < columns; ++j)
      b(v, j) = static_cast<double>((v * 7919 + j * 104729) % 1000) / 1000.0 - 0.5;
  return b;
}

RunContext with_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

GroundedLaplacian tied_grid(VertexId side) {
  std::vector<double> ground(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0);
  for (std::size_t v = 0; v < ground.size(); v += 97) ground[v] = 0.5;
  return {grid_graph(side, side), std::move(ground)};
}

}  // namespace

TEST_CASE("a fingerprint tells data, their order and where they are cut", "[checkpoint]") {
  const std::vector<double> a{1.0, 2.0, 3.0}, b{1.0, 3.0, 2.0};
  const auto of = [](const std::vector<double>& list) {
    return Fingerprint().add(std::span(list)).value();
  };
  CHECK(of(a) == of(a));
  CHECK(of(a) != of(b));
  CHECK(Fingerprint().add("ab").add("c").value() != Fingerprint().add("a").add("bc").value());
  std::map<std::uint64_t, int> seen;
  std::string text(1000, 'x');
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = 'y';
    ++seen[Fingerprint().add(text).value()];
    text[i] = 'x';
  }
  CHECK(seen.size() == text.size());
}

TEST_CASE("steps that are done are not done again, and the one at work goes on", "[checkpoint]") {
  // Counts to ten in each of three steps, ended after `most` counts.
  const auto count = [](Checkpoint& checkpoint, int most, int& worked) {
    std::int64_t sum = 0;
    for (int step = 0; step < 3; ++step) {
      CheckpointStep kept(&checkpoint, "count", static_cast<std::uint64_t>(step));
      if (const Record* done = kept.finished()) {
        sum += done->integer("sum");
        continue;
      }
      std::int64_t own = 0, i = 0;
      if (const Record* state = kept.state()) {
        own = state->integer("own");
        i = state->integer("i");
      }
      for (; i < 10; ++i) {
        Record state;
        state.put("own", own);
        state.put("i", i);
        kept.save(std::move(state));
        if (worked == most) return std::int64_t{-1};
        ++worked;
        own += i * (step + 1);
      }
      Record done;
      done.put("sum", own);
      kept.finish(std::move(done));
      sum += own;
    }
    return sum;
  };
  for (int most = 0; most < 30; ++most) {
    Checkpoint first(0.0, {});
    int worked = 0;
    CHECK(count(first, most, worked) == -1);
    Checkpoint second(0.0, {});
    second.restore(stored(first));
    CHECK(count(second, 1000, worked) == 45 + 90 + 135);
    CHECK(worked == 30);  // nothing twice
    CHECK(second.parted().empty());
  }
}

TEST_CASE("another step than before drops what comes after it, and says so", "[checkpoint]") {
  Checkpoint first(0.0, {});
  for (std::uint64_t i = 0; i < 3; ++i) {
    CheckpointStep step(&first, "a", i);
    Record record;
    record.put("i", static_cast<std::int64_t>(i));
    step.finish(std::move(record));
  }
  Checkpoint second(0.0, {});
  second.restore(stored(first));
  CHECK(CheckpointStep(&second, "a", 0).finished() != nullptr);
  CHECK(CheckpointStep(&second, "b", 1).finished() == nullptr);
  CHECK(CheckpointStep(&second, "a", 2).finished() == nullptr);
  CHECK(second.parted() == "b");
}

TEST_CASE("what an outer step has taken in is not kept twice", "[checkpoint]") {
  Checkpoint checkpoint(1e6, {});
  std::int64_t sum = 0;
  CheckpointStep outer(&checkpoint, "outer", 0);
  outer.state_from([&] {
    Record record;
    record.put("sum", sum);
    return record;
  });
  for (std::uint64_t i = 0; i < 5; ++i) {
    {
      CheckpointStep inner(&checkpoint, "inner", i);
      Record record;
      record.put("values", std::vector<double>(1000, 1.0));
      inner.finish(std::move(record));
    }
    sum += 1;
    outer.passed(1);
    CHECK(checkpoint.bytes() == 8000);  // of the first alone
  }
}

TEST_CASE("a writer that fails is told of, and the work goes on", "[checkpoint]") {
  int writes = 0;
  Checkpoint checkpoint(0.0, [&](const Checkpoint&) {
    if (++writes == 1) throw Error(ErrorCode::io_failure, "no space left");
  });
  CheckpointStep step(&checkpoint, "a", 0);
  CHECK(step.state() == nullptr);
  Record record;
  record.put("x", 1.0);
  step.save(Record(record));
  CHECK(checkpoint.trouble() == "no space left");
  step.save(Record(record));
  while (checkpoint.writes() < 2) step.save(Record(record));
  CHECK(checkpoint.trouble().empty());
}

TEST_CASE("a record that is no checkpoint is refused", "[checkpoint]") {
  Checkpoint checkpoint(0.0, {});
  Record record;
  CHECK_THROWS_AS(checkpoint.restore(record), Error);
  record.put("steps/kind", std::vector<std::string>{"a"});
  record.put("steps/fingerprint", std::vector<std::int64_t>{1});
  record.put("steps/depth", std::vector<std::int32_t>{3});
  record.put("steps/parts", std::vector<std::int32_t>{1});
  record.put("steps/flags", std::vector<std::int32_t>{0});
  CHECK_THROWS_AS(checkpoint.restore(record), Error);
}

TEST_CASE("a solve that is stopped at any iteration and goes on has the bytes of one that is not",
          "[checkpoint]") {
  const auto system = std::make_shared<const GroundedLaplacian>(tied_grid(40));
  const SolverKind kinds[] = {SolverKind::conjugate_gradient, SolverKind::approximate_cholesky,
                              SolverKind::multigrid,          SolverKind::consensus,
                              SolverKind::automatic,          SolverKind::cholesky};
  for (const SolverKind kind : kinds) {
    for (const std::int64_t columns : {std::int64_t{1}, std::int64_t{12}}) {
      const SolverOptions options{.kind = kind, .tolerance = 1e-8, .eliminate = false};
      const Block b = charges(system->size(), columns);
      Block expected;
      make_solver_and_solve(system, options, b, expected, with_threads(1));
      INFO(to_string(kind) << ", " << columns << " columns");
      // A deadline of no time ends each run at its first look; the state from the look before is
      // written by the run after it.
      std::atomic<bool> cancel{false};
      int left = 3;
      std::optional<Record> kept;
      Block x;
      for (int run = 0; run < 40; ++run) {
        int saves = 0;
        Checkpoint checkpoint(0.0, [&](const Checkpoint&) {
          if (++saves == left) cancel = true;
        });
        if (kept) checkpoint.restore(*kept);
        cancel = false;
        RunContext context = with_threads(2);
        context.cancel = &cancel;
        context.checkpoint = &checkpoint;
        const SolveReport report = make_solver_and_solve(system, options, b, x, context).report;
        if (report.outcome == Outcome::converged) break;
        kept = stored(checkpoint);
        left = left * 3 / 2 + 1;
      }
      CHECK(x == expected);
    }
  }
}

TEST_CASE(
    "a solve that was stopped where its answer would do goes on to the bytes of one that was not",
    "[checkpoint]") {
  // Steps aim below the tolerance, where the residual of the whole graph may lie by then.
  const auto system =
      std::make_shared<const GroundedLaplacian>(grid_graph(40, 40), std::vector<double>());
  Block b(1600, 1);
  b(0, 0) = 1.0;
  b(1599, 0) = -1.0;
  const SolverOptions options{.kind = SolverKind::conjugate_gradient, .tolerance = 1e-10};
  Block expected;
  REQUIRE(make_solver_and_solve(system, options, b, expected, with_threads(1)).report.outcome ==
          Outcome::converged);
  int good_enough = 0;
  for (int most = 1; most < 30; ++most) {
    std::atomic<bool> cancel{false};
    int told = 0;
    RunContext run = with_threads(1);
    run.cancel = &cancel;
    run.progress = [&](std::string_view, double) { cancel = ++told >= most; };
    Block x;
    const FirstSolve unkept = make_solver_and_solve(system, options, b, x, run);
    if (unkept.report.outcome == Outcome::converged && x != expected) ++good_enough;
    told = 0;
    cancel = false;
    Checkpoint checkpoint(1e6, nullptr);
    run.checkpoint = &checkpoint;
    const FirstSolve first = make_solver_and_solve(system, options, b, x, run);
    INFO(most << ": " << first.report.sentence);
    if (first.report.outcome == Outcome::converged) {
      CHECK(x == expected);
      continue;
    }
    CHECK(first.report.outcome == Outcome::cancelled);
    Checkpoint again(1e6, nullptr);
    again.restore(stored(checkpoint));
    RunContext rest = with_threads(1);
    rest.checkpoint = &again;
    CHECK(make_solver_and_solve(system, options, b, x, rest).report.outcome == Outcome::converged);
    CHECK(x == expected);
  }
  CHECK(good_enough > 0);
}

namespace {

using Work = std::function<Outcome(Block&, const RunContext&)>;

// `work` is stopped at thirty moments of the time that it takes, and goes on.
void check_any_moment(const Work& work) {
  Block expected;
  const Stopwatch watch;
  REQUIRE(work(expected, with_threads(1)) == Outcome::converged);
  const std::chrono::duration<double> seconds(watch.seconds());
  for (int moment = 0; moment < 30; ++moment) {
    Checkpoint checkpoint(1e6, nullptr);
    RunContext run = with_threads(1);
    run.checkpoint = &checkpoint;
    run.deadline = RunContext::Clock::now() +
                   std::chrono::duration_cast<RunContext::Clock::duration>(seconds * moment / 28);
    INFO("stopped after " << moment << "/28 of " << seconds.count() << " s");
    Block x;
    const Outcome outcome = work(x, run);
    if (outcome == Outcome::converged) {
      CHECK(x == expected);
      continue;
    }
    CHECK(outcome == Outcome::time_limit);
    Checkpoint again(1e6, nullptr);
    again.restore(stored(checkpoint));
    RunContext rest = with_threads(1);
    rest.checkpoint = &again;
    CHECK(work(x, rest) == Outcome::converged);
    CHECK(x == expected);
    CHECK(again.parted().empty());
  }
}

Work solving(std::shared_ptr<const GroundedLaplacian> system, Block b, SolverOptions options) {
  return [system = std::move(system), b = std::move(b), options](Block& x, const RunContext& run) {
    return make_solver_and_solve(system, options, b, x, run).report.outcome;
  };
}

}  // namespace

TEST_CASE("a solve that is stopped while it prepares goes on by the method that it takes",
          "[checkpoint]") {
  const auto system = std::make_shared<const GroundedLaplacian>(tied_grid(150));
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::multigrid})
    check_any_moment(solving(system, charges(system->size(), 3), {.kind = kind}));
}

TEST_CASE("a solve that is stopped while it refines or proves goes on", "[checkpoint]") {
  // Weights of so many sizes that rounding keeps the residual up, and only a proof ends the work.
  Rng rng(5);
  const Graph plain = grid_graph(60, 60);
  GraphBuilder builder(plain.vertex_count());
  for (VertexId u = 0; u < plain.vertex_count(); ++u)
    for (const VertexId v : plain.neighbors(u))
      if (u < v) builder.add(u, v, std::pow(10.0, 20.0 * rng.uniform() - 10.0));
  std::vector<double> ground(static_cast<std::size_t>(plain.vertex_count()), 0.0);
  ground[7] = ground[1800] = ground[3500] = 1.0;
  const auto system =
      std::make_shared<const GroundedLaplacian>(std::move(builder).finish(), std::move(ground));
  Block b(system->size(), 1);
  b(7, 0) = 1.0;
  check_any_moment(solving(system, std::move(b), {.kind = SolverKind::cholesky}));
}

TEST_CASE("relaxation that is stopped within a batch of sweeps goes on before it", "[checkpoint]") {
  const auto system = std::make_shared<const GroundedLaplacian>(tied_grid(60));
  const Block b = charges(system->size(), 2);
  const SolverOptions options{.kind = SolverKind::consensus, .tolerance = 1e-8};
  check_any_moment(solving(system, b, options));
  // From an answer that is right but for the last digits.
  Block near;
  make_solver_and_solve(system, {.tolerance = 1e-6}, b, near);
  NetworkProblem problem{.graph = system->graph(), .ground = system->ground(), .current = b};
  for (VertexId v = 0; v < system->size(); ++v) problem.fed.push_back(v);
  check_any_moment([&](Block& x, const RunContext& run) {
    x = near;
    return solve_from(problem, {.solver = options}, x, run).solve.outcome;
  });
}
