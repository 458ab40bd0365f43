#pragma once
// The confidence of a fit made a probability, by what the learner says of given labels that it was
// not told.
//
//   gssl::LeftOutCalibration c = gssl::calibrate_on_left_out(learner, graph, labeled,
//                                                            gssl::CalibrationMethod::temperature, run);
//   gssl::apply_calibration(c.calibration, fit);   // fit.confidence is the chance to be right
//
// Labels are left out by stratified folds; the learner is fitted to the others and its scores of
// those left out are what the curve is learned from, drawn to the share right as by ten labels more
// (prior_rows of calibration.hpp), since few labels make too steep a curve. A fit to all labels
// knows a little more than those, and so is a little surer than it says. Cost: as many fits as
// folds.

#include <functional>

#include "gssl/evaluate/probability_metrics.hpp"
#include "gssl/learn/calibration.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

struct LeftOutCalibration {
  Calibration calibration;
  std::int64_t left_out = 0;  // labels that were left out and answered
  Reliability before, after;  // of the answers for them; `after` is on what was learned from
};

// Throws ErrorCode::usage for real targets and fewer than 2 folds; ErrorCode::bad_data unless there
// are two classes and each has two labels, or where no label that is left out gets an answer; what
// the learner throws; and as RunContext::throw_if_stopped.
LeftOutCalibration calibrate_on_left_out(const TransductiveLearner& learner, const Graph& graph,
                                         const LabeledSet& labeled, CalibrationMethod method,
                                         const RunContext& run = {}, int folds = 10);

// The same of whatever gives every vertex a label from some labels.
LeftOutCalibration calibrate_on_left_out(const std::function<Fit(const LabeledSet&)>& fit,
                                         const LabeledSet& labeled, CalibrationMethod method,
                                         const RunContext& run = {}, int folds = 10);

// What the scores of every vertex become. Rows sum to 1.
Block calibrated_probabilities(const Calibration& calibration, const Fit& fit);

// Confidence of every inferred or tied vertex becomes the probability of its class; decisions and
// scores stay. The fit must have its scores.
void apply_calibration(const Calibration& calibration, Fit& fit);

}  // namespace gssl
