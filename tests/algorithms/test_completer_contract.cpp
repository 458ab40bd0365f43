// The promises of completer.hpp, held against every registered completer.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/contract_support.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tested_learners.hpp"
#include "gssl/complete/completion.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

void for_completers(const std::function<void(const LearnerEntry&, const Completer&)>& body) {
  static const LearnerRegistry registry = tested_learners();
  for (const LearnerEntry* entry : registry.of_kinds({LearnerKind::completer})) {
    const MadeLearner made = registry.make(entry->name);
    INFO(made.spec);
    CHECK(registry.make(made.spec).spec == made.spec);
    body(*entry, made.completer());
  }
}

// Three products and noise, half of it seen; the last `empty` rows and columns have no cell.
Cells seen_cells(std::int64_t rows, std::int64_t columns, std::int64_t empty = 0) {
  Rng rng(12);
  std::vector<double> of_row, of_column;
  for (std::int64_t i = 0; i < 3 * rows; ++i) of_row.push_back(rng.normal());
  for (std::int64_t i = 0; i < 3 * columns; ++i) of_column.push_back(rng.normal());
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (std::int32_t r = 0; r < rows - empty; ++r)
    for (std::int32_t c = 0; c < columns - empty; ++c) {
      double sum = 1.0 + 0.1 * rng.normal();
      for (std::size_t k = 0; k < 3; ++k)
        sum += of_row[3 * static_cast<std::size_t>(r) + k] *
               of_column[3 * static_cast<std::size_t>(c) + k];
      if (rng.uniform() < 0.5) continue;
      row.push_back(r);
      column.push_back(c);
      value.push_back(sum);
    }
  return make_cells(rows, columns, row, column, value);
}

void check_completion(const Completion& found, const Cells& cells) {
  REQUIRE(std::ssize(found.row_bias) == cells.rows);
  REQUIRE(std::ssize(found.column_bias) == cells.columns);
  REQUIRE(found.u.rows() == cells.rows);
  REQUIRE(found.v.rows() == cells.columns);
  REQUIRE(found.u.columns() == found.v.columns());
  std::int64_t not_finite = 0;
  for (std::int64_t r = 0; r < cells.rows; ++r)
    for (std::int64_t c = 0; c < cells.columns; ++c)
      not_finite += !std::isfinite(found.value(r, c));
  CHECK(not_finite == 0);
  CHECK_FALSE(found.report.used.empty());
  CHECK_FALSE(found.report.sentence.empty());
  check_numbers(found.report);
  for (const PathPoint& point : found.path) {
    CHECK(std::isfinite(point.lambda));
    CHECK(point.rank >= 0);
    CHECK(std::isfinite(point.objective));
    CHECK(std::isfinite(point.duality_gap));
    CHECK(point.seconds >= 0.0);
  }
}

void check_same_values(const Completion& a, const Completion& b) {
  CHECK(a.mean == b.mean);
  CHECK(a.row_bias == b.row_bias);
  CHECK(a.column_bias == b.column_bias);
  CHECK(a.u == b.u);
  CHECK(a.v == b.v);
  check_equal_reports(a.report, b.report);
}

}  // namespace

TEST_CASE("Every completer: every cell of every matrix has a finite value", "[completers]") {
  struct Problem {
    const char* name;
    Cells cells;
  };
  const std::vector<Problem> problems = {
      {"half seen", seen_cells(20, 14)},
      {"rows and columns without cells", seen_cells(20, 14, 3)},
      {"one cell", make_cells(3, 2, {1}, {0}, {4.0})},
      {"one by one", make_cells(1, 1, {0}, {0}, {-2.0})},
      {"one column", make_cells(3, 1, {0, 2}, {0, 0}, {1.0, 2.0})},
      {"all zero", make_cells(3, 3, {0, 1, 2}, {0, 1, 2}, {0.0, 0.0, 0.0})},
      {"all seen and equal", make_cells(2, 2, {0, 0, 1, 1}, {0, 1, 0, 1}, {3.0, 3.0, 3.0, 3.0})},
  };
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    for (const Problem& problem : problems) {
      INFO(problem.name);
      check_completion(completer.complete(problem.cells, on_threads(1)), problem.cells);
    }
  });
}

