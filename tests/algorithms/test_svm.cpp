// Support vector machines against a slow twin and against what must hold of any answer; bad input.

#include <cmath>
#include <limits>

#include "algorithms/learner_data.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/core/rng.hpp"
#include "kernel/dual_solver.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Two classes that overlap; a third, where asked for.
Dataset clouds(std::int64_t rows, int classes, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> values;
  std::vector<std::string> labels;
  for (std::int64_t r = 0; r < rows; ++r) {
    const int k = static_cast<int>(r % classes);
    for (int c = 0; c < 3; ++c) values.push_back(rng.normal() + (c == k ? 1.5 : 0.0));
    labels.push_back(std::to_string(k));
  }
  return make_dataset(Points::dense(rows, 3, std::move(values)), Targets::classes(labels));
}

Trained fit(const SvmOptions& options, const Dataset& data, int threads = 1) {
  RunContext run;
  run.threads = threads;
  return SvmLearner(options).fit(data, run);
}

// The dual of two classes by plain coordinate pairs over all variables: the pair of largest
// violation until there is none.
double slow_objective(const Block& k, const std::vector<double>& y, const std::vector<double>& c) {
  const auto n = std::ssize(y);
  std::vector<double> alpha(y.size(), 0.0);
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const auto f = [&](std::int64_t i) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < n; ++j) sum += y[at(j)] * alpha[at(j)] * k(i, j);
    return sum;
  };
  while (true) {
    std::int64_t up = -1, down = -1;
    double most = -1e300, least = 1e300;
    for (std::int64_t t = 0; t < n; ++t) {
      const double g = y[at(t)] - f(t);
      const bool can_grow = y[at(t)] > 0 ? alpha[at(t)] < c[at(t)] : alpha[at(t)] > 0;
      const bool can_fall = y[at(t)] > 0 ? alpha[at(t)] > 0 : alpha[at(t)] < c[at(t)];
      if (can_grow && g > most) most = g, up = t;
      if (can_fall && g < least) least = g, down = t;
    }
    if (most - least < 1e-10) break;
    double step = (most - least) / std::max(1e-12, k(up, up) + k(down, down) - 2 * k(up, down));
    step = std::min(step, y[at(up)] > 0 ? c[at(up)] - alpha[at(up)] : alpha[at(up)]);
    step = std::min(step, y[at(down)] > 0 ? alpha[at(down)] : c[at(down)] - alpha[at(down)]);
    alpha[at(up)] = std::clamp(alpha[at(up)] + y[at(up)] * step, 0.0, c[at(up)]);
    alpha[at(down)] = std::clamp(alpha[at(down)] - y[at(down)] * step, 0.0, c[at(down)]);
  }
  double objective = 0.0;
  for (std::int64_t i = 0; i < n; ++i) objective += alpha[at(i)] * (0.5 * y[at(i)] * f(i) - 1.0);
  return objective;
}

std::vector<double> signs(const Dataset& data) {
  std::vector<double> y;
  for (const int k : data.targets.class_of()) y.push_back(k == 1 ? 1.0 : -1.0);
  return y;
}

}  // namespace

TEST_CASE("svm reaches the objective of a slow twin", "[svm]") {
  for (const char* kernel : {"gaussian(beta=0.5)", "linear", "polynomial(a=1,r=2)"}) {
    const Dataset data = clouds(60, 2, 1);
    const Block k = make_kernel(kernel)->block(data.points, data.points);
    const double slow = slow_objective(k, signs(data), std::vector(60, 2.0));
    const Trained trained = fit({.kernel = kernel, .c = 2.0, .tolerance = 1e-9}, data);
    CHECK(certified(trained.report, "objective") == Approx(slow).epsilon(1e-9));
    CHECK(std::abs(certified(trained.report, "duality_gap")) < 1e-6);
  }
}

