#pragma once
// How well a fit agrees with known answers, measured on the vertices that were not given.
//
//   Agreement a = compare_with_truth(fit, labeled, truth);
//   a.accuracy;   // NaN when no vertex could be measured

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gssl/evaluate/metrics.hpp"
#include "gssl/evaluate/probability_metrics.hpp"
#include "gssl/io/label_reader.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl::tool {

struct Agreement {
  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::int64_t measured = 0;             // vertices with a truth that were not given
  std::int64_t reached = 0;              // those of them that got an answer
  double accuracy = nothing;             // share right; one without an answer counts as wrong
  double accuracy_reached = nothing;     // share right of those reached
  std::vector<std::string> class_names;  // of the labels, then those that only the truth has
  Confusion classes;
  Reliability calibration;                           // of the confidence of those reached
  ValueErrors errors = {nothing, nothing, nothing};  // regression: over those reached
};

// For regression every truth must be a finite number (ErrorCode::bad_data). O(n + truth).
Agreement compare_with_truth(const Fit& fit, const LabeledSet& labeled, const LabelFile& truth);

}  // namespace gssl::tool
