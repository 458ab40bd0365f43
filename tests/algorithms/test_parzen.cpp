#include <cmath>
#include <numbers>

#include "gssl/batch/parzen.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Σ_i w_i W((x − x_i)/h)/(h^d Σ w_i) of each class, term by term.
Block slow_densities(const Dataset& data, const Points& queries, const ParzenOptions& o) {
  const std::int64_t d = queries.columns();
  Block density(queries.rows(), data.targets.class_count());
  std::vector<double> total(std::size_t(data.targets.class_count()), 0.0);
  for (VertexId r = 0; r < data.points.rows(); ++r)
    total[std::size_t(data.targets.class_of()[std::size_t(r)])] += data.weight(r);
  for (VertexId q = 0; q < queries.rows(); ++q)
    for (VertexId r = 0; r < data.points.rows(); ++r) {
      double window = data.weight(r);
      for (std::int64_t c = 0; c < d; ++c) {
        const double u = (queries.value(q, c) - data.points.value(r, c)) / o.bandwidth;
        window *= o.window == ParzenWindow::gaussian
                      ? std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi)
                      : (std::abs(u) <= 0.5 ? 1.0 : 0.0);
        window /= o.bandwidth;
      }
      const auto k = std::size_t(data.targets.class_of()[std::size_t(r)]);
      density(q, std::int64_t(k)) += window / total[k];
    }
  return density;
}

}  // namespace

TEST_CASE("densities of windows are the sums that define them", "[parzen]") {
  Dataset data = random_classes(60, 3, 3, 61);
  data.weights = random_weights(60, 61);
  const Points queries = random_points(30, 3, 62);
  for (const ParzenWindow window : {ParzenWindow::gaussian, ParzenWindow::box})
    for (const double h : {0.4, 2.0}) {
      const ParzenOptions options{.window = window, .bandwidth = h};
      const Block expected = slow_densities(data, queries, options);
      const Block log_density = parzen_log_densities(data, queries, options);
      for (std::int64_t q = 0; q < 30; ++q)
        for (std::int64_t k = 0; k < expected.columns(); ++k)
          CHECK(std::exp(log_density(q, k)) == Approx(expected(q, k)).epsilon(1e-10));
    }
}

TEST_CASE("probabilities are priors times densities", "[parzen]") {
  const Dataset data = random_classes(50, 2, 2, 63);
  const Points queries = random_points(20, 2, 64);
  const Block density = slow_densities(data, queries, {.bandwidth = 0.7});
  const double a = static_cast<double>(data.targets.class_sizes()[0]) / 50.0;
  for (const bool uniform : {false, true}) {
    const Trained fitted = trained(
        std::string("parzen:bandwidth=0.7,priors=") + (uniform ? "uniform" : "frequency"), data);
    CHECK(fitted.model->score_kind() == ScoreKind::probability);
    const Block scores = fitted.model->scores(queries);
    const double first = uniform ? 0.5 : a;
    for (std::int64_t q = 0; q < 20; ++q) {
      const double one = first * density(q, 0);
      const double other = (1.0 - first) * density(q, 1);
      CHECK(scores(q, 0) == Approx(one / (one + other)).epsilon(1e-10));
      CHECK(scores(q, 0) + scores(q, 1) == Approx(1.0));
    }
  }
}

TEST_CASE("far from all rows the nearest decides, or the priors of a box", "[parzen]") {
  const Dataset data =
      make_dataset(Points::dense(3, 1, std::vector<double>{0, 1, 2}),
                   Targets::classes(std::vector<std::string>{"left", "right", "right"}));
  const Points far = Points::dense(2, 1, std::vector<double>{-1e6, 1e6});
  const Block gaussian = trained("parzen", data).model->scores(far);
  CHECK(gaussian(0, 0) == 1.0);
  CHECK(gaussian(1, 1) == 1.0);
  const Block box = trained("parzen:window=box", data).model->scores(far);
  CHECK(box(0, 0) == Approx(1.0 / 3.0));
  CHECK(box(1, 1) == Approx(2.0 / 3.0));
}

