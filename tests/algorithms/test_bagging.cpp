#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tree_support.hpp"
#include "gssl/batch/bagging.hpp"
#include "gssl/batch/majority_boost.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

namespace {

Trained learned(std::string_view spec, const Dataset& data, int threads = 1) {
  return made(spec).inductive().fit(data, on_threads(threads));
}

}  // namespace

TEST_CASE("Bagged trees vote, on any number of threads, and are read back", "[bagging]") {
  const Dataset data = random_classes(200, 4, 3, 9, 4);
  const MadeLearner learner = made("bagging:rounds=20,learner=tree(min_leaf=2,depth=8)");
  const Trained one = learner.inductive().fit(data, on_threads(1));
  const Trained four = learner.inductive().fit(data, on_threads(4));
  const Block scores = one.model->scores(data.points);
  CHECK(scores == four.model->scores(data.points));
  CHECK(certificate(one, "out_of_bag_error").values ==
        certificate(four, "out_of_bag_error").values);
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    double votes = 0.0;
    for (const double share : scores.row(r)) {
      CHECK(share * 20 == Approx(std::round(share * 20)).margin(1e-9));
      votes += share;
    }
    CHECK(votes == Approx(1.0));
  }
  Record record;
  one.model->save(record);
  CHECK(learner.entry->load_model(record)->scores(data.points) == scores);
  Record forged;
  for (const auto& [name, value] : record.entries())
    forged.put_value(name, name == "outputs" ? Record::Value(std::vector<std::int64_t>{2}) : value);
  const auto wrong = learner.entry->load_model(forged);
  CHECK(error_of([&] { wrong->scores(data.points); })->code() == ErrorCode::bad_data);
}

TEST_CASE("Bagging is near its error out of the bag and better than one tree", "[bagging]") {
  const Dataset all = gaussian_groups(2400, 5, 2, 3);
  std::vector<std::int32_t> training;
  std::vector<std::int32_t> test;
  for (std::int32_t r = 0; r < 2400; ++r) (r < 600 ? training : test).push_back(r);
  const Dataset data = select(all, training);
  const Trained bagged = learned("bagging:rounds=40", data, 2);
  const double error = error_of(*bagged.model, select(all, test));
  CHECK(error < error_of(*learned("tree", data).model, select(all, test)));
  CHECK(std::abs(certificate(bagged, "out_of_bag_error").values[0] - error) < 0.045);
}

TEST_CASE("Bagging takes any learner and averages values", "[bagging]") {
  const Dataset data = gaussian_groups(200, 3, 2, 5);
  CHECK(error_of(*learned("bagging:rounds=5,learner=nearest-mean,sample=0.5", data).model, data) <
        0.5);
  const Dataset values = random_values(150, 3, 9, 2);
  const Trained mean = learned("bagging:rounds=15", values, 2);
  CHECK(mean.model->score_kind() == ScoreKind::value);
  CHECK(certificate(mean, "out_of_bag_mean_square").values[0] > 0.5);  // noise of variance 1
  CHECK(error_of([] { made("bagging:learner=harmonic"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("bagging:sample=0"); })->code() == ErrorCode::usage);
  CHECK(error_of([&] { learned("bagging:learner=nearest-mean", values); })->code() ==
        ErrorCode::usage);
}

TEST_CASE("A majority of weak learners with their edge errs nowhere in time", "[majority]") {
  // x ≤ 3, or x > 6: no stump is right, but some is on ½ + γ of any weights.
  std::vector<double> x;
  std::vector<int> in_the_middle;
  for (int i = 0; i < 30; ++i) {
    x.push_back(i / 3.0);
    in_the_middle.push_back(i >= 10 && i < 20 ? 1 : 0);
  }
  const Dataset data =
      make_dataset(Points::dense(30, 1, x), Targets::classes(in_the_middle, {"out", "in"}));
  const Trained trained = learned("majority-boost:gamma=0.1", data);
  REQUIRE(trained.report.warnings.empty());
  const auto& errors = certificate(trained, "training_error").values;
  const auto& bounds = certificate(trained, "error_bound").values;
  const auto& accuracy = certificate(trained, "accuracy").values;
  const auto needed = static_cast<std::size_t>(2.0 * std::log(30.0) / -std::log(1.0 - 0.04)) + 1;
  CHECK(errors.size() == needed);
  for (std::size_t t = 0; t < errors.size(); ++t) {
    CHECK(accuracy[t] >= 0.6 - 1e-12);
    CHECK(bounds[t] == Approx(std::pow(0.96, 0.5 * static_cast<double>(t + 1))));
    CHECK(errors[t] <= bounds[t] + 1e-12);
  }
  CHECK(errors.back() == 0.0);
  CHECK(error_of(*trained.model, data) == 0.0);
}

TEST_CASE("Majority boosting multiplies what is wrong, and says where the edge is missing",
          "[majority]") {
  const Dataset data = random_classes(100, 3, 2, 9, 1);
  const Trained two = learned("majority-boost:rounds=2,gamma=0.2", data);
  const Trained one = learned("majority-boost:rounds=1,gamma=0.2", data);
  const std::vector<int> said = decide(one.model->scores(data.points), ScoreKind::shares);
  std::vector<double> weights;
  for (std::size_t r = 0; r < 100; ++r)
    weights.push_back(said[r] == data.targets.class_of()[r] ? 1.0 : 0.7 / 0.3);
  const Trained second = learned("majority-boost:rounds=1", weighted(data, weights));
  CHECK(certificate(two, "accuracy").values[1] ==
        Approx(certificate(second, "accuracy").values[0]).epsilon(1e-12));
  CHECK(learned("majority-boost:gamma=0.45,rounds=5", data).report.warnings.size() == 1);
  const Dataset groups = gaussian_groups(300, 4, 4, 2);
  const Trained deep = learned("majority-boost:depth=6,gamma=0.05,rounds=15", groups, 2);
  CHECK(error_of(*deep.model, groups) == Approx(certificate(deep, "training_error").values.back()));
  Record record;
  deep.model->save(record);
  CHECK(made("majority-boost").entry->load_model(record)->scores(groups.points) ==
        deep.model->scores(groups.points));
  const Trained nested = learned("majority-boost:rounds=3,learner=tree(depth=2)", data);
  CHECK(nested.report.iterations == 3);
  CHECK(error_of([] { made("majority-boost:gamma=0.5"); })->code() == ErrorCode::usage);
}

}  // namespace gssl::test
