#pragma once
// What the learners that mix the predictions of experts share: weighted average, fixed share and
// variable share. Outcomes and predictions are numbers in [0, 1].
//
//   gssl::WeightedAverageOptions options;                     // a loss of one's own
//   options.loss = gssl::ExpertLoss::bounded;
//   options.bounded = {
//       .value = [](double y, double x) { return std::max(0.9 * (y - x), 0.1 * (x - y)); },
//       .range = 0.9};

#include <functional>

#include "gssl/core/named.hpp"

namespace gssl {

enum class ExpertLoss {
  square,  // (y − ŷ)²
  log,     // y ln(y/ŷ) + (1−y) ln((1−y)/(1−ŷ)), relative entropy; predictions inside (0, 1)
  absolute,  // |y − ŷ|
  bounded    // ExpertOptions::bounded
};
template <>
inline constexpr auto names_of<ExpertLoss> =
    enum_names<ExpertLoss>("loss", {"square", "log", "absolute", "bounded"});

// A loss of outcome and prediction in [0, 1]: convex in the prediction, with values in [0, range].
struct BoundedLoss {
  std::function<double(double outcome, double prediction)> value = {};
  double range = 1.0;  // > 0
};

enum class ExpertPrediction {
  mean,  // Σ v_i x_i
  vovk   // Vovk's: at most the mix loss for a rate four times as large; square loss, log loss
};

struct ExpertOptions {
  ExpertLoss loss = ExpertLoss::square;
  // Rate η ≥ 0 of w_i ← w_i e^{−ηℓ_i}; 0: the largest that is proved, which is ½ for the square
  // loss and the mean, 2 for Vovk's prediction, 1 for the log loss, and √(8 ln n / horizon)/range
  // for the absolute loss and bounded ones, ½/range where the horizon is not known.
  double eta = 0.0;
  ExpertPrediction prediction = ExpertPrediction::mean;
  // Of loss = bounded; a trial of a value out of its range throws ErrorCode::bad_data.
  BoundedLoss bounded = {};
};

}  // namespace gssl
