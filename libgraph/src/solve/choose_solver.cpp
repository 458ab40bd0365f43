#include "choose_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "approximate_cholesky.hpp"
#include "conjugate_gradient.hpp"
#include "consensus.hpp"
#include "forecast.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "guarded_cholesky.hpp"
#include "multigrid.hpp"

namespace gssl::solve {
namespace {

// Below this many rows, when they are sparse, a factorization costs little; below this many rows
// and edges, less than finding out whether anything else would do.
constexpr VertexId small_rows = 3000;
constexpr double small_degree = 20.0;
constexpr double tiny_size = 2000.0;
// The factor of a small graph with more neighbors may cost as much as its order.
constexpr double dense_small = 2.0;
constexpr std::int64_t probe_steps = 8;

// Seconds on one core, measured on the graphs of tests/bench/solver. One conjugate gradient step of
// one column costs so much for each entry of the matrix and each row; an approximate factor costs
// so many of those steps for each step, and so much for each edge to make.
constexpr double seconds_per_entry = 1.2e-9;
constexpr double seconds_per_row = 3e-9;
constexpr double approximate_step = 3.5;
constexpr double approximate_steps = 25.0;
constexpr double approximate_setup = 0.5e-6;
// Sweeping saves half of those steps, and splitting the matrix first takes about ten.
constexpr double least_swept = 20.0;
constexpr double multigrid_step = 2.2;
// Multigrid is not tried on denser graphs.
constexpr double most_multigrid_degree = 16.0;
constexpr double usual_cycles = 50.0;
constexpr double most_cycles = 2.0;
// An exact factor: flops per second, seconds per stored entry of a solve, seconds of ordering per
// row and edge.
constexpr double flops_per_second = 4e9;
constexpr double seconds_per_factor_entry = 2.5e-9;
constexpr double seconds_of_ordering = 0.5e-6;
// Ordering is tried only on graphs that are sparse everywhere and where it is cheap beside the
// rest; a factor beyond this is never made.
constexpr double most_mean_degree = 7.0;
constexpr double ordering_share = 0.25;
constexpr double unnoticed_seconds = 0.02;
constexpr double most_factor_bytes = 2.5e9;
// Weights to come make iterations dearer than the first system lets on: a factor is worth this many
// times the best of them.
constexpr double harder_weights = 4.0;

std::int64_t iteration_limit(const SharedSystem& reduced, const SolverOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations
                                    : 10 * static_cast<std::int64_t>(reduced->size()) + 1000;
}

Choice conjugate_gradient(const SharedSystem& reduced, const SolverOptions& options,
                          std::string reason) {
  return {make_conjugate_gradient(reduced, nullptr, iteration_limit(reduced, options)), "cg",
          std::move(reason), ""};
}

Choice approximate_cholesky(const SharedSystem& reduced, const SolverOptions& options,
                            const RunContext& run, std::string reason) {
  return {make_conjugate_gradient(reduced, make_approximate_cholesky(*reduced, run.seed),
                                  iteration_limit(reduced, options)),
          "approximate-cholesky", std::move(reason), ""};
}

// `cycles`: how many are expected. Many more, and the facade turns to approximate Cholesky.
Choice multigrid(const SharedSystem& reduced, const SolverOptions& options,
                 std::shared_ptr<const Preconditioner> levels, double cycles, std::string reason) {
  const std::int64_t limit = options.max_iterations > 0
                                 ? options.max_iterations
                                 : static_cast<std::int64_t>(most_cycles * cycles) + 20;
  return {make_conjugate_gradient(reduced, std::move(levels), limit), "multigrid",
          std::move(reason), ""};
}

Choice consensus(const SharedSystem& reduced, const SolverOptions& options) {
  const std::int64_t limit = options.max_iterations > 0 ? options.max_iterations : 10'000'000;
  const bool in_order = options.kind == SolverKind::consensus;
  return {
      make_consensus(reduced,
                     in_order ? RelaxationOrder::sequential : RelaxationOrder::asynchronous, limit),
      std::string(to_string(options.kind)), "as asked", ""};
}

Choice out_of_time(const SharedSystem& reduced, const SolverOptions& options) {
  return conjugate_gradient(reduced, options, "no time was left to prepare another");
}

Choice cholesky(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run) {
  const auto in_time = [&](const FactorEstimate&) { return !run.should_stop(); };
  Choice choice{make_guarded_cholesky(reduced, in_time), "cholesky", "as asked", ""};
  if (choice.solver != nullptr) return choice;
  if (run.should_stop()) return out_of_time(reduced, options);
  choice.failure = "the factorization met a pivot that is not positive: the weights span too much";
  return choice;
}

// An exact factor that takes at most `seconds` to make and to use; no solver if there is none.
Choice cholesky_within(const SharedSystem& reduced, double seconds, double columns,
                       const RunContext& run, std::string reason) {
  const auto accept = [&](const FactorEstimate& factor) {
    reason += "the factor has only " + to_brief_text(factor.nonzeros) + " entries";
    return !run.should_stop() && 16.0 * factor.nonzeros <= most_factor_bytes &&
           factor.flops / flops_per_second + columns * factor.nonzeros * seconds_per_factor_entry <=
               seconds;
  };
  try {
    auto solver = make_guarded_cholesky(reduced, accept);
    return {std::move(solver), "cholesky", std::move(reason), ""};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
}

Choice automatic(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run) {
  const Graph& graph = reduced->graph();
  const double rows = graph.vertex_count();
  const auto edges = static_cast<double>(graph.edge_count());
  const double mean_degree = 2.0 * edges / rows;
  const auto columns = static_cast<double>(expected_columns(options));
  const bool small = graph.vertex_count() <= small_rows && mean_degree <= small_degree;
  if (small && (rows + edges <= tiny_size || options.updates > 0)) {
    Choice choice = cholesky_within(reduced, HUGE_VAL, columns, run, "");
    if (choice.solver != nullptr) return choice;
  }

  const double step = columns * (2.0 * edges * seconds_per_entry + rows * seconds_per_row);
  const int threads = run.thread_count();
  const double approximate =
      approximate_setup * edges + approximate_steps * approximate_step * step;
  const double iterations =
      forecast_iterations(*reduced, probe_steps, options.tolerance, threads, approximate / step);
  const double plain = iterations * step;
  const std::string forecast = "cg would need about " + to_brief_text(iterations) + " iterations";

  const double best = std::min(plain, approximate);
  const double ordering = seconds_of_ordering * (rows + edges);
  const auto systems = static_cast<double>(1 + options.updates);
  const double patience = options.updates > 0 ? harder_weights : 1.0;
  if (small) {
    if (plain >= (mean_degree > most_mean_degree ? dense_small : 1.0) * ordering) {
      Choice choice = cholesky_within(reduced, std::max(unnoticed_seconds, best), columns, run, "");
      if (choice.solver != nullptr) return choice;
    }
  } else if ((mean_degree <= most_mean_degree || options.updates > 0) &&
             ordering <= std::max(unnoticed_seconds, ordering_share * best * systems)) {
    Choice choice = cholesky_within(reduced, std::max(unnoticed_seconds, best * patience), columns,
                                    run, forecast + ", ");
    if (choice.solver != nullptr) return choice;
  }
  if (run.should_stop()) return out_of_time(reduced, options);
  if (plain <= approximate && iterations * columns < least_swept)
    return conjugate_gradient(reduced, options, forecast);
  if (plain <= approximate)
    return {make_swept_conjugate_gradient(reduced, iteration_limit(reduced, options), threads),
            "cg", forecast + ", swept color by color half as many", ""};
  if (mean_degree <= most_multigrid_degree) {
    std::shared_ptr<const Preconditioner> levels = make_multigrid(*reduced, threads);
    const double cycles = levels == nullptr
                              ? HUGE_VAL
                              : forecast_iterations(*reduced, *levels, options.tolerance, threads);
    if (cycles * multigrid_step * step <= approximate)
      return multigrid(reduced, options, std::move(levels), cycles,
                       forecast + ", multigrid about " + to_brief_text(cycles));
  }
  return approximate_cholesky(reduced, options, run, forecast);
}

}  // namespace

Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run) {
  if (reduced->size() == 0) return {nullptr, "elimination", "nothing is left", ""};
  if (run.should_stop()) return out_of_time(reduced, options);
  switch (options.kind) {
    case SolverKind::automatic: return automatic(reduced, options, run);
    case SolverKind::cholesky: return cholesky(reduced, options, run);
    case SolverKind::approximate_cholesky:
      return approximate_cholesky(reduced, options, run, "as asked");
    case SolverKind::multigrid: {
      auto levels = make_multigrid(*reduced, run.thread_count());
      if (levels != nullptr)
        return multigrid(reduced, options, std::move(levels), usual_cycles, "as asked");
      return approximate_cholesky(reduced, options, run, "multigrid does not suit this graph");
    }
    case SolverKind::conjugate_gradient: return conjugate_gradient(reduced, options, "as asked");
    case SolverKind::consensus:
    case SolverKind::asynchronous_consensus: return consensus(reduced, options);
  }
  return conjugate_gradient(reduced, options, "as asked");
}

}  // namespace gssl::solve
