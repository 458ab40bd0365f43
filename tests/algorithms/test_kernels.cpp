// Kernels of points: each against its formula or its features, the grammar, sparse = dense,
// threads.

#include <cmath>
#include <numeric>

#include "gssl/core/dense.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/learn/kernel.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using gssl::Block;
using gssl::make_kernel;
using gssl::Points;
using gssl::test::error_of;
using gssl::test::max_difference;
using gssl::test::on_threads;

Points uniform_points(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  gssl::Rng rng(seed, 0);
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (double& v : values) v = 2.0 * rng.uniform() - 1.0;
  return Points::dense(rows, columns, std::move(values));
}

// Whole numbers in 0 … most.
Points random_codes(std::int64_t rows, std::int64_t columns, int least, int most,
                    std::uint64_t seed) {
  gssl::Rng rng(seed, 0);
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (double& v : values)
    v = least + static_cast<double>(rng.below(static_cast<std::uint64_t>(most - least + 1)));
  return Points::dense(rows, columns, std::move(values));
}

Block gram(const std::string& expression, const Points& points) {
  return make_kernel(expression)->block(points, points);
}

// Σ over columns of features.
Block products(const Block& f) {
  Block k(f.rows(), f.rows());
  for (std::int64_t i = 0; i < f.rows(); ++i)
    for (std::int64_t j = 0; j < f.rows(); ++j)
      k(i, j) = std::inner_product(f.row(i).begin(), f.row(i).end(), f.row(j).begin(), 0.0);
  return k;
}

template <class Of>
Block by_formula(const Points& points, Of&& of) {
  Block k(points.rows(), points.rows());
  for (gssl::VertexId i = 0; i < points.rows(); ++i)
    for (gssl::VertexId j = 0; j < points.rows(); ++j) {
      double product = 0.0, square = 0.0, least = 0.0, anova = 1.0;
      for (std::int64_t c = 0; c < points.columns(); ++c) {
        const double x = points.value(i, c), t = points.value(j, c);
        product += x * t;
        square += (x - t) * (x - t);
        least += std::min(x, t);
        anova *= 1.0 + x * t;
      }
      k(i, j) = of(product, square, least, anova);
    }
  return k;
}

}  // namespace

TEST_CASE("kernels are their formulas", "[kernels]") {
  const Points x = uniform_points(37, 5, 1);
  const auto agrees = [&](const std::string& expression, auto&& of) {
    INFO(expression);
    CHECK(max_difference(gram(expression, x), by_formula(x, of)) < 1e-13);
  };
  agrees("linear", [](double p, double, double, double) { return p; });
  agrees("polynomial(a=1,r=3,s=0.5)",
         [](double p, double, double, double) { return std::pow(1.0 + 0.5 * p, 3); });
  agrees("series(a=0.5,r=2)",
         [](double p, double, double, double) { return 1.0 + 0.5 * p + 0.125 * p * p; });
  agrees("exponential(a=0.7)", [](double p, double, double, double) { return std::exp(0.7 * p); });
  agrees("gaussian(beta=0.5)", [](double, double d, double, double) { return std::exp(-0.5 * d); });
  agrees("anova", [](double, double, double, double a) { return a; });
  agrees("gaussian(beta=0.5)+0.1*linear",
         [](double p, double d, double, double) { return std::exp(-0.5 * d) + 0.1 * p; });
  agrees("2 * (linear + 1)^2 * gaussian", [](double p, double d, double, double) {
    return 2.0 * (p + 1.0) * (p + 1.0) * std::exp(-d);
  });
  const Points counts = random_codes(20, 4, 0, 9, 2);
  CHECK(max_difference(gram("min", counts), by_formula(counts, [](double, double, double m,
                                                                  double) { return m; })) == 0.0);
}

TEST_CASE("a normalized kernel has ones on its diagonal, and 0 for what has no length",
          "[kernels]") {
  const Points x = Points::dense(3, 2, std::vector<double>{3, 4, 0, 0, 1, 0});
  const Block k = gram("normalize(linear)", x);
  CHECK(k(0, 0) == Approx(1.0));
  CHECK(k(0, 2) == Approx(0.6));
  CHECK(k(1, 1) == 0.0);
  CHECK(k(1, 2) == 0.0);
  CHECK(make_kernel("normalize(linear)")->diagonal(x) == std::vector{k(0, 0), 0.0, k(2, 2)});
}

