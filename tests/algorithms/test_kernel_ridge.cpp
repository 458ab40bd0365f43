// Kernel ridge and support vector regression: an outside answer, explicit features, refits, bad
// input.

#include <cmath>

#include "algorithms/learner_data.hpp"
#include "gssl/batch/kernel_ridge.hpp"
#include "gssl/batch/svr.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/rng.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// A smooth function of two columns, with noise.
Dataset noisy(std::int64_t rows, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> values, targets;
  for (std::int64_t r = 0; r < rows; ++r) {
    const double x = 4.0 * rng.uniform() - 2.0, t = 4.0 * rng.uniform() - 2.0;
    values.insert(values.end(), {x, t});
    targets.push_back(std::sin(x) + 0.5 * t + 3.0 + 0.1 * rng.normal());
  }
  return make_dataset(Points::dense(rows, 2, std::move(values)), Targets::reals(targets));
}

template <class Learner, class Options>
Trained fit(const Options& options, const Dataset& data, int threads = 1) {
  RunContext run;
  run.threads = threads;
  return Learner(options).fit(data, run);
}

Trained ridge(const KernelRidgeOptions& options, const Dataset& data, int threads = 1) {
  return fit<KernelRidgeLearner>(options, data, threads);
}

std::vector<double> values_of(const Trained& trained, const Points& points) {
  const Block scores = trained.model->scores(points);
  return {scores.values().begin(), scores.values().end()};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("kernel ridge is the closed form of the reference", "[kernel-ridge]") {
  const auto path = shared_path("reference/learners/diabetes_scaled.csv");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  std::vector<double> values, targets;
  for (const auto& row : read_numbers(*path)) {
    targets.push_back(row.front());
    values.insert(values.end(), row.begin() + 1, row.end());
  }
  const auto rows = std::ssize(targets);
  double mean = 0.0;  // the reference is of targets less their mean
  for (const double y : targets) mean += y / static_cast<double>(rows);
  for (double& y : targets) y -= mean;
  const Dataset data = make_dataset(Points::dense(rows, 10, values), Targets::reals(targets));
  const Trained trained = ridge(
      {.kernel = "gaussian(beta=50)", .lambda = 0.1, .bias = false, .leave_one_out = true}, data);
  CHECK(certified(trained.report, "training_error") == Approx(1057.3338579822553).epsilon(1e-10));
  CHECK(certified(trained.report, "leave_one_out_error") ==
        Approx(3919.1807697002923).epsilon(1e-10));
  CHECK(certified(trained.report, "relative_residual") < 1e-12);
  // f = K a of the reference's coefficients.
  const std::vector<double> dual =
      read_column(shared_path("reference/learners/krr_diabetes_scaled.dual.csv")->string());
  const Block k = make_kernel("gaussian(beta=50)")->block(data.points, data.points);
  std::vector<double> expected(dual.size(), 0.0);
  for (std::size_t i = 0; i < dual.size(); ++i)
    for (std::size_t j = 0; j < dual.size(); ++j)
      expected[i] += k(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) * dual[j];
  CHECK(largest_difference(values_of(trained, data.points), expected) < 1e-7);
}

TEST_CASE("kernel ridge of a linear kernel is ridge on the columns", "[kernel-ridge]") {
  const Dataset data = noisy(50, 1);
  const double lambda = 0.7;
  // (XᵀX + λI) w = Xᵀ(y − b) with centered columns: 2×2 by hand.
  double mean[2] = {}, mean_y = 0.0;
  for (VertexId r = 0; r < 50; ++r) {
    mean[0] += data.points.value(r, 0) / 50.0;
    mean[1] += data.points.value(r, 1) / 50.0;
    mean_y += data.targets.values()[static_cast<std::size_t>(r)] / 50.0;
  }
  double a = lambda, b = 0.0, d = lambda, u = 0.0, v = 0.0;
  for (VertexId r = 0; r < 50; ++r) {
    const double x = data.points.value(r, 0) - mean[0], t = data.points.value(r, 1) - mean[1];
    const double y = data.targets.values()[static_cast<std::size_t>(r)] - mean_y;
    a += x * x, b += x * t, d += t * t, u += x * y, v += t * y;
  }
  const double det = a * d - b * b;
  const double w[2] = {(d * u - b * v) / det, (a * v - b * u) / det};
  const auto found = values_of(ridge({.kernel = "linear", .lambda = lambda}, data), data.points);
  for (VertexId r = 0; r < 50; ++r)
    CHECK(found[static_cast<std::size_t>(r)] ==
          Approx(mean_y + w[0] * (data.points.value(r, 0) - mean[0]) +
                 w[1] * (data.points.value(r, 1) - mean[1])));
}

TEST_CASE("leaving out in closed form is refitting", "[kernel-ridge]") {
  const Dataset data = noisy(25, 2);
  for (const bool bias : {false, true}) {
    KernelRidgeOptions options{.kernel = "gaussian", .lambda = 0.3, .bias = bias};
    double sum = 0.0;
    for (std::int32_t i = 0; i < 25; ++i) {
      std::vector<std::int32_t> others;
      for (std::int32_t j = 0; j < 25; ++j)
        if (j != i) others.push_back(j);
      const std::vector<std::int32_t> self = {i};
      const Trained without = ridge(options, select(data, others));
      const double missed = data.targets.values()[static_cast<std::size_t>(i)] -
                            values_of(without, select(data.points, self)).front();
      sum += missed * missed / 25.0;
    }
    options.leave_one_out = true;
    CHECK(certified(ridge(options, data).report, "leave_one_out_error") ==
          Approx(sum).epsilon(1e-9));
  }
}

TEST_CASE("a factor in single precision is refined to the answer in double", "[kernel-ridge]") {
  const Dataset data = noisy(2001, 3);
  const KernelRidgeOptions options{.kernel = "gaussian", .lambda = 0.1};
  const Trained one = ridge(options, data, 1), four = ridge(options, data, 4);
  CHECK(one.report.sentence.find("single precision") != std::string::npos);
  CHECK(certified(one.report, "relative_residual") <= 1e-12);
  CHECK(values_of(one, data.points) == values_of(four, data.points));
}

TEST_CASE("a kernel too flat for single precision is factored in double", "[kernel-ridge]") {
  const Dataset data = noisy(2001, 3);
  const Trained flat = ridge({.kernel = "gaussian(beta=1e-3)", .lambda = 1e-9}, data, 2);
  CHECK(flat.report.sentence.find("double precision") != std::string::npos);
}

TEST_CASE("a row of weight 2 is that row twice for kernel ridge and svr", "[kernel-ridge]") {
  const Dataset data = noisy(30, 4);
  std::vector<double> weights(30, 1.0);
  weights[3] = 2.0;
  weights[4] = 0.0;
  std::vector<std::int32_t> rows;
  for (std::int32_t r = 0; r < 30; ++r)
    for (int copy = 0; copy < weights[static_cast<std::size_t>(r)]; ++copy) rows.push_back(r);
  const Dataset weighted = make_dataset(data.points, data.targets, weights);
  const Dataset repeated = select(data, rows);
  const KernelRidgeOptions options{.kernel = "gaussian"};
  CHECK(largest_difference(values_of(ridge(options, weighted), data.points),
                           values_of(ridge(options, repeated), data.points)) < 1e-9);
  const SvrOptions svr{.kernel = "gaussian", .tolerance = 1e-11};
  CHECK(largest_difference(values_of(fit<SvrLearner>(svr, weighted), data.points),
                           values_of(fit<SvrLearner>(svr, repeated), data.points)) < 1e-8);
}

TEST_CASE("kernel ridge decides classes, of which one may lack rows", "[kernel-ridge]") {
  const Points x = Points::dense(6, 1, std::vector<double>{0, 1, 2, 10, 11, 12});
  const Dataset data = make_dataset(x, Targets::classes({0, 0, 0, 2, 2, 2}, {"a", "b", "c"}));
  const Trained trained = ridge({.kernel = "linear", .leave_one_out = true}, data);
  CHECK(decide(trained.model->scores(x), trained.model->score_kind()) ==
        std::vector{0, 0, 0, 2, 2, 2});
  CHECK(certified(trained.report, "leave_one_out_error") == 0.0);
  Record record;
  trained.model->save(record);
  CHECK(load_kernel_model("kernel-ridge", record)->scores(x) == trained.model->scores(x));
}

TEST_CASE("a singular kernel matrix needs a penalty", "[kernel-ridge]") {
  const Points equal = Points::dense(3, 1, std::vector<double>{1, 1, 2});
  const Dataset data = make_dataset(equal, Targets::reals({1, 2, 3}));
  CHECK_THROWS_WITH(ridge({.kernel = "gaussian", .lambda = 0.0}, data),
                    "kernel-ridge: the kernel matrix plus lambda is singular: take lambda > 0, or "
                    "a larger one");
  CHECK(ridge({.kernel = "gaussian", .lambda = 1e-6}, data).report.converged());
  CHECK_THROWS_WITH(KernelRidgeLearner({.lambda = -1.0}),
                    Catch::Matchers::Contains("kernel-ridge: option lambda=-1: must be"));
}

TEST_CASE("svr proves its answer, keeps within epsilon, and a wide tube is flat", "[svr]") {
  const Dataset data = noisy(300, 5);
  const SvrOptions options{.kernel = "gaussian", .c = 100.0, .epsilon = 0.4, .tolerance = 1e-9};
  const Trained one = fit<SvrLearner>(options, data, 1), four = fit<SvrLearner>(options, data, 4);
  CHECK(values_of(one, data.points) == values_of(four, data.points));
  CHECK(certified(one.report, "kkt_violation") <= 1e-9);
  CHECK(std::abs(certified(one.report, "duality_gap")) <
        1e-8 * certified(one.report, "primal_objective") + 1e-6);
  CHECK(certified(one.report, "bound_vectors") == 0.0);
  const auto found = values_of(one, data.points);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(std::abs(found[i] - data.targets.values()[i]) <= 0.4 + 1e-8);
  const Trained flat = fit<SvrLearner>(SvrOptions{.kernel = "gaussian", .epsilon = 50.0}, data);
  CHECK(certified(flat.report, "support_vectors") == 0.0);
  CHECK(flat.report.converged());
}

TEST_CASE("svr refuses classes and impossible options", "[svr]") {
  const Points x = Points::dense(2, 1, std::vector<double>{1, 2});
  const Dataset classes = make_dataset(x, Targets::classes({0, 1}, {"a", "b"}));
  CHECK_THROWS_WITH(SvrLearner().fit(classes), "svr: classes: this learner needs real targets");
  CHECK_THROWS_WITH(SvrLearner({.epsilon = -0.1}),
                    Catch::Matchers::Contains("svr: option epsilon=-0.1: must be"));
  CHECK_THROWS_WITH(SvrLearner({.c = 0.0}), Catch::Matchers::Contains("svr: option c=0: must be"));
}
