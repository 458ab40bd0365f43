#pragma once
// Which class proportions q an answer should meet. How a learner meets them is in its header:
// harmonic and its reweighted kin rescale scores, poisson scales columns, the learners that make a
// partition hold the volumes of its classes.
//
//   gssl::HarmonicLearner learner({.mass = gssl::MassRule::priors, .priors = {0.2, 0.8}});

namespace gssl {

enum class MassRule {
  none,
  cmn,    // q = class frequencies among the given labels
  priors  // q = the option `priors`, one finite q_c ≥ 0 per class, not all 0
};

}  // namespace gssl
