#pragma once
// Options that several learners have, so that they are written, parsed and checked in one way: the
// linear solver, class proportions, ranges. Internal: not installed.

#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/options.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl::detail {

// Adds `solver`, `tolerance` and `max_iterations`.
void add_solver_options(OptionTable& table, double tolerance = 1e-10);
// Adds `mass` and `priors`; `meaning` is the help of the first.
void add_mass_options(OptionTable& table, const std::string& default_mass,
                      const std::string& meaning);
// The same for learners that have scores: `mass` is none unless asked for, and may be `shares`.
void add_score_mass_options(OptionTable& table, const std::string& meaning);
// … for those that rescale_mass(), alone and with the options of the solver.
void add_rescaling_options(OptionTable& table);
void add_rescaling_and_solver_options(OptionTable& table);

// "0.2;0.8" → {0.2, 0.8}; `learner` begins the message of the error.
std::vector<double> parse_priors(std::string_view learner, std::string_view text);
MassRule parse_mass(std::string_view name);

inline bool takes_priors(MassRule mass) {
  return mass == MassRule::priors || mass == MassRule::shares;
}

// Throws ErrorCode::usage unless priors are given exactly for the rules that take them, and are
// finite, ≥ 0 and not all 0.
void check_priors(std::string_view learner, MassRule mass, const std::vector<double>& priors);
// … unless there is one prior for each class; real targets have no classes and take no rule.
void check_mass(std::string_view learner, MassRule mass, const std::vector<double>& priors,
                const LabeledSet& labeled);

// Throws ErrorCode::usage "learner: option name=value: must be rule" unless `good`.
void check_option(bool good, std::string_view learner, std::string_view name, double value,
                  std::string_view rule);

// For options structs with members solver, tolerance and max_iterations.
template <class Options>
SolverOptions solver_options(const Options& options) {
  return {.kind = options.solver,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .eliminate = true};
}
template <class Options>
void read_solver_options(const OptionValues& values, Options& options) {
  options.solver = parse_solver_kind(values.text("solver"));
  options.tolerance = values.real("tolerance");
  options.max_iterations = values.integer("max_iterations");
}

// For options structs with members mass and priors.
template <class Options>
void read_mass_options(std::string_view learner, const OptionValues& values, Options& options) {
  options.mass = parse_mass(values.text("mass"));
  options.priors = parse_priors(learner, values.text("priors"));
}

}  // namespace gssl::detail
