#include <cmath>
#include <map>

#include "gssl/batch/linear_svm.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/points_reader.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// ½‖w‖² [+ ½b²] + C Σ w_i loss of a two-class fit, the second class positive.
double objective(const LinearFit& fit, const Dataset& data, double c, bool squared, Bias bias) {
  double sum = bias == Bias::regularized ? 0.5 * fit.bias[0] * fit.bias[0] : 0.0;
  for (const double w : fit.weights.values()) sum += 0.5 * w * w;
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    double f = fit.bias[0];
    data.points.visit_row(r, [&](std::int64_t k, double x) { f += x * fit.weights(k, 0); });
    const double y = data.targets.class_of()[std::size_t(r)] == 1 ? 1.0 : -1.0;
    const double lack = std::max(0.0, 1.0 - y * f);
    sum += c * data.weight(r) * (squared ? lack * lack : lack);
  }
  return sum;
}

std::string with(const std::string& spec, const std::string& bias) {
  return spec + ",bias=" + bias;
}

}  // namespace

TEST_CASE("two points: the hard margin by hand", "[linear-svm]") {
  // (0) and (2): w = 1, b = −1 with both margins 1; α = ½ each.
  const Dataset data = make_dataset(Points::dense(2, 1, std::vector<double>{0, 2}),
                                    Targets::classes(std::vector<std::string>{"a", "b"}));
  const Trained fitted = trained("linear-svm:c=10,tolerance=1e-9", data);
  const LinearFit fit = fit_of(fitted);
  CHECK(fit.weights(0, 0) == Approx(1.0).epsilon(1e-6));
  CHECK(fit.bias[0] == Approx(-1.0).epsilon(1e-6));
  CHECK(certificate_values(fitted.report, "objective")[0] == Approx(0.5).epsilon(1e-6));
  CHECK(certificate_values(fitted.report, "support_vectors")[0] == 2.0);
}

TEST_CASE("the duality gap bounds what is left, for every loss and bias", "[linear-svm]") {
  Dataset data = random_classes(200, 6, 2, 21);
  data.weights = random_weights(200, 21);
  for (const auto& [bias, name] : bias_names())
    for (const char* spec : {"linear-svm:c=0.5", "linear-svm:c=0.5,loss=squared-hinge",
                             "linear-svm:c=0.5,loss=squared-hinge,solver=dual"}) {
      CAPTURE(spec, name);
      const bool squared = std::string(spec).find("squared") != std::string::npos;
      const Trained rough = trained(with(spec, name) + ",tolerance=0.05", data);
      const Trained fine = trained(with(spec, name) + ",tolerance=1e-7,passes=100000", data);
      REQUIRE(fine.report.converged());
      const double best = objective(fit_of(fine), data, 0.5, squared, bias);
      const double first = objective(fit_of(rough), data, 0.5, squared, bias);
      CHECK(certificate_values(rough.report, "objective")[0] == Approx(first).epsilon(1e-10));
      CHECK(first - best <= certificate_values(rough.report, "duality_gap")[0] + 1e-9 * best);
      CHECK(certificate_values(fine.report, "duality_gap")[0] <= 1e-7 * best);
      // No step in any direction helps.
      const LinearFit at = fit_of(fine);
      Rng rng(5);
      for (int trial = 0; trial < 20; ++trial) {
        LinearFit near = at;
        for (std::int64_t c = 0; c < 6; ++c) near.weights(c, 0) += 1e-2 * rng.normal();
        if (bias != Bias::none) near.bias[0] += 1e-2 * rng.normal();
        CHECK(objective(near, data, 0.5, squared, bias) >= best * (1.0 - 1e-7));
      }
    }
}

TEST_CASE("coordinate descent and Newton agree on the squared hinge", "[linear-svm]") {
  Dataset data = random_classes(300, 8, 2, 22);
  Dataset sparse = data;
  sparse.points = as_sparse(random_points(300, 8, 23, 0.7));
  for (const Dataset& table : {data, sparse})
    for (const auto& [bias, name] : bias_names()) {
      const std::string spec =
          with("linear-svm:loss=squared-hinge,tolerance=1e-11,passes=100000", name);
      CHECK(difference(linear_fit(spec + ",solver=dual", table),
                       linear_fit(spec + ",solver=newton", table)) < 1e-4);
    }
}

