// Kernels of mapped rows, xᵀAt, centering, kernel principal components, kernel k-means of rows.

#include <cmath>
#include <numeric>

#include "algorithms/fixtures.hpp"
#include "gssl/batch/kernel_ridge.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/cluster/kernel_k_means.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/kernel/centering.hpp"
#include "gssl/kernel/kernel_pca.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

Points random_rows(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (double& v : values) v = rng.normal();
  return Points::dense(rows, columns, std::move(values));
}

Block gram_of(const std::string& kernel, const Points& points) {
  return make_kernel(kernel)->block(points, points);
}

// Rows of M x.
Points multiplied(const Points& points, const Block& m) {
  std::vector<double> values;
  for (VertexId r = 0; r < points.rows(); ++r)
    for (std::int64_t i = 0; i < m.rows(); ++i) {
      double sum = 0.0;
      for (std::int64_t c = 0; c < m.columns(); ++c) sum += m(i, c) * points.value(r, c);
      values.push_back(sum);
    }
  return Points::dense(points.rows(), m.rows(), std::move(values));
}

std::string refusal(const std::string& kernel) {
  const auto error = error_of([&] { make_kernel(kernel); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
  return error->what();
}

}  // namespace

TEST_CASE("xᵀAt is what a person computes", "[kernel-map]") {
  // x = (1, 2), t = (3, −1), A = [2 1; 1 4]: At = (5, −1), xᵀAt = 3.
  const Points two = Points::dense(2, 2, std::vector<double>{1, 2, 3, -1});
  const Block k = gram_of("linear(matrix=[2 1; 1 4])", two);
  CHECK(k(0, 1) == Approx(3.0));
  CHECK(k(1, 0) == k(0, 1));
  CHECK(k(0, 0) == Approx(2 * 1 + 2 * 2 + 4 * 4));
  CHECK(make_kernel("linear(matrix=[2 1; 1 4])")->spec() == "linear(matrix=[2 1;1 4])");
  // Singular, and of rank one: (x₁ + x₂)(t₁ + t₂).
  CHECK(gram_of("linear(matrix=[1 1;1 1])", two)(0, 1) == Approx(3.0 * 2.0));
}

TEST_CASE("a kernel of mapped rows is the kernel of the rows M x", "[kernel-map]") {
  const Points points = random_rows(300, 3, 1);
  const Block m(2, 3, std::vector<double>{1, 0, -0.5, 0.25, 2, 0});
  const Points mapped = multiplied(points, m);
  const std::string text = "map([1 0 -0.5; 0.25 2 0], gaussian(beta=0.5)+0.1*linear)";
  CHECK(max_difference(gram_of(text, points), gram_of("gaussian(beta=0.5)+0.1*linear", mapped)) <
        1e-12);
  const auto made = make_kernel(text);
  CHECK(make_kernel(made->spec())->block(points, points) == made->block(points, points));
  CHECK(max_difference(
            gram_of("min*0+normalize(map([1 0 0],gaussian))", multiplied(points, Block(3, 3, 0.0))),
            Block(300, 300, 1.0)) < 1e-15);
}

TEST_CASE("columns(…) is the kernel of those columns, also inside a sum", "[kernel-map]") {
  const Points points = random_rows(40, 5, 2);
  const Block first(2, 5, std::vector<double>{1, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  const Block last(1, 5, std::vector<double>{0, 0, 0, 0, 1});
  Block expected = gram_of("gaussian(beta=2)", multiplied(points, first));
  const Block other = gram_of("polynomial(a=1,r=2)", multiplied(points, last));
  const Block all = gram_of("linear", points);
  for (std::int64_t i = 0; i < 40; ++i)
    for (std::int64_t j = 0; j < 40; ++j) expected(i, j) += other(i, j) * all(i, j);
  const std::string text = "columns(1-2,gaussian(beta=2))+columns(5,polynomial(a=1,r=2))*linear";
  CHECK(max_difference(gram_of(text, points), expected) < 1e-12);
  CHECK(make_kernel("columns(1-3;5,linear)")->spec() == "columns(1-3;5,linear)");
  const auto error = error_of([&] { gram_of("columns(6,linear)", points); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("rows of 5 columns: the kernel is of column 6"));
}

TEST_CASE("what is no kernel is refused with its place", "[kernel-map]") {
  CHECK_THAT(refusal("linear(matrix=[1 2; 3 4])"), Contains("position 15: entries (2, 1)"));
  CHECK_THAT(refusal("linear(matrix=[1 2; 2 1])"), Contains("the eigenvalue -1"));
  CHECK_THAT(refusal("linear(matrix=[1 2])"), Contains("must be square"));
  CHECK_THAT(refusal("map([1 2; 3], linear)"), Contains("a row of 1 numbers: the first has 2"));
  CHECK_THAT(refusal("map([], linear)"), Contains("the matrix is empty"));
  CHECK_THAT(refusal("map([1 x], linear)"), Contains("position 8: 'x': expected a number"));
  CHECK_THAT(refusal("map([1 2] linear)"), Contains("expected ','"));
  CHECK_THAT(refusal("columns(0,linear)"), Contains("from 1"));
  CHECK_THAT(refusal("columns(3-2,linear)"), Contains("ascending"));
  CHECK_THAT(refusal("linear+center(linear)"), Contains("position 8: center(K)"));
}

TEST_CASE("a centered Gram matrix has rows of sum 0 and is that of centered features",
          "[kernel-center]") {
  const Points points = random_rows(30, 3, 3);
  const auto gram = gram_of_points(make_kernel("linear+1"), points);
  std::vector<double> weights(30, 1.0);
  weights[4] = 3.0;
  const Centering means = centering_of(*gram, weights);
  const auto k = centered(*gram, means);
  const Block whole = k->whole();
  for (std::int64_t i = 0; i < 30; ++i) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < 30; ++j) sum += weights[static_cast<std::size_t>(j)] * whole(i, j);
    CHECK(std::abs(sum) < 1e-12);
    CHECK(k->diagonal({})[static_cast<std::size_t>(i)] == Approx(whole(i, i)).margin(1e-14));
  }
  const std::vector<std::int32_t> some = {7, 4, 20};
  const Block part = k->select(some)->whole();
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      CHECK(part(i, j) ==
            Approx(whole(some[static_cast<std::size_t>(i)], some[static_cast<std::size_t>(j)]))
                .margin(1e-14));
}

TEST_CASE("a method over center(K) predicts what it does over centered features",
          "[kernel-center]") {
  const Points points = random_rows(40, 2, 4);
  std::vector<double> values, moved;
  double mean[2] = {0.0, 0.0};
  for (VertexId r = 0; r < 40; ++r)
    for (int c = 0; c < 2; ++c) mean[c] += points.value(r, c) / 40.0;
  for (VertexId r = 0; r < 40; ++r) {
    values.push_back(1.0 + points.value(r, 0) - points.value(r, 1) * points.value(r, 1));
    for (int c = 0; c < 2; ++c) moved.push_back(points.value(r, c) - mean[c]);
  }
  const Points shifted = Points::dense(40, 2, moved);
  const KernelRidgeLearner with({.kernel = "center(linear)", .lambda = 0.3, .bias = false});
  const KernelRidgeLearner without({.kernel = "linear", .lambda = 0.3, .bias = false});
  const Trained a = with.fit(make_dataset(points, Targets::reals(values)));
  const Trained b = without.fit(make_dataset(shifted, Targets::reals(values)));
  CHECK(max_difference(a.model->scores(points), b.model->scores(shifted)) < 1e-10);
  // The constant of a machine with a bias makes up for the means.
  std::vector<int> side;
  for (const double v : values) side.push_back(v > 0.5 ? 1 : 0);
  const Dataset classes = make_dataset(points, Targets::classes(side, {"a", "b"}));
  const Trained c =
      SvmLearner({.kernel = "center(gaussian(beta=1))", .tolerance = 1e-10}).fit(classes);
  const Trained d = SvmLearner({.kernel = "gaussian(beta=1)", .tolerance = 1e-10}).fit(classes);
  CHECK(max_difference(c.model->scores(points), d.model->scores(points)) < 1e-6);
  CHECK(error_of([] { SvmLearner({.kernel = "center(linear"}); })->code() == ErrorCode::usage);
}

TEST_CASE("linear kernel components are the principal components", "[kernel-pca]") {
  const Points points = random_rows(60, 3, 5);
  const KernelPca pca = kernel_pca_of_points("linear", points, {.dimensions = 5});
  REQUIRE(pca.eigenvalues.size() == 3);  // there are no more
  CHECK(pca.report.warnings.size() == 1);
  CHECK(std::accumulate(pca.eigenvalues.begin(), pca.eigenvalues.end(), 0.0) == Approx(pca.total));
  // All of them together keep every distance.
  for (VertexId i = 0; i < 60; i += 7)
    for (VertexId j = 0; j < 60; j += 5) {
      double here = 0.0, there = 0.0;
      for (int c = 0; c < 3; ++c) {
        here += std::pow(points.value(i, c) - points.value(j, c), 2);
        there += std::pow(pca.coordinates(i, c) - pca.coordinates(j, c), 2);
      }
      CHECK(there == Approx(here).margin(1e-12));
    }
  CHECK(max_difference(pca.project(points), pca.coordinates) < 1e-10);
}

TEST_CASE("many rows by Lanczos have the eigenvalues of the dense matrix", "[kernel-pca]") {
  const Points points = random_rows(600, 4, 6);
  const KernelPca pca = kernel_pca_of_points("gaussian(beta=0.1)", points, {.dimensions = 3});
  CHECK(pca.report.used == "lanczos");
  CHECK(pca.report.relative_residual() < 1e-8);
  const auto gram = gram_of_points(make_kernel("gaussian(beta=0.1)"), points);
  const DenseEigen all = dense_eigen(centered(*gram, centering_of(*gram, {}))->whole());
  for (std::size_t d = 0; d < 3; ++d)
    CHECK(pca.eigenvalues[d] == Approx(all.values[599 - d]).epsilon(1e-9));
  CHECK(max_difference(pca.project(points), pca.coordinates) < 1e-8);
  RunContext four;
  four.threads = 4;
  CHECK(kernel_pca_of_points("gaussian(beta=0.1)", points, {.dimensions = 3}, four).coordinates ==
        pca.coordinates);
}

TEST_CASE("components of L⁺ are the slow eigenvectors of the Laplacian", "[kernel-pca]") {
  // Path of 4: λ₂ = 2 − √2, and L⁺ has 1/λ₂ first.
  const Graph path = graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}});
  const KernelPca pca = kernel_pca_of_graph("pseudoinverse", path, {.dimensions = 2});
  REQUIRE(pca.eigenvalues.size() == 2);
  CHECK(pca.eigenvalues[0] == Approx(1.0 / (2.0 - std::sqrt(2.0))));
  CHECK(pca.eigenvalues[1] == Approx(0.5));
  CHECK(pca.coordinates(0, 0) == Approx(-pca.coordinates(3, 0)));
  const Graph large = random_graph(700, 900, 7);
  const KernelPca more = kernel_pca_of_graph("regularized(epsilon=0.1)", large, {.dimensions = 3});
  CHECK(more.report.relative_residual() < 1e-7);
  CHECK(error_of([&] { kernel_pca_of_graph("gaussian", path); })->code() == ErrorCode::usage);
  CHECK(error_of([&] { kernel_pca_of_points("diffusion", random_rows(3, 1, 1)); })->code() ==
        ErrorCode::usage);
  CHECK(error_of([] { kernel_pca_of_points("linear", Points::dense(0, 2, {})); })->code() ==
        ErrorCode::bad_data);
}

