// Bounds: closed forms by hand, every bound solved for every quantity, and the VC dimension of
// matrices by search.

#include <algorithm>
#include <cmath>

#include "algorithms/evaluation_support.hpp"
#include "gssl/evaluate/bounds.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

double solved(const std::string& name, const BoundValues& given) {
  const BoundSolution found = solve_bound(bound_named(name), given);
  return found.values.at(found.unknown);
}

Approx near(double value) { return Approx(value).epsilon(1e-11); }

}  // namespace

TEST_CASE("Bounds solved by hand", "[bounds]") {
  CHECK(solved("validation-set", {{"m", 1000}, {"delta", 0.05}}) ==
        near(std::sqrt(std::log(20.0) / 2000.0)));
  CHECK(solved("hoeffding", {{"gap", 0.05}, {"delta", 0.05}}) ==
        std::ceil(std::log(40.0) / (2 * 0.05 * 0.05)));
  // (ln 1024 + ln 20)/0.1 = 99.27.
  CHECK(solved("pac-finite", {{"epsilon", 0.1}, {"delta", 0.05}, {"hypotheses", 1024}}) == 100);
  // 2 ln(2·1024/0.05)/0.01 = 2124.09.
  CHECK(solved("pac-agnostic", {{"epsilon", 0.1}, {"delta", 0.05}, {"hypotheses", 1024}}) == 2125);
  CHECK(solved("vc", {{"epsilon", 0.1}, {"delta", 0.05}, {"dimension", 3}}) ==
        std::ceil(240.0 * std::log2(130.0)));
  CHECK(solved("perceptron", {{"radius", 2}, {"norm", 3}}) == near(36.0));
  CHECK(solved("winnow", {{"literals", 2}, {"attributes", 1024}}) == near(68.0));
  CHECK(solved("halving", {{"experts", 64}}) == near(6.0));
  CHECK(solved("halving", {{"mistakes", 6}}) == 64);
  CHECK(solved("weighted-majority", {{"experts", 10}, {"best", 4}}) ==
        near(2.63 * (4 + std::log(10.0))));
  CHECK(solved("hedge", {{"experts", 10}, {"trials", 500}}) ==
        near(std::sqrt(1000 * std::log(10.0))));
  CHECK(solved("online-to-batch", {{"mistakes", 5}, {"error", 0.1}}) == 50);
  CHECK(solved("svm-leave-one-out", {{"vectors", 12}, {"m", 200}}) == near(0.06));
  CHECK(solved("margin", {{"radius", 10}, {"margin", 2}}) == near(25.0));
  // To the last digit where it is whole.
  CHECK(solved("margin", {{"radius", 2}, {"margin", 0.5}}) == 16.0);
  CHECK(solved("winnow", {{"literals", 3}, {"attributes", 128}}) == 74.0);
  CHECK(solved("growth", {{"m", 100}, {"dimension", 3}}) == 166751.0);
}

TEST_CASE("Bounds of prediction on graphs agree on cliques that edges join", "[bounds]") {
  // 4 cliques of 5 vertices, 3 cut edges: M ≤ 4 + 8·3/(5 − 1) by resistance 2/4 and energy 4·3.
  CHECK(solved("cover", {{"cover", 4}, {"resistance", 0.5}, {"energy", 12}}) == near(10.0));
  CHECK(solved("wide-diameter", {{"cover", 4}, {"paths", 4}, {"length", 2}, {"cut", 3}}) ==
        near(10.0));
  // Its two cases meet where paths·length/cut is e².
  const double cut = 8.0 / std::exp(2.0);
  CHECK(solved("wide-diameter",
               {{"cover", 1}, {"paths", 4}, {"length", 2}, {"cut", cut * (1 + 1e-9)}}) ==
        Approx(solved("wide-diameter",
                      {{"cover", 1}, {"paths", 4}, {"length", 2}, {"cut", cut * (1 - 1e-9)}}))
            .epsilon(1e-7));
}

TEST_CASE("The error after a test is the upper Clopper-Pearson limit", "[bounds]") {
  // scipy.stats.beta.ppf(0.95, 8, 193); rule of three: 1 − 0.05^(1/100) for no error of 100.
  CHECK(solved("test-error", {{"m", 200}, {"errors", 7}, {"delta", 0.05}}) ==
        near(0.06473252213684852));
  CHECK(solved("test-error", {{"m", 100}, {"errors", 0}, {"delta", 0.05}}) ==
        near(1 - std::pow(0.05, 0.01)));
  CHECK(solved("test-error", {{"m", 5}, {"errors", 5}, {"delta", 0.05}}) == 1.0);
  CHECK(solved("test-error", {{"m", 200}, {"error", 0.0649}, {"delta", 0.05}}) == 7);
}