TEST_CASE("a working set smaller than the problem gives the same answer", "[svm]") {
  // More variables than two working sets: rounds, eviction of rows, and both ends of a tolerance.
  const Dataset data = clouds(900, 2, 2);
  const auto gram = gram_of_points(make_kernel("gaussian(beta=0.5)"), data.points);
  detail::DualProblem problem{.gram = gram.get()};
  for (std::int32_t i = 0; i < 900; ++i) problem.item.push_back(i);
  problem.sign = signs(data);
  problem.linear.assign(900, -1.0);
  problem.bound.assign(900, 1.0);
  const auto solve = [&](double memory, int threads) {
    RunContext run;
    run.threads = threads;
    return detail::solve_dual(problem, {.tolerance = 1e-8, .memory = memory}, run);
  };
  const detail::DualSolution roomy = solve(1e9, 1), tight = solve(1.0, 1);
  CHECK(roomy.outcome == Outcome::converged);
  CHECK(roomy.rounds > 1);
  CHECK(tight.rows_computed > roomy.rows_computed);
  CHECK(roomy.alpha == tight.alpha);
  CHECK(roomy.alpha == solve(1e9, 4).alpha);
  const Trained trained = fit({.kernel = "gaussian(beta=0.5)", .tolerance = 1e-8}, data);
  CHECK(certified(trained.report, "objective") == roomy.objective);
}

TEST_CASE("many rows are solved in single precision, and to the end in double", "[svm]") {
  const Dataset data = clouds(3010, 2, 3);
  const SvmOptions rough{.kernel = "gaussian(beta=0.1)", .c = 0.1};
  SvmOptions sharp = rough;
  sharp.tolerance = 1e-9;
  const Trained one = fit(rough, data), two = fit(sharp, data);
  CHECK(one.report.sentence.find("single precision") != std::string::npos);
  CHECK(two.report.sentence.find("single precision") == std::string::npos);
  CHECK(certified(two.report, "kkt_violation") <= 1e-9);
  CHECK(std::abs(certified(two.report, "duality_gap")) < 1e-6);
  CHECK(certified(one.report, "objective") ==
        Approx(certified(two.report, "objective")).epsilon(1e-4));
  CHECK(max_difference(one.model->scores(data.points), two.model->scores(data.points)) < 0.02);
}

TEST_CASE("one thread and four give the same svm, and a saved one the same scores", "[svm]") {
  const Dataset data = clouds(300, 3, 4);
  const Trained one = fit({}, data, 1), four = fit({}, data, 4);
  const Block scores = one.model->scores(data.points);
  CHECK(scores == four.model->scores(data.points));
  Record record;
  one.model->save(record);
  CHECK(load_kernel_model("svm", record)->scores(data.points) == scores);
  int right = 0;
  const std::vector<int> decision = decide(scores, one.model->score_kind());
  for (std::size_t i = 0; i < decision.size(); ++i)
    right += decision[i] == data.targets.class_of()[i] ? 1 : 0;
  CHECK(right > 220);
  CHECK(one.report.certificates.front().values.size() == 3);  // pairs
}

TEST_CASE("a row of weight 2 is that row twice, one of weight 0 is absent", "[svm]") {
  const Dataset data = clouds(40, 2, 5);
  std::vector<std::int32_t> rows;
  std::vector<double> weights(40, 1.0);
  for (std::int32_t r = 0; r < 40; ++r) {
    if (r == 7) weights[7] = 2.0;
    if (r == 8) weights[8] = 0.0;
    if (r != 8) rows.push_back(r);
    if (r == 7) rows.push_back(r);
  }
  const SvmOptions options{.kernel = "linear", .tolerance = 1e-10};
  const Trained weighted = fit(options, make_dataset(data.points, data.targets, weights));
  const Trained repeated = fit(options, select(data, rows));
  CHECK(max_difference(weighted.model->scores(data.points), repeated.model->scores(data.points)) <
        1e-8);
}

