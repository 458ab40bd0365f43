// The support vector machine beside LIBSVM (tolerance 1e-9, ../shared/reference/learners). LIBSVM's
// rows are floats, so that its objective has a gap of 1e-6 to 3e-5 and its decision values err as
// much: they tell which rows are at the bound and which between, and from these sets a linear system
// in double gives its answer without that rounding, which ours must be to 1e-6.

#include <cmath>

#include "algorithms/learner_data.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/core/dense.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct Reference {
  double dual, primal, rho;
  std::int64_t support_vectors, bound_vectors;
  std::string decisions;
};

// Decision values of all rows where those with y·f < 1 − near are at the bound and those with
// |y·f − 1| ≤ near between the bounds, so that y·f = 1 exactly; f as the reference has it.
std::vector<double> exact_decisions(const Dataset& data, const SvmOptions& options,
                                    const std::vector<double>& reference, double near) {
  const Block k = make_kernel(options.kernel)->block(data.points, data.points);
  const auto n = data.points.rows();
  std::vector<double> y, c(static_cast<std::size_t>(n), 0.0), f(static_cast<std::size_t>(n), 0.0);
  std::vector<VertexId> free;
  for (VertexId r = 0; r < n; ++r) {
    const auto i = static_cast<std::size_t>(r);
    y.push_back(data.targets.class_of()[i] == 1 ? 1.0 : -1.0);
    if (std::abs(y[i] * reference[i] - 1.0) <= near)
      free.push_back(r);
    else if (y[i] * reference[i] < 1.0)
      c[i] = y[i] * options.c;
  }
  // [K 1; 1ᵀ 0] (c, b) = (y − K c of the bound rows, −Σ c of the bound rows).
  const auto q = std::ssize(free);
  Block system(q + 1, q + 1, 0.0);
  std::vector<double> right(static_cast<std::size_t>(q + 1), 0.0);
  for (std::int64_t i = 0; i < q; ++i) {
    const VertexId row = free[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < q; ++j) system(i, j) = k(row, free[static_cast<std::size_t>(j)]);
    system(i, q) = system(q, i) = 1.0;
    right[static_cast<std::size_t>(i)] = y[static_cast<std::size_t>(row)];
    for (VertexId r = 0; r < n; ++r)
      right[static_cast<std::size_t>(i)] -= k(row, r) * c[static_cast<std::size_t>(r)];
  }
  for (const double at_bound : c) right.back() -= at_bound;
  const DenseEigen pairs = dense_eigen(system);
  std::vector<double> solution(right.size(), 0.0);
  for (std::int64_t e = 0; e <= q; ++e) {
    double along = 0.0;
    for (std::int64_t i = 0; i <= q; ++i)
      along += pairs.vectors(i, e) * right[static_cast<std::size_t>(i)];
    for (std::int64_t i = 0; i <= q; ++i)
      solution[static_cast<std::size_t>(i)] +=
          pairs.vectors(i, e) * along / pairs.values[static_cast<std::size_t>(e)];
  }
  for (std::int64_t i = 0; i < q; ++i)
    c[static_cast<std::size_t>(free[static_cast<std::size_t>(i)])] =
        solution[static_cast<std::size_t>(i)];
  for (VertexId r = 0; r < n; ++r) {
    f[static_cast<std::size_t>(r)] = solution.back();
    for (VertexId s = 0; s < n; ++s)
      f[static_cast<std::size_t>(r)] += k(r, s) * c[static_cast<std::size_t>(s)];
  }
  return f;
}

void check_svm(const Dataset& data, const SvmOptions& options, const Reference& reference) {
  const Trained trained = SvmLearner(options).fit(data);
  const Report& report = trained.report;
  CHECK(report.converged());
  CHECK(certified(report, "kkt_violation") <= 1e-11);
  const double objective = certified(report, "objective");
  CHECK(objective >= -reference.primal - 1e-9);
  CHECK(objective <= reference.dual + 1e-9);
  CHECK(std::abs(certified(report, "duality_gap")) <= 1e-9);
  CHECK(certified(report, "support_vectors") == static_cast<double>(reference.support_vectors));
  CHECK(certified(report, "bound_vectors") == static_cast<double>(reference.bound_vectors));
  const Block scores = trained.model->scores(data.points);
  const std::vector<double> expected =
      read_column(shared_path("reference/learners/" + reference.decisions)->string());
  REQUIRE(std::ssize(expected) == scores.rows());
  const std::vector<double> exact = exact_decisions(data, options, expected, 1e-5);
  double largest = 0.0, from_exact = 0.0;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    largest = std::max(largest, std::abs(scores(r, 1) - expected[i]));
    from_exact = std::max(from_exact, std::abs(scores(r, 1) - exact[i]));
    REQUIRE(scores(r, 0) == -scores(r, 1));
  }
  CHECK(from_exact <= 1e-9);
  CHECK(largest <= 3.0 * (reference.primal + reference.dual));
}