TEST_CASE("The growth function counts subsets, and Sauer's form is above it", "[bounds]") {
  CHECK(solved("growth", {{"m", 5}, {"dimension", 2}}) == near(1 + 5 + 10));
  CHECK(solved("growth", {{"m", 3}, {"dimension", 7}}) == near(8));
  CHECK(solved("growth", {{"m", 10}, {"functions", 1023}}) == 9);
  CHECK(std::exp(log_growth(20, 10)) == near(616666));
  CHECK(log_growth(1000, 999) == near(1000 * std::log(2.0)));
  for (const double m : {5.0, 20.0, 100.0})
    CHECK(solved("sauer", {{"m", m}, {"dimension", 3}}) >=
          solved("growth", {{"m", m}, {"dimension", 3}}));
}

TEST_CASE("More points never make the gap of a class wider, nor a larger dimension narrower",
          "[bounds]") {
  const auto gap = [](double m, double d) {
    return solved("vc-agnostic", {{"m", m}, {"dimension", d}, {"delta", 0.05}});
  };
  const auto functions = [](double m, double d) {
    return solved("sauer", {{"m", m}, {"dimension", d}});
  };
  // Sauer's form takes the place of 2^m near 2 m = dimension, and m = dimension.
  for (double d = 1; d <= 40; ++d)
    for (double m = 1; m <= 60; ++m) {
      INFO("m " << m << ", dimension " << d);
      CHECK(gap(m + 1, d) <= gap(m, d));
      CHECK(gap(m, d + 1) >= gap(m, d));
      CHECK(functions(m + 1, d) >= functions(m, d) * (1 - 1e-11));
      CHECK(functions(m, d + 1) >= functions(m, d) * (1 - 1e-11));
      CHECK(functions(m, d) <= std::exp2(m) * (1 + 1e-11));
    }
  // A gap that 25 points of dimension 50 have is not one that 26 lack.
  CHECK(gap(26, 50) < gap(25, 50));
  CHECK(solved("vc-agnostic", {{"dimension", 50}, {"delta", 0.05}, {"gap", gap(26, 50)}}) == 26);
}

TEST_CASE("Each bound is solved for each of its quantities, and neighbors do not hold",
          "[bounds]") {
  for (const Bound& bound : bounds()) {
    // A point where it holds with equality: everything given but the last.
    BoundValues given;
    for (const BoundQuantity& q : bound.quantities)
      given[q.name] = q.standard >= 0.0 ? q.standard : q.integer ? 12.0 : q.high <= 1.0 ? 0.1 : 4.0;
    if (bound.name == "test-error") given["m"] = 300;
    if (bound.name == "svm-leave-one-out" || bound.name == "online-to-batch") given["m"] = 400;
    // Of few points every class has that gap, or so few functions, whatever its dimension.
    if (bound.name == "vc-agnostic" || bound.name == "sauer") given["m"] = 400;
    if (bound.name == "growth" || bound.name == "sauer") given["dimension"] = 5;
    given[bound.quantities.back().name] = std::nan("");
    const BoundSolution start = solve_bound(bound, given);
    for (const BoundQuantity& q : bound.quantities) {
      INFO(bound.name << " for " << q.name);
      BoundValues without = start.values;
      without[q.name] = std::nan("");
      const BoundSolution again = solve_bound(bound, without);
      const double found = again.values.at(q.name), wanted = start.values.at(q.name);
      // At least as good as the point it came from, which holds.
      if (q.solve == BoundQuantity::Solve::smallest)
        CHECK(found <= wanted * (1 + 1e-9));
      else
        CHECK(found >= wanted * (1 - 1e-9));
      const bool whole = q.integer || found == std::round(found);
      CHECK(bound.left(again.values) <= bound.right(again.values) * (whole ? 1 + 1e-11 : 1.0));
      // One step further it does not hold, unless the range ends there.
      const double step = q.integer ? 1.0 : 1e-6 * found;
      const double next = q.solve == BoundQuantity::Solve::smallest ? found - step : found + step;
      if (next <= q.low || next >= q.high) continue;
      BoundValues beyond = again.values;
      beyond[q.name] = next;
      CHECK(bound.left(beyond) > bound.right(beyond));
    }
  }
}

