#pragma once
// What rows are turned into before a learner of rows sees them, and what its scores are turned into:
// the options that `fit` and `evaluate` share.
//
//   add_training_options(verb, choices, "Training");
//   TrainingOptions options = training_options(choices, regression);

#include <CLI/App.hpp>
#include <string>

#include "gssl/learn/trained_model.hpp"
#include "session.hpp"

namespace gssl::tool {

struct TrainingChoices {
  bool standardize = false;
  std::string class_weight;  // empty: classes count as their rows do
  std::string calibrate = "none";
  int folds = 5;

  bool of_rows() const { return standardize || !class_weight.empty(); }
  bool given() const { return of_rows() || calibrate != "none"; }
};

// --standardize, --class-weight, --calibrate, --calibration-folds. An empty group: that of the verb.
void add_training_options(CLI::App& verb, TrainingChoices& choices, const std::string& group = {});

// Where columns of numbers differ in size by far, or are far from 0, and the learner minds.
void warn_of_scales(Session& session, const MadeLearner& learner, const FeatureTable& table,
                    bool standardize);

// Throws ErrorCode::usage where a regression has class weights or is to be calibrated.
TrainingOptions training_options(const TrainingChoices& choices, bool regression);

}  // namespace gssl::tool
