#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/learn/trained_model.hpp"

namespace gssl {
namespace {

// Random numbers of the folds; learners take the streams from 0 on.
constexpr std::uint64_t fold_stream = 0x63616c6962726174ULL;

// An encoding and a model learned on the same rows.
struct Fitted {
  ColumnEncoding encoding;
  Trained trained;
};

std::vector<double> picked(const std::vector<double>& list, std::span<const std::int32_t> rows) {
  std::vector<double> part;
  if (!list.empty())
    for (const std::int32_t r : rows) part.push_back(list[static_cast<std::size_t>(r)]);
  return part;
}

// A learner that only adds rows up takes numbers whose products overflow; its model answers nothing.
void refuse_overflow(const std::string& name, const Points& points, const Model& model,
                     const RunContext& run) {
  constexpr double no_danger = 1e75;
  double largest = 0.0;
  std::int32_t row = 0;
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t, double x) {
      if (std::abs(x) <= largest) return;
      largest = std::abs(x);
      row = r;
    });
  if (largest <= no_danger || run.should_stop()) return;
  const std::vector<std::int32_t> rows = {row};
  bool finite = false;
  try {
    const Block scores = model.scores(select(points, rows), run);
    finite = std::ranges::all_of(scores.values(), [](double s) { return std::isfinite(s); });
  } catch (const Error& error) {
    if (stop_of(error)) return;
    // Checked models throw what is not finite, as a fault of theirs.
  }
  if (!finite)
    throw Error(ErrorCode::bad_data, name + ": a score of row " + std::to_string(row) +
                                         " overflows, whose values reach " +
                                         to_brief_text(largest) +
                                         ": divide the columns by their largest values");
}

Fitted fit(const MadeLearner& learner, const FeatureTable& table, const Targets& targets,
           const std::vector<double>& weights, const TrainingOptions& options,
           const RunContext& run) {
  Fitted fitted;
  EncodingOptions encoding = options.encoding;
  encoding.spell = encoding.spell || learner.inductive().reads_strings();
  fitted.encoding = ColumnEncoding::fit(table, encoding, weights);
  const Dataset data = make_dataset(fitted.encoding.encode(table), targets,
                                    weigh_classes(targets, weights, options.class_weights),
                                    fitted.encoding.encoded_names());
  fitted.trained = learner.inductive().fit(data, run);
  refuse_overflow(learner.entry->name, data.points, *fitted.trained.model, run);
  return fitted;
}

// Scores of every row by a model that was learned without it.
struct HeldOut {
  Block scores;
  ScoreKind kind = ScoreKind::decision;
};

HeldOut held_out_scores(const MadeLearner& learner, const FeatureTable& table,
                        const Targets& targets, const std::vector<double>& weights,
                        const TrainingOptions& options, const RunContext& run) {
  HeldOut held;
  held.scores = Block(table.row_count(), targets.class_count());
  const auto folds =
      static_cast<int>(std::min<std::int64_t>(options.calibration_folds, table.row_count()));
  Rng rng = run.rng(fold_stream);
  RunContext quiet = run;
  quiet.progress = {};
  int done = 0;
  for (const Split& split : stratified_folds(targets, folds, rng)) {
    run.throw_if_stopped("calibration", "before all folds were scored");
    run.report_progress("calibrating", static_cast<double>(done++) / folds);
    const Fitted part = fit(learner, select(table, split.training), targets.select(split.training),
                            picked(weights, split.training), options, quiet);
    if (part.trained.report.outcome != Outcome::converged)
      run.throw_if_stopped("calibration", "before all folds were scored");
    const Block scores =
        part.trained.model->scores(part.encoding.encode(select(table, split.test)), quiet);
    held.kind = part.trained.model->score_kind();
    for (std::size_t i = 0; i < split.test.size(); ++i)
      std::ranges::copy(scores.row(static_cast<std::int64_t>(i)),
                        held.scores.row(split.test[i]).begin());
  }
  return held;
}

