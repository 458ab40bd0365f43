// What learners of rows are given beside rows in an evaluation: encodings, standard deviations,
// weights and calibration, all of the training part alone.

#include <cmath>
#include <limits>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "gssl/evaluate/graph_calibration.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr VertexId rows = 60;

// All that any fit was given, number by number.
std::vector<double>& tape() {
  static std::vector<double> all;
  return all;
}

class Tape : public InductiveLearner {
 public:
  Trained fit(const Dataset& data, const RunContext& run) const override {
    for (VertexId r = 0; r < data.points.rows(); ++r) {
      for (std::int64_t c = 0; c < data.points.columns(); ++c)
        tape().push_back(data.points.value(r, c));
      tape().push_back(data.weight(r));
      tape().push_back(data.targets.class_of()[static_cast<std::size_t>(r)]);
    }
    return made("nearest-mean").inductive().fit(data, run);
  }
};

LearnerRegistry with_tape() {
  LearnerRegistry registry = builtin_learners();
  LearnerEntry entry;
  entry.name = "tape";
  entry.options.integer("choice", 1, {0, 9}, "changes nothing");
  entry.make_inductive = [](const OptionValues&) { return std::make_unique<Tape>(); };
  entry.load_model = registry.find("nearest-mean")->load_model;
  registry.add(std::move(entry));
  return registry;
}

// A column of numbers with gaps, one of words with gaps, and weights.
struct Table {
  FeatureTable table;
  std::vector<int> class_of;
  std::vector<double> weights;

  Table() {
    Rng rng(5, 0);
    FeatureColumn numbers, words{.of_words = true, .words = {"blue", "brown", "green"}};
    for (VertexId r = 0; r < rows; ++r) {
      const int k = r % 3 == 0 ? 1 : 0;
      class_of.push_back(k);
      numbers.numbers.push_back(r % 11 == 5 ? std::numeric_limits<double>::quiet_NaN()
                                            : 3.0 * k + rng.normal());
      words.word_of.push_back(r % 13 == 7 ? -1 : k + (rng.uniform() < 0.3 ? 1 : 0));
      weights.push_back(0.5 + rng.uniform());
    }
    table.columns = {numbers, words};
  }
  // Everything that is known of a row becomes something else.
  void spoil(std::int32_t row) {
    const auto r = static_cast<std::size_t>(row);
    class_of[r] = 1 - class_of[r];
    table.columns[0].numbers[r] = 1e6 + row;
    table.columns[1].word_of[r] = 2;
    weights[r] = 100.0;
  }
  EvaluationProblem problem(CalibrationMethod calibrate) const {
    return {.truth = Targets::classes(class_of, {"a", "b"}),
            .vertices = identity_order(rows),
            .table = &table,
            .weights = weights,
            .training = {.encoding = {.standardize = true},
                         .class_weights = {.balanced = true},
                         .calibrate = calibrate}};
  }
};

std::vector<double> taped(const Table& table, const std::string& spec, const Trial& trial) {
  tape().clear();
  const auto results = evaluate(with_tape(), table.problem(CalibrationMethod::platt), {spec},
                                {trial}, {}, on_threads(1));
  REQUIRE(results.size() == 1);
  CHECK(results[0].error.empty());
  return tape();
}

}  // namespace

TEST_CASE("Nothing of the test part reaches what rows are turned into, grids included",
          "[evaluation-training]") {
  const Table table;
  const Targets truth = Targets::classes(table.class_of, {"a", "b"});
  std::vector<Trial> trials = fold_trials(truth, 3, 1, on_threads(1));
  for (const Trial& trial : share_trials(truth, {0.5, 0.2, 0.3}, 2, on_threads(1)))
    trials.push_back(trial);
  for (const char* spec : {"tape", "tape:choice=1|2"}) {
    for (const Trial& trial : trials) {
      const std::vector<double> before = taped(table, spec, trial);
      REQUIRE_FALSE(before.empty());
      Table spoiled = table;
      for (const std::int32_t row : trial.split.test) spoiled.spoil(row);
      CHECK(taped(spoiled, spec, trial) == before);
      Table other = table;
      other.spoil(trial.split.training[3]);
      CHECK(taped(other, spec, trial) != before);
    }
  }
}

TEST_CASE("A trial has the answers of a model that is trained apart", "[evaluation-training]") {
  const Table table;
  const EvaluationProblem problem = table.problem(CalibrationMethod::platt);
  const auto trials = fold_trials(problem.truth, 3, 1, on_threads(1));
  const LearnerRegistry registry = builtin_learners();
  const auto results = evaluate(registry, problem, {"logistic"}, trials, {}, on_threads(1));
  REQUIRE(results.size() == 3);
  for (std::size_t t = 0; t < 3; ++t) {
    const Split& split = trials[t].split;
    std::vector<double> weights;
    for (const std::int32_t r : split.training)
      weights.push_back(table.weights[static_cast<std::size_t>(r)]);
    RunContext run = on_threads(1);
    run.seed = on_threads(1).rng(t)();
    const TrainedModel model =
        train_model(registry.make("logistic"), select(table.table, split.training),
                    problem.truth.select(split.training), weights, problem.training, run);
    const Prediction p = model.predict(select(table.table, split.test), run);
    const std::vector<int> truth = problem.truth.select(split.test).class_of();
    CHECK(results[t].log_loss == Approx(log_loss(p.scores, truth).value).epsilon(1e-12));
    CHECK(results[t].brier == Approx(brier_score(p.scores, truth)).epsilon(1e-12));
    CHECK(std::isfinite(results[t].ece));
    CHECK(results[t].accuracy() == confusion(truth, p.decision, 2).accuracy());
  }
}

