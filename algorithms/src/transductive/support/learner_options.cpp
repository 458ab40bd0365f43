#include "learner_options.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

void add_solver_options(OptionTable& table, double tolerance) {
  table
      .choice("solver", "automatic", solver_kind_names(),
              "linear solver; async-consensus alone may differ from run to run")
      .real("tolerance", tolerance, {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
            "relative residual to reach")
      .integer("max_iterations", 0, {.low = 0}, "iteration limit; 0: chosen by the solver");
}

void add_mass_options(OptionTable& table, const std::string& default_mass,
                      const std::string& meaning) {
  table.choice("mass", default_mass, {"none", "cmn", "priors"}, meaning)
      .text("priors", "", "proportions for mass=priors, separated by ';' in class order");
}

void add_score_mass_options(OptionTable& table, const std::string& meaning) {
  table.choice("mass", "none", {"none", "cmn", "priors", "shares"}, meaning)
      .text("priors", "",
            "proportions for mass=priors and mass=shares, separated by ';' in class order");
}

void add_rescaling_options(OptionTable& table) {
  add_score_mass_options(table,
                         "rescale scores to class proportions: those of the labels (cmn) or given "
                         "ones (priors); shares: decisions meet the given ones");
}

void add_rescaling_and_solver_options(OptionTable& table) {
  add_rescaling_options(table);
  add_solver_options(table);
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

MassRule parse_mass(std::string_view name) {
  if (name == "cmn") return MassRule::cmn;
  if (name == "shares") return MassRule::shares;
  return name == "priors" ? MassRule::priors : MassRule::none;
}

void check_priors(std::string_view learner, MassRule mass, const std::vector<double>& priors) {
  const auto refuse = [&](const std::string& option, const std::string& rule) {
    throw Error(ErrorCode::usage,
                std::string(learner) + ": option " + option + ": must be " + rule);
  };
  if (takes_priors(mass) && priors.empty())
    refuse("priors", "given with mass=priors or mass=shares: one proportion for each class");
  if (!takes_priors(mass) && !priors.empty())
    refuse("mass", "priors or shares when priors are given");
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

void check_option(bool good, std::string_view learner, std::string_view name, double value,
                  std::string_view rule) {
  if (good) return;
  throw Error(ErrorCode::usage, std::string(learner) + ": option " + std::string(name) + "=" +
                                    to_text(value) + ": must be " + std::string(rule));
}

}  // namespace gssl::detail