constexpr double sharp = 1e-8;

}  // namespace

TEST_CASE("svm agrees with LIBSVM on heart_scale", "[svm]") {
  const auto data = heart_scale();
  if (!data) {
    WARN("skipped: ../shared is absent");
    return;
  }
  check_svm(*data, {.kernel = "gaussian(beta=0.07692307692307693)", .tolerance = sharp},
            {-100.87729155693951, 100.87729285805388, 0.42450774310150, 132, 107,
             "svm_heart_scale_rbf_default.decision.csv"});
  check_svm(*data, {.kernel = "linear", .tolerance = sharp},
            {-92.47337462016769, 92.47337746466238, -1.04909767799305, 101, 88,
             "svm_heart_scale_linear.decision.csv"});
  check_svm(*data, {.kernel = "polynomial(a=1,r=3,s=0.07692307692307693)", .tolerance = sharp},
            {-82.39500079004685, 82.39500769491818, -0.84370416907027, 115, 78,
             "svm_heart_scale_poly.decision.csv"});
}

TEST_CASE("svm agrees with LIBSVM on ionosphere", "[svm]") {
  const auto path = shared_path("data/points/ionosphere/ionosphere.data");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const Dataset data = read_classes(path->string(), false);
  check_svm(data, {.kernel = "gaussian(beta=0.029411764705882353)", .tolerance = sharp},
            {-93.56938894020035, 93.56939113814335, 2.847689754996679, 143, 111,
             "svm_ionosphere_rbf_C1.decision.csv"});
  check_svm(data, {.kernel = "gaussian(beta=0.5)", .c = 10.0, .tolerance = sharp},
            {-85.46102398638388, 85.46105036041072, 0.654648303078444, 191, 2,
             "svm_ionosphere_rbf_C10_g0.5.decision.csv"});
}

TEST_CASE("svm agrees with LIBSVM on breast cancer", "[svm]") {
  const auto path = shared_path("data/points/sklearn/breast_cancer.csv");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const Dataset data = standardized(read_classes(path->string(), true));
  check_svm(data, {.kernel = "linear", .tolerance = sharp},
            {-26.525455159802192, 26.525461334694267, -0.04425319510665333, 40, 23,
             "svm_breast_cancer_std_linear_C1.decision.csv"});
  check_svm(data, {.kernel = "gaussian(beta=0.03333333333333333)", .tolerance = sharp},
            {-59.76134537133552, 59.761346408037994, 0.23536713806628698, 119, 62,
             "svm_breast_cancer_std_rbf_C1.decision.csv"});
}

TEST_CASE("the hard margin of iris is LIBSVM's", "[svm]") {
  const auto path = shared_path("data/points/sklearn/iris.csv");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const Dataset data = read_classes(path->string(), true, 100);
  for (const double c : {1e6, std::numeric_limits<double>::infinity()}) {
    const Trained trained = SvmLearner({.kernel = "linear", .c = c, .tolerance = sharp}).fit(data);
    CHECK(certified(trained.report, "objective") == Approx(-0.7480579265).epsilon(1e-6));
    CHECK(certified(trained.report, "support_vectors") == 3.0);
    CHECK(certified(trained.report, "bound_vectors") == 0.0);
    const Block scores = trained.model->scores(data.points);
    const std::vector<double> expected = read_column(
        shared_path("reference/learners/svm_iris_setosa_versicolor_hard_margin.decision.csv")
            ->string());
    for (std::int64_t r = 0; r < 100; ++r)
      CHECK(scores(r, 1) == Approx(expected[static_cast<std::size_t>(r)]).margin(1e-5));
  }
}