TEST_CASE("parzen on sparse rows, as copies, on 4 threads and after saving", "[parzen]") {
  Dataset data = random_classes(70, 4, 3, 65);
  data.points = random_points(70, 4, 66, 0.6);
  data.weights = random_weights(70, 65);
  const Points queries = random_points(40, 4, 67, 0.6);
  for (const char* spec : {"parzen:bandwidth=0.8", "parzen:window=box,bandwidth=3"}) {
    const Trained dense = trained(spec, data);
    const Block expected = dense.model->scores(queries, on_threads(1));
    CHECK(expected == dense.model->scores(queries, on_threads(4)));
    CHECK(max_difference(expected, dense.model->scores(as_sparse(queries))) < 1e-14);
    CHECK(max_difference(expected, trained(spec, repeated(data)).model->scores(queries)) < 1e-12);
    CHECK(survives_saving("parzen", *dense.model, queries));
    Dataset sparse = data;
    sparse.points = as_sparse(data.points);
    CHECK(max_difference(expected, trained(spec, sparse).model->scores(queries)) < 1e-14);
  }
}

TEST_CASE("parzen: a class without rows, wrong options, a stopped run", "[parzen]") {
  Dataset data = random_classes(30, 2, 2, 68);
  data.targets = Targets::classes(data.targets.class_of(), {"a", "b", "c"});
  const Trained fitted = trained("parzen:priors=uniform", data);
  const Block scores = fitted.model->scores(random_points(20, 2, 69));
  for (std::int64_t q = 0; q < 20; ++q) CHECK(scores(q, 2) == 0.0);
  CHECK(std::isinf(parzen_log_densities(data, data.points)(0, 2)));
  CHECK(error_of([] { made("parzen:bandwidth=-1"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { trained("parzen", random_regression(5, 1, 1)); })->code() ==
        ErrorCode::usage);
  const std::atomic<bool> raised{true};
  RunContext run;
  run.cancel = &raised;
  CHECK(error_of([&] { fitted.model->scores(data.points, run); })->code() == ErrorCode::cancelled);
}

TEST_CASE("the bandwidth that is chosen makes held-out rows likeliest", "[parzen]") {
  Dataset data = random_classes(120, 2, 2, 66);
  const double h = parzen_bandwidth(data);
  // Likelihood of each row under the windows of the others of its class, with h and beside it.
  const auto likelihood = [&](double bandwidth) {
    double sum = 0.0;
    for (std::int32_t r = 0; r < 120; ++r) {
      std::vector<std::int32_t> others;
      for (std::int32_t o = 0; o < 120; ++o)
        if (o != r) others.push_back(o);
      const Dataset rest = make_dataset(select(data.points, others), data.targets.select(others));
      const std::int32_t row[] = {r};
      sum += parzen_log_densities(rest, select(data.points, row), {.bandwidth = bandwidth})(
          0, data.targets.class_of()[std::size_t(r)]);
    }
    return sum;
  };
  CHECK(likelihood(h) > likelihood(h * std::sqrt(2.0)));
  CHECK(likelihood(h) > likelihood(h / std::sqrt(2.0)));
  CHECK(parzen_bandwidth(data, ParzenWindow::box) == Approx(std::sqrt(12.0) * h));
  const Trained automatic = ParzenLearner({.bandwidth = 0.0}).fit(data);
  const Trained told = ParzenLearner({.bandwidth = h}).fit(data);
  CHECK(automatic.model->scores(data.points) == told.model->scores(data.points));
  // Rows twice, or of weight 2.
  data.weights.assign(120, 2.0);
  CHECK(parzen_bandwidth(data) == Approx(parzen_bandwidth(repeated(data))));
  const Dataset equal = make_dataset(Points::dense(4, 1, std::vector<double>(4, 3.0)),
                                     Targets::classes({0, 1, 0, 1}, {"a", "b"}));
  CHECK(parzen_bandwidth(equal) == 1.0);
}