TEST_CASE("explicit features give the kernel", "[kernels]") {
  const Points x = uniform_points(15, 4, 3);
  Block subsets(15, 16);  // all products of distinct columns
  for (gssl::VertexId i = 0; i < 15; ++i)
    for (std::int64_t s = 0; s < 16; ++s) {
      subsets(i, s) = 1.0;
      for (std::int64_t c = 0; c < 4; ++c)
        if ((s >> c & 1) != 0) subsets(i, s) *= x.value(i, c);
    }
  CHECK(max_difference(gram("anova", x), products(subsets)) < 1e-14);

  const Points sets = random_codes(15, 4, 0, 1, 4);
  Block contained(15, 16);  // 1 where the set holds the subset
  for (gssl::VertexId i = 0; i < 15; ++i)
    for (std::int64_t s = 0; s < 16; ++s) {
      contained(i, s) = 1.0;
      for (std::int64_t c = 0; c < 4; ++c)
        if ((s >> c & 1) != 0 && sets.value(i, c) == 0.0) contained(i, s) = 0.0;
    }
  CHECK(max_difference(gram("set", sets), products(contained)) == 0.0);

  const Points strings = random_codes(15, 7, 1, 2, 5);
  Block words(15, 8);  // how often each of the words of 3 letters stands in it
  for (gssl::VertexId i = 0; i < 15; ++i)
    for (std::int64_t c = 0; c + 3 <= 7; ++c) {
      std::int64_t word = 0;
      for (std::int64_t l = 0; l < 3; ++l)
        word = 2 * word + static_cast<std::int64_t>(strings.value(i, c + l)) - 1;
      words(i, word) += 1.0;
    }
  CHECK(max_difference(gram("spectrum(length=3)", strings), products(words)) == 0.0);
}

TEST_CASE("strings may differ in length; zeros pad them", "[kernels]") {
  const Points x = Points::dense(3, 4, std::vector<double>{1, 2, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0});
  const Block k = gram("spectrum(length=2)", x);  // 12 21 12; 12; nothing
  CHECK(k == Block(3, 3, std::vector<double>{5, 2, 0, 2, 1, 0, 0, 0, 0}));
  const Points hole = Points::dense(1, 3, std::vector<double>{1, 0, 2});
  CHECK_THROWS_WITH(gram("spectrum(length=2)", hole),
                    "kernel spectrum: row 0, column 2: 0: must be a symbol, since more come after "
                    "it");
}

TEST_CASE("the path-tree kernel is the pseudo-inverse of the tree and its largest entry",
          "[kernels]") {
  // Vertex v has the children 2v and 2v + 1; 8 … 15 are the leaves.
  constexpr int n = 15;
  Block inverse(n, n);
  Block laplacian(n, n);
  for (int v = 2; v <= n; ++v) {
    const int u = v / 2;
    laplacian(u - 1, u - 1) += 1.0;
    laplacian(v - 1, v - 1) += 1.0;
    laplacian(u - 1, v - 1) -= 1.0;
    laplacian(v - 1, u - 1) -= 1.0;
  }
  const gssl::DenseEigen pairs = gssl::dense_eigen(laplacian);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 1; k < n; ++k)
        inverse(i, j) += pairs.vectors(i, k) * pairs.vectors(j, k) / pairs.values[k];
  double most = 0.0;
  for (int i = 0; i < n; ++i) most = std::max(most, inverse(i, i));
  const Points path = Points::dense(6, 1, std::vector<double>{0, 1, 2, 3, 4, 5});
  const Block k = gram("path-tree(size=6)", path);
  for (int s = 0; s < 6; ++s)
    for (int t = 0; t < 6; ++t) CHECK(k(s, t) == Approx(inverse(s + 7, t + 7) + most));
  CHECK(gram("path-tree(size=1)", Points::dense(1, 1, std::vector<double>{0}))(0, 0) == 0.0);
}

