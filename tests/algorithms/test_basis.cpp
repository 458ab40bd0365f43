#include "gssl/batch/basis.hpp"
#include "gssl/batch/ridge.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::vector<double> row_of(const Points& points, VertexId r) {
  std::vector<double> row;
  for (std::int64_t c = 0; c < points.columns(); ++c) row.push_back(points.value(r, c));
  return row;
}

Dataset exclusive_or() {
  return make_dataset(Points::dense(4, 2, std::vector<double>{-1, -1, -1, 1, 1, -1, 1, 1}),
                      Targets::classes(std::vector<std::string>{"same", "other", "other", "same"}));
}

}  // namespace

TEST_CASE("the features of one row by hand", "[basis]") {
  const Points row = Points::dense(1, 2, std::vector<double>{2, 3});
  const auto mapped = [&](Basis basis, int degree) {
    return row_of(FeatureMap({basis, degree}).apply(row), 0);
  };
  CHECK(mapped(Basis::none, 2) == std::vector<double>{2, 3});
  CHECK(mapped(Basis::bias, 2) == std::vector<double>{2, 3, 1});
  CHECK(mapped(Basis::polynomial, 3) == std::vector<double>{2, 3, 4, 9, 8, 27});
  CHECK(mapped(Basis::correlations, 2) == std::vector<double>{2, 3, 4, 6, 9});
  CHECK(mapped(Basis::correlations, 3) == std::vector<double>{2, 3, 4, 6, 9, 8, 12, 18, 27});
}

TEST_CASE("products of sparse rows are those of dense ones", "[basis]") {
  const Points dense = random_points(20, 6, 51, 0.5);
  for (const Basis basis : {Basis::bias, Basis::polynomial, Basis::correlations})
    for (int degree = 1; degree <= 4; ++degree) {
      const FeatureMap map({basis, degree});
      const Points wide = map.apply(dense);
      const Points sparse = map.apply(as_sparse(dense));
      CHECK(sparse.is_sparse());
      REQUIRE(wide.columns() == map.columns(6));
      REQUIRE(sparse.columns() == wide.columns());
      for (VertexId r = 0; r < 20; ++r) CHECK(row_of(sparse, r) == row_of(wide, r));
    }
  CHECK(FeatureMap::correlations(4).columns(6) == 209);  // C(10, 4) − 1
}

TEST_CASE("all products of two columns have the dot products of a kernel", "[basis]") {
  // Orders 1 and 2 of x and t: Σ x_i t_i + Σ_{i≤j} x_i x_j t_i t_j
  //                          = x·t + ((x·t)² + Σ x_i² t_i²)/2.
  const Points points = random_points(8, 5, 52);
  const Points wide = FeatureMap::correlations(2).apply(points);
  for (VertexId a = 0; a < 8; ++a)
    for (VertexId b = 0; b < 8; ++b) {
      double dot = 0.0;
      double squares = 0.0;
      double mapped = 0.0;
      for (std::int64_t c = 0; c < 5; ++c) {
        const double product = points.value(a, c) * points.value(b, c);
        dot += product;
        squares += product * product;
      }
      for (std::int64_t c = 0; c < wide.columns(); ++c)
        mapped += wide.value(a, c) * wide.value(b, c);
      CHECK(mapped == Approx(dot + (dot * dot + squares) / 2));
    }
}

TEST_CASE("exclusive or is linear in the products of its columns, and not in its columns",
          "[basis]") {
  const Dataset data = exclusive_or();
  for (const char* learner : {"least-squares", "ridge", "linear-svm", "logistic"}) {
    CAPTURE(learner);
    const std::string name = learner;
    CHECK(accuracy_of(*trained(name, data).model, data) < 1.0);
    const Trained mapped = trained(name + ":basis=correlations,degree=2", data);
    CHECK(accuracy_of(*mapped.model, data) == 1.0);
    CHECK(survives_saving(name, *mapped.model, data.points));
    CHECK(accuracy_of(*trained(name + ":basis=polynomial,degree=3", data).model, data) < 1.0);
  }
}

TEST_CASE("powers of a column fit a polynomial, a constant column is the bias", "[basis]") {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = -5; i <= 5; ++i) {
    x.push_back(i);
    y.push_back(2.0 - i + 0.5 * i * i * i);
  }
  const Dataset data = make_dataset(Points::dense(11, 1, x), Targets::reals(y));
  const Block predicted = trained("least-squares:basis=polynomial,degree=3", data)
                              .model->scores(Points::dense(1, 1, std::vector<double>{10}));
  CHECK(predicted(0, 0) == Approx(492.0));
  const Block constant =
      trained("ridge:lambda=0.3,bias=none,basis=bias", data).model->scores(data.points);
  CHECK(max_difference(
            constant,
            trained("ridge:lambda=0.3,bias=regularized", data).model->scores(data.points)) < 1e-12);
}

TEST_CASE("a map of the program's own", "[basis]") {
  const FeatureMap map = FeatureMap::user(
      1, [](std::span<const double> row, std::span<double> out) { out[0] = row[0] * row[1]; });
  const BasisLearner learner(std::make_shared<RidgeLearner>(), map);
  for (const bool sparse : {false, true}) {
    Dataset data = exclusive_or();
    if (sparse) data.points = as_sparse(data.points);
    const Trained fitted = learner.fit(data);
    CHECK(accuracy_of(*fitted.model, data) == 1.0);
    Record record;
    CHECK(error_of([&] { fitted.model->save(record); })->code() == ErrorCode::usage);
  }
}

TEST_CASE("models on many mapped rows score them in parts as all together", "[basis]") {
  const Dataset data = random_classes(3000, 20, 3, 53);
  const Trained fitted = trained("ridge:basis=correlations,degree=3", select(data, [] {
                                   std::vector<std::int32_t> rows(50);
                                   for (int i = 0; i < 50; ++i) rows[std::size_t(i)] = i;
                                   return rows;
                                 }()));
  const Block all = fitted.model->scores(data.points, on_threads(1));
  CHECK(all == fitted.model->scores(data.points, on_threads(4)));
  const Block last = fitted.model->scores(select(data.points, std::vector<std::int32_t>{2999}));
  for (std::int64_t k = 0; k < all.columns(); ++k) CHECK(last(0, k) == all(2999, k));
}

TEST_CASE("too many products, overflow and other columns are refused", "[basis]") {
  CHECK(error_of([] { FeatureMap::correlations(5).columns(1000); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("ridge:basis=splines"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("ridge:degree=0"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { FeatureMap::user(0, {}); })->code() == ErrorCode::usage);
  CHECK(error_of([] {
          FeatureMap::correlations(2).apply(Points::dense(1, 1, std::vector<double>{1e200}));
        })->code() == ErrorCode::bad_data);
  const auto fitted = trained("ridge:basis=correlations", exclusive_or());
  CHECK(error_of([&] { fitted.model->scores(random_points(2, 5, 1)); })->code() ==
        ErrorCode::bad_data);
}