TEST_CASE("k-means over a kernel finds rings that k-means cuts", "[cluster-points]") {
  std::vector<double> values;
  std::vector<int> ring;
  for (int i = 0; i < 60; ++i) {
    const double angle = 2.0 * 3.14159265358979 * i / 60.0, radius = i % 2 == 0 ? 0.3 : 3.0;
    values.insert(values.end(), {radius * std::cos(angle), radius * std::sin(angle)});
    ring.push_back(i % 2);
  }
  const Points points = Points::dense(60, 2, values);
  const Partition rings = cluster_points("gaussian(beta=1)", points, 2, {.restarts = 10});
  CHECK(rings.cluster_of == ring);
  const Partition plain = cluster_points("linear", points, 2, {.restarts = 10});
  CHECK(plain.cluster_of != ring);
  for (const Partition& p : {rings, plain}) {
    const std::vector<double>& s = p.report.certificates.front().values;
    for (std::size_t i = 1; i < s.size(); ++i) CHECK(s[i] >= s[i - 1] * (1.0 - 1e-12));
    CHECK(p.report.converged());
  }
  RunContext four;
  four.threads = 4;
  CHECK(cluster_points("linear", points, 2, {.restarts = 10}, four).cluster_of == plain.cluster_of);
  CHECK(error_of([&] { cluster_points("linear", points, 61); })->code() == ErrorCode::usage);
}
