// A model with its encoding, class weights and calibration, as the command keeps it.

#include <algorithm>

#include "gssl/core/rng.hpp"
#include "gssl/learn/trained_model.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const LearnerRegistry& registry() {
  static const LearnerRegistry all = builtin_learners();
  return all;
}

struct Rows {
  FeatureTable table;
  Targets targets;
};

// Numbers around 0 and 1, and a word that agrees with the class on most rows.
Rows draw(std::int64_t count) {
  Rng rng(3, 0);
  Rows rows;
  FeatureColumn x, word{.of_words = true, .words = {"low", "top"}};
  std::vector<int> k;
  for (std::int64_t r = 0; r < count; ++r) {
    k.push_back(static_cast<int>(r % 2));
    x.numbers.push_back(r % 9 == 0 ? std::nan("") : k.back() + 1.5 * (rng.uniform() - 0.5));
    word.word_of.push_back(rng.uniform() < 0.8 ? k.back() : 1 - k.back());
  }
  rows.table = {.names = {"x", "word"}, .columns = {x, word}, .from_text = true};
  rows.targets = Targets::classes(std::move(k), {"no", "yes"});
  return rows;
}

double accuracy(const Prediction& p, const Targets& truth) {
  double right = 0.0;
  for (std::size_t r = 0; r < p.decision.size(); ++r)
    right += p.decision[r] == truth.class_of()[r] ? 1.0 : 0.0;
  return right / static_cast<double>(p.decision.size());
}

}  // namespace

TEST_CASE("A trained model comes back from its record and predicts the same", "[trained-model]") {
  const Rows rows = draw(200);
  for (const auto method : {CalibrationMethod::none, CalibrationMethod::platt}) {
    const TrainedModel trained =
        train_model(registry().make("nearest-mean"), rows.table, rows.targets, {},
                    {.encoding = {.standardize = true}, .calibrate = method});
    const Record record = trained.to_record();
    const TrainedModel again = TrainedModel::from_record(record, registry());
    const Prediction a = trained.predict(rows.table);
    const Prediction b = again.predict(rows.table);
    CHECK(a.scores == b.scores);
    CHECK(a.confidence == b.confidence);
    CHECK(a.counts.missing > 0);
    CHECK(accuracy(a, rows.targets) > 0.8);
    CHECK(again.to_record().entries() == record.entries());
    CHECK(a.kind == (trained.calibration ? ScoreKind::probability : ScoreKind::decision));
  }
}

