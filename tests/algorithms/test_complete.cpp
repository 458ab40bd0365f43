// Matrix completion: an outside solution of soft-impute, outside baselines of ratings, and what
// holds at a minimum.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "algorithms/fixtures.hpp"
#include "gssl/complete/completion.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::vector<double> certificate_of(const Completion& found, const std::string& name) {
  for (const Certificate& c : found.report.certificates)
    if (c.name == name) return c.values;
  FAIL("no certificate " + name);
  return {};
}

Completion complete(const Cells& cells, std::string_view spec, const RunContext& run = {}) {
  return made(spec).completer().complete(cells, run);
}

// Rank 2 and noise, half of it seen.
Cells thin_matrix(std::int64_t rows, std::int64_t columns, double noise, double seen = 0.5) {
  Rng rng(4);
  Block u(rows, 2), v(columns, 2);
  for (std::int64_t i = 0; i < 2 * rows; ++i) u.data()[i] = rng.normal();
  for (std::int64_t i = 0; i < 2 * columns; ++i) v.data()[i] = rng.normal();
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t c = 0; c < columns; ++c) {
      const double a = 3.0 + u(r, 0) * v(c, 0) + u(r, 1) * v(c, 1) + noise * rng.normal();
      if (rng.uniform() >= seen) continue;
      row.push_back(r);
      column.push_back(c);
      value.push_back(a);
    }
  return make_cells(rows, columns, row, column, value);
}

}  // namespace

TEST_CASE("soft-impute finds the minimum of the reference", "[complete]") {
  const Block given = shared_block("reference/online/softimpute_dev.csv");
  const Block expected = shared_block("reference/online/softimpute_dev.solution.csv");
  if (given.rows() == 0) {
    WARN("skipped: ../shared is absent");
    return;
  }
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (std::int64_t i = 0; i < given.rows(); ++i) {
    row.push_back(static_cast<std::int32_t>(given(i, 0)));
    column.push_back(static_cast<std::int32_t>(given(i, 1)));
    value.push_back(given(i, 2));
  }
  const Cells cells = make_cells(60, 40, row, column, value);
  for (const std::int64_t path : {1, 5}) {
    const Completion found = complete_by_soft_impute(
        cells, {.lambda = 1.0, .path = path, .tolerance = 1e-11}, on_threads(1));
    CHECK(found.report.outcome == Outcome::converged);
    CHECK(certificate_of(found, "objective").back() == Approx(147.23689696692023).epsilon(1e-9));
    CHECK(certificate_of(found, "duality_gap").back() <= 1e-11);
    CHECK(certificate_of(found, "rank").back() == 5.0);
    double furthest = 0.0;
    for (std::int64_t r = 0; r < 60; ++r)
      for (std::int64_t c = 0; c < 40; ++c)
        furthest = std::max(furthest, std::abs(found.value(r, c) - expected(r, c)));
    CHECK(furthest <= 1e-4);
  }
}

TEST_CASE("soft-impute that is stopped claims no gap that it did not measure", "[complete]") {
  const Cells cells = make_cells(3, 3, {0, 0, 1, 2, 2}, {0, 1, 1, 0, 2}, {1.0, 2.0, 3.0, 4.0, 5.0});
  for (const int stopped_at : {0, 1, 2}) {
    std::atomic<bool> stop = stopped_at == 0;
    RunContext run = on_threads(1);
    run.cancel = &stop;
    int told = 0;
    run.progress = [&](std::string_view, double) { stop = ++told >= stopped_at; };
    const Completion found =
        complete_by_soft_impute(cells, {.lambda = 0.1, .path = 4, .tolerance = 1e-12}, run);
    CHECK(found.report.outcome == Outcome::cancelled);
    CHECK(certificate_of(found, "duality_gap").back() == 1.0);
    for (const double lambda : certificate_of(found, "lambda")) CHECK(std::isfinite(lambda));
  }
}

