// Dense decompositions: by what defines them.

#include <algorithm>

#include "gssl/core/dense.hpp"
#include "gssl/core/rng.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

Block random_matrix(std::int64_t m, Rng& rng) {
  Block a(m, m);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < m; ++j) a(i, j) = rng.normal();
  return a;
}

Block transpose(const Block& a) {
  Block t(a.columns(), a.rows());
  for (std::int64_t i = 0; i < a.rows(); ++i)
    for (std::int64_t j = 0; j < a.columns(); ++j) t(j, i) = a(i, j);
  return t;
}

Block product(const Block& a, const Block& b) {
  Block c(a.rows(), b.columns());
  for (std::int64_t i = 0; i < a.rows(); ++i)
    for (std::int64_t j = 0; j < b.columns(); ++j)
      for (std::int64_t k = 0; k < a.columns(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

Block diagonal(const std::vector<double>& values) {
  const auto m = static_cast<std::int64_t>(values.size());
  Block d(m, m);
  for (std::int64_t i = 0; i < m; ++i) d(i, i) = values[static_cast<std::size_t>(i)];
  return d;
}

}  // namespace

TEST_CASE("dense eigenpairs are ascending, orthonormal and read from the lower triangle") {
  Rng rng(3);
  for (const std::int64_t m : {0, 1, 2, 7, 30}) {
    Block a = random_matrix(m, rng), lower = a;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = i + 1; j < m; ++j) a(i, j) = a(j, i);
    const DenseEigen pairs = dense_eigen(lower);
    CHECK(std::is_sorted(pairs.values.begin(), pairs.values.end()));
    CHECK(max_difference(product(a, pairs.vectors),
                         product(pairs.vectors, diagonal(pairs.values))) < 1e-12);
    CHECK(max_difference(product(transpose(pairs.vectors), pairs.vectors),
                         diagonal(std::vector<double>(static_cast<std::size_t>(m), 1.0))) < 1e-13);
  }
}

TEST_CASE("the nearest rotation is orthogonal, and what it leaves is symmetric and not negative") {
  Rng rng(4);
  for (const std::int64_t m : {0, 1, 2, 7, 30}) {
    Block a = random_matrix(m, rng);
    if (m == 7)  // singular: two equal rows
      std::copy_n(a.row(0).begin(), m, a.row(1).begin());
    const Block rotation = nearest_rotation(a);
    CHECK(max_difference(product(transpose(rotation), rotation),
                         diagonal(std::vector<double>(static_cast<std::size_t>(m), 1.0))) < 1e-12);
    const Block left = product(transpose(rotation), a);
    CHECK(max_difference(left, transpose(left)) < 1e-11);
    for (const double value : dense_eigen(left).values) CHECK(value > -1e-11);
  }
}

TEST_CASE("orthonormal columns span those given") {
  Rng rng(5);
  for (const std::int64_t k : {1, 3, 20}) {
    Block a(20, k);
    for (std::int64_t i = 0; i < 20; ++i)
      for (std::int64_t j = 0; j < k; ++j) a(i, j) = rng.normal();
    const Block q = orthonormal_columns(a);
    REQUIRE(q.columns() == k);
    CHECK(max_difference(product(transpose(q), q),
                         diagonal(std::vector<double>(static_cast<std::size_t>(k), 1.0))) < 1e-13);
    CHECK(max_difference(product(q, product(transpose(q), a)), a) < 1e-12);
  }
}