void calibrate(const HeldOut& held, const Targets& targets, const std::vector<double>& weights,
               CalibrationMethod method, TrainedModel& model) {
  model.calibration = Calibration::fit(method, held.scores, held.kind, targets.class_of(), weights);
  model.calibration_rows = held.scores.rows();
  const Block p = model.calibration.probabilities(held.scores);
  const std::vector<int> decision = decide(held.scores, held.kind);
  std::vector<double> probability, right;
  for (std::size_t r = 0; r < decision.size(); ++r) {
    probability.push_back(p(static_cast<std::int64_t>(r), decision[r]));
    right.push_back(decision[r] == targets.class_of()[r] ? 1.0 : 0.0);
  }
  model.calibration_error = expected_calibration_error(probability, right);
  constexpr std::int64_t enough = 1000;
  if (method == CalibrationMethod::isotonic && held.scores.rows() < enough)
    model.warnings.push_back("isotonic calibration of " + std::to_string(held.scores.rows()) +
                             " rows follows chance: platt needs fewer");
}

void check_calibration(const Targets& targets, CalibrationMethod method) {
  if (method == CalibrationMethod::none) return;
  if (targets.is_regression())
    throw Error(ErrorCode::usage, "calibration: is for classes, and the targets are real numbers");
  if (targets.class_count() < 2)
    throw Error(ErrorCode::usage, "calibration: there is one class: nothing to tell apart");
}

// A class of one row is unknown to the model that scores that row.
void warn_of_single_rows(const Targets& targets, std::vector<std::string>& warnings) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(targets.class_count()), 0);
  for (const int k : targets.class_of()) ++rows[static_cast<std::size_t>(k)];
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] == 1)
      warnings.push_back("calibration: class '" + targets.class_names()[k] +
                         "' has one row, which is held out of the fit that scores it: its "
                         "probabilities are too low");
}

}  // namespace

CalibrationMethod calibration_of(const MadeLearner& learner, const TrainingOptions& options) {
  return options.decisions_only ? CalibrationMethod::none
                                : learner.calibrate.value_or(options.calibrate);
}

TrainedModel train_model(const MadeLearner& learner, const FeatureTable& table,
                         const Targets& targets, const std::vector<double>& weights,
                         const TrainingOptions& options, const RunContext& run, Report* report) {
  const CalibrationMethod method = calibration_of(learner, options);
  check_calibration(targets, method);
  learner.inductive();  // throws where it is of another kind
  Fitted fitted = fit(learner, table, targets, weights, options, run);
  const Report& found = fitted.trained.report;
  TrainedModel model;
  model.learner = learner.entry->name;
  model.spec = learner.spec;
  model.encoding = std::move(fitted.encoding);
  model.regression = targets.is_regression();
  model.class_names = targets.class_names();
  model.class_weights = options.class_weights.echo();
  model.training_rows = table.row_count();
  model.seed = run.seed;
  model.outcome = found.outcome;
  model.sentence = found.sentence;
  model.certificates = found.certificates;
  model.warnings = found.warnings;
  model.model = std::move(fitted.trained.model);
  if (report != nullptr) *report = found;
  if (method == CalibrationMethod::none) return model;
  try {
    run.throw_if_stopped("calibration", "before it began");
    calibrate(held_out_scores(learner, table, targets, weights, options, run), targets, weights,
              method, model);
    warn_of_single_rows(targets, model.warnings);
  } catch (const Error& error) {
    const std::optional<Outcome> why = stop_of(error);
    if (!why) throw;
    model.outcome = worse(model.outcome, *why);
    model.warnings.push_back(std::string(error.what()) + ": the model is not calibrated");
  }
  if (report != nullptr) {
    report->outcome = model.outcome;
    report->warnings = model.warnings;
  }
  return model;
}

}  // namespace gssl
