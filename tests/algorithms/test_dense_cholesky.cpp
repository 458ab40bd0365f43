// The parts of a kernel solve that go by tiles: entries, products by stripes, the factor.

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/rng.hpp"
#include "gssl/kernel/gram.hpp"
#include "kernel/dense_cholesky.hpp"
#include "kernel/lower_gram.hpp"
#include "support/catch.hpp"

using namespace gssl;

namespace {

std::unique_ptr<Gram> random_gram(std::int64_t n) {
  Rng rng(7, 0);
  std::vector<double> values;
  for (std::int64_t i = 0; i < 3 * n; ++i) values.push_back(rng.normal());
  return gram_of_points(make_kernel("gaussian(beta=0.5)"), Points::dense(n, 3, values));
}

Block random_block(std::int64_t n, std::int64_t columns) {
  Rng rng(8, 0);
  Block b(n, columns);
  for (std::int64_t i = 0; i < n; ++i)
    for (double& x : b.row(i)) x = rng.normal();
  return b;
}

RunContext with_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

double largest(const Block& a) {
  double most = 0.0;
  for (const double x : a.values()) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

TEST_CASE("a residual by halves of the matrix is that of all entries", "[dense-cholesky]") {
  for (const std::int64_t n : {1, 7, 256, 257, 700}) {
    const auto gram = random_gram(n);
    const Block x = random_block(n, 2), b(n, 2, 1.0), whole = gram->whole();
    const std::vector<double> ridge(static_cast<std::size_t>(n), 0.25);
    detail::LowerGram lower(*gram);
    const Block r = lower.residual(ridge, x, b, with_threads(1));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t o = 0; o < 2; ++o) {
        double expected = b(i, o) - 0.25 * x(i, o);
        for (std::int64_t j = 0; j < n; ++j) expected -= whole(i, j) * x(j, o);
        REQUIRE(r(i, o) == Approx(expected).margin(1e-11));
      }
    CHECK(std::ranges::equal(lower.residual(ridge, x, b, with_threads(3)).values(), r.values()));
  }
}

TEMPLATE_TEST_CASE("a factor by tiles solves, at the borders of tiles too", "[dense-cholesky]",
                   float, double) {
  const double rounding = std::numeric_limits<TestType>::epsilon();
  for (const std::int64_t n : {1, 5, 191, 192, 193, 384, 385, 577, 900}) {
    const auto gram = random_gram(n);
    const std::vector<double> ridge(static_cast<std::size_t>(n), 1.0);
    const Block b = random_block(n, 3);
    std::vector<Block> answers;
    for (const int threads : {1, 3}) {
      const RunContext run = with_threads(threads);
      detail::LowerGram lower(*gram);
      const detail::DenseCholesky<TestType> factor(lower.plus_diagonal<TestType>(ridge, run), run);
      REQUIRE(factor.positive());
      Block x = b;
      factor.solve(x, threads);
      CHECK(largest(lower.residual(ridge, x, b, run)) < 100.0 * rounding * static_cast<double>(n));
      answers.push_back(std::move(x));
    }
    CHECK(answers[0] == answers[1]);
  }
}

TEST_CASE("a factor knows a matrix that is not positive definite", "[dense-cholesky]") {
  const RunContext run = with_threads(2);
  for (const std::int64_t bad : {0, 191, 192, 400}) {
    detail::LowerRows<double> g(401);
    for (std::int64_t r = 0; r < 401; ++r)
      for (std::int64_t c = 0; c <= r; ++c) g.row(r)[c] = r == c && r != bad ? 1.0 : 0.0;
    CHECK_FALSE(detail::DenseCholesky<double>(std::move(g), run).positive());
  }
}

TEMPLATE_TEST_CASE("entries of a gaussian kernel are right to the last digits", "[dense-cholesky]",
                   float, double) {
  // Of rows at the distance √(2t): all lengths of the last vector.
  for (std::int64_t n = 1; n < 40; ++n) {
    std::vector<TestType> squares, entries;
    for (std::int64_t j = 0; j < n; ++j) {
      squares.push_back(static_cast<TestType>(j) * TestType{2.25});
      entries.push_back(0);
    }
    detail::gaussians(TestType{1}, TestType{0}, squares.data(), entries.data(), n);
    for (std::int64_t j = 0; j < n; ++j) {
      const double expected = std::exp(-static_cast<double>(squares[static_cast<std::size_t>(j)]));
      const auto found = static_cast<double>(entries[static_cast<std::size_t>(j)]);
      const double unit = std::numeric_limits<TestType>::epsilon();
      if (squares[static_cast<std::size_t>(j)] < TestType{87})
        CHECK(std::abs(found - expected) <= 2.0 * unit * expected);
      else
        CHECK(found <= 2.0 * expected);
    }
    // Rounding may leave less than nothing of a distance.
    entries.assign(entries.size(), TestType{1000});
    detail::gaussians(TestType{1}, TestType{0}, squares.data(), entries.data(), n);
    for (const TestType entry : entries) CHECK(entry == 1);
  }
}

TEMPLATE_TEST_CASE("a number that is not finite is seen wherever it stands", "[dense-cholesky]",
                   float, double) {
  for (std::size_t n : {1U, 8U, 16U, 37U}) {
    std::vector<TestType> from(n, TestType{3}), to(n);
    CHECK(detail::copy_finite(from.data(), static_cast<std::int64_t>(n), to.data()));
    CHECK(from == to);
    for (std::size_t i = 0; i < n; ++i)
      for (const TestType bad :
           {std::numeric_limits<TestType>::infinity(), -std::numeric_limits<TestType>::infinity(),
            std::numeric_limits<TestType>::quiet_NaN()}) {
        from[i] = bad;
        CHECK_FALSE(detail::copy_finite(from.data(), static_cast<std::int64_t>(n), to.data()));
        from[i] = TestType{3};
      }
  }
}
