#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tree_support.hpp"
#include "gssl/batch/forest.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

namespace {

Trained forest(const Dataset& data, ForestOptions options = {}, int threads = 1) {
  return ForestLearner(options).fit(data, on_threads(threads));
}

}  // namespace

TEST_CASE("One tree of all rows and all columns is the tree", "[forest]") {
  for (const Dataset& data : {random_classes(300, 5, 3, 9, 1), random_values(200, 4, 9, 2)}) {
    const Trained one = forest(data, {.trees = 1, .features = "all", .bootstrap = false});
    const Trained tree = TreeLearner().fit(data, on_threads(1));
    CHECK(one.model->scores(data.points) == tree.model->scores(data.points));
  }
}

TEST_CASE("A forest does not depend on threads, storage or copies of rows", "[forest]") {
  const Dataset data = random_classes(250, 6, 3, 9, 4);
  const ForestOptions options{.trees = 20, .features = "2"};
  const Trained one = forest(data, options);
  const Block scores = one.model->scores(data.points);
  const Trained four = forest(data, options, 4);
  CHECK(scores == four.model->scores(data.points));
  CHECK(one.model->facts() == four.model->facts());
  CHECK(scores == forest(sparse(data), options, 2).model->scores(data.points));
  std::vector<std::int32_t> rows;
  std::vector<double> weights;
  for (std::int32_t r = 0; r < 250; ++r) {
    weights.push_back(1 + r % 2);
    for (int copy = 0; copy <= r % 2; ++copy) rows.push_back(r);
  }
  CHECK(forest(weighted(data, weights), options).model->scores(data.points) ==
        forest(select(data, rows), options).model->scores(data.points));
  RunContext other = on_threads(1);
  other.seed = 2;
  CHECK(scores != ForestLearner(options).fit(data, other).model->scores(data.points));
}

TEST_CASE("The error out of the bag is near that on new rows", "[forest]") {
  const Dataset all = gaussian_groups(3000, 6, 2, 9);
  std::vector<std::int32_t> training;
  std::vector<std::int32_t> test;
  for (std::int32_t r = 0; r < 3000; ++r) (r < 1000 ? training : test).push_back(r);
  const Dataset data = select(all, training);
  const Trained trained = forest(data, {.trees = 60}, 2);
  const double guess = certificate(trained, "out_of_bag_error").values[0];
  const double error = error_of(*trained.model, select(all, test));
  CHECK(error_of(*trained.model, data) < 0.01);
  CHECK(std::abs(guess - error) < 0.035);  // two standard deviations of both counts
  const Trained tree = TreeLearner().fit(data, on_threads(1));
  CHECK(error < error_of(*tree.model, select(all, test)));
}

TEST_CASE("Importances sum to 1 and name the column that decides", "[forest]") {
  Dataset data = random_classes(400, 5, 2, 20, 3);
  data.column_names = {"rule", "b", "c", "d", "e"};
  const Trained trained = forest(data, {.trees = 10, .features = "all", .min_leaf = 20});
  const auto& importances = certificate(trained, "importances").values;
  double sum = 0.0;
  for (const double share : importances) sum += share;
  CHECK(sum == Approx(1.0));
  CHECK(std::ranges::max_element(importances) == importances.begin());
  CHECK(std::ranges::any_of(trained.model->facts(),
                            [](const auto& fact) { return fact.first == "importance of rule"; }));
}

TEST_CASE("A forest of values is better out of its bag than one tree on new rows", "[forest]") {
  const Dataset all = random_values(900, 4, 30, 5);
  std::vector<std::int32_t> training;
  std::vector<std::int32_t> test;
  for (std::int32_t r = 0; r < 900; ++r) (r % 3 == 0 ? test : training).push_back(r);
  const Dataset data = select(all, training);
  const Dataset fresh = select(all, test);
  const Trained trained = forest(data, {.trees = 40, .features = "2"}, 2);
  const auto square = [&](const Model& model) {
    const Block said = model.scores(fresh.points);
    double sum = 0.0;
    for (std::int64_t r = 0; r < said.rows(); ++r)
      sum += std::pow(said(r, 0) - fresh.targets.values()[static_cast<std::size_t>(r)], 2);
    return sum / static_cast<double>(said.rows());
  };
  const double error = square(*trained.model);
  CHECK(error < square(*TreeLearner().fit(data, on_threads(1)).model));
  CHECK(certificate(trained, "out_of_bag_mean_square").values[0] == Approx(error).epsilon(0.3));
  CHECK(trained.model->score_kind() == ScoreKind::value);
}

TEST_CASE("A forest that is read back gives the same scores", "[forest]") {
  const Dataset data = random_classes(200, 4, 3, 9, 2);
  const MadeLearner learner = made("forest:trees=12,features=log,depth=5");
  const Trained trained = learner.inductive().fit(data, on_threads(2));
  Record record;
  trained.model->save(record);
  const auto again = learner.entry->load_model(record);
  CHECK(again->scores(data.points) == trained.model->scores(data.points));
  CHECK(again->facts() == trained.model->facts());
}

TEST_CASE("A forest that is stopped keeps what it has; wrong options are refused", "[forest]") {
  const Dataset data = gaussian_groups(400, 4, 2, 1);
  RunContext run = on_threads(1);
  std::atomic<bool> cancel = false;
  run.cancel = &cancel;
  run.progress = [&](std::string_view, double) { cancel = true; };
  const Trained trained = ForestLearner({.trees = 500}).fit(data, run);
  CHECK(trained.report.outcome == Outcome::cancelled);
  CHECK(trained.report.iterations < 500);
  CHECK(error_of(*trained.model, data) < 0.2);
  CHECK(error_of([] { made("forest:features=0"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("forest:features=many"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("forest:trees=0"); })->code() == ErrorCode::usage);
}

}  // namespace gssl::test
