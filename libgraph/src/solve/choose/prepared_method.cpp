#include "prepared_method.hpp"

#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/solve/cost_model.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/cholesky/guarded_cholesky.hpp"
#include "solve/method/network/network_series.hpp"
#include "solve/method/relaxation/consensus_method.hpp"
#include "solve/method/sampled/approximate_cholesky.hpp"

namespace gssl::solve {
namespace {

constexpr std::int64_t most_rounds = 10'000'000;
// A factor beyond this is never made, however fast.
constexpr double most_factor_bytes = 2.5e9;
// What it takes to order a system and to count what its factor would hold.
constexpr double bytes_of_order_row = 60.0;
constexpr double bytes_of_order_edge = 50.0;
constexpr double bytes_of_entry = 16.0;  // while the factor is made

}  // namespace

std::int64_t iteration_limit(const SharedSystem& reduced, const SolverOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations
                                    : 10 * static_cast<std::int64_t>(reduced->size()) + 1000;
}

std::int64_t forecast_limit(double iterations, const SolverOptions& options) {
  return options.max_iterations > 0
             ? options.max_iterations
             : static_cast<std::int64_t>(cost_model().wrong * iterations) + 100;
}

Choice conjugate_gradient(const SharedSystem& reduced, std::int64_t limit, std::string reason) {
  return {make_conjugate_gradient(reduced, nullptr, limit), SolverMethod::conjugate_gradient,
          std::move(reason), ""};
}

Choice swept_conjugate_gradient(const SharedSystem& reduced,
                                std::shared_ptr<const SweptSystem> split, std::int64_t limit,
                                std::string reason) {
  return {make_swept_conjugate_gradient(reduced, std::move(split), limit),
          SolverMethod::conjugate_gradient, std::move(reason), ""};
}

Choice approximate_cholesky(const SharedSystem& reduced, const SolverOptions& options,
                            const RunContext& run, std::string reason) {
  auto factor = make_approximate_cholesky(*reduced, run.seed, run.thread_count(), run);
  return {make_conjugate_gradient(reduced, std::move(factor), iteration_limit(reduced, options)),
          SolverMethod::approximate_cholesky, std::move(reason), ""};
}

Choice multigrid(const SharedSystem& reduced, const SolverOptions& options,
                 std::shared_ptr<const Preconditioner> levels, double cycles, std::string reason) {
  const std::int64_t limit =
      options.max_iterations > 0
          ? options.max_iterations
          : static_cast<std::int64_t>(cost_model().most_cycles * cycles) + 20;
  return {make_conjugate_gradient(reduced, std::move(levels), limit), SolverMethod::multigrid,
          std::move(reason), ""};
}

Choice consensus(const SharedSystem& reduced, const SolverOptions& options) {
  const bool in_order = options.kind == SolverKind::consensus;
  const std::int64_t limit = options.max_iterations > 0 ? options.max_iterations : most_rounds;
  return {
      make_consensus(reduced,
                     in_order ? RelaxationOrder::sequential : RelaxationOrder::asynchronous, limit),
      in_order ? SolverMethod::consensus : SolverMethod::asynchronous_consensus, "as asked", ""};
}

Choice cholesky_within(const SharedSystem& reduced, const SolverOptions& options, double seconds,
                       const RunContext& run, std::string reason) {
  const Graph& graph = reduced->graph();
  if (!fits(run, bytes_of_order_row * graph.vertex_count() +
                     bytes_of_order_edge * static_cast<double>(graph.edge_count())))
    return {};
  const CostModel& cost = cost_model();
  const auto columns = static_cast<double>(expected_columns(options));
  bool refused = false;
  const auto accept = [&](const auto& factor, double flop) {
    reason += "the factor has only " + to_brief_text(factor.nonzeros) + " entries";
    const double bytes = bytes_of_entry * factor.nonzeros;
    refused = run.should_stop() || bytes > most_factor_bytes || !fits(run, bytes) ||
              factor.flops * flop + columns * factor.nonzeros * cost.factor_entry > seconds;
    return !refused;
  };
  const std::string begun = reason;
  try {
    std::unique_ptr<ReducedSolver> solver;
    if (options.updates > 0) {
      solver = make_network_series(
          reduced, [&](const FactorSize& size) { return accept(size, cost.network_flop); }, run);
      if (solver == nullptr) reason = begun;
    }
    if (solver == nullptr && !refused && !run.should_stop())
      solver = make_guarded_cholesky(
          reduced, [&](const FactorEstimate& size) { return accept(size, cost.factor_flop); }, run);
    return {std::move(solver), SolverMethod::cholesky, std::move(reason), ""};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
}

Choice short_of_memory(const SharedSystem& reduced, const SolverOptions& options,
                       const std::string& without) {
  return conjugate_gradient(reduced, iteration_limit(reduced, options),
                            "memory is short for " + without);
}

Choice out_of_time(const SharedSystem& reduced, const SolverOptions& options) {
  return conjugate_gradient(reduced, iteration_limit(reduced, options),
                            "no time was left to prepare another");
}

}  // namespace gssl::solve
