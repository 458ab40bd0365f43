#include "choose_solver.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "cholesky.hpp"
#include "conjugate_gradient.hpp"
#include "consensus.hpp"
#include "gssl/core/error.hpp"

namespace gssl::solve {
namespace {

// Below this many rows, when they are sparse, a factorization costs next to nothing.
constexpr VertexId small_rows = 3000;
constexpr double small_degree = 20.0;
// Conjugate gradients that need no more iterations than this beat any factorization.
constexpr double few_iterations = 150.0;
constexpr std::int64_t probe_iterations = 20;
// Ordering pays only on graphs that are sparse everywhere; one big hub fills the factor.
constexpr double most_mean_degree = 24.0;
constexpr double most_degree_factor = 50.0;
// A factor beyond this is never made.
constexpr double most_factor_bytes = 2.5e9;
// Rough costs on one core: factor flops per second, and seconds per stored entry for one column of
// a triangular solve or of a conjugate gradient iteration.
constexpr double flops_per_second = 4e9;
constexpr double seconds_per_factor_entry = 2.5e-9;
constexpr double seconds_per_matrix_entry = 2e-9;
constexpr double seconds_per_row = 5e-9;
// Right-hand sides that one preparation is taken to serve.
constexpr double expected_columns = 8.0;

std::string brief(double value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 3).ptr;
  return {buffer, end};
}

Choice conjugate_gradient(const SharedSystem& reduced, const SolverOptions& options,
                          std::string reason) {
  const std::int64_t limit = options.max_iterations > 0
                                 ? options.max_iterations
                                 : 10 * static_cast<std::int64_t>(reduced->size()) + 1000;
  return {make_conjugate_gradient(reduced, limit), "cg", std::move(reason), ""};
}

Choice consensus(const SharedSystem& reduced, const SolverOptions& options) {
  const std::int64_t limit = options.max_iterations > 0 ? options.max_iterations : 10'000'000;
  const bool in_order = options.kind == SolverKind::consensus;
  return {
      make_consensus(reduced,
                     in_order ? RelaxationOrder::sequential : RelaxationOrder::asynchronous, limit),
      std::string(to_string(options.kind)), "as asked", ""};
}

Choice cholesky(const SharedSystem& reduced, std::string reason) {
  Choice choice{make_cholesky(reduced), "cholesky", std::move(reason), ""};
  if (choice.solver == nullptr)
    choice.failure =
        "the factorization met a pivot that is not positive: the weights span too much";
  return choice;
}

Choice cholesky_or_gradient(const SharedSystem& reduced, const SolverOptions& options,
                            std::string reason) {
  try {
    Choice choice = cholesky(reduced, std::move(reason));
    if (choice.solver != nullptr) return choice;
    return conjugate_gradient(reduced, options, choice.failure);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    return conjugate_gradient(reduced, options, "a factor does not fit the memory");
  }
}

// Iterations until the residual has fallen to `tolerance`, from the slope of the last half.
double predicted_iterations(const std::vector<double>& norms, double tolerance) {
  if (norms.size() <= static_cast<std::size_t>(probe_iterations)) return 1.0;
  const std::size_t last = norms.size() - 1, half = last / 2;
  const double gain = std::log(norms[half] / norms[last]);
  if (!(gain > 0.0)) return HUGE_VAL;
  return -std::log(tolerance) * static_cast<double>(last - half) / gain;
}

Choice automatic(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run) {
  const Graph& graph = reduced->graph();
  const double rows = graph.vertex_count();
  const auto edges = static_cast<double>(graph.edge_count());
  const double mean_degree = 2.0 * edges / rows;
  if (graph.vertex_count() <= small_rows && mean_degree <= small_degree)
    return cholesky_or_gradient(reduced, options,
                                "only " + std::to_string(graph.vertex_count()) + " rows are left");

  const double iterations = predicted_iterations(
      probe_conjugate_gradient(reduced, probe_iterations, run.thread_count()), options.tolerance);
  const std::string forecast = "a probe forecasts " + brief(iterations) + " iterations";
  if (iterations <= few_iterations) return conjugate_gradient(reduced, options, forecast);

  EdgeIndex largest = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) largest = std::max(largest, graph.degree(v));
  if (mean_degree > most_mean_degree ||
      static_cast<double>(largest) > most_degree_factor * mean_degree)
    return conjugate_gradient(reduced, options,
                              forecast + " and a factor would fill: mean degree " +
                                  brief(mean_degree) + ", largest " +
                                  brief(static_cast<double>(largest)));

  const std::optional<FactorEstimate> factor = estimate_factor(*reduced);
  if (!factor)
    return conjugate_gradient(reduced, options, forecast + " and ordering ran out of memory");
  const double direct = factor->flops / flops_per_second +
                        expected_columns * 2.0 * factor->nonzeros * seconds_per_factor_entry;
  const double iterative = iterations * expected_columns *
                           (2.0 * edges * seconds_per_matrix_entry + rows * seconds_per_row);
  const std::string comparison = forecast + ", about " + brief(iterative) + " s, and a factor of " +
                                 brief(factor->nonzeros) + " entries, about " + brief(direct) +
                                 " s";
  if (direct <= iterative && 16.0 * factor->nonzeros <= most_factor_bytes)
    return cholesky_or_gradient(reduced, options, comparison);
  return conjugate_gradient(reduced, options, comparison);
}

}  // namespace

Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run) {
  if (reduced->size() == 0) return {nullptr, "elimination", "nothing is left", ""};
  if (run.should_stop())
    return conjugate_gradient(reduced, options, "no time was left to prepare another");
  switch (options.kind) {
    case SolverKind::automatic: return automatic(reduced, options, run);
    case SolverKind::cholesky: return cholesky(reduced, "as asked");
    case SolverKind::conjugate_gradient: return conjugate_gradient(reduced, options, "as asked");
    case SolverKind::consensus:
    case SolverKind::asynchronous_consensus: return consensus(reduced, options);
  }
  return conjugate_gradient(reduced, options, "as asked");
}

}  // namespace gssl::solve
