#pragma once
// Options that several learners have, so that they are written, parsed and checked in one way: the
// linear solver and class proportions. Internal: not installed.
//
//   OptionBinding<HarmonicOptions>("harmonic")
//       .real(&HarmonicOptions::soft, "soft", not_negative, "…")
//       .with(rescaling_group)   // members mass and priors
//       .with(solver_group);     // members solver, tolerance and max_iterations

#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl::detail {

// Finite numbers.
inline constexpr RealRange positive = {.low = 0.0, .low_open = true, .high_open = true};
inline constexpr RealRange not_negative = {.low = 0.0, .high_open = true};
inline constexpr RealRange open_unit = {
    .low = 0.0, .high = 1.0, .low_open = true, .high_open = true};

// "0.2;0.8" → {0.2, 0.8}; `learner` begins the message of the error.
std::vector<double> parse_priors(std::string_view learner, std::string_view text);

inline bool takes_priors(MassRule mass) {
  return mass == MassRule::priors || mass == MassRule::shares;
}

// Throws ErrorCode::usage unless priors are given exactly for the rules that take them, and are
// finite, ≥ 0 and not all 0.
void check_priors(std::string_view learner, MassRule mass, const std::vector<double>& priors,
                  bool with_shares);
// … unless there is one prior for each class; real targets have no classes and take no rule.
void check_mass(std::string_view learner, MassRule mass, const std::vector<double>& priors,
                const LabeledSet& labeled);

// The names of the library's solvers, and of the rules for class masses.
NamedValues<MassRule> mass_choices(bool with_shares);

// For options structs with members solver, tolerance and max_iterations.
template <class Options>
SolverOptions solver_options(const Options& options) {
  return {.kind = options.solver,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .eliminate = true};
}

inline constexpr auto solver_group = []<class Options>(OptionBinding<Options>& binding) {
  binding
      .choice(&Options::solver, "solver",
              "linear solver; async-consensus alone may differ from run to run")
      .real(&Options::tolerance, "tolerance", open_unit, "relative residual to reach")
      .integer(&Options::max_iterations, "max_iterations", {.low = 0},
               "iteration limit; 0: chosen by the solver");
};

// For options structs with a member priors.
inline auto priors_group(std::string help) {
  return [help = std::move(help)]<class Options>(OptionBinding<Options>& binding) {
    binding.value(
        &Options::priors, "priors", help,
        [owner = binding.owner()](const std::string& text) { return parse_priors(owner, text); },
        list_text);
  };
}

// … with members mass and priors; `meaning` is the help of the first.
inline auto mass_group(std::string meaning, bool with_shares = false) {
  return
      [meaning = std::move(meaning), with_shares]<class Options>(OptionBinding<Options>& binding) {
        binding.choice(&Options::mass, "mass", mass_choices(with_shares), meaning)
            .with(priors_group(std::string("proportions for mass=priors") +
                               (with_shares ? " and mass=shares" : "") +
                               ", separated by ';' in class order"))
            .rule([owner = binding.owner(), with_shares](const Options& options) {
              check_priors(owner, options.mass, options.priors, with_shares);
            });
      };
}

// … of learners that rescale_mass().
inline constexpr auto rescaling_group = []<class Options>(OptionBinding<Options>& binding) {
  binding.with(
      mass_group("rescale scores to class proportions: those of the labels (cmn) or given ones "
                 "(priors); shares: decisions meet the given ones",
                 true));
};

}  // namespace gssl::detail