TEST_CASE("Learners on graphs are calibrated as label does it", "[evaluation-training]") {
  const Graph graph = two_cliques(12);
  std::vector<int> class_of;
  for (int v = 0; v < 24; ++v) class_of.push_back(v < 12 ? 0 : 1);
  EvaluationProblem problem{.truth = Targets::classes(class_of, {"a", "b"}),
                            .vertices = identity_order(24),
                            .graph = &graph};
  const std::int64_t rates[] = {1, 4};
  const auto trials = label_rate_trials(problem.truth, rates, 2, on_threads(1));
  const LearnerRegistry registry = builtin_learners();
  const auto before = evaluate(registry, problem, {"harmonic"}, trials, {}, on_threads(2));
  problem.training.calibrate = CalibrationMethod::temperature;
  const auto after = evaluate(registry, problem, {"harmonic"}, trials, {}, on_threads(2));
  // One label of a class cannot be left out.
  CHECK(after[0].error.find("fewer than 2 given labels") != std::string::npos);
  for (const std::size_t t : {2, 3}) {
    CHECK(after[t].error.empty());
    CHECK(after[t].accuracy() == before[t].accuracy());
    const Split& split = trials[t].split;
    const LabeledSet given =
        LabeledSet::classes({split.training.begin(), split.training.end()},
                            problem.truth.select(split.training).class_of(), {"a", "b"});
    RunContext run = on_threads(1);
    run.seed = on_threads(1).rng(t)();
    const MadeLearner learner = registry.make("harmonic");
    Fit fit = learner.transductive().fit(graph, given, run);
    apply_calibration(calibrate_on_graph(learner.transductive(), graph, given, fit,
                                         CalibrationMethod::temperature, run),
                      graph, fit);
    // Every answer is right, so that confidence is off by what it lacks to 1.
    double off = 0.0;
    for (const std::int32_t row : split.test)
      off += (1.0 - fit.confidence[static_cast<std::size_t>(row)]) /
             static_cast<double>(split.test.size());
    CHECK(after[t].accuracy() == 1.0);
    CHECK(after[t].ece == Approx(off));
  }
}

TEST_CASE("Folds of fewer rows than classes are measured, and classes without a row say nothing",
          "[evaluation-training]") {
  // Six classes of two rows, in four folds of three rows.
  std::vector<double> values;
  std::vector<int> class_of;
  for (int r = 0; r < 12; ++r) {
    values.push_back(r / 2 + 0.1 * (r % 2));
    class_of.push_back(r / 2);
  }
  const Points points = Points::dense(12, 1, values);
  const EvaluationProblem problem{
      .truth = Targets::classes(class_of, {"a", "b", "c", "d", "e", "f"}),
      .vertices = identity_order(12),
      .points = &points};
  const auto trials = fold_trials(problem.truth, 4, 1, on_threads(1));
  const auto results =
      evaluate(builtin_learners(), problem, {"nearest-mean", "k-nearest:k=1|2", "svm"}, trials, {},
               on_threads(2));
  REQUIRE(results.size() == 12);
  for (const TrialResult& result : results) {
    INFO(result.chosen << result.error);
    CHECK(result.error.empty());
    CHECK(result.counts.total() == 3);
    CHECK((std::isnan(result.auc) || (result.auc >= 0.0 && result.auc <= 1.0)));
  }
  // Two rows of a class are in two folds, so that the other is always nearest.
  for (const Comparison& c : compare(results, trials, 3, Protocol::folds, false))
    if (c.method == 0) {
      CHECK(c.value.mean == 1.0);
      CHECK(c.f1_macro.mean == 1.0);
      CHECK(c.balanced_accuracy.mean == 1.0);
    }
}

TEST_CASE("What cannot be weighed or calibrated is refused before any work",
          "[evaluation-training]") {
  const Table table;
  const auto code = [&](const EvaluationProblem& problem) {
    return error_of([&] {
             evaluate(builtin_learners(), problem, {"ridge"}, {{"given", {{0, 3}, {1, 4}}, {}}});
           })
        ->code();
  };
  EvaluationProblem problem = table.problem(CalibrationMethod::none);
  problem.weights.pop_back();
  CHECK(code(problem) == ErrorCode::bad_data);
  problem = table.problem(CalibrationMethod::none);
  problem.truth = Targets::reals(std::vector<double>(rows, 1.0));
  CHECK(code(problem) == ErrorCode::usage);
  problem.training = {.calibrate = CalibrationMethod::platt};
  CHECK(code(problem) == ErrorCode::usage);
}