TEST_CASE("A real number that is solved for is not on the wrong side of the bound by rounding",
          "[bounds]") {
  for (double m = 1; m <= 60; ++m)
    for (double part = 1; part <= m; ++part) {
      INFO(part << " of " << m);
      CHECK(solved("svm-leave-one-out", {{"vectors", part}, {"m", m}}) == part / m);
      CHECK(solved("online-to-batch", {{"mistakes", part}, {"m", m}}) == part / m);
    }
  // The other way round: the largest that holds, 0.3·10 and 0.1·7.
  CHECK(solved("svm-leave-one-out", {{"error", 0.3}, {"m", 10}}) == 3.0);
  CHECK(solved("online-to-batch", {{"error", 0.1}, {"m", 7}}) / 7 <= 0.1);
}

TEST_CASE("What cannot be solved is said", "[bounds]") {
  CHECK(error_of([] { bound_named("hofding"); })->what() ==
        std::string("no bound 'hofding': did you mean hoeffding?"));
  const Bound& bound = bound_named("validation-set");
  CHECK(error_of([&] { solve_bound(bound, {{"m", 10}}); })->code() == ErrorCode::usage);
  CHECK(error_of([&] {
          solve_bound(bound, {{"m", 10}, {"delta", 0.1}, {"gap", 1}});
        })->code() == ErrorCode::usage);
  CHECK(error_of([&] {
          solve_bound(bound, {{"n", 10}, {"delta", 0.1}});
        })->code() == ErrorCode::usage);
  CHECK(error_of([&] {
          solve_bound(bound, {{"m", 1.5}, {"delta", 0.1}});
        })->code() == ErrorCode::usage);
  CHECK(error_of([&] {
          solve_bound(bound, {{"m", 10}, {"delta", 2.0}});
        })->code() == ErrorCode::usage);
  CHECK(error_of([] { solved("halving", {{"mistakes", 2000}}); })->code() == ErrorCode::bad_data);
  CHECK(error_of([] {
          solved("test-error", {{"m", 200}, {"errors", 201}, {"delta", 0.05}});
        })->code() == ErrorCode::usage);
  // One literal and one attribute cost five mistakes.
  CHECK(error_of([] {
          solved("winnow", {{"literals", 1}, {"mistakes", 1}});
        })->code() == ErrorCode::bad_data);
}

TEST_CASE("The VC dimension of matrices of signs", "[bounds]") {
  // All patterns of three columns, and a fourth that repeats the first.
  Block cube(8, 4);
  for (std::int64_t r = 0; r < 8; ++r)
    for (std::int64_t c = 0; c < 4; ++c) cube(r, c) = (r >> (c % 3) & 1) != 0 ? 1.0 : -1.0;
  const VcDimension found = vc_dimension(cube);
  CHECK(found.dimension == 3);
  CHECK(found.shattered == std::vector<std::int64_t>{0, 1, 2});

  // Thresholds on a line shatter one point, intervals two.
  Block thresholds(6, 5), intervals(15, 5);
  for (std::int64_t r = 0; r < 6; ++r)
    for (std::int64_t c = 0; c < 5; ++c) thresholds(r, c) = c < r ? 1.0 : 0.0;
  std::int64_t row = 0;
  for (std::int64_t from = 0; from < 5; ++from)
    for (std::int64_t to = from; to < 5; ++to, ++row)
      for (std::int64_t c = 0; c < 5; ++c) intervals(row, c) = c >= from && c <= to ? 1.0 : 0.0;
  CHECK(vc_dimension(thresholds).dimension == 1);
  CHECK(vc_dimension(intervals).dimension == 2);
  CHECK(vc_dimension(Block(0, 3)).dimension == -1);
  CHECK(vc_dimension(Block(1, 3)).dimension == 0);
}

TEST_CASE("The VC dimension by search is that of trying every set of columns", "[bounds]") {
  const std::vector<int> stream = congruential(2000, 3);
  std::size_t next = 0;
  for (int repeat = 0; repeat < 12; ++repeat) {
    Block signs(12, 6);
    for (std::int64_t r = 0; r < 12; ++r)
      for (std::int64_t c = 0; c < 6; ++c) signs(r, c) = stream[next++] % 2 != 0 ? 1.0 : -1.0;
    int best = 0;
    for (unsigned set = 1; set < 64; ++set) {
      std::vector<std::int64_t> columns;
      for (std::int64_t c = 0; c < 6; ++c)
        if ((set >> c & 1U) != 0) columns.push_back(c);
      std::vector<char> seen(std::size_t{1} << columns.size(), 0);
      for (std::int64_t r = 0; r < 12; ++r) {
        std::size_t pattern = 0;
        for (const std::int64_t c : columns) pattern = 2 * pattern + (signs(r, c) > 0 ? 1 : 0);
        seen[pattern] = 1;
      }
      if (std::ranges::count(seen, 0) == 0) best = std::max(best, static_cast<int>(columns.size()));
    }
    CHECK(vc_dimension(signs).dimension == best);
  }
}