TEST_CASE("Gram matrices are symmetric and positive semidefinite", "[kernels]") {
  const auto least_eigenvalue = [](const Block& k) {
    double trace = 0.0;
    for (std::int64_t i = 0; i < k.rows(); ++i) {
      trace += k(i, i);
      for (std::int64_t j = 0; j < i; ++j) CHECK(k(i, j) == Approx(k(j, i)).margin(1e-300));
    }
    return gssl::dense_eigen(k).values[0] / trace;
  };
  const Points x = uniform_points(40, 6, 6);
  for (const char* expression :
       {"linear", "polynomial(a=1,r=2)", "series(a=2,r=5)", "exponential(a=0.3)",
        "gaussian(beta=2)", "anova", "normalize(anova)*gaussian+3", "gaussian(beta=0)",
        "gaussian(beta=1e9)"}) {
    INFO(expression);
    CHECK(least_eigenvalue(gram(expression, x)) > -1e-12);
  }
  CHECK(least_eigenvalue(gram("min", random_codes(40, 3, 0, 20, 7))) > -1e-12);
  CHECK(least_eigenvalue(gram("set", random_codes(40, 8, 0, 1, 8))) > -1e-12);
  CHECK(least_eigenvalue(gram("spectrum(length=2)", random_codes(40, 8, 1, 3, 9))) > -1e-12);
  CHECK(least_eigenvalue(gram("path-tree(size=50)", random_codes(40, 1, 0, 49, 10))) > -1e-12);
}

TEST_CASE("the gaussian is right to the last digits over all its range", "[kernels]") {
  std::vector<double> places;
  for (int i = 0; i <= 2000; ++i) places.push_back(0.01 * i);
  const Points x = Points::dense(2001, 1, places), origin = Points::dense(1, 1, std::vector{0.0});
  const Block k = make_kernel("gaussian(beta=2)")->block(origin, x);
  for (int i = 0; i <= 2000; ++i) {
    const double distance =
        2.0 * places[static_cast<std::size_t>(i)] * places[static_cast<std::size_t>(i)];
    CHECK(k(0, i) == Approx(std::exp(-distance)).epsilon(1e-12).margin(1e-300));
  }
}

TEST_CASE("equal rows are at distance 0, also far from the origin", "[kernels]") {
  std::vector<double> values(40, 1e6 + 0.123);
  values[39] += 1e-3;
  const Points x = Points::dense(20, 2, values);
  const Block k = gram("gaussian(beta=1e6)", x);
  CHECK(k(0, 18) == 1.0);
  CHECK(k(0, 19) == Approx(std::exp(-1.0)).epsilon(1e-4));
}

TEST_CASE("sparse rows give what dense ones give, at any thread count", "[kernels]") {
  for (const std::int64_t columns : {30, 2000, 70'000}) {
    gssl::Rng rng(11, static_cast<std::uint64_t>(columns));
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::int32_t> ids;
    std::vector<double> values;
    std::vector<double> dense(static_cast<std::size_t>(300 * columns), 0.0);
    for (std::int64_t r = 0; r < 300; ++r) {
      for (std::int64_t c = static_cast<std::int64_t>(rng.below(9)); c < columns;
           c += 1 + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(columns / 5)))) {
        ids.push_back(static_cast<std::int32_t>(c));
        values.push_back(rng.uniform());
        dense[static_cast<std::size_t>(r * columns + c)] = values.back();
      }
      offsets.push_back(std::ssize(ids));
    }
    const Points sparse = Points::sparse(300, columns, offsets, ids, values);
    const auto kernel = make_kernel("gaussian(beta=0.3)+linear");
    const Block one = kernel->block(sparse, sparse, on_threads(1));
    CHECK(one == kernel->block(sparse, sparse, on_threads(4)));
    if (columns < 10'000) {
      const Points full = Points::dense(300, columns, dense);
      CHECK(max_difference(one, kernel->block(full, full)) < 1e-12);
      CHECK(max_difference(one, kernel->block(sparse, full)) < 1e-12);
    }
    const std::vector<double> diagonal = kernel->diagonal(sparse);
    for (std::int64_t i = 0; i < 300; ++i)
      REQUIRE(diagonal[static_cast<std::size_t>(i)] == one(i, i));
  }
}

TEST_CASE("a kernel's text reads back as the same kernel", "[kernels]") {
  const Points x = random_codes(12, 4, 0, 1, 12);
  for (const char* expression :
       {"linear", " gaussian( beta=0.25 ) + 0.1*linear", "polynomial(r=2)", "2*(linear+1)^3+set",
        "normalize((min+anova)*gaussian)", "((linear+1)*(linear+2))*(linear*linear)", "1e-3*min"}) {
    const auto kernel = make_kernel(expression);
    const auto again = make_kernel(kernel->spec());
    CHECK(kernel->spec() == again->spec());
    CHECK(kernel->block(x, x) == again->block(x, x));
  }
  CHECK(make_kernel("gaussian+0.1*linear")->spec() == "gaussian(beta=1)+0.1*linear");
}

