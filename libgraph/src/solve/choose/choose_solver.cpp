#include "choose_solver.hpp"

#include <utility>

#include "candidates.hpp"
#include "prepared_method.hpp"
#include "solve/method/cholesky/guarded_cholesky.hpp"
#include "solve/method/multigrid/multigrid.hpp"
#include "solve/method/network/network_series.hpp"

namespace gssl::solve {
namespace {

constexpr double usual_cycles = 50.0;
constexpr double most_uninterrupted = 2e10;  // operations of a factor, about a second

// CHOLMOD cannot be interrupted, so that a factor that takes it seconds is made by our own code, on
// all threads.
Choice cholesky(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run) {
  bool large = false;
  const auto soon_made = [&](const FactorEstimate& factor) {
    large = factor.flops > most_uninterrupted;
    return !large && !run.should_stop();
  };
  const auto in_time = [&](const FactorSize&) { return !run.should_stop(); };
  Choice choice{make_guarded_cholesky(reduced, soon_made, run), SolverMethod::cholesky, "as asked",
                ""};
  if (choice.solver == nullptr && large) choice.solver = make_network_series(reduced, in_time, run);
  if (choice.solver != nullptr) return choice;
  if (run.should_stop()) return out_of_time(reduced, options);
  choice.failure = "the factorization met a pivot that is not positive: the weights span too much";
  return choice;
}

Choice multigrid(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run) {
  auto levels = make_multigrid(*reduced, run.thread_count(), run);
  if (run.should_stop()) return out_of_time(reduced, options);
  if (levels == nullptr)
    return approximate_cholesky(reduced, options, run, "multigrid does not suit this graph");
  return multigrid(reduced, options, std::move(levels), usual_cycles, "as asked");
}

}  // namespace

Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run, FirstColumns* first) {
  if (reduced->size() == 0) return {nullptr, SolverMethod::elimination, "nothing is left", ""};
  if (run.should_stop()) return out_of_time(reduced, options);
  switch (options.kind) {
    case SolverKind::automatic: return choose_automatically(reduced, options, run, first);
    case SolverKind::cholesky: return cholesky(reduced, options, run);
    case SolverKind::approximate_cholesky:
      return approximate_cholesky(reduced, options, run, "as asked");
    case SolverKind::multigrid: return multigrid(reduced, options, run);
    case SolverKind::consensus:
    case SolverKind::asynchronous_consensus: return consensus(reduced, options);
    case SolverKind::conjugate_gradient: break;
  }
  return conjugate_gradient(reduced, iteration_limit(reduced, options),
                            options.eliminate ? "as asked" : "nothing is prepared");
}

}  // namespace gssl::solve
