#include <cmath>

#include "gssl/batch/ridge.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// (X'WX + λI)⁻¹X'Wy by Gaussian elimination, with a column of ones for the bias.
LinearFit slow_ridge(const Dataset& data, double lambda, Bias bias) {
  const std::int64_t d = data.points.columns() + (bias == Bias::none ? 0 : 1);
  const Block y = data.targets.block();
  std::vector<std::vector<double>> a(std::size_t(d), std::vector<double>(std::size_t(d), 0.0));
  Block b(d, y.columns());
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    std::vector<double> x(std::size_t(d), 1.0);
    data.points.visit_row(r, [&](std::int64_t c, double v) { x[std::size_t(c)] = v; });
    if (data.points.is_sparse())
      for (std::int64_t c = 0; c < data.points.columns(); ++c)
        x[std::size_t(c)] = data.points.value(r, c);
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j < d; ++j)
        a[std::size_t(i)][std::size_t(j)] += data.weight(r) * x[std::size_t(i)] * x[std::size_t(j)];
      for (std::int64_t k = 0; k < y.columns(); ++k)
        b(i, k) += data.weight(r) * x[std::size_t(i)] * y(r, k);
    }
  }
  for (std::int64_t i = 0; i < (bias == Bias::free ? d - 1 : d); ++i)
    a[std::size_t(i)][std::size_t(i)] += lambda;
  const Block solved = dense_solve(a, b);
  LinearFit fit{Block(data.points.columns(), y.columns()),
                std::vector<double>(std::size_t(y.columns()), 0.0)};
  for (std::int64_t k = 0; k < y.columns(); ++k) {
    for (std::int64_t c = 0; c < data.points.columns(); ++c) fit.weights(c, k) = solved(c, k);
    if (bias != Bias::none) fit.bias[std::size_t(k)] = solved(d - 1, k);
  }
  return fit;
}

Dataset diabetes() {
  const Block table = shared_block("reference/learners/diabetes_scaled.csv");
  if (table.rows() == 0) return {};
  std::vector<double> values;
  std::vector<double> y;
  for (std::int64_t r = 0; r < table.rows(); ++r) {
    const auto row = table.row(r);
    y.push_back(row[0]);
    values.insert(values.end(), row.begin() + 1, row.end());
  }
  return make_dataset(Points::dense(table.rows(), table.columns() - 1, values), Targets::reals(y));
}

}  // namespace

TEST_CASE("ridge by every solver is the solution of the normal equations", "[ridge]") {
  for (const auto& [n, d] : {std::pair{40, 6}, std::pair{7, 12}, std::pair{5, 5}}) {
    Dataset data = random_regression(n, d, 3);
    data.weights = random_weights(n, 3);
    Dataset sparse = data;
    sparse.points = as_sparse(random_points(n, d, 8, 0.6));
    for (const Dataset& table : {data, sparse})
      for (const auto& [bias, name] : bias_names())
        for (const char* solver : {"primal", "dual", "iterative", "automatic"}) {
          const std::string spec =
              std::string("ridge:lambda=0.7,tolerance=1e-14,solver=") + solver + ",bias=" + name;
          CAPTURE(n, d, spec, table.points.is_sparse());
          CHECK(difference(linear_fit(spec, table), slow_ridge(table, 0.7, bias)) < 1e-10);
        }
  }
}

TEST_CASE("ridge on the diabetes data has the coefficients of the reference", "[ridge]") {
  const Dataset data = diabetes();
  if (data.points.rows() == 0) {
    WARN("skipped: ../shared is absent");
    return;
  }
  // ../shared/reference/learners/learners.json, "ridge (min |y-Xw-b|^2 + alpha|w|^2 …)".
  struct Reference {
    double lambda, first, third, intercept, loo, df;
  };
  const RidgePath path(data);
  for (const Reference& r : {Reference{0.001, -9.549161753390807, 520.3693746030365,
                                       152.133484162896, 3000.6570796678684, 10.872681148476211},
                             Reference{0.1, 1.3087054269317406, 489.6951710904437,
                                       152.13348416289602, 3004.616621060265, 8.641725334910458},
                             Reference{1, 29.46611189347688, 306.35268015068607, 152.133484162896,
                                       3327.6551045592246, 4.942284060311918},
                             Reference{10, 19.8128418078131, 75.4162139833578, 152.13348416289594,
                                       4851.097651530103, 1.83170113829602}}) {
    const Trained fitted = trained("ridge:lambda=" + std::to_string(r.lambda), data);
    const LinearFit fit = fit_of(fitted);
    CHECK(fit.weights(0, 0) == Approx(r.first).epsilon(1e-9));
    CHECK(fit.weights(2, 0) == Approx(r.third).epsilon(1e-9));
    CHECK(fit.bias[0] == Approx(r.intercept).epsilon(1e-12));
    CHECK(certificate_values(fitted.report, "leave_one_out_mse")[0] == Approx(r.loo).epsilon(1e-9));
    CHECK(certificate_values(fitted.report, "degrees_of_freedom")[0] == Approx(r.df).epsilon(1e-9));
    CHECK(difference(path.at(r.lambda), fit) < 1e-8);
    CHECK(path.leave_one_out_mean_square(r.lambda) == Approx(r.loo).epsilon(1e-9));
    CHECK(path.degrees_of_freedom(r.lambda) == Approx(r.df).epsilon(1e-9));
  }
}

