// Linear learners against the outside answers in ../shared/reference/learners/learners.json.

#include <cstdlib>
#include <cstring>

#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// A libsvm file of ../shared, or no rows.
Dataset shared_libsvm(const std::string& relative, std::int64_t columns) {
  const auto path = shared_path(relative);
  if (!path) return {};
  const std::string text = read_file(*path);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> ids;
  std::vector<double> values;
  std::vector<std::string> labels;
  for (const char* at = text.c_str(); *at != '\0'; ++at) {
    const char* end = at + std::strcspn(at, " \n");
    labels.emplace_back(at, end);
    at = end + std::strspn(end, " ");
    for (char* after = nullptr; *at != '\n' && *at != '\0'; at = after + std::strspn(after, " ")) {
      ids.push_back(static_cast<std::int32_t>(std::strtol(at, &after, 10)) - 1);
      values.push_back(std::strtod(after + 1, &after));
    }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    if (*at == '\0') break;
  }
  const auto rows = static_cast<std::int64_t>(labels.size());
  return make_dataset(Points::sparse(rows, columns, offsets, ids, values),
                      Targets::classes(labels));
}

}  // namespace

TEST_CASE("a9a without bias has the objectives and accuracies of the reference",
          "[linear-svm][logistic]") {
  const Dataset training = shared_libsvm("data/points/a9a/a9a", 123);
  const Dataset test = shared_libsvm("data/points/a9a/a9a.t", 123);
  if (training.points.rows() == 0 || test.points.rows() == 0) {
    WARN("skipped: ../shared is absent");
    return;
  }
  struct Reference {
    const char* spec;
    double objective, accuracy;
  };
  for (const Reference& r :
       {Reference{"logistic:bias=none,tolerance=1e-8", 10529.562584637899, 0.8498863706160555},
        Reference{"linear-svm:bias=none,loss=squared-hinge,tolerance=1e-8", 13742.397304375034,
                  0.8493950003071065}}) {
    const Trained fitted = trained(r.spec, training);
    CHECK(certificate_values(fitted.report, "objective")[0] == Approx(r.objective).epsilon(1e-8));
    CHECK(accuracy_of(*fitted.model, test) == Approx(r.accuracy).margin(2.0 / 16281));
  }
}

TEST_CASE("heart_scale with the hinge and a free bias is the linear kernel machine",
          "[linear-svm]") {
  const Dataset data = shared_libsvm("data/points/heart_scale/heart_scale", 13);
  if (data.points.rows() == 0) {
    WARN("skipped: ../shared is absent");
    return;
  }
  // heart_scale_linear: the optimum is between these two values; ρ = −b.
  const Trained fitted = trained("linear-svm:tolerance=1e-6,passes=200000", data);
  CHECK(fitted.report.converged());
  const double objective = certificate_values(fitted.report, "objective")[0];
  CHECK(objective >= 92.47337462016769);
  CHECK(objective <= 92.47337746466238 * (1.0 + 1e-6));
  CHECK(-fit_of(fitted).bias[0] == Approx(-1.0490976779930516).margin(2e-3));
  CHECK(accuracy_of(*fitted.model, data) == Approx(0.8481481481481481));
}
