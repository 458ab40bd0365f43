// The path-tree kernel against the Laplacian of its tree, and the lemma it is for.

#include <bit>
#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/kernel/path_tree.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("the path-tree kernel is L⁺ of the tree and a constant", "[path-tree]") {
  for (const std::int64_t horizon : {2, 3, 8, 13}) {
    const auto depth = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(horizon - 1)));
    const int n = (1 << (depth + 1)) - 1, leaf = (1 << depth) - 1;
    Block laplacian(n, n);  // vertex v has children 2v + 1 and 2v + 2
    for (int v = 1; v < n; ++v) {
      const int parent = (v - 1) / 2;
      laplacian(v, v) += 1.0;
      laplacian(parent, parent) += 1.0;
      laplacian(v, parent) -= 1.0;
      laplacian(parent, v) -= 1.0;
    }
    const DenseEigen pairs = dense_eigen(laplacian);
    const auto pseudo = [&](int u, int v) {
      double sum = 0.0;
      for (int i = 1; i < n; ++i)
        sum += pairs.vectors(u, i) * pairs.vectors(v, i) / pairs.values[i];
      return sum;
    };
    double largest = 0.0;
    for (int v = 0; v < n; ++v) largest = std::max(largest, pseudo(v, v));
    const PathTreeKernel p(horizon);
    for (int s = 0; s < horizon; ++s)
      for (int t = 0; t < horizon; ++t)
        REQUIRE(p(s, t) == Approx(pseudo(leaf + s, leaf + t) + largest).margin(1e-12));
    CHECK(p.largest() <= 2.0 * depth);
  }
}

TEST_CASE("a sequence with k changes has a path-tree norm of about k", "[path-tree]") {
  // ‖f‖² = fᵀP⁻¹f of sequences of 0 and 1.
  Rng rng(5);
  for (const std::int64_t horizon : {2, 7, 16, 50, 100}) {
    const PathTreeKernel p(horizon);
    const double log2 = std::ceil(std::log2(static_cast<double>(horizon)));
    std::vector<std::vector<double>> gram(horizon, std::vector<double>(horizon));
    for (int s = 0; s < horizon; ++s)
      for (int t = 0; t < horizon; ++t) gram[s][t] = p(s, t);
    Block f(horizon, 20);
    std::vector<int> changes(20, 0);
    for (int c = 0; c < 20; ++c) {
      f(0, c) = static_cast<double>(rng.below(2));
      for (int t = 1; t < horizon; ++t) {
        const bool change = rng.uniform() < 0.05 * c;
        f(t, c) = change ? 1.0 - f(t - 1, c) : f(t - 1, c);
        changes[c] += change ? 1 : 0;
      }
    }
    const Block x = dense_solve(gram, f);
    for (int c = 0; c < 20; ++c) {
      double norm = 0.0;
      for (int t = 0; t < horizon; ++t) norm += f(t, c) * x(t, c);
      CHECK(norm * p.largest() <= changes[c] * log2 * log2 + 2.0 + 1e-9);
    }
  }
}

TEST_CASE("what the path-tree kernel refuses", "[path-tree]") {
  CHECK(PathTreeKernel(1)(0, 0) == 1.0);
  CHECK(error_of([] { PathTreeKernel(0); })->code() == ErrorCode::usage);
  CHECK(error_of([] { PathTreeKernel(8)(8, 0); })->code() == ErrorCode::bad_data);
  CHECK(error_of([] { PathTreeKernel(8)(0, -1); })->code() == ErrorCode::bad_data);
}