TEST_CASE("biases of the ratings are those of the reference", "[complete]") {
  const auto path = shared_path("data/ratings/ml-latest-small-2016/ratings.csv");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  std::ifstream file(*path);
  std::string line;
  std::getline(file, line);
  std::map<long, std::int32_t> users, items;
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  while (std::getline(file, line)) {
    long user = 0, item = 0;
    double rating = 0.0;
    char comma = 0;
    std::istringstream(line) >> user >> comma >> item >> comma >> rating;
    row.push_back(users.try_emplace(user, static_cast<std::int32_t>(users.size())).first->second);
    column.push_back(
        items.try_emplace(item, static_cast<std::int32_t>(items.size())).first->second);
    value.push_back(rating);
  }
  const Cells all = make_cells(671, 9066, row, column, value);
  std::vector<std::int64_t> training, test;
  for (std::int64_t i = 0; i < all.count(); ++i) (i % 5 == 4 ? test : training).push_back(i);
  const Cells known = select(all, training), held = select(all, test);
  const Completion biases = complete_by_als(known, {.rank = 0}, on_threads(1));
  CHECK(biases.mean == Approx(3.542341632918354).epsilon(1e-12));
  CHECK(certificate_of(biases, "bias_objective")[0] == Approx(60290.058100861934).epsilon(1e-10));
  // The reference keeps its predictions between the worst and the best rating.
  double squares = 0.0;
  for (std::size_t i = 0; i < held.value.size(); ++i)
    squares += std::pow(
        std::clamp(biases.value(held.row[i], held.column[i]), 0.5, 5.0) - held.value[i], 2);
  CHECK(std::sqrt(squares / 20000.0) == Approx(0.8809872258685708).epsilon(1e-9));
  const Completion thin =
      complete_by_als(known, {.rank = 2, .lambda = 15.0, .sweeps = 15}, on_threads(1));
  CHECK(root_mean_square_error(thin, held) < 0.8809);
}

TEST_CASE("als never raises its objective, and ends where the gradient is zero", "[complete]") {
  const Cells cells = thin_matrix(40, 30, 0.1);
  const double lambda = 0.5;
  const Completion found = complete_by_als(
      cells, {.rank = 3, .lambda = lambda, .sweeps = 5000, .tolerance = 1e-14}, on_threads(1));
  const std::vector<double> objective = certificate_of(found, "objective");
  for (std::size_t i = 1; i < objective.size(); ++i)
    CHECK(objective[i] <= objective[i - 1] * (1.0 + 1e-13));
  Block gradient(40, 3);
  for (std::size_t i = 0; i < cells.value.size(); ++i) {
    const double error = cells.value[i] - found.value(cells.row[i], cells.column[i]);
    for (int k = 0; k < 3; ++k) gradient(cells.row[i], k) -= error * found.v(cells.column[i], k);
  }
  for (std::int64_t r = 0; r < 40; ++r)
    for (int k = 0; k < 3; ++k)
      CHECK(gradient(r, k) + lambda * found.u(r, k) == Approx(0.0).margin(1e-3));
}

TEST_CASE("a thin matrix is found again from half of its cells", "[complete]") {
  const Cells cells = thin_matrix(60, 50, 0.0, 0.7);
  Rng rng(2);
  const auto [training, test] = split(cells, 0.2, rng);
  CHECK(training.count() + test.count() == cells.count());
  const Completion als = complete(training, "als:rank=3,lambda=0.01,biases=false,sweeps=500");
  CHECK(root_mean_square_error(als, test) < 0.05);
  const Completion soft = complete(training, "soft-impute:lambda=0.05");
  CHECK(root_mean_square_error(soft, test) < 0.1);
  CHECK(soft.report.converged());
}

TEST_CASE("completion is the same at any number of threads", "[complete]") {
  const Cells cells = thin_matrix(300, 200, 0.2, 0.2);
  const Completion one = complete(cells, "als:sweeps=5", on_threads(1));
  const Completion four = complete(cells, "als:sweeps=5", on_threads(4));
  CHECK(one.u == four.u);
  CHECK(one.v == four.v);
  const Completion soft = complete(cells, "soft-impute:lambda=3", on_threads(1));
  const Completion soft_four = complete(cells, "soft-impute:lambda=3", on_threads(4));
  CHECK(soft.u == soft_four.u);
  CHECK(soft.v == soft_four.v);
}

