#include "race.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "gssl/core/rng.hpp"
#include "peers.hpp"
#include "scipy_peer.hpp"

namespace gssl::bench {
namespace {

// Wall seconds for each second of the limit.
constexpr double patience = 4.0;
// Seconds that a child may take beside the race itself: loading the matrix, checking the answer.
constexpr double grace = 10.0;

std::vector<double> column_norms(const Block& b) {
  std::vector<double> norms(static_cast<std::size_t>(b.columns()), 0.0);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::size_t j = 0; j < norms.size(); ++j) {
      const double value = b(v, static_cast<std::int64_t>(j));
      norms[j] += value * value;
    }
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

Block columns_of(const Block& b, std::int64_t begin, std::int64_t end) {
  Block part(b.rows(), end - begin);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t j = begin; j < end; ++j) part(v, j - begin) = b(v, j);
  return part;
}

double worst_residual(const GroundedLaplacian& system, const Block& b, const Block& x) {
  return std::ranges::max(residuals(system, b, x));
}

// 1 minus the sum of each row.
Block complement(const Block& x) {
  Block rest(x.rows(), 1, 1.0);
  for (std::int64_t v = 0; v < x.rows(); ++v)
    for (const double value : x.row(v)) rest(v, 0) -= value;
  return rest;
}

// What to ask of the columns that are solved, so that the complement should meet `tolerance` too:
// its residual is minus the sum of theirs, taken as independent here.
double tolerance_with_complement(const Block& b, double tolerance) {
  const std::vector<double> norms = column_norms(b);
  const double others =
      std::sqrt(std::inner_product(norms.begin(), norms.end() - 1, norms.begin(), 0.0));
  return tolerance * std::min(1.0, norms.back() / others);
}

// Solves once more for what the one column of x leaves of b, if that is too much.
void correct(const LinearSolver& solver, const GroundedLaplacian& system, const Block& b,
             double tolerance, Block& x, const RunContext& run) {
  Block r, change;
  system.apply(x, r, run.threads);
  for (std::int64_t v = 0; v < b.rows(); ++v) r(v, 0) = b(v, 0) - r(v, 0);
  if (column_norms(r)[0] <= tolerance * column_norms(b)[0]) return;
  solver.solve(r, change, run);
  for (std::int64_t v = 0; v < b.rows(); ++v) x(v, 0) += change(v, 0);
}

void finish(Row& row, double setup, const Seconds& total, const MemoryMeter& memory, double edges) {
  row.setup_seconds = setup;
  row.solve_seconds = total.wall - setup;
  row.total_seconds = total.wall;
  row.cpu_seconds = total.cpu;
  row.bytes_per_edge = memory.peak_growth_bytes() / edges;
}

Row run_ours(const Problem& problem, SolverKind kind, int threads, const RaceOptions& options) {
  Row row;
  const std::int64_t columns = problem.b.columns();
  const std::int64_t solved = problem.one_hot ? columns - 1 : columns;
  const Block b = columns_of(problem.b, 0, solved);
  const Block b_rest = columns_of(problem.b, solved, columns);
  SolverOptions solver_options{.kind = kind, .tolerance = options.tolerance, .columns = solved};
  if (problem.one_hot)
    solver_options.tolerance = tolerance_with_complement(problem.b, options.tolerance);
  const RunContext run = run_context(threads, patience * options.time_limit);
  const MemoryMeter memory;
  const Stopwatch watch;
  Block x;
  const auto [solver, report, setup] =
      make_solver_and_solve(problem.system, solver_options, b, x, run);
  Block x_rest;
  if (problem.one_hot) {
    x_rest = complement(x);
    correct(*solver, *problem.system, b_rest, options.tolerance, x_rest, run);
  }
  finish(row, setup, watch.elapsed(), memory, problem.edges);
  row.iterations = report.iterations;
  row.note = report.sentence;
  row.residual = worst_residual(*problem.system, b, x);
  if (problem.one_hot)
    row.residual = std::max(row.residual, worst_residual(*problem.system, b_rest, x_rest));
  return row;
}

Row run_peer(const Problem& problem, const std::string& name, const RaceOptions& options) {
  using SetThreads = void (*)(int);
  const auto set_blas_threads =
      reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_blas_threads != nullptr) set_blas_threads(1);
  Row row;
  const std::int64_t rows = problem.b.rows(), columns = problem.b.columns();
  const auto peer = make_peer(name);
  peer->load(*problem.system);
  Eigen::MatrixXd b(rows, columns), x = Eigen::MatrixXd::Zero(rows, columns);
  for (std::int64_t v = 0; v < rows; ++v)
    for (std::int64_t j = 0; j < columns; ++j) b(v, j) = problem.b(v, j);
  const MemoryMeter memory;
  const Stopwatch watch;
  // Peers stop on a recurrence that may drift from the true residual.
  peer->set_up(0.95 * options.tolerance);
  const double setup = watch.elapsed().wall;
  row.iterations = peer->solve(b, x);
  finish(row, setup, watch.elapsed(), memory, problem.edges);
  Block answer(rows, columns);
  for (std::int64_t v = 0; v < rows; ++v)
    for (std::int64_t j = 0; j < columns; ++j) answer(v, j) = x(v, j);
  row.residual = worst_residual(*problem.system, problem.b, answer);
  return row;
}

