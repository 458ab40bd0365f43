#pragma once
// The learners that are one linear system, on several ranks: harmonic (hard and soft), local-global
// and poisson. Formulas, degenerate cases and statuses are those of their headers under
// gssl/transductive; scores agree with one machine to the tolerance.
//
//   const SystemLearner learner = system_learner(session.registry.make("harmonic"));
//   DistributedFit found = fit(learner, input, given, options, session.run, ranks);  // collective
//   found.fit.decision[v];                               // own row v
//
// Components without a label leave before the system is made, so every system is positive definite;
// that of poisson has its vertex of largest degree pinned in each component. Memory beside graph and
// solver: 8 bytes a row and class.

#include <string>
#include <variant>
#include <vector>

#include "distributed_input.hpp"
#include "distributed_solver.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/local_global.hpp"
#include "gssl/transductive/poisson.hpp"

namespace gssl::mpi {

using SystemLearner = std::variant<HarmonicOptions, LocalGlobalOptions, PoissonOptions>;

// Throws ErrorCode::usage if gssl-mpi has no such learner, or does not have what its options ask.
SystemLearner system_learner(const MadeLearner& made);

struct DistributedFit {
  Fit fit;                          // of the rows of this rank; one report for all
  double entrywise_residual = 0.0;  // max |b − Ax|_v/A_vv, over all columns
};

DistributedFit fit(const SystemLearner& learner, const DistributedInput& input,
                   const DistributedLabels& given, Preconditioning kind, const RunContext& run,
                   const Communicator& ranks);

}  // namespace gssl::mpi
