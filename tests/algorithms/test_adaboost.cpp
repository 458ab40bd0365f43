#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tree_support.hpp"
#include "gssl/batch/adaboost.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

namespace {

Trained boosted(const Dataset& data, AdaBoostOptions options = {}, int threads = 1) {
  return AdaBoostLearner(options).fit(data, on_threads(threads));
}

// The errors of every stump: each column, each threshold between two values, both ways.
double least_stump_error(const Dataset& data, const std::vector<double>& weights) {
  double least = 1.0;
  for (int c = 0; c < data.points.columns(); ++c)
    for (VertexId at = 0; at < data.points.rows(); ++at) {
      double wrong = 0.0;
      double all = 0.0;
      for (VertexId r = 0; r < data.points.rows(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        const bool left = data.points.value(r, c) <= data.points.value(at, c);
        wrong += (data.targets.class_of()[i] == (left ? 1 : 0)) ? 0.0 : weights[i];
        all += weights[i];
      }
      least = std::min({least, wrong / all, 1.0 - wrong / all});
    }
  return least;
}

}  // namespace

TEST_CASE("AdaBoost goes round by round as the reference goes", "[adaboost]") {
  const auto name = GENERATE(as<std::string>{}, "ionosphere", "breast_cancer");
  const Dataset data = name == "ionosphere" ? shared_ionosphere() : shared_table(name);
  const auto path = shared_path("reference/learners/adaboost_" + name + ".csv");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const Block reference = shared_block("reference/learners/adaboost_" + name + ".csv");
  REQUIRE(reference.rows() == 100);
  const Trained trained = boosted(data, {.rounds = 100}, 2);
  const auto& errors = certificate(trained, "weighted_error").values;
  const auto& training = certificate(trained, "training_error").values;
  REQUIRE(errors.size() == 100);
  for (std::size_t t = 0; t < 100; ++t) {
    const auto row = reference.row(static_cast<std::int64_t>(t));
    CHECK(errors[t] == Approx(row[4]).epsilon(1e-9));
    CHECK(training[t] == Approx(row[7]).margin(1e-9));
  }
  const double loss = name == "ionosphere" ? 0.03920796210277629 : 0.0009765453111650029;
  CHECK(certificate(trained, "exponential_loss").values[0] == Approx(loss).epsilon(1e-8));
  CHECK(certificate(trained, "error_bound").values.back() == Approx(loss).epsilon(1e-8));
  CHECK(error_of(*trained.model, data) == training.back());
}

TEST_CASE("Every round takes the best stump, and the error keeps below its bound", "[adaboost]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = random_classes(60, 3, 2, 6, seed);
    const Trained trained = boosted(data, {.rounds = 8});
    const auto& errors = certificate(trained, "weighted_error").values;
    const auto& training = certificate(trained, "training_error").values;
    const auto& bounds = certificate(trained, "error_bound").values;
    CHECK(errors[0] == Approx(least_stump_error(data, std::vector<double>(60, 1.0))));
    double product = 1.0;
    for (std::size_t t = 0; t < errors.size(); ++t) {
      const double edge = 0.5 - errors[t];
      product *= std::sqrt(1.0 - 4.0 * edge * edge);
      CHECK(bounds[t] == Approx(product));
      CHECK(training[t] <= bounds[t] + 1e-12);
    }
    CHECK(certificate(trained, "exponential_loss").values[0] == Approx(product));
    // Weights of the second round: the first learner errs on half of them.
    const Trained first = boosted(data, {.rounds = 1});
    const std::vector<int> said =
        decide(first.model->scores(data.points), first.model->score_kind());
    std::vector<double> weights(60);
    for (std::size_t r = 0; r < 60; ++r)
      weights[r] =
          said[r] == data.targets.class_of()[r] ? 1.0 / (1.0 - errors[0]) : 1.0 / errors[0];
    CHECK(errors[1] == Approx(least_stump_error(data, weights)));
  }
}

