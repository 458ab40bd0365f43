#include "simulated_arms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/options.hpp"

namespace gssl::tool {
namespace {

constexpr std::uint64_t arm_stream = 0x61726D73;  // apart from those of learners

OptionTable table_of(bool gaussian) {
  OptionTable table;
  table.text("means", "0.5/0.3/0.4", "of the losses, by /");
  table.integer("trials", 1000, {.low = 1, .high = 1'000'000'000'000}, "how many");
  if (gaussian) table.real("sd", 0.1, {.low = 0.0, .high = 1e6}, "deviation of a loss");
  return table;
}

std::vector<double> means_of(const std::string& text) {
  std::vector<double> means;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const auto mean = parse_number<double>(std::string_view(text).substr(at, end - at));
    if (!mean || !(*mean >= 0.0 && *mean <= 1.0))
      throw Error(ErrorCode::usage,
                  "--simulate: means=" + text + ": must be numbers in [0, 1] separated by /");
    means.push_back(*mean);
    at = end + 1;
  }
  return means;
}

}  // namespace

SimulatedArms::SimulatedArms(const std::string& spec, std::uint64_t seed) : rng_(seed, arm_stream) {
  const auto [of_spec, assignments] = split_spec(spec);
  const std::string name(of_spec);
  if (name != "bernoulli" && name != "gaussian")
    throw Error(ErrorCode::usage, "--simulate '" + name + "': must be bernoulli or gaussian");
  gaussian_ = name == "gaussian";
  const OptionValues values = table_of(gaussian_).parse(assignments, "--simulate " + name);
  means_ = means_of(values.text("means"));
  trials_ = values.integer("trials");
  if (gaussian_) sd_ = values.real("sd");
}

// Of a normal number held in [0, 1]: ∫₀¹ P(X > x) dx = s (h(m/s) − h((m−1)/s)), h(z) = zΦ(z) + φ(z).
std::vector<double> SimulatedArms::means() const {
  if (!gaussian_ || sd_ <= 0.0) return means_;
  const auto h = [](double z) {
    return z * std::erfc(-z / std::numbers::sqrt2) / 2.0 +
           std::exp(-z * z / 2.0) / std::sqrt(2.0 * std::numbers::pi);
  };
  std::vector<double> held;
  for (const double mean : means_) held.push_back(sd_ * (h(mean / sd_) - h((mean - 1.0) / sd_)));
  return held;
}

std::vector<double> SimulatedArms::next() {
  std::vector<double> losses;
  for (const double mean : means_)
    losses.push_back(gaussian_ ? std::clamp(mean + sd_ * rng_.normal(), 0.0, 1.0)
                               : (rng_.uniform() < mean ? 1.0 : 0.0));
  return losses;
}

}  // namespace gssl::tool
