#include "torture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "../harness/measure.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "race.hpp"

namespace gssl::bench {
namespace {

// Seconds that a child may take beside the solve: making the graph, checking the answer.
constexpr double grace = 60.0;
// Systems within this factor in non-zeros count as of like size.
constexpr double like_size = 4.0;
// Slower than this, in units of the median of its like, a trial is run again, so often at most.
constexpr double lagging = 1.5;
constexpr int most_repeats = 2;

struct System {
  GroundedLaplacian matrix;
  Block b;
};

struct Family {
  std::string name;
  std::function<System(double scale, Rng& rng)> make;
};

struct Trial {
  double seconds = 0.0;
  double cpu_seconds = 0.0;
  double nonzeros = 1.0;
  double reported = 0.0;
  double recomputed = 0.0;
  double attainable = 0.0;  // what rounding alone may leave
  std::string outcome;
  std::string used;
  std::string sentence;
  std::string failure;  // empty: all is well
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trial, seconds, cpu_seconds, nonzeros, reported, recomputed,
                                   attainable, outcome, used, sentence, failure)

VertexId sized(double full, double scale) {
  return std::max<VertexId>(4, static_cast<VertexId>(full * scale));
}

VertexId any_vertex(VertexId n, Rng& rng) {
  return static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
}

double log_uniform(double low, double high, Rng& rng) {
  return std::exp(std::log(low) + (std::log(high) - std::log(low)) * rng.uniform());
}

// Random classes, of two, at up to `labels` vertices.
System labeled(const Graph& graph, VertexId labels, Rng& rng) {
  std::vector<VertexId> given;
  for (VertexId i = 0; i < labels; ++i) given.push_back(any_vertex(graph.vertex_count(), rng));
  std::ranges::sort(given);
  given.erase(std::unique(given.begin(), given.end()), given.end());
  Block values(static_cast<std::int64_t>(given.size()), 1);
  for (std::int64_t i = 0; i < values.rows(); ++i) values(i, 0) = static_cast<double>(i % 2);
  if (values.rows() == 1) values(0, 0) = 1.0;
  DirichletProblem problem = make_dirichlet_problem(graph, given);
  Block b = problem.right_hand_side(values);
  return {std::move(problem.system), std::move(b)};
}

// Ground at some vertices; b = A x for an x uniform in [0, 1).
System grounded(Graph graph, std::vector<double> ground, Rng& rng) {
  System system{GroundedLaplacian(std::move(graph), std::move(ground)), {}};
  Block x(system.matrix.size(), 1);
  for (std::int64_t v = 0; v < x.rows(); ++v) x(v, 0) = rng.uniform();
  system.matrix.apply(x, system.b);
  return system;
}

Graph mildly_weighted(const Graph& graph, Rng& rng) {
  return with_log_uniform_weights(graph, 0.1, 10.0, rng);
}

System near_singular(double scale, Rng& rng) {
  const VertexId side = sized(500, std::sqrt(scale));
  Graph graph = mildly_weighted(grid_graph(side, side), rng);
  std::vector<double> ground(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  ground[static_cast<std::size_t>(any_vertex(graph.vertex_count(), rng))] = 1e-12;
  return grounded(std::move(graph), std::move(ground), rng);
}

// Half of them without ground.
System isolated_pairs(double scale, Rng& rng) {
  const VertexId n = 2 * sized(1e6, scale);
  std::vector<Edge> edges;
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (VertexId v = 0; v < n; v += 2) {
    edges.push_back({v, v + 1, log_uniform(1e-3, 1e3, rng)});
    if (rng.below(2) == 0) ground[static_cast<std::size_t>(v)] = log_uniform(1e-3, 1e3, rng);
  }
  return grounded(graph_from_edges(n, edges), std::move(ground), rng);
}

Graph random_piece(VertexId n, Rng& rng) {
  const auto side = std::max<VertexId>(2, static_cast<VertexId>(std::sqrt(n)));
  const auto edge = std::max<VertexId>(2, static_cast<VertexId>(std::cbrt(n)));
  switch (rng.below(9)) {
    case 0: return path_graph(n);
    case 1: return star_graph(n);
    case 2: return cycle_graph(std::max<VertexId>(3, n));
    case 3: return random_tree(n, rng);
    case 4: return grid_graph(side, side);
    case 5: return grid_graph(edge, edge, edge);
    case 6: return barbell_graph(std::min<VertexId>(side, 300), n);
    case 7: return rmat_graph(static_cast<int>(std::log2(n)), 8, rng);
    default: return road_graph(side / 2 + 1, side / 2 + 1, rng);
  }
}

// Pieces of all shapes, each at its own scale of weights, joined by a few edges and renumbered
// (after the chimeras of Gao, Kyng and Spielman 2023, arXiv:2303.00709).
System chimera(double scale, Rng& rng) {
  std::vector<Edge> edges;
  VertexId n = 0;
  for (auto pieces = 3 + rng.below(8); pieces > 0; --pieces) {
    const auto size = static_cast<VertexId>(log_uniform(100.0, sized(2e5, scale), rng));
    Graph piece = random_piece(std::max<VertexId>(16, size), rng);
    if (rng.below(2) == 0) piece = with_log_uniform_weights(piece, 1e-3, 1e3, rng);
    const double unit = log_uniform(1e-3, 1e3, rng);
    for (VertexId u = 0; u < piece.vertex_count(); ++u)
      piece.visit_row(u, [&](VertexId v, double w) {
        if (u < v) edges.push_back({n + u, n + v, unit * w});
      });
    if (n > 0)
      for (auto joints = 1 + rng.below(5); joints > 0; --joints)
        edges.push_back({any_vertex(n, rng), n + any_vertex(piece.vertex_count(), rng),
                         log_uniform(1e-3, 1e3, rng)});
    n += piece.vertex_count();
  }
  std::vector<VertexId> number(static_cast<std::size_t>(n));
  std::iota(number.begin(), number.end(), 0);
  shuffle(number, rng);
  for (Edge& edge : edges) {
    edge.u = number[static_cast<std::size_t>(edge.u)];
    edge.v = number[static_cast<std::size_t>(edge.v)];
  }
  Graph graph = graph_from_edges(n, edges);
  if (rng.below(2) == 0)
    return labeled(graph, static_cast<VertexId>(log_uniform(1.0, 200.0, rng)), rng);
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (auto tied = 1 + rng.below(20); tied > 0; --tied)
    ground[static_cast<std::size_t>(any_vertex(n, rng))] = log_uniform(1e-6, 1e3, rng);
  return grounded(std::move(graph), std::move(ground), rng);
}

const std::vector<Family>& families() {
  static const std::vector<Family> list{
      {"star",
       [](double scale, Rng& rng) {
         return labeled(mildly_weighted(star_graph(sized(1e6, scale)), rng), 100, rng);
       }},
      {"path",
       [](double scale, Rng& rng) {
         return labeled(mildly_weighted(path_graph(sized(1e7, scale)), rng), 100, rng);
       }},
      {"barbell",
       [](double scale, Rng& rng) {
         const VertexId clique = sized(1000, std::sqrt(scale));
         return labeled(mildly_weighted(barbell_graph(clique, sized(1e5, scale)), rng), 2, rng);
       }},
      {"tree",
       [](double scale, Rng& rng) {
         return labeled(mildly_weighted(random_tree(sized(1e6, scale), rng), rng), 100, rng);
       }},
      {"contrast",
       [](double scale, Rng& rng) {
         const VertexId side = sized(300, std::sqrt(scale));
         return labeled(with_log_uniform_weights(grid_graph(side, side), 1e-8, 1e8, rng), 100, rng);
       }},
      {"near-singular", near_singular},
      {"pairs", isolated_pairs},
      {"chimera", chimera}};
  return list;
}

// ε‖|A||x| + |b|‖₂/‖b‖₂: what rounding alone may leave.
double rounding_floor(const System& system, const Block& x) {
  double sum = 0.0, norm = 0.0;
  for (VertexId v = 0; v < system.matrix.size(); ++v) {
    double row = system.matrix.diagonal()[static_cast<std::size_t>(v)] * std::abs(x(v, 0)) +
                 std::abs(system.b(v, 0));
    system.matrix.graph().visit_row(v, [&](VertexId u, double w) { row += w * std::abs(x(u, 0)); });
    sum += row * row;
    norm += system.b(v, 0) * system.b(v, 0);
  }
  return norm > 0.0 ? std::numeric_limits<double>::epsilon() * std::sqrt(sum / norm) : 0.0;
}

std::string find_failure(const SolveReport& report, const System& system, const Block& x,
                         double recomputed, double tolerance, double attainable) {
  for (const double value : x.values())
    if (!std::isfinite(value)) return "the answer is not finite";
  const double floor = rounding_floor(system, x);
  if (!(std::abs(report.relative_residual.value_or(HUGE_VAL) - recomputed) <=
        0.01 * recomputed + 8.0 * floor))
    return "reports a residual that is not true";
  if (report.outcome == Outcome::converged) return {};
  if (attainable >= 0.1 * tolerance) return {};
  return "did not converge though rounding would allow " + std::to_string(-std::log10(attainable)) +
         " digits: " + report.sentence;
}

Trial run(const Family& family, std::uint64_t seed, SolverKind kind,
          const TortureOptions& options) {
  Rng rng(seed, 4);
  const System system = family.make(options.scale, rng);
  const RunContext context = run_context(options.threads, 4.0 * options.time_limit);
  Block x;
  const Stopwatch watch;
  const auto solver =
      make_solver(system.matrix, {.kind = kind, .tolerance = options.tolerance}, context);
  const SolveReport report = solver->solve(system.b, x, context);
  Trial trial;
  const Seconds spent = watch.elapsed();
  trial.seconds = spent.wall;
  trial.cpu_seconds = spent.cpu;
  trial.nonzeros = 2.0 * static_cast<double>(system.matrix.graph().edge_count()) +
                   static_cast<double>(system.matrix.size());
  // JSON has no NaN; find_failure sees it.
  const double reported = report.relative_residual.value_or(HUGE_VAL);
  trial.reported = std::isfinite(reported) ? reported : 1e300;
  trial.recomputed = residuals(system.matrix, system.b, x)[0];
  trial.outcome = to_string(report.outcome);
  trial.used = report.used;
  trial.sentence = report.sentence;
  // The exact answers of all families lie in [0, 1]; that of a solver astray proves nothing.
  trial.attainable = rounding_floor(system, Block(x.rows(), 1, 1.0));
  trial.failure =
      find_failure(report, system, x, trial.recomputed, options.tolerance, trial.attainable);
  return trial;
}

// CPU microseconds a non-zero: pieces differ in size by design, their cost for each should not.
double pace(const Trial& trial) { return 1e6 * trial.cpu_seconds / trial.nonzeros; }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0.0 : values[values.size() / 2];
}

// The pace of a trial in units of the median pace of its family, among those of like size.
double slowdown(const Trial& trial, const std::vector<Trial>& family) {
  std::vector<double> paces;
  for (const Trial& other : family)
    if (other.nonzeros <= like_size * trial.nonzeros &&
        trial.nonzeros <= like_size * other.nonzeros)
      paces.push_back(pace(other));
  return pace(trial) / median(paces);
}

// What became of one family.
struct Tally {
  std::string family;
  std::uint64_t cases = 0;
  std::uint64_t converged = 0;
  std::uint64_t failures = 0;
  double worst_residual = 0.0;  // of those that converged
  double worst_seconds = 0.0;
  double median_pace = 0.0;
  double worst_pace = 0.0;
  double worst_slowdown = 0.0;
  std::string worst_sentence;  // seed and report of the one that lags most
  std::vector<Trial> trials;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tally, family, cases, converged, failures, worst_residual,
                                   worst_seconds, median_pace, worst_pace, worst_slowdown,
                                   worst_sentence, trials)

Trial run_apart(const Family& family, std::uint64_t seed, SolverKind kind,
                const TortureOptions& options) {
  const ChildReport child =
      run_in_child({options.threads * options.time_limit + grace, 4.0 * options.time_limit + grace,
                    options.gigabytes},
                   [&] { return nlohmann::json(run(family, seed, kind, options)).dump(); });
  if (child.fate == Fate::finished) return nlohmann::json::parse(child.text).get<Trial>();
  Trial trial;
  trial.failure = child.text;
  return trial;
}

// Who lags runs again, lest the machine be blamed on the solver: the fastest run counts, and a
// failure of any.
void repeat_slow(const Family& family, SolverKind kind, const TortureOptions& options,
                 std::vector<Trial>& trials) {
  for (int repeat = 0; repeat < most_repeats; ++repeat)
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!trials[i].failure.empty() || slowdown(trials[i], trials) <= lagging) continue;
      const Trial again = run_apart(family, i + 1, kind, options);
      if (!again.failure.empty() || again.cpu_seconds < trials[i].cpu_seconds) trials[i] = again;
    }
}