TEST_CASE("leave-one-out in closed form is what a refit without the row leaves", "[ridge]") {
  for (const auto& [n, d] : {std::pair{25, 4}, std::pair{9, 15}})
    for (const Bias bias : {Bias::none, Bias::regularized, Bias::free}) {
      Dataset data = random_regression(n, d, 11);
      data.weights.assign(std::size_t(n), 1.0);
      data.weights[2] = 0.25;  // left out as a whole
      data.weights[3] = 3.0;   // one copy is left out
      const RidgePath path(data, bias);
      const Block left_out = path.leave_one_out(0.4);
      for (std::int32_t r = 0; r < n; ++r) {
        Dataset others = data;
        others.weights[std::size_t(r)] -= std::min(1.0, data.weight(r));
        const LinearFit refit = slow_ridge(others, 0.4, bias);
        double predicted = refit.bias[0];
        data.points.visit_row(
            r, [&](std::int64_t c, double x) { predicted += x * refit.weights(c, 0); });
        CHECK(left_out(r, 0) ==
              Approx(data.targets.values()[std::size_t(r)] - predicted).epsilon(1e-9));
      }
    }
}

TEST_CASE("one path is all separate fits, and lambda=path takes its best", "[ridge]") {
  for (const auto& [n, d] : {std::pair{60, 8}, std::pair{10, 30}}) {
    Dataset data = random_classes(n, d, 3, 5);
    data.weights = random_weights(n, 5);
    const RidgePath path(data);
    // 1 − h is as small as λ over the eigenvalues, and has as many digits less.
    for (const double lambda : {1e-3, 0.5, 20.0}) {
      const RidgeLearner learner({.lambda = lambda});
      const Trained single = learner.fit(data);
      CHECK(difference(path.at(lambda), fit_of(single)) < 1e-9);
      double sum = 0.0;
      const std::vector<double> squares = certificate_values(single.report, "leave_one_out_mse");
      for (const double square : squares) sum += square / static_cast<double>(squares.size());
      CHECK(path.leave_one_out_mean_square(lambda) == Approx(sum).epsilon(1e-7));
    }
    const Trained chosen = trained("ridge:lambda=path", data);
    const double best = certificate_values(chosen.report, "lambda")[0];
    for (const double lambda : path.grid())
      CHECK(path.leave_one_out_mean_square(best) <= path.leave_one_out_mean_square(lambda));
    CHECK(certificate_values(chosen.report, "path_lambda") == path.grid());
    const std::vector<double> errors = certificate_values(chosen.report, "path_leave_one_out_mse");
    const std::vector<double> freedom =
        certificate_values(chosen.report, "path_degrees_of_freedom");
    for (std::size_t i = 0; i < path.grid().size(); i += 7) {
      CHECK(errors[i] == path.leave_one_out_mean_square(path.grid()[i]));
      CHECK(freedom[i] == path.degrees_of_freedom(path.grid()[i]));
    }
  }
}

TEST_CASE("a row of weight w is w rows to ridge, in its choice of lambda too", "[ridge]") {
  Dataset data = random_regression(30, 5, 7);
  data.weights = random_weights(30, 7);
  const Dataset copies = repeated(data);
  for (const char* spec : {"ridge:lambda=0.3", "ridge:lambda=path", "least-squares"}) {
    const Trained weighted = trained(spec, data);
    const Trained plain = trained(spec, copies);
    CHECK(difference(fit_of(weighted), fit_of(plain)) < 1e-9);
    CHECK(certificate_values(weighted.report, "leave_one_out_mse")[0] ==
          Approx(certificate_values(plain.report, "leave_one_out_mse")[0]).epsilon(1e-8));
  }
}

