#include "shared_fits.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "column_plan.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/residual.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "implied_class.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"

namespace gssl::detail {

bool may_share(const UnitPotentials& potentials, const LabeledSet& labeled,
               const SolverOptions& options) {
  return options.kind == SolverKind::automatic && options.max_iterations == 0 &&
         few_for_network(potentials, labeled) &&
         std::ranges::all_of(labeled.vertices(), [&](VertexId v) { return potentials.has(v); });
}

std::optional<Fit> dirichlet_on(const SharedGraph& shared, const LabelGroups& groups,
                                const LabelNetwork& network, const LabeledSet& labeled,
                                double tolerance, const RunContext& run) {
  if (!network.usable()) return std::nullopt;
  const Stopwatch watch;
  const Graph& graph = shared.graph();
  const int threads = run.thread_count();
  const Block targets = reduced_targets(labeled), current = network.currents(targets);
  const Block x = network.extension(targets, current, threads);

  std::vector<char> given(static_cast<std::size_t>(graph.vertex_count()), 0);
  for (const VertexId v : labeled.vertices()) given[static_cast<std::size_t>(v)] = 1;
  std::vector<VertexId> free;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    if (groups.of(v) >= 0 && given[static_cast<std::size_t>(v)] == 0) free.push_back(v);
  Block solved(std::ssize(free), x.columns());
  for (std::size_t r = 0; r < free.size(); ++r)
    std::ranges::copy(x.row(free[r]), solved.row(static_cast<std::int64_t>(r)).begin());
  Block scores =
      scores_from_columns(std::move(solved), free, targets, labeled, graph.vertex_count(), threads);
  set_given_rows(scores, labeled, run.thread_count());

  const Block every = labeled.target_block();
  const double residual =
      worst_ratio(current_errors(graph, groups, labeled, scores, network.currents(every), threads),
                  coupling_norms(graph, labeled, every));
  if (!(residual <= tolerance)) return std::nullopt;
  Report report;
  report_shared(residual, report);
  report.solve_seconds = watch.seconds();
  return finish_fit(std::move(scores),
                    vertex_status(graph.vertex_count(), labeled, groups.unreached()), labeled,
                    GivenLabels::hard, std::move(report), threads);
}

std::optional<Fit> soft_dirichlet_on(const SharedGraph& shared, const LabelGroups& groups,
                                     const LabelNetwork& network, const LabeledSet& labeled,
                                     double c, double tolerance, const RunContext& run) {
  if (!network.usable()) return std::nullopt;
  const Stopwatch watch;
  const Graph& graph = shared.graph();
  const int threads = run.thread_count();
  const Block targets = reduced_targets(labeled);
  Block x = network.extension(targets, network.currents(targets), threads);
  std::vector<VertexId> all(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(all.begin(), all.end(), VertexId{0});
  Block scores =
      scores_from_columns(std::move(x), all, targets, labeled, graph.vertex_count(), threads);

  // (L + c·diag) X = c·Y: what the labels send is c(Y − X).
  Block wanted = labeled.target_block(), current = wanted;
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    for (std::int64_t k = 0; k < wanted.columns(); ++k) {
      wanted(row, k) *= c;
      current(row, k) = c * (current(row, k) - scores(labeled.vertices()[i], k));
    }
  }
  const double residual =
      worst_ratio(current_errors(graph, groups, labeled, scores, current, threads),
                  column_norms(wanted, threads));
  if (!(residual <= tolerance)) return std::nullopt;
  Report report;
  report_shared(residual, report);
  report.solve_seconds = watch.seconds();
  return finish_fit(std::move(scores),
                    vertex_status(graph.vertex_count(), labeled, groups.unreached()), labeled,
                    GivenLabels::soft, std::move(report));
}

bool goes_together(const Graph& graph, const LabeledSet& labeled, const RunContext& run) {
  // Right-hand side, answer, scores, and as much again while one becomes the other.
  const double bytes = 48.0 * column_count(labeled) * graph.vertex_count();
  return column_count(labeled) <= most_together && fits(run, bytes);
}

std::string words(const SolverOptions& options) {
  return std::string(to_string(options.kind)) + " " + to_text(options.tolerance) + " " +
         std::to_string(options.max_iterations);
}

}  // namespace gssl::detail
