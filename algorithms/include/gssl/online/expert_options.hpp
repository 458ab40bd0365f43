#pragma once
// What the learners that mix the predictions of experts share: weighted average, fixed share and
// variable share. Outcomes and predictions are numbers in [0, 1].

namespace gssl {

enum class ExpertLoss {
  square,  // (y − ŷ)²
  log,     // y ln(y/ŷ) + (1−y) ln((1−y)/(1−ŷ)), relative entropy; predictions inside (0, 1)
  absolute  // |y − ŷ|
};

enum class ExpertPrediction {
  mean,  // Σ v_i x_i
  vovk   // Vovk's: at most the mix loss for a rate four times as large; square loss, log loss
};

struct ExpertOptions {
  ExpertLoss loss = ExpertLoss::square;
  // Rate η ≥ 0 of w_i ← w_i e^{−ηℓ_i}; 0: the largest that is proved, which is ½ for the square loss
  // and the mean, 2 for Vovk's prediction, 1 for the log loss, and √(8 ln n / horizon) for the
  // absolute loss, ½ where the horizon is not known.
  double eta = 0.0;
  ExpertPrediction prediction = ExpertPrediction::mean;
};

}  // namespace gssl