TEST_CASE("a row of weight w is w rows to linear-svm, and a row of weight 0 none", "[linear-svm]") {
  Dataset data = random_classes(80, 4, 3, 24);
  data.weights = random_weights(80, 24);
  for (const char* spec : {"linear-svm:tolerance=1e-9,passes=100000",
                           "linear-svm:loss=squared-hinge,tolerance=1e-12"}) {
    const Trained weighted = trained(spec, data);
    const Trained plain = trained(spec, repeated(data));
    CHECK(difference(fit_of(weighted), fit_of(plain)) < 1e-3);
    for (std::size_t k = 0; k < data.targets.class_names().size(); ++k)
      CHECK(certificate_values(weighted.report, "objective")[k] ==
            Approx(certificate_values(plain.report, "objective")[k]).epsilon(1e-8));
  }
}

TEST_CASE("linear-svm gives the same bytes on 1 and 4 threads and after saving", "[linear-svm]") {
  const Dataset data = random_classes(500, 10, 4, 25);
  Dataset sparse = data;
  sparse.points = as_sparse(random_points(500, 10, 26, 0.6));
  for (const Dataset& table : {data, sparse})
    for (const char* spec : {"linear-svm", "linear-svm:loss=squared-hinge",
                             "linear-svm:loss=squared-hinge,solver=dual,bias=none"}) {
      const Trained one = trained(spec, table, 1);
      CHECK(one.model->scores(table.points, on_threads(1)) ==
            trained(spec, table, 4).model->scores(table.points, on_threads(4)));
      CHECK(survives_saving("linear-svm", *one.model, table.points));
    }
}

TEST_CASE("one class, rows of zeros, constant columns and more columns than rows", "[linear-svm]") {
  const Dataset one_class =
      make_dataset(random_points(5, 2, 1), Targets::classes(std::vector<std::string>(5, "only")));
  const Trained constant = trained("linear-svm", one_class);
  CHECK(accuracy_of(*constant.model, one_class) == 1.0);
  CHECK(constant.report.warnings.size() == 1);

  Dataset lacking = random_classes(40, 3, 2, 27);
  lacking.targets = Targets::classes(lacking.targets.class_of(), {"a", "b", "c"});
  for (const int k : decide(trained("linear-svm", lacking).model->scores(random_points(100, 3, 2)),
                            ScoreKind::decision))
    CHECK(k < 2);

  // Rows that say nothing: the majority, and no weight.
  const Dataset zeros = make_dataset(Points::dense(3, 2, std::vector<double>(6, 0.0)),
                                     Targets::classes(std::vector<std::string>{"a", "b", "b"}));
  for (const char* spec : {"linear-svm:loss=hinge", "linear-svm:loss=squared-hinge"}) {
    CHECK(accuracy_of(*trained(spec, zeros).model, zeros) == Approx(2.0 / 3.0));
    CHECK(fit_of(trained(std::string(spec) + ",bias=none", zeros)).weights(0, 0) == 0.0);
  }
  const Dataset wide = random_classes(10, 200, 2, 28);
  CHECK(accuracy_of(*trained("linear-svm:c=100", wide).model, wide) == 1.0);
}

TEST_CASE("a million sparse columns are separated", "[linear-svm]") {
  const std::int64_t columns = 1'000'000;
  Rng rng(3);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> ids;
  std::vector<std::string> label;
  for (int r = 0; r < 2000; ++r) {
    ids.push_back(static_cast<std::int32_t>(rng.below(5) * 2 + std::uint64_t(r % 2)));
    const auto second = static_cast<std::int32_t>(10 + rng.below(columns - 11));
    ids.push_back(second);
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    label.push_back(r % 2 == 0 ? "even" : "odd");
  }
  std::vector<float> ones(ids.size(), 1.0F);
  const Dataset data =
      make_dataset(Points::sparse(2000, columns, offsets, ids, ones), Targets::classes(label));
  for (const char* spec : {"linear-svm", "linear-svm:loss=squared-hinge"}) {
    const Trained fitted = trained(spec, data);
    CHECK(fitted.report.converged());
    CHECK(accuracy_of(*fitted.model, data) == 1.0);
  }
}

TEST_CASE("linear-svm that is stopped returns the weights so far", "[linear-svm]") {
  const Dataset data = random_classes(100, 3, 2, 29);
  const std::atomic<bool> raised{true};
  RunContext run;
  run.cancel = &raised;
  for (const SvmLoss loss : {SvmLoss::hinge, SvmLoss::squared_hinge}) {
    const Trained so_far = LinearSvmLearner({.loss = loss}).fit(data, run);
    CHECK(so_far.report.outcome == Outcome::cancelled);
    CHECK(so_far.model->scores(data.points).rows() == 100);
  }
  const Trained short_of_passes = trained("linear-svm:c=1000,tolerance=1e-12,passes=3", data);
  CHECK(short_of_passes.report.outcome == Outcome::iteration_limit);
  CHECK(certificate_values(short_of_passes.report, "duality_gap")[0] > 0.0);
}