Tally run_family(const Family& family, SolverKind kind, const TortureOptions& options,
                 std::vector<std::string>& failures) {
  Tally tally;
  tally.family = family.name;
  tally.cases = options.seeds;
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed)
    tally.trials.push_back(run_apart(family, seed, kind, options));
  repeat_slow(family, kind, options, tally.trials);
  std::vector<double> paces;
  for (std::size_t i = 0; i < tally.trials.size(); ++i) {
    const Trial& trial = tally.trials[i];
    const std::string seed = "seed " + std::to_string(i + 1);
    if (trial.outcome == to_string(Outcome::converged)) {
      ++tally.converged;
      tally.worst_residual = std::max(tally.worst_residual, trial.recomputed);
    }
    paces.push_back(pace(trial));
    if (const double slow = slowdown(trial, tally.trials); slow > tally.worst_slowdown) {
      tally.worst_slowdown = slow;
      tally.worst_sentence = seed + ": " + trial.sentence;
    }
    tally.worst_seconds = std::max(tally.worst_seconds, trial.seconds);
    if (trial.failure.empty()) continue;
    ++tally.failures;
    char residual[32];
    std::snprintf(residual, sizeof residual, "%.2e", trial.recomputed);
    failures.push_back(family.name + ", " + seed + " (" + trial.used + ", residual " + residual +
                       "): " + trial.failure);
  }
  tally.median_pace = median(paces);
  tally.worst_pace = std::ranges::max(paces);
  return tally;
}

