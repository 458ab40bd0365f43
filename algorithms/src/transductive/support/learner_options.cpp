#include "learner_options.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

NamedValues<MassRule> mass_choices(bool with_shares) {
  NamedValues<MassRule> choices = {
      {MassRule::none, "none"}, {MassRule::cmn, "cmn"}, {MassRule::priors, "priors"}};
  if (with_shares) choices.emplace_back(MassRule::shares, "shares");
  return choices;
}

std::vector<double> parse_priors(std::string_view learner, std::string_view text) {
  std::vector<double> priors;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    const auto value = parse_number<double>(text.substr(0, end));
    if (!value) {
      throw Error(ErrorCode::usage, std::string(learner) + ": option priors=" + std::string(text) +
                                        ": must be numbers separated by ';' in class order");
    }
    priors.push_back(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  // Only their proportions matter; sums of these are numbers whatever was given.
  const double largest = priors.empty() ? 0.0 : *std::ranges::max_element(priors);
  if (largest > 1.0 && std::isfinite(largest))
    for (double& prior : priors) prior /= largest;
  return priors;
}

void check_priors(std::string_view learner, MassRule mass, const std::vector<double>& priors,
                  bool with_shares) {
  const auto refuse = [&](const std::string& option, const std::string& rule) {
    throw Error(ErrorCode::usage,
                std::string(learner) + ": option " + option + ": must be " + rule);
  };
  if (takes_priors(mass) && priors.empty())
    refuse("priors", std::string("given with mass=priors") +
                         (with_shares ? " or mass=shares" : "") +
                         ": one proportion for each class");
  if (!takes_priors(mass) && !priors.empty())
    refuse("mass",
           std::string(with_shares ? "priors or shares" : "priors") + " when priors are given");
  double sum = 0.0;
  for (const double q : priors) {
    if (!(q >= 0.0) || !std::isfinite(q)) refuse("priors=" + to_text(q), "numbers ≥ 0");
    sum += q;
  }
  if (!priors.empty() && !(sum > 0.0)) refuse("priors=0", "not all 0");
}

void check_mass(std::string_view learner, MassRule mass, const std::vector<double>& priors,
                const LabeledSet& labeled) {
  if (labeled.is_regression() && mass != MassRule::none)
    throw Error(ErrorCode::usage,
                std::string(learner) + ": option mass: must be none for real targets");
  if (!takes_priors(mass) || priors.size() == static_cast<std::size_t>(labeled.class_count()))
    return;
  throw Error(ErrorCode::usage, std::string(learner) + ": option priors has " +
                                    std::to_string(priors.size()) +
                                    " numbers: must have one for each of the " +
                                    std::to_string(labeled.class_count()) + " classes");
}

}  // namespace gssl::detail