TEST_CASE("wrong options and targets of linear-svm are named", "[linear-svm]") {
  for (const char* spec : {"linear-svm:c=0", "linear-svm:c=nan", "linear-svm:loss=cubic",
                           "linear-svm:tolerance=0", "linear-svm:solver=newton"}) {
    const auto error = error_of([&] { made(spec); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    CHECK_THAT(error->what(), Catch::Contains("linear-svm: option"));
  }
  CHECK(error_of([] { trained("linear-svm", random_regression(9, 2, 1)); })->code() ==
        ErrorCode::usage);
}

TEST_CASE("linear-svm takes no more passes for columns that are shifted", "[linear-svm]") {
  Rng rng(5, 0);
  std::vector<double> near, far;
  std::vector<int> side;
  for (int r = 0; r < 120; ++r) {
    side.push_back(r % 2);
    for (int c = 0; c < 3; ++c) {
      near.push_back(rng.normal() + side.back());
      far.push_back(near.back() + 20.0 * (c + 1));
    }
  }
  const auto fitted = [&](std::vector<double> values, bool sparse) {
    const Points points = Points::dense(120, 3, std::move(values));
    return LinearSvmLearner({.tolerance = 1e-8})
        .fit(make_dataset(sparse ? as_sparse(points) : points, Targets::classes(side, {"a", "b"})));
  };
  const Trained a = fitted(near, false);
  for (const bool sparse : {false, true}) {
    const Trained b = fitted(far, sparse);
    CHECK(b.report.outcome == Outcome::converged);
    CHECK(b.report.iterations <= 2 * a.report.iterations);
    const auto objective = [](const Trained& t) { return t.report.certificates[0].values[0]; };
    CHECK(objective(b) == Approx(objective(a)).epsilon(1e-7));
    CHECK(max_difference(a.model->scores(Points::dense(120, 3, near)),
                         b.model->scores(Points::dense(120, 3, far))) < 1e-3);
  }
}

TEST_CASE("linear-svm of columns whose sizes differ is solved to the end", "[linear-svm]") {
  // Deviations of breast cancer lie from 0.003 to 570. The least objectives are those of a program in NumPy,
  // which has that of the reference where columns are standardized.
  const PointsFile file =
      read_points(source_path("datasets/breast_cancer/points.csv"), {.label_column = "class"});
  Dataset data = make_dataset(file.points, Targets::classes(file.labels));
  const std::map<std::string, double> least = {{"free", 48.875725714507766},
                                               {"regularized", 49.95902730233277},
                                               {"none", 50.022790585099145}};
  for (const auto& [bias, name] : bias_names()) {
    CAPTURE(name);
    const double value = least.at(std::string(name));
    const std::string spec = with("linear-svm:tolerance=1e-8", std::string(name));
    const Trained found = trained(spec, data);
    CHECK(found.report.converged());
    CHECK(found.report.warnings.empty());
    CHECK(certificate_values(found.report, "objective")[0] == Approx(value).epsilon(2e-8));
    CHECK(certificate_values(found.report, "duality_gap")[0] <= 1e-8 * value);
    CHECK(objective(fit_of(found), data, 1.0, false, bias) == Approx(value).epsilon(2e-8));
    CHECK(difference(fit_of(found), linear_fit(spec, data, 4)) == 0.0);
    Dataset sparse = data;
    sparse.points = as_sparse(data.points);
    CHECK(difference(fit_of(found), linear_fit(spec, sparse)) < 1e-4);
  }
  CHECK_FALSE(trained("linear-svm:tolerance=1e-8,solver=dual", data).report.converged());

  data.weights = random_weights(data.points.rows(), 3);
  const Trained weighted = trained("linear-svm:c=100,tolerance=1e-8", data);
  CHECK(weighted.report.converged());
  const Trained again = trained("linear-svm:c=100,tolerance=1e-8", repeated(data));
  CHECK(certificate_values(weighted.report, "objective")[0] ==
        Approx(certificate_values(again.report, "objective")[0]).epsilon(2e-8));
}