Row race_once(int threads, const RaceOptions& options, const std::function<Row()>& work) {
  const ChildReport report =
      run_in_child({threads * options.time_limit + grace, patience * options.time_limit + grace,
                    options.gigabytes},
                   [&] { return nlohmann::json(work()).dump(); });
  Row row;
  switch (report.fate) {
    case Fate::finished:
      row = nlohmann::json::parse(report.text).get<Row>();
      row.status = row.cpu_seconds > threads * options.time_limit ||
                           row.total_seconds > patience * options.time_limit
                       ? "timed out"
                   : row.residual <= options.tolerance ? "solved"
                                                       : "missed";
      return row;
    case Fate::timed_out: row.status = "timed out"; break;
    case Fate::out_of_memory: row.status = "out of memory"; break;
    case Fate::failed: row.status = "failed"; break;
  }
  row.note = report.text;
  return row;
}

Row race(const Problem& problem, const std::string& method, int threads, const RaceOptions& options,
         const std::function<Row()>& work) {
  Row best = race_once(threads, options, work);
  for (int r = 1; r < options.repeats && best.status == "solved"; ++r)
    if (const Row again = race_once(threads, options, work);
        again.status == "solved" && again.total_seconds < best.total_seconds)
      best = again;
  best.graph = problem.graph;
  best.seed = problem.seed;
  best.columns = problem.b.columns();
  best.method = method;
  best.threads = threads;
  return best;
}

}  // namespace

RunContext run_context(int threads, double seconds) {
  RunContext run;
  run.threads = threads;
  run.deadline = RunContext::Clock::now() + std::chrono::duration_cast<RunContext::Clock::duration>(
                                                std::chrono::duration<double>(seconds));
  return run;
}

std::vector<double> residuals(const GroundedLaplacian& system, const Block& b, const Block& x) {
  Block r;
  system.apply(x, r);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t j = 0; j < b.columns(); ++j) r(v, j) = b(v, j) - r(v, j);
  std::vector<double> result = column_norms(r);
  const std::vector<double> norms = column_norms(b), answers = column_norms(x);
  for (std::size_t j = 0; j < result.size(); ++j) {
    result[j] = norms[j] > 0.0 ? result[j] / norms[j] : answers[j];
    if (!(result[j] <= 1e300)) result[j] = 1e300;
  }
  return result;
}

Problem make_problem(const std::string& name, const Graph& graph, VertexId labels, int columns,
                     std::uint64_t seed) {
  Rng rng(seed, 3);
  std::vector<VertexId> order(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, rng);
  order.resize(std::min(order.size(), static_cast<std::size_t>(labels)));
  Block values(static_cast<std::int64_t>(order.size()), columns);
  for (std::int64_t i = 0; i < values.rows(); ++i)
    values(i, columns > 1 ? i % columns : 0) = columns > 1 ? 1.0 : static_cast<double>(i % 2);
  const DirichletProblem dirichlet = make_dirichlet_problem(graph, order);
  return {.graph = name,
          .seed = seed,
          .edges = static_cast<double>(graph.edge_count()),
          .system = std::make_shared<const GroundedLaplacian>(dirichlet.system),
          .b = dirichlet.right_hand_side(values),
          .one_hot = columns > 1};
}

Row race_ours(const Problem& problem, SolverKind kind, int threads, const RaceOptions& options) {
  return race(problem, "gssl " + std::string(to_string(kind)), threads, options,
              [&] { return run_ours(problem, kind, threads, options); });
}

Row race_peer(const Problem& problem, const std::string& peer, const RaceOptions& options) {
  if (std::ranges::count(scipy_names(), peer) > 0) {
    const TemporaryFolder folder;
    Row row = race(problem, peer, 1, options,
                   [&] { return run_scipy(problem, peer, options, folder.path()); });
    row.peer = true;
    return row;
  }
  // CHOLMOD and hypre would open parallel regions of their own.
  Row row = race(problem, peer, 1, options, [&] {
    Row result;
    std::exception_ptr error;
#pragma omp teams num_teams(1) thread_limit(1)
    {
      try {
        result = run_peer(problem, peer, options);
      } catch (...) {
        error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
    return result;
  });
  row.peer = true;
  return row;
}

double measure_spmv(const Problem& problem) {
  const Block x(problem.system->size(), 1, 1.0);
  Block y;
  double best = HUGE_VAL, spent = 0.0;
  for (int count = 0; count < 10 || spent < 1.0; ++count) {
    const Stopwatch watch;
    problem.system->apply(x, y);
    const double seconds = watch.elapsed().wall;
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

}  // namespace gssl::bench
