#include "online/expert_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "online/share_kernels.hpp"

namespace gssl::detail {

namespace {

// a ln(a/b), with 0 ln 0 = 0.
double entropy_term(double a, double b) { return a > 0.0 ? a * std::log(a / b) : 0.0; }

double largest_proved_rate(const ExpertOptions& options) {
  switch (options.loss) {
    case ExpertLoss::square: return options.prediction == ExpertPrediction::vovk ? 2.0 : 0.5;
    case ExpertLoss::log: return 1.0;
    case ExpertLoss::absolute:
    case ExpertLoss::bounded: return 0.0;
  }
  return 0.0;
}

// The largest value of a loss that has one.
double range_of(const ExpertOptions& options) {
  return options.loss == ExpertLoss::bounded ? options.bounded.range : 1.0;
}

// −ln(Σ v_i e^{−η(y−x_i)²})/η.
double loss_of_mixture(double rate, double outcome, std::span<const double> weights,
                       std::span<const double> advice) {
  return -std::log(weigh_squares(weights, advice, outcome, rate)) / rate;
}

}  // namespace

double rate_of(const ExpertOptions& options, std::size_t experts, std::int64_t horizon) {
  if (options.eta > 0.0) return options.eta;
  const double proved = largest_proved_rate(options), range = range_of(options);
  if (proved > 0.0) return proved;
  if (horizon <= 0 || experts < 2) return 0.5 / range;
  return std::sqrt(8.0 * std::log(static_cast<double>(experts)) / static_cast<double>(horizon)) /
         range;
}

std::optional<double> gap_of(const ExpertOptions& options, double rate) {
  if (rate <= largest_proved_rate(options)) return 0.0;
  if (options.loss == ExpertLoss::log || options.prediction == ExpertPrediction::vovk)
    return std::nullopt;
  return rate * range_of(options) * range_of(options) / 8.0;
}

void check_prediction(ExpertLoss loss, double value) {
  const bool open = loss == ExpertLoss::log;
  if (open ? value > 0.0 && value < 1.0 : value >= 0.0 && value <= 1.0) return;
  throw Error(ErrorCode::bad_data, "prediction " + to_text(value) + ": must be in " +
                                       (open ? "(0, 1) for the log loss" : "[0, 1]") +
                                       "; rescale predictions and outcomes");
}

double expert_loss(const ExpertOptions& options, double outcome, double prediction) {
  switch (options.loss) {
    case ExpertLoss::square: return (outcome - prediction) * (outcome - prediction);
    case ExpertLoss::log:
      return std::max(
          0.0, entropy_term(outcome, prediction) + entropy_term(1.0 - outcome, 1.0 - prediction));
    case ExpertLoss::absolute: return std::abs(outcome - prediction);
    case ExpertLoss::bounded: break;
  }
  const double loss = options.bounded.value(outcome, prediction);
  if (!(loss >= 0.0 && loss <= options.bounded.range))
    throw Error(ErrorCode::bad_data, "loss " + to_text(loss) + ": must be in [0, " +
                                         to_text(options.bounded.range) + "], its range");
  return loss;
}

bool expert_losses(const ExpertOptions& options, double outcome,
                   std::span<const double> predictions, std::span<double> losses) {
  const std::size_t n = predictions.size();
  if (options.loss == ExpertLoss::square) return square_losses(outcome, predictions, losses);
  for (std::size_t i = 0; i < n; ++i) losses[i] = expert_loss(options, outcome, predictions[i]);
  return false;
}

double mixed_prediction(const ExpertOptions& options, double rate, std::span<const double> weights,
                        std::span<const double> advice, double mean) {
  if (options.prediction == ExpertPrediction::mean || options.loss == ExpertLoss::log)
    return std::clamp(mean, 0.0, 1.0);
  // Of the square loss. Both losses then stay below those of the mixture: ŷ² ≤ Δ(0) and
  // (1−ŷ)² ≤ Δ(1).
  const double at_zero = loss_of_mixture(rate, 0.0, weights, advice);
  const double at_one = loss_of_mixture(rate, 1.0, weights, advice);
  return std::clamp(0.5 + (at_zero - at_one) / 2.0, 0.0, 1.0);
}

double mix_loss(double rate, std::span<const double> weights, std::span<const double> losses) {
  return -std::log1p(std::max(weigh_less_one(weights, losses, rate), -1.0)) / rate;
}

}  // namespace gssl::detail
