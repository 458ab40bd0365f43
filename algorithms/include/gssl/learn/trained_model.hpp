#pragma once
// A model with all that it takes to use it on a file: how columns become numbers, what the classes
// are called, how scores become probabilities, and how it was made.
//
//   gssl::TrainedModel trained = gssl::train_model(learner, table, targets, {}, options, run);
//   gssl::Record record = trained.to_record();            // gssl/io/record_file.hpp writes it
//   auto again = gssl::TrainedModel::from_record(record, registry);
//   gssl::Prediction p = again.predict(file.table, run);
//   p.decision;   // class numbers, in the order of again.class_names

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gssl/data/column_encoding.hpp"
#include "gssl/learn/calibration.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

// What a class counts beside others.
struct ClassWeights {
  bool balanced = false;  // Σw/(K·Σw of the class): every class as much as the others
  std::vector<std::pair<std::string, double>> of_class = {};  // classes not named: 1

  bool given() const { return balanced || !of_class.empty(); }
  std::string echo() const;  // "none", "balanced", "ham=1,spam=5"
};

// "balanced", or "ham=1,spam=5" with weights ≥ 0. Throws ErrorCode::usage.
ClassWeights parse_class_weights(const std::string& text);

// The weights of rows times those of their classes. Throws ErrorCode::usage for targets that are
// reals and for a name that is no class. O(rows).
std::vector<double> weigh_classes(const Targets& targets, const std::vector<double>& weights,
                                  const ClassWeights& classes);

struct TrainingOptions {
  EncodingOptions encoding = {};
  ClassWeights class_weights = {};
  CalibrationMethod calibrate = CalibrationMethod::none;  // where the SPEC of the learner says none
  int calibration_folds = 5;                              // at most one a row
  bool decisions_only = false;  // then nothing is calibrated: no label hangs on it
};

// How scores of this learner become probabilities: as its SPEC says, or else as the options do.
CalibrationMethod calibration_of(const MadeLearner& learner, const TrainingOptions& options);

struct Prediction {
  Block scores;  // probabilities where the model is calibrated
  ScoreKind kind = ScoreKind::decision;
  std::vector<int> decision;       // −1 for a regression
  std::vector<double> confidence;  // in [0, 1]; of a calibrated model the probability of the class
  std::vector<bool> tied;          // another class has the same score
  EncodingCounts counts;
};

// Moves, does not copy.
struct TrainedModel {
  std::string learner;  // "svm"
  std::string spec;     // "svm:c=1,…": every option spelled out
  ColumnEncoding encoding;
  bool regression = false;
  std::vector<std::string> class_names;  // empty for a regression
  std::string label_column;              // of the training file, as it was told; empty: none
  std::string weight_column;             // likewise
  std::string id_column;                 // likewise
  std::int64_t file_columns = 0;         // of the training table, these included; 0: not known
  std::string class_weights = "none";
  std::int64_t training_rows = 0;
  std::uint64_t seed = 1;
  Calibration calibration;
  std::int64_t calibration_rows = 0;
  double calibration_error = 0.0;  // expected, on the held-out rows that it was learned from
  // Of training: the outcome, one sentence, certificates and warnings. Seconds are not kept.
  Outcome outcome = Outcome::converged;
  std::string sentence;
  std::vector<Certificate> certificates;
  std::vector<std::string> warnings;
  std::unique_ptr<Model> model;

  bool finished() const { return outcome == Outcome::converged; }

  // Throws ErrorCode::bad_data on a table of other columns, and where the scores are not what the
  // model promises.
  Prediction predict(const FeatureTable& table, const RunContext& run = {}) const;

  // Those of the model, by the names of encoded columns ("3" for the third where there is no header),
  // and importances where training found them. They must not outlive this.
  std::vector<ModelPart> parts() const;

  Record to_record() const;
  // Throws ErrorCode::bad_data where the record holds no model, or one of a learner that the
  // registry does not have.
  static TrainedModel from_record(const Record& record, const LearnerRegistry& registry);
};

// Learns the encoding, the model and, if asked, the calibration: on scores of rows that were held
// out, in folds with every class (as far as it has rows) from encodings and models of their own.
// Row weights count throughout; class weights only for the model, since probabilities are of rows
// as they come. Where the run is stopped after a model exists, that is returned without
// calibration, and its outcome and warnings say so; the Report goes to `report` if given.
// Throws what ColumnEncoding::fit(), make_dataset() and the learner throw; ErrorCode::usage where a
// regression or a single class is to be calibrated.
TrainedModel train_model(const MadeLearner& learner, const FeatureTable& table,
                         const Targets& targets, const std::vector<double>& weights = {},
                         const TrainingOptions& options = {}, const RunContext& run = {},
                         Report* report = nullptr);

}  // namespace gssl
