#include "gssl/transductive/shared_graph.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/linalg/residual.hpp"
#include "gssl/solve/cost_model.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "transductive/support/label_network.hpp"
#include "transductive/support/shared_fits.hpp"

namespace gssl {
namespace {

// Columns solved in one call.
constexpr std::int64_t columns_at_once = 128;
// A factor of this many bytes an entry, and columns of as many bytes altogether, are the most.
constexpr double bytes_of_entry = 16.0;
constexpr double most_bytes = 1.5e9;
constexpr double tolerance = 1e-12;

double seconds_apart(const Graph& graph, double columns) {
  const CostModel& cost = cost_model();
  return columns * cost.apart_steps *
         (2.0 * static_cast<double>(graph.edge_count()) * cost.matrix_entry +
          static_cast<double>(graph.vertex_count()) * cost.matrix_row);
}

// Whether factor and columns are worth it. A factor is ordered and counted, and none is made.
bool pays(const Graph& graph, double columns, double most_seconds, const RunContext& run) {
  const double bytes = 8.0 * static_cast<double>(graph.vertex_count()) * columns;
  if (columns == 0.0 || bytes > most_bytes || !fits(run, bytes)) return false;
  const CostModel& cost = cost_model();
  bool worth = false;
  make_network_factor(graph, run, [&](const FactorSize& size) {
    const double seconds_of_column =
        size.nonzeros * cost.shared_entry + graph.vertex_count() * cost.shared_row;
    worth = size.flops * cost.factor_flop + columns * seconds_of_column <= most_seconds &&
            fits(run, bytes + bytes_of_entry * size.nonzeros);
    return false;
  });
  return worth && !run.should_stop();
}

}  // namespace

std::unique_ptr<const UnitPotentials> UnitPotentials::solve(
    std::shared_ptr<const GroundedLaplacian> system, std::vector<VertexId> vertices,
    double most_seconds, const RunContext& run) {
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto n = static_cast<std::int64_t>(system->size()), columns = std::ssize(vertices);
  if (!pays(system->graph(), static_cast<double>(columns), most_seconds, run)) return nullptr;
  std::vector<VertexId> place(static_cast<std::size_t>(n), -1);
  for (std::int64_t c = 0; c < columns; ++c)
    place[static_cast<std::size_t>(vertices[static_cast<std::size_t>(c)])] =
        static_cast<VertexId>(c);
  std::unique_ptr<UnitPotentials> found(new UnitPotentials(std::move(place)));
  found->values_.resize(static_cast<std::size_t>(n * columns));
  const auto solver =
      make_solver(std::move(system),
                  {.kind = SolverKind::cholesky, .tolerance = tolerance, .columns = columns}, run);
  for (std::int64_t first = 0; first < columns; first += columns_at_once) {
    if (run.should_stop()) return nullptr;
    const std::int64_t width = std::min(columns_at_once, columns - first);
    Block b(n, width), x;
    for (std::int64_t c = 0; c < width; ++c)
      b(vertices[static_cast<std::size_t>(first + c)], c) = 1.0;
    if (solver->solve(b, x, run).outcome != Outcome::converged) return nullptr;
    for (std::int64_t v = 0; v < n; ++v)
      for (std::int64_t c = 0; c < width; ++c)
        found->values_[static_cast<std::size_t>((first + c) * n + v)] = x(v, c);
  }
  return found;
}

SharedGraph::SharedGraph(const Graph& graph, SharedGraphOptions options, const RunContext& run)
    : graph_(graph),
      options_(std::move(options)),
      run_(run),
      components_(connected_components(graph)) {
  run_.progress = nullptr;
  laplacian_ = prepare(GroundedLaplacian(std::make_shared<const Graph>(graph), {}));
}

std::shared_ptr<SharedGraph::System> SharedGraph::prepare(GroundedLaplacian matrix) const {
  auto system = std::make_shared<System>();
  system->matrix = std::make_shared<const GroundedLaplacian>(std::move(matrix));
  system->potentials = UnitPotentials::solve(system->matrix, options_.labeled,
                                             seconds_apart(graph_, options_.columns), run_);
  return system;
}

std::shared_ptr<const LinearSolver> SharedGraph::solver(System& system,
                                                        SolverOptions options) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const LinearSolver>& found = system.solvers[detail::words(options)];
  if (found == nullptr) {
    options.columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(options_.columns));
    found = make_solver(system.matrix, options, run_);
  }
  return found;
}

Block SharedGraph::solve(const LabeledSet& labeled, const Block& current,
                         const SolverOptions& options, const RunContext& run,
                         Report& report) const {
  return solve_in(*laplacian_, labeled, current, options, run, report);
}

Block SharedGraph::solve(const std::string& name, const std::function<GroundedLaplacian()>& make,
                         const LabeledSet& labeled, const Block& current,
                         const SolverOptions& options, const RunContext& run,
                         Report& report) const {
  std::shared_ptr<System> system;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<System>& found = systems_[name];
    if (found == nullptr) found = prepare(make());
    system = found;
  }
  return solve_in(*system, labeled, current, options, run, report);
}

Block SharedGraph::solve_in(System& system, const LabeledSet& labeled, const Block& current,
                            const SolverOptions& options, const RunContext& run,
                            Report& report) const {
  Block b(graph_.vertex_count(), current.columns());
  for (std::size_t i = 0; i < labeled.size(); ++i)
    std::ranges::copy(current.row(static_cast<std::int64_t>(i)),
                      b.row(labeled.vertices()[i]).begin());
  if (system.potentials != nullptr && detail::may_share(*system.potentials, labeled, options)) {
    Block x = detail::spread(*system.potentials, labeled, current, graph_.vertex_count(),
                             run.thread_count());
    Block left;
    const int threads = run.thread_count();
    const double worst =
        worst_ratio(residual(*system.matrix, b, x, left, threads), column_norms(b, threads));
    if (worst <= options.tolerance) {
      detail::report_shared(worst, report);
      return x;
    }
  }
  Block x;
  take_solve(report, solver(system, options)->solve(b, x, run));
  return x;
}

Fit fit_on(const TransductiveLearner& learner, const SharedGraph& shared, const LabeledSet& labeled,
           const RunContext& run) {
  if (const auto* sharing = dynamic_cast<const SharingLearner*>(&learner))
    if (std::optional<Fit> fit = sharing->fit_on(shared, labeled, run)) return *std::move(fit);
  return learner.fit(shared.graph(), labeled, run);
}

}  // namespace gssl