TEST_CASE("balanced classes cost as much together", "[svm]") {
  const Dataset data = clouds(60, 2, 6);
  std::vector<std::int32_t> rows;
  for (std::int32_t r = 0; r < 60; ++r)
    if (r % 2 == 0 || r < 10) rows.push_back(r);
  const Dataset uneven = select(data, rows);  // 30 and 5
  std::vector<double> weights;
  for (const int k : uneven.targets.class_of())
    weights.push_back(k == 0 ? 35.0 / 60.0 : 35.0 / 10.0);
  SvmOptions options{.kernel = "linear", .tolerance = 1e-10};
  const Trained weighted = fit(options, make_dataset(uneven.points, uneven.targets, weights));
  options.class_weight = ClassWeight::balanced;
  CHECK(max_difference(fit(options, uneven).model->scores(data.points),
                       weighted.model->scores(data.points)) < 1e-8);
}

TEST_CASE("a hard margin that does not exist is said", "[svm]") {
  const Points twice = Points::dense(4, 1, std::vector<double>{0, 1, 1, 2});
  const Dataset same = make_dataset(twice, Targets::classes({0, 0, 1, 1}, {"a", "b"}));
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto error = error_of([&] { fit({.kernel = "linear", .c = infinite}, same); });
  REQUIRE(error);
  CHECK(std::string(error->what()) ==
        "svm: c=inf: no margin separates the classes 'a' and 'b': take a finite c, or another "
        "kernel");
  CHECK(error_of([&] { fit({.kernel = "linear", .c = infinite}, clouds(60, 2, 7)); }));
  // A finite cost, however large, has an answer.
  CHECK(fit({.kernel = "linear", .c = 1e6}, same).report.converged());
}

TEST_CASE("odd data give a right answer", "[svm]") {
  const Dataset data = clouds(30, 2, 8);
  SECTION("one class") {
    const Dataset one = make_dataset(data.points, Targets::classes(std::vector(30, 1), {"a", "b"}));
    const Trained trained = fit({}, one);
    CHECK(trained.report.warnings.size() == 1);
    for (const int k : decide(trained.model->scores(data.points), ScoreKind::decision))
      CHECK(k == 1);
  }
  SECTION("equal rows and constant columns") {
    const Points equal = Points::dense(4, 2, std::vector<double>(8, 3.0));
    const Trained trained =
        fit({}, make_dataset(equal, Targets::classes({0, 0, 0, 1}, {"a", "b"})));
    CHECK(trained.report.converged());
    CHECK(decide(trained.model->scores(equal), ScoreKind::decision) == std::vector(4, 0));
  }
  SECTION("more columns than rows, all rows alike or all different under the kernel") {
    for (const char* kernel : {"gaussian(beta=0)", "gaussian(beta=1e9)"}) {
      const Trained trained = fit({.kernel = kernel}, data);
      CHECK(trained.report.converged());
      CHECK(std::abs(certified(trained.report, "duality_gap")) < 0.1);
    }
  }
  SECTION("a time that is up") {
    RunContext run;
    run.deadline = RunContext::Clock::now();
    const Trained trained = SvmLearner().fit(data, run);
    CHECK(trained.report.outcome == Outcome::time_limit);
  }
}

TEST_CASE("options that svm does not take are refused", "[svm]") {
  CHECK_THROWS_WITH(SvmLearner({.c = 0.0}), Catch::Matchers::Contains("svm: option c=0: must be"));
  CHECK_THROWS_WITH(SvmLearner({.kernel = "gausian"}),
                    Catch::Matchers::Contains("svm: kernel 'gausian': position 1: no kernel"));
  CHECK_THROWS_WITH(fit({.kernel = "diffusion(time=2)"}, clouds(10, 2, 9)),
                    Catch::Matchers::Contains("kernel diffusion(time=2) is of graphs"));
  const Dataset reals = make_dataset(clouds(3, 2, 9).points, Targets::reals({0.5, 1.0, 2.0}));
  CHECK_THROWS_WITH(fit({}, reals), "svm: real targets: this learner needs classes");
}