TEST_CASE("a lambda that rounding would drown is met by an orthogonal decomposition", "[ridge]") {
  // Two equal columns: the normal equations are singular but for λ.
  const Dataset data =
      make_dataset(Points::dense(4, 2, std::vector<double>{1, 1, 2, 2, 3, 3, 5, 5}),
                   Targets::reals({2, 4, 6, 10}));
  for (const char* spec : {"ridge:lambda=1e-18,bias=none", "ridge:lambda=0,bias=none",
                           "ridge:lambda=1e-18,solver=dual,bias=none"}) {
    const LinearFit fit = linear_fit(spec, data);
    CHECK(fit.weights(0, 0) == Approx(1.0).epsilon(1e-12));
    CHECK(fit.weights(1, 0) == Approx(1.0).epsilon(1e-12));
  }
}

TEST_CASE("ridge of a million sparse columns", "[ridge]") {
  const std::int64_t columns = 1'000'000;
  Rng rng(4);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> ids;
  std::vector<double> values;
  std::vector<double> y;
  for (int r = 0; r < 300; ++r) {
    std::vector<std::int32_t> row{r % 2};
    for (int i = 0; i < 20; ++i)
      row.push_back(static_cast<std::int32_t>(2 + rng.below(columns - 2)));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const std::int32_t c : row) {
      ids.push_back(c);
      values.push_back(c < 2 ? 1.0 : 0.1);
    }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    y.push_back(r % 2 == 0 ? -1.0 : 1.0);
  }
  const Dataset data =
      make_dataset(Points::sparse(300, columns, offsets, ids, values), Targets::reals(y));
  const Trained direct = trained("ridge:lambda=0.1", data);
  CHECK(direct.report.used == "dual");
  const LinearFit fit = fit_of(direct);
  CHECK(fit.weights(0, 0) == Approx(-fit.weights(1, 0)).epsilon(0.1));
  CHECK(difference(fit, linear_fit("ridge:lambda=0.1,solver=iterative,tolerance=1e-13", data)) <
        1e-9);
  const Trained exact = trained("least-squares", data);
  CHECK(exact.report.converged());
  CHECK(exact.report.relative_residual() < 1e-11);
}

TEST_CASE("ridge gives the same bytes on 1 and 4 threads and after saving", "[ridge]") {
  const Dataset data = random_classes(700, 40, 4, 9);
  Dataset sparse = data;
  sparse.points = as_sparse(random_points(700, 40, 10, 0.8));
  for (const Dataset& table : {data, sparse})
    for (const char* spec : {"ridge", "ridge:solver=dual", "ridge:solver=iterative",
                             "ridge:lambda=path", "least-squares"}) {
      CAPTURE(spec);
      const Trained one = trained(spec, table, 1);
      CHECK(one.model->scores(table.points, on_threads(1)) ==
            trained(spec, table, 4).model->scores(table.points, on_threads(4)));
      CHECK(survives_saving(made(spec).entry->name, *one.model, table.points));
    }
}

TEST_CASE("ridge that is stopped says so", "[ridge]") {
  const Dataset data = random_regression(50, 5, 1);
  const std::atomic<bool> raised{true};
  RunContext run;
  run.cancel = &raised;
  const auto error = error_of([&] { RidgeLearner().fit(data, run); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
  const Trained so_far = RidgeLearner({.solver = RidgeSolver::iterative}).fit(data, run);
  CHECK(so_far.report.outcome == Outcome::cancelled);
  CHECK(so_far.model != nullptr);
}

TEST_CASE("wrong options of ridge are named", "[ridge]") {
  for (const char* spec : {"ridge:lambda=-1", "ridge:lambda=much", "ridge:lambda=nan",
                           "ridge:bias=yes", "ridge:steps=0"}) {
    const auto error = error_of([&] { made(spec); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    CHECK_THAT(error->what(), Catch::Contains("ridge: option"));
  }
  CHECK(error_of([] { RidgePath(random_regression(5, 2, 1)).at(0.0); })->code() ==
        ErrorCode::usage);
}