TEST_CASE("the path of soft-impute has the error of what was held out", "[complete]") {
  const Cells cells = thin_matrix(80, 60, 0.3);
  Rng rng(6);
  const auto [training, test] = split(cells, 0.2, rng);
  const Completion found =
      complete_by_soft_impute(training, {.lambda = 1.0, .path = 5}, on_threads(1), &test);
  REQUIRE(found.path.size() == 5);
  CHECK(found.path.back().held_out_error == root_mean_square_error(found, test));
  for (std::size_t i = 0; i < 5; ++i) {
    const PathPoint& point = found.path[i];
    const Completion alone =
        complete_by_soft_impute(training, {.lambda = point.lambda, .path = 1}, on_threads(1));
    CHECK(point.duality_gap <= 1e-6);
    CHECK(point.objective == Approx(alone.path[0].objective).epsilon(2e-6));
    CHECK(point.held_out_error == Approx(root_mean_square_error(alone, test)).epsilon(1e-2));
  }
}

TEST_CASE("rows without cells and single cells are completed", "[complete]") {
  const Cells one = make_cells(3, 2, {1}, {0}, {4.0});
  const Completion als = complete(one, "als");
  CHECK(als.value(0, 1) == Approx(4.0));
  const Completion soft = complete(one, "soft-impute:lambda=1");
  CHECK(soft.value(1, 0) == Approx(3.0).epsilon(1e-6));
  CHECK(soft.value(0, 1) == Approx(0.0).margin(1e-6));
}

TEST_CASE("a completer of the registry gives what its function gives, with what was held out",
          "[complete]") {
  const Cells cells = thin_matrix(30, 20, 0.2);
  Rng rng(3);
  const auto [training, test] = split(cells, 0.2, rng);
  const MadeLearner soft_made = made("soft-impute:lambda=2,path=3");
  const Completion soft = soft_made.completer().complete(training, on_threads(1), &test);
  const Completion direct =
      complete_by_soft_impute(training, {.lambda = 2.0, .path = 3}, on_threads(1), &test);
  CHECK(soft.u == direct.u);
  CHECK(soft.path.back().held_out_error == direct.path.back().held_out_error);
  const MadeLearner als_made = made("als:rank=2,bias-lambda=3");
  const Completion als = als_made.completer().complete(training, on_threads(1));
  CHECK(als.v == complete_by_als(training, {.rank = 2, .bias_lambda = 3.0}, on_threads(1)).v);
}

TEST_CASE("what completion refuses", "[complete]") {
  const auto code = [](auto&& call) { return error_of(call)->code(); };
  const Cells none = make_cells(2, 2, {}, {}, {});
  CHECK(code([&] { complete(none, "als"); }) == ErrorCode::bad_data);
  CHECK(code([&] { complete(none, "soft-impute"); }) == ErrorCode::bad_data);
  CHECK(code([&] { complete(none, "svd"); }) == ErrorCode::usage);
  CHECK(code([&] { complete(none, "als:lambda=0"); }) == ErrorCode::usage);
  CHECK(code([] { make_cells(2, 2, {2}, {0}, {1.0}); }) == ErrorCode::bad_data);
  CHECK(code([] { make_cells(2, 2, {0}, {0}, {NAN}); }) == ErrorCode::bad_data);
  CHECK(code([] { make_cells(2, 2, {0}, {0, 1}, {1.0}); }) == ErrorCode::bad_data);
  Rng rng(1);
  const Cells two = make_cells(1, 2, {0, 0}, {0, 1}, {1.0, 2.0});
  CHECK(code([&] { split(two, 1.0, rng); }) == ErrorCode::usage);
  CHECK(code([&] { split(two, 0.1, rng); }) == ErrorCode::usage);
}