TEST_CASE("what is wrong with an expression is said with its place", "[kernels]") {
  const auto message = [](const char* text) {
    const auto error = error_of([&] { make_kernel(text); });
    REQUIRE(error);
    CHECK(error->code() == gssl::ErrorCode::usage);
    return std::string(error->what());
  };
  using Catch::Matchers::Contains;
  CHECK(message("gausian(beta=1)") ==
        "kernel 'gausian(beta=1)': position 1: no kernel 'gausian': did you mean gaussian?");
  CHECK_THAT(message("linear+gaussian(beta=-1)"),
             Contains("position 17: kernel gaussian: option beta=-1: must be"));
  CHECK_THAT(message("polynomial(a=1,q=2)"), Contains("position 16: "));
  CHECK_THAT(message("gaussian(beta=1,beta=2)"), Contains("position 10: "));
  CHECK_THAT(message("linear-min"), Contains("no kernel 'linear-min'"));
  CHECK_THAT(message("linear - min"), Contains("position 8: '-': expected + or * or the end; a "
                                               "difference of kernels is not a kernel"));
  CHECK_THAT(message(""), Contains("position 1: the end: expected a kernel"));
  CHECK_THAT(message("(linear+min"), Contains("position 12: the end: expected ')'"));
  CHECK_THAT(message("linear)"), Contains("position 7: ')': expected"));
  CHECK_THAT(message("-2*linear"), Contains("position 1: a number must be in [0, 1e100]"));
  CHECK_THAT(message("linear^1.5"), Contains("position 8: '1': a power must be an integer"));
  CHECK_THAT(message("gaussian(beta=1"), Contains("position 16: the end: expected ')'"));
  CHECK_THAT(message("1+*2"), Contains("position 3: '*': expected"));
  CHECK_THAT(message(std::string(300, '(').c_str()), Contains("nested too deep"));
}

TEST_CASE("rows that a kernel is not about are refused", "[kernels]") {
  const Points x = Points::dense(2, 1, std::vector<double>{0.5, -1.0});
  CHECK_THROWS_WITH(gram("set", x), "kernel set: row 0, column 1: 0.5: must be 0 or 1");
  CHECK_THROWS_WITH(gram("min", x), "kernel min: row 1, column 1: -1: must be ≥ 0");
  CHECK_THROWS_WITH(gram("path-tree(size=4)", x),
                    "kernel path-tree: row 0, column 1: 0.5: must be an integer in 0 … 3");
  const Points wide = uniform_points(2, 3, 1);
  CHECK_THROWS_WITH(make_kernel("linear")->block(x, wide),
                    "kernel: rows of 1 columns and of 3: must be as many");
  const Points large = Points::dense(1, 1, std::vector<double>{100.0});
  const auto error = error_of([&] { gram("exponential", large); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Catch::Matchers::Contains("an entry of row 0 overflows"));
  const Points none = Points::dense(0, 3, std::vector<double>{});
  CHECK(make_kernel("gaussian")->block(none, wide).rows() == 0);
}

TEST_CASE("anova and min of sparse rows are those of dense rows, at any number of columns",
          "[kernel]") {
  const Points dense = random_codes(9, 30, 0, 2, 4);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> ids;
  std::vector<double> values;
  for (gssl::VertexId r = 0; r < dense.rows(); ++r) {
    dense.visit_row(r, [&](std::int64_t c, double x) {
      if (x == 0.0) return;
      ids.push_back(static_cast<std::int32_t>(c));
      values.push_back(x);
    });
    offsets.push_back(std::ssize(ids));
  }
  const Points sparse = Points::sparse(9, 30, offsets, ids, values);
  const Points wide = Points::sparse(9, 2'000'000'000, offsets, ids, values);
  for (const char* kernel : {"anova", "min", "normalize(anova)", "anova+min"}) {
    INFO(kernel);
    CHECK(max_difference(gram(kernel, dense), gram(kernel, sparse)) == 0.0);
    CHECK(max_difference(gram(kernel, dense), gram(kernel, wide)) == 0.0);
    CHECK(max_difference(gram(kernel, dense), make_kernel(kernel)->block(dense, sparse)) == 0.0);
  }
}
