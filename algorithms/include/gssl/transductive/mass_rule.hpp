#pragma once
// Which class proportions q an answer should have. With `cmn` and `priors` harmonic and its
// reweighted kin rescale scores, poisson scales columns, and the learners that make a partition
// hold the volumes of their classes. A rescaling moves decisions towards q and need not get there;
// with `shares` every learner that has scores meets q: a price for each class, found so that the
// classes of largest score less price have q_c of the reached vertices each.
//
//   gssl::HarmonicLearner learner({.mass = gssl::MassRule::priors, .priors = {0.2, 0.8}});

namespace gssl {

enum class MassRule {
  none,
  cmn,     // q = class frequencies among the given labels
  priors,  // q = the option `priors`, one finite q_c ≥ 0 per class, not all 0
  shares   // the same q, and the decisions meet it; not for learners that make a partition
};

}  // namespace gssl