TEST_CASE("Boosting does not depend on threads, storage or copies of rows", "[adaboost]") {
  const int depth = GENERATE(1, 3);
  const int classes = GENERATE(2, 3);
  const Dataset data = random_classes(150, 4, classes, 9, 7);
  const AdaBoostOptions options{.rounds = 12, .depth = depth};
  const Trained one = boosted(data, options, 1);
  const Block scores = one.model->scores(data.points);
  CHECK(scores == boosted(data, options, 4).model->scores(data.points));
  CHECK(max_difference(scores, boosted(sparse(data), options).model->scores(data.points)) < 1e-9);
  std::vector<std::int32_t> rows;
  std::vector<double> weights;
  for (std::int32_t r = 0; r < 150; ++r) {
    weights.push_back(r % 3);
    for (int copy = 0; copy < r % 3; ++copy) rows.push_back(r);
  }
  const Block heavy = boosted(weighted(data, weights), options).model->scores(data.points);
  const Block copied = boosted(select(data, rows), options).model->scores(data.points);
  CHECK(max_difference(heavy, copied) < 1e-9);
}

TEST_CASE("A row of weight 0 moves no cut", "[adaboost]") {
  const int depth = GENERATE(1, 2);
  const Dataset data = make_dataset(Points::dense(4, 1, std::vector<double>{1, 2, 5, 6}),
                                    Targets::classes({0, 1, 1, 1}, {"a", "b"}), {1, 0, 1, 1});
  const Trained trained = boosted(data, {.rounds = 1, .depth = depth});
  const Points near = Points::dense(2, 1, std::vector<double>{2.9, 3.1});
  CHECK(decide(trained.model->scores(near), ScoreKind::decision) == std::vector<int>{0, 1});
}

TEST_CASE("More classes and deeper trees learn what stumps of two classes cannot", "[adaboost]") {
  const Dataset data = gaussian_groups(600, 4, 4, 3);
  const Trained shallow = boosted(data, {.rounds = 20, .depth = 1});
  const Trained deep = boosted(data, {.rounds = 20, .depth = 4});
  CHECK(certificate(deep, "training_error").values.back() <
        certificate(shallow, "training_error").values.back());
  CHECK(error_of(*deep.model, data) == Approx(certificate(deep, "training_error").values.back()));
  CHECK(deep.model->score_kind() == ScoreKind::decision);
}

TEST_CASE("Any learner may be the weak one", "[adaboost]") {
  const Dataset data = gaussian_groups(200, 3, 2, 5);
  const MadeLearner by_tree = made("adaboost:rounds=6,learner=tree(depth=2,min_leaf=3)");
  const MadeLearner by_mean = made("adaboost:rounds=6,learner=nearest-mean");
  for (const MadeLearner* learner : {&by_tree, &by_mean}) {
    const Trained trained = learner->inductive().fit(data, on_threads(2));
    CHECK(certificate(trained, "training_error").values.back() <=
          certificate(trained, "error_bound").values.back() + 1e-12);
    Record record;
    trained.model->save(record);
    const auto again = learner->entry->load_model(record);
    CHECK(again->scores(data.points) == trained.model->scores(data.points));
    CHECK(error_of(*again, data) == Approx(certificate(trained, "training_error").values.back()));
  }
  CHECK(error_of([] { made("adaboost:learner=harmonic"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("adaboost:learner=tree(depth=2"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("adaboost:learner=tree(dept=2)"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("adaboost:depth=2,learner=nearest-mean"); })->code() ==
        ErrorCode::usage);
}

TEST_CASE("A learner without error decides alone, one without an edge is said to have none",
          "[adaboost]") {
  const Dataset line = make_dataset(Points::dense(4, 1, std::vector<double>{1, 2, 3, 4}),
                                    Targets::classes({0, 0, 1, 1}, {"a", "b"}));
  const Trained trained = boosted(line);
  CHECK(trained.report.iterations == 1);
  CHECK(error_of(*trained.model, line) == 0.0);
  const Dataset cross =
      make_dataset(Points::dense(4, 2, std::vector<double>{0, 0, 0, 1, 1, 0, 1, 1}),
                   Targets::classes({0, 1, 1, 0}, {"a", "b"}));
  CHECK(boosted(cross).report.warnings.size() == 1);
  CHECK(error_of(*boosted(cross, {.depth = 2}).model, cross) == 0.0);
  const Dataset one = make_dataset(Points::dense(2, 1, std::vector<double>{1, 2}),
                                   Targets::classes({1, 1}, {"a", "b", "c"}));
  CHECK(error_of(*boosted(one).model, one) == 0.0);
  CHECK(error_of([&] { boosted(random_values(9, 1, 3, 1)); })->code() == ErrorCode::usage);
}

}  // namespace gssl::test
