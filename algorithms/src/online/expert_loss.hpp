#pragma once
// Losses of predictions in [0, 1], how weighted predictions of experts become one, and the constants
// for which that is proved. Internal: not installed.
//
// With weights v, rate η and losses ℓ_i of the experts, the mix loss is m = −ln(Σ v_i e^{−ηℓ_i})/η.
// A prediction whose loss is at most m whatever the outcome turns Σ m into a bound:
//   mean ŷ = Σ v_i x_i    square loss, η ≤ ½; log loss, η ≤ 1 (J. Kivinen and M. Warmuth 1999)
//   Vovk's prediction     square loss, η ≤ 2 (V. Vovk 1990; Haussler, Kivinen and Warmuth 1998)
// Beyond those η, and for the absolute loss and others in [0, r] that are convex, the loss of the
// mean exceeds m by at most ηr²/8 (Hoeffding's lemma).

#include <cstdint>
#include <optional>
#include <span>

#include "gssl/online/expert_options.hpp"

namespace gssl::detail {

// The rate of the options, or the largest that is proved where they say 0; for the absolute loss
// and bounded ones √(8 ln n / horizon)/r, 0.5/r where the horizon is not known.
double rate_of(const ExpertOptions& options, std::size_t experts, std::int64_t horizon);

// By how much the loss may exceed the mix loss in a trial; nothing where no such limit is proved.
std::optional<double> gap_of(const ExpertOptions& options, double rate);

// Throws ErrorCode::bad_data unless the prediction is in [0, 1], and for the log loss inside.
void check_prediction(ExpertLoss loss, double value);

// Throws ErrorCode::bad_data where a loss of the caller leaves its range.
double expert_loss(const ExpertOptions& options, double outcome, double prediction);
// Whether all are known to be 0 or 1.
bool expert_losses(const ExpertOptions& options, double outcome,
                   std::span<const double> predictions, std::span<double> losses);

// In [0, 1]. Weights have sum 1; mean = Σ weights·advice.
double mixed_prediction(const ExpertOptions& options, double rate, std::span<const double> weights,
                        std::span<const double> advice, double mean);

// m above. O(n).
double mix_loss(double rate, std::span<const double> weights, std::span<const double> losses);

}  // namespace gssl::detail
