#include "online/allocation.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

std::size_t action_count(const char* learner, const OnlineSetting& setting) {
  if (setting.width < 1)
    throw Error(ErrorCode::usage,
                std::string(learner) + ": the number of actions is not known: give a width");
  return static_cast<std::size_t>(setting.width);
}

void check_loss(const char* learner, double loss) {
  if (!(loss >= 0.0 && loss <= 1.0))
    throw Error(ErrorCode::bad_data, std::string(learner) + ": loss " + to_text(loss) +
                                         ": must be in [0, 1]; rescale the losses");
}

void check_losses(const char* learner, std::span<const double> losses, std::size_t count) {
  if (losses.size() != count)
    throw Error(ErrorCode::bad_data, std::string(learner) + ": " + std::to_string(losses.size()) +
                                         " losses: must be one of each of " +
                                         std::to_string(count) + " actions");
  for (const double loss : losses) check_loss(learner, loss);
}

std::size_t draw(std::span<const double> weights, Rng rng) {
  double left = rng.uniform();
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    last = i;
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return last;  // rounding left the sum below the number drawn
}

void project_on_simplex(std::span<double> weights) {
  std::vector<double> sorted(weights.begin(), weights.end());
  std::ranges::sort(sorted, std::greater<>());
  // The largest k for which the k largest stay above 0 once their sum is moved to 1.
  double sum = 0.0, offset = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (sorted[k] - candidate > 0.0) offset = candidate;
  }
  for (double& w : weights) w = std::max(0.0, w - offset);
}

}  // namespace gssl::detail
