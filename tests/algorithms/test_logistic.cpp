#include <cmath>

#include "gssl/batch/logistic.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Largest component of the gradient of ½‖w‖² [+ ½b²] + C Σ w_i ln(1 + exp(−y f)).
double gradient_norm(const LinearFit& fit, const Dataset& data, double c, Bias bias) {
  std::vector<double> gradient(fit.weights.values().begin(), fit.weights.values().end());
  double constant = bias == Bias::regularized ? fit.bias[0] : 0.0;
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    double f = fit.bias[0];
    data.points.visit_row(r, [&](std::int64_t k, double x) { f += x * fit.weights(k, 0); });
    const double truth = data.targets.class_of()[std::size_t(r)] == 1 ? 1.0 : 0.0;
    const double pull = c * data.weight(r) * (1.0 / (1.0 + std::exp(-f)) - truth);
    data.points.visit_row(r,
                          [&](std::int64_t k, double x) { gradient[std::size_t(k)] += pull * x; });
    constant += pull;
  }
  double largest = bias == Bias::none ? 0.0 : std::abs(constant);
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  return largest;
}

}  // namespace

TEST_CASE("logistic regression ends where its gradient is 0", "[logistic]") {
  Dataset data = random_classes(150, 5, 2, 31);
  data.weights = random_weights(150, 31);
  Dataset sparse = data;
  sparse.points = as_sparse(random_points(150, 5, 32, 0.5));
  for (const Dataset& table : {data, sparse})
    for (const auto& [bias, name] : bias_names()) {
      const Trained fitted =
          trained(std::string("logistic:c=2,tolerance=1e-14,bias=") + name, table);
      CHECK(fitted.report.converged());
      CHECK(gradient_norm(fit_of(fitted), table, 2.0, bias) < 1e-4);
    }
}

TEST_CASE("a constant alone gives the log odds", "[logistic]") {
  // A column of zeros, 3 rows of b to 1 of a: probability 3/4 where nothing is penalized.
  const Dataset data = make_dataset(Points::dense(4, 1, std::vector<double>(4, 0.0)),
                                    Targets::classes(std::vector<std::string>{"a", "b", "b", "b"}));
  const Trained fitted = trained("logistic:tolerance=1e-12", data);
  CHECK(fitted.model->score_kind() == ScoreKind::probability);
  const Block scores = fitted.model->scores(data.points);
  CHECK(scores(0, 1) == Approx(0.75).epsilon(1e-6));
  CHECK(scores(0, 0) == Approx(0.25).epsilon(1e-6));
}

TEST_CASE("probabilities sum to 1, and a class without rows has none", "[logistic]") {
  Dataset data = random_classes(200, 4, 4, 33);
  std::vector<std::string> names = data.targets.class_names();
  names.push_back("z");
  data.targets = Targets::classes(data.targets.class_of(), names);
  const Trained fitted = trained("logistic:c=10", data);
  CHECK(accuracy_of(*fitted.model, data) > 0.5);
  const Block scores = fitted.model->scores(data.points);
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    double sum = 0.0;
    for (const double p : scores.row(r)) sum += p;
    CHECK(sum == Approx(1.0));
    CHECK(scores(r, scores.columns() - 1) == 0.0);
  }
}

TEST_CASE("separable rows and a large C still end", "[logistic]") {
  const Dataset data = make_dataset(Points::dense(4, 1, std::vector<double>{-2, -1, 1, 2}),
                                    Targets::classes(std::vector<std::string>{"a", "a", "b", "b"}));
  const Trained fitted = trained("logistic:c=1e6", data);
  CHECK(fitted.report.converged());
  CHECK(accuracy_of(*fitted.model, data) == 1.0);
  const Block scores = fitted.model->scores(Points::dense(1, 1, std::vector<double>{1e300}));
  CHECK(scores(0, 1) == 1.0);
}

TEST_CASE("logistic gives the same bytes on 1 and 4 threads, as copies and after saving",
          "[logistic]") {
  Dataset data = random_classes(300, 6, 3, 34);
  const Trained one = trained("logistic", data, 1);
  CHECK(one.model->scores(data.points, on_threads(1)) ==
        trained("logistic", data, 4).model->scores(data.points, on_threads(4)));
  CHECK(survives_saving("logistic", *one.model, data.points));
  data.weights = random_weights(300, 34);
  CHECK(difference(linear_fit("logistic:tolerance=1e-13", data),
                   linear_fit("logistic:tolerance=1e-13", repeated(data))) < 1e-4);
}

TEST_CASE("products of many values on 1 and 4 threads are the same bytes", "[logistic]") {
  // Above the size from which products use threads.
  Dataset data = random_classes(20'000, 51, 2, 36);
  for (const bool sparse : {false, true}) {
    if (sparse) data.points = as_sparse(data.points);
    CHECK(fit_of(trained("logistic:tolerance=0.1", data, 1)).weights ==
          fit_of(trained("logistic:tolerance=0.1", data, 4)).weights);
  }
}

TEST_CASE("one class, a stopped run and wrong options of logistic", "[logistic]") {
  const Dataset one_class =
      make_dataset(random_points(5, 2, 1), Targets::classes(std::vector<std::string>(5, "only")));
  CHECK(accuracy_of(*trained("logistic", one_class).model, one_class) == 1.0);
  const std::atomic<bool> raised{true};
  RunContext run;
  run.cancel = &raised;
  const Dataset data = random_classes(50, 3, 2, 35);
  const Trained so_far = LogisticLearner().fit(data, run);
  CHECK(so_far.report.outcome == Outcome::cancelled);
  CHECK(so_far.model != nullptr);
  for (const char* spec : {"logistic:c=-1", "logistic:steps=0", "logistic:bias=maybe"})
    CHECK(error_of([&] { made(spec); })->code() == ErrorCode::usage);
}