TEST_CASE("Every completer: seen cells are nearer than zeros, and unseen ones than the mean",
          "[completers]") {
  const Cells cells = seen_cells(160, 120);
  Rng rng(5);
  const auto [training, test] = split(cells, 0.2, rng);
  double squares = 0.0, around_mean = 0.0;
  for (const double x : training.value) squares += x * x;
  for (const double x : test.value) around_mean += (x - training.mean()) * (x - training.mean());
  const double zeros = std::sqrt(squares / static_cast<double>(training.count()));
  const double mean = std::sqrt(around_mean / static_cast<double>(test.count()));
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    const Completion found = completer.complete(training, on_threads(1));
    CHECK(root_mean_square_error(found, training) < 0.7 * zeros);
    CHECK(root_mean_square_error(found, test) < 0.7 * mean);
  });
}

TEST_CASE("Every completer: one thread and two give the same bytes", "[completers]") {
  const Cells cells = seen_cells(200, 150);
  for_completers([&](const LearnerEntry& entry, const Completer& completer) {
    if (!entry.traits.deterministic) return;
    check_same_values(completer.complete(cells, on_threads(1)),
                      completer.complete(cells, on_threads(2)));
  });
}

TEST_CASE("Every completer: nothing is learned from what was held out", "[completers]") {
  Rng rng(3);
  const auto [training, test] = split(seen_cells(40, 30), 0.25, rng);
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    const Completion with = completer.complete(training, on_threads(1), &test);
    check_same_values(with, completer.complete(training, on_threads(1)));
    for (const PathPoint& point : with.path) CHECK(std::isfinite(point.held_out_error));
    if (!with.path.empty())
      CHECK(with.path.back().held_out_error == Approx(root_mean_square_error(with, test)));
  });
}

TEST_CASE("Every completer: rows in another order have the same values", "[completers]") {
  const Cells cells = seen_cells(30, 20);
  const std::vector<VertexId> to = shuffled_order(30, 7);
  std::vector<std::int32_t> row;
  for (const std::int32_t r : cells.row) row.push_back(to[static_cast<std::size_t>(r)]);
  const Cells moved = make_cells(cells.rows, cells.columns, row, cells.column, cells.value);
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    const Completion plain = completer.complete(cells, on_threads(1));
    const Completion other = completer.complete(moved, on_threads(1));
    // A tolerance of the objective leaves the values some of its square root.
    for (std::size_t i = 0; i < cells.value.size(); ++i)
      CHECK(other.value(row[i], cells.column[i]) ==
            Approx(plain.value(cells.row[i], cells.column[i])).margin(0.05));
  });
}

TEST_CASE("Every completer: a row without a cell is as any other such row", "[completers]") {
  const Cells cells = seen_cells(20, 14, 2);
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    const Completion found = completer.complete(cells, on_threads(1));
    for (std::int64_t c = 0; c < cells.columns; ++c)
      CHECK(found.value(18, c) == Approx(found.value(19, c)).margin(0.02));
  });
}

TEST_CASE("Every completer: a stopped run gives what it has and says so", "[completers]") {
  const Cells cells = seen_cells(40, 30);
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    const Completion undisturbed = completer.complete(cells, on_threads(1));
    const auto check_stopped = [&](const RunContext& run, Outcome ended) {
      const Completion found = completer.complete(cells, run);
      check_completion(found, cells);
      if (found.report.outcome == undisturbed.report.outcome)
        check_same_values(found, undisturbed);
      else
        CHECK(found.report.outcome == ended);
    };
    for_stopped_runs(check_stopped);
    // In the middle, where it first tells how far it is.
    std::atomic<bool> raised = false;
    RunContext run = on_threads(1);
    run.cancel = &raised;
    run.progress = [&](std::string_view, double) { raised = true; };
    check_stopped(run, Outcome::cancelled);
  });
}

TEST_CASE("Every completer: a matrix without a cell is refused", "[completers]") {
  const Cells none = make_cells(2, 3, {}, {}, {});
  for_completers([&](const LearnerEntry&, const Completer& completer) {
    CHECK(refusal_of([&] { completer.complete(none, on_threads(1)); }) == ErrorCode::bad_data);
    CHECK(refusal_of([&] { completer.complete(Cells(), on_threads(1)); }) == ErrorCode::bad_data);
  });
}
