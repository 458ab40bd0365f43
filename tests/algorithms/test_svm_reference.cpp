// The support vector machine beside LIBSVM (tolerance 1e-9, ../shared/reference/learners): the
// objective is between its dual and its primal value, the decision values differ by no more than
// three times its gap: LIBSVM's rows are floats, which is what that gap is made of.

#include <cmath>

#include "algorithms/learner_data.hpp"
#include "gssl/batch/svm.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct Reference {
  double dual, primal, rho;
  std::int64_t support_vectors, bound_vectors;
  std::string decisions;
};

void check_svm(const Dataset& data, const SvmOptions& options, const Reference& reference) {
  const Trained trained = SvmLearner(options).fit(data);
  const Report& report = trained.report;
  CHECK(report.converged());
  CHECK(certificate(report, "kkt_violation") <= options.tolerance);
  const double objective = certificate(report, "objective");
  CHECK(objective >= -reference.primal - 1e-7);
  CHECK(objective <= reference.dual + 1e-7);
  CHECK(certificate(report, "duality_gap") >= -1e-9);
  CHECK(certificate(report, "duality_gap") <= 2e-7 * options.c);
  CHECK(std::abs(certificate(report, "support_vectors") -
                 static_cast<double>(reference.support_vectors)) <= 1);
  CHECK(std::abs(certificate(report, "bound_vectors") -
                 static_cast<double>(reference.bound_vectors)) <= 1);
  const Block scores = trained.model->scores(data.points);
  const std::vector<double> expected =
      read_column(shared_path("reference/learners/" + reference.decisions)->string());
  REQUIRE(std::ssize(expected) == scores.rows());
  double largest = 0.0;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    largest = std::max(largest, std::abs(scores(r, 1) - expected[static_cast<std::size_t>(r)]));
    REQUIRE(scores(r, 0) == -scores(r, 1));
  }
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
    CHECK(certificate(trained.report, "objective") == Approx(-0.7480579265).epsilon(1e-6));
    CHECK(certificate(trained.report, "support_vectors") == 3.0);
    CHECK(certificate(trained.report, "bound_vectors") == 0.0);
    const Block scores = trained.model->scores(data.points);
    const std::vector<double> expected = read_column(
        shared_path("reference/learners/svm_iris_setosa_versicolor_hard_margin.decision.csv")
            ->string());
    for (std::int64_t r = 0; r < 100; ++r)
      CHECK(scores(r, 1) == Approx(expected[static_cast<std::size_t>(r)]).margin(1e-5));
  }
}