void print(const Tally& tally) {
  std::printf("%-18s %5llu %9llu %9llu %10.1e %10.2f %8.2f %8.2f %10.2f\n", tally.family.c_str(),
              static_cast<unsigned long long>(tally.cases),
              static_cast<unsigned long long>(tally.converged),
              static_cast<unsigned long long>(tally.failures), tally.worst_residual,
              tally.worst_seconds, tally.median_pace, tally.worst_pace, tally.worst_slowdown);
  std::printf("  lags most, %s\n", tally.worst_sentence.c_str());
  std::fflush(stdout);
}

}  // namespace

const std::vector<std::string>& family_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Family& family : families()) list.push_back(family.name);
    return list;
  }();
  return names;
}

nlohmann::json torture(SolverKind kind, const TortureOptions& options) {
  std::printf(
      "\ntorture of %s: %llu seeds, %d threads, tolerance %.0e; CPU microseconds a "
      "non-zero\n",
      std::string(to_string(kind)).c_str(), static_cast<unsigned long long>(options.seeds),
      options.threads, options.tolerance);
  std::printf("%-18s %5s %9s %9s %10s %10s %8s %8s %10s\n", "family", "cases", "converged",
              "failures", "residual", "seconds", "median", "worst", "worst/like");
  nlohmann::json tallies = nlohmann::json::array();
  std::vector<std::string> failures;
  for (const Family& family : families()) {
    if (std::ranges::count(options.families, family.name) == 0) continue;
    const Tally tally = run_family(family, kind, options, failures);
    print(tally);
    tallies.push_back(tally);
  }
  for (const std::string& failure : failures) std::printf("FAILED %s\n", failure.c_str());
  return {{"solver", to_string(kind)}, {"families", tallies}, {"failures", failures}};
}

}  // namespace gssl::bench
