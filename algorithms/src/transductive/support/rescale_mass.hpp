#pragma once
// Class masses of a whole fit, rescaled to the proportions that MassRule asks for. Within components:
// class_shares.hpp. Internal: not installed.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl::detail {

// Multiplies column c of the inferred rows by proportion[c] / (sum of that column over them), then
// makes each of these rows sum to one. A row that would become zero stays as it is. Warns of a
// class with a proportion but no mass.
void rescale_mass(Fit& fit, const LabeledSet& labeled, std::vector<double> proportion);
// The proportions that a rule asks for: frequencies of the labels (cmn), the given priors, or none.
std::vector<double> mass_proportions(const LabeledSet& labeled, MassRule mass,
                                     const std::vector<double>& priors);
// By these, or not at all; with `shares` the decisions meet the priors (class_shares.hpp).
void rescale_mass(Fit& fit, const LabeledSet& labeled, MassRule mass,
                  const std::vector<double>& priors, const RunContext& run);

}  // namespace gssl::detail