TEST_CASE("A record of no model, or of an unknown learner, is bad data", "[trained-model]") {
  CHECK(error_of([] { TrainedModel::from_record(Record(), registry()); })->code() ==
        ErrorCode::bad_data);
  const Rows rows = draw(20);
  TrainedModel trained = train_model(registry().make("nearest-mean"), rows.table, rows.targets);
  trained.learner = "of-a-plug-in";
  const auto error = error_of([&] { TrainedModel::from_record(trained.to_record(), registry()); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK(error->remedies().has(Remedy::plugin));
}

TEST_CASE("Balanced classes weigh alike, named ones as they are told", "[trained-model]") {
  const Targets targets = Targets::classes({0, 0, 0, 1}, {"a", "b"});
  CHECK(weigh_classes(targets, {}, {.balanced = true}) ==
        std::vector<double>{4.0 / 6, 4.0 / 6, 4.0 / 6, 2.0});
  CHECK(weigh_classes(targets, {1, 1, 0, 2}, parse_class_weights("b=3")) ==
        std::vector<double>{1, 1, 0, 6});
  CHECK(weigh_classes(targets, {}, {}).empty());
  CHECK(parse_class_weights("a=b=2,c=0").echo() == "a=b=2,c=0");
  for (const std::string text : {"", "a", "a=-1", "=1", "a=1,a=2", "a=nan"})
    CHECK(error_of([&] { parse_class_weights(text); })->code() == ErrorCode::usage);
  CHECK(error_of([] { weigh_classes(Targets::reals({1.0}), {}, {.balanced = true}); })->code() ==
        ErrorCode::usage);
}

TEST_CASE("A run that is over before calibration leaves a model without one", "[trained-model]") {
  const Rows rows = draw(60);
  RunContext run;
  run.deadline = RunContext::Clock::now();
  Report report;
  const TrainedModel trained =
      train_model(registry().make("nearest-mean"), rows.table, rows.targets, {},
                  {.calibrate = CalibrationMethod::platt}, run, &report);
  CHECK_FALSE(trained.calibration);
  CHECK(trained.outcome == Outcome::time_limit);
  CHECK(report.outcome == Outcome::time_limit);
  CHECK(trained.warnings.size() == 1);
}

TEST_CASE("A regression and one class cannot be calibrated", "[trained-model]") {
  const Rows rows = draw(20);
  const auto code = [&](const Targets& targets) {
    return error_of([&] {
             train_model(registry().make("nearest-mean"), rows.table, targets, {},
                         {.calibrate = CalibrationMethod::platt});
           })
        ->code();
  };
  CHECK(code(Targets::reals(std::vector<double>(20, 1.0))) == ErrorCode::usage);
  CHECK(code(Targets::classes(std::vector<int>(20, 0), {"only"})) == ErrorCode::usage);
}

namespace {

// One column, a word in each row.
FeatureTable words_in_rows(const std::vector<std::string>& rows) {
  FeatureColumn column{.of_words = true, .words = rows};
  std::ranges::sort(column.words);
  for (const std::string& row : rows)
    column.word_of.push_back(static_cast<std::int32_t>(std::ranges::lower_bound(column.words, row) -
                                                       column.words.begin()));
  return {.names = {"text"}, .columns = {column}, .from_text = true};
}

}  // namespace

TEST_CASE("A column of words is spelled for the spectrum kernel", "[trained-model]") {
  const FeatureTable table = words_in_rows({"banana", "bandana", "ananas", "panama", "canal",
                                            "plan", "plane", "planet", "lan", "alpin"});
  const Targets targets = Targets::classes({1, 1, 1, 1, 0, 0, 0, 0, 0, 0}, {"fruit", "other"});
  const FeatureTable later = words_in_rows({"bananarama", "planetarium", "zzz", "é–é", "an"});
  // scikit-learn 1.x, SVC(kernel='precomputed', C=10) over counted substrings.
  const std::vector<double> of_two = {1.804878049, -1.0, -1.06504065, -1.06504065, -0.650406504};
  const std::vector<double> of_three = {1.401834862, -1.0, -0.702752294, -0.702752294,
                                        -0.702752294};
  for (const int length : {2, 3}) {
    const TrainedModel trained = train_model(
        registry().make(
            "svm:c=10,tolerance=1e-10,kernel=spectrum(length=" + std::to_string(length) + ")"),
        table, targets);
    CHECK(trained.encoding.spells());
    CHECK(trained.encoding.encoded_columns() == 7);
    const TrainedModel again = TrainedModel::from_record(trained.to_record(), registry());
    const Prediction p = again.predict(later);
    CHECK(p.scores == trained.predict(later).scores);
    for (std::size_t r = 0; r < 5; ++r)
      CHECK(p.scores(static_cast<std::int64_t>(r), 1) ==
            Approx((length == 2 ? of_two : of_three)[r]).margin(1e-8));
  }
  // Other learners take the words as they took them before.
  CHECK(train_model(registry().make("nearest-mean"), table, targets).encoding.encoded_columns() ==
        10);
  FeatureTable two = table;
  two.names.emplace_back("more");
  two.columns.push_back({.numbers = std::vector<double>(10, 1.0)});
  CHECK(error_of([&] {
          train_model(registry().make("svm:kernel=spectrum(length=2)"), two, targets);
        })->code() == ErrorCode::bad_data);
}

TEST_CASE("A class of one row is told where scores are calibrated", "[model]") {
  Rows rows = draw(40);
  std::vector<int> k = rows.targets.class_of();
  k[0] = 2;
  rows.targets = Targets::classes(std::move(k), {"no", "yes", "rare"});
  const MadeLearner learner = registry().make("nearest-mean");
  TrainingOptions options;
  CHECK(train_model(learner, rows.table, rows.targets, {}, options).warnings.empty());
  options.calibrate = CalibrationMethod::platt;
  CHECK(train_model(learner, rows.table, rows.targets, {}, options).warnings.size() == 1);
}

TEST_CASE("nearest-mean tells classes apart far from 0", "[model]") {
  Rng rng(5, 0);
  std::vector<double> values;
  std::vector<int> k;
  for (int r = 0; r < 100; ++r) {
    k.push_back(r % 2);
    values.push_back(1e9 + 4.0 * k.back() + rng.uniform());
    values.push_back(1e9 - rng.uniform());
  }
  const Dataset data = make_dataset(Points::dense(100, 2, values), Targets::classes(k, {"a", "b"}));
  const Trained trained = registry().make("nearest-mean").inductive().fit(data);
  CHECK(decide(trained.model->scores(data.points), trained.model->score_kind()) == k);
}
