#include <cmath>

#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("two rows (1,1)→3 and (2,3)→7 have the weights (2,1)", "[least-squares]") {
  const Dataset data =
      make_dataset(Points::dense(2, 2, std::vector<double>{1, 1, 2, 3}), Targets::reals({3, 7}));
  const LinearFit fit = linear_fit("least-squares:bias=none", data);
  CHECK(fit.weights(0, 0) == Approx(2.0).epsilon(1e-13));
  CHECK(fit.weights(1, 0) == Approx(1.0).epsilon(1e-13));
  const Block score = trained("least-squares:bias=none", data)
                          .model->scores(Points::dense(1, 2, std::vector<double>{4, 2}));
  CHECK(score(0, 0) == Approx(10.0).epsilon(1e-13));
}

TEST_CASE("of many exact solutions the one of least norm", "[least-squares]") {
  // x₁ + x₂ = 2 in the plane: (1, 1). With the constant in the norm: (2/3, 2/3) and 2/3.
  const Dataset one =
      make_dataset(Points::dense(1, 2, std::vector<double>{1, 1}), Targets::reals({2}));
  const LinearFit plain = linear_fit("least-squares:bias=none", one);
  CHECK(plain.weights(0, 0) == Approx(1.0));
  CHECK(plain.weights(1, 0) == Approx(1.0));
  const LinearFit counted = linear_fit("least-squares:bias=regularized", one);
  CHECK(counted.weights(0, 0) == Approx(2.0 / 3.0));
  CHECK(counted.bias[0] == Approx(2.0 / 3.0));
  const LinearFit free = linear_fit("least-squares:bias=free", one);
  CHECK(free.weights(0, 0) == 0.0);
  CHECK(free.bias[0] == Approx(2.0));
}

TEST_CASE("the solution of least norm is in the span of the rows and the limit of ridge",
          "[least-squares]") {
  for (const bool sparse : {false, true}) {
    Dataset data = random_regression(6, 20, 2);
    if (sparse) data.points = as_sparse(data.points);
    const LinearFit fit = linear_fit("least-squares", data);
    const Block predicted = trained("least-squares", data).model->scores(data.points);
    for (VertexId r = 0; r < 6; ++r)
      CHECK(predicted(r, 0) == Approx(data.targets.values()[std::size_t(r)]).epsilon(1e-10));
    CHECK(difference(fit, linear_fit("ridge:lambda=1e-9", data)) < 1e-7);
  }
}

TEST_CASE("constant and equal columns lower the rank and nothing else", "[least-squares]") {
  // x, a copy of x, a constant: y = 3x + 1.
  std::vector<double> values;
  std::vector<double> y;
  for (int i = 0; i < 9; ++i) {
    values.insert(values.end(), {double(i), double(i), 5.0});
    y.push_back(3.0 * i + 1.0);
  }
  const Dataset data = make_dataset(Points::dense(9, 3, values), Targets::reals(y));
  const Trained fitted = trained("least-squares", data);
  const LinearFit fit = fit_of(fitted);
  CHECK(certificate_values(fitted.report, "rank")[0] == 1.0);
  CHECK(fit.weights(0, 0) == Approx(1.5).epsilon(1e-12));
  CHECK(fit.weights(1, 0) == Approx(1.5).epsilon(1e-12));
  CHECK(std::abs(fit.weights(2, 0)) < 1e-12);
  CHECK(fit.bias[0] == Approx(1.0).epsilon(1e-11));
  CHECK(certificate_values(fitted.report, "degrees_of_freedom")[0] == Approx(2.0));
}

TEST_CASE("the triangle of many panels is that of all rows", "[least-squares]") {
  // 5000 rows are five panels; the gradient is recomputed from the rows as they are.
  const Dataset data = random_regression(5000, 12, 6);
  const Trained fitted = trained("least-squares", data, 2);
  CHECK(fitted.report.relative_residual() < 1e-13);
  CHECK(difference(fit_of(fitted), linear_fit("ridge:lambda=1e-8", data)) < 1e-9);
}

TEST_CASE("a row that alone determines a direction has no left-out residual", "[least-squares]") {
  const Dataset data =
      make_dataset(Points::dense(4, 2, std::vector<double>{1, 0, 2, 0, 3, 0, 0, 1}),
                   Targets::reals({1, 2, 4, 5}));
  const Trained fitted = trained("least-squares:bias=none", data);
  CHECK(std::isinf(certificate_values(fitted.report, "leave_one_out_mse")[0]));
}

TEST_CASE("least squares decides among classes by their columns", "[least-squares]") {
  const Dataset data = random_classes(80, 5, 3, 12);
  const Trained fitted = trained("least-squares", data);
  CHECK(fitted.model->score_kind() == ScoreKind::decision);
  CHECK(accuracy_of(*fitted.model, data) > 0.7);
  double mistakes = 0.0;
  for (std::int32_t r = 0; r < 80; ++r) {
    const Dataset row = select(data, std::vector<std::int32_t>{r});
    mistakes += 1.0 - accuracy_of(*trained("least-squares", without_row(data, r)).model, row);
  }
  CHECK(certificate_values(fitted.report, "leave_one_out_error")[0] == Approx(mistakes / 80.0));
}

TEST_CASE("a class without rows is never decided for", "[least-squares]") {
  Dataset data = random_classes(60, 3, 2, 13);
  data.targets = Targets::classes(data.targets.class_of(), {"a", "b", "c"});
  for (const char* spec : {"least-squares", "ridge", "ridge:lambda=path"}) {
    const Trained fitted = trained(spec, data);
    const Block scores = fitted.model->scores(random_points(200, 3, 99));
    for (const int k : decide(scores, ScoreKind::decision)) CHECK(k < 2);
  }
}

TEST_CASE("one class, one row and values that overflow", "[least-squares]") {
  const Dataset one_class =
      make_dataset(random_points(5, 2, 1), Targets::classes(std::vector<std::string>(5, "only")));
  CHECK(accuracy_of(*trained("least-squares", one_class).model, one_class) == 1.0);
  const Dataset huge = make_dataset(Points::dense(3, 1, std::vector<double>{1e200, -1e200, 3e200}),
                                    Targets::reals({1, 2, 3}));
  Dataset sparse = huge;
  sparse.points = as_sparse(huge.points);
  for (const Dataset& data : {huge, sparse}) {
    const auto error = error_of([&] { trained("ridge", data); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK_THAT(error->what(), Catch::Contains("overflow"));
  }
}
