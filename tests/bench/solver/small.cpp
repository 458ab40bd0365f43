#include "small.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "../harness/measure.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "race.hpp"

namespace gssl::bench {
namespace {

constexpr VertexId labels = 20;
constexpr int expander_cycles = 7;

struct Shape {
  const char* name;
  std::vector<VertexId> sizes;
  std::function<Graph(VertexId, Rng&)> make;
};

// The union of random cycles through all vertices.
Graph expander(VertexId n, Rng& rng) {
  std::vector<VertexId> order(static_cast<std::size_t>(n));
  for (VertexId v = 0; v < n; ++v) order[static_cast<std::size_t>(v)] = v;
  std::vector<Edge> edges;
  for (int cycle = 0; cycle < expander_cycles; ++cycle) {
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    for (std::size_t i = 0; i < order.size(); ++i)
      edges.push_back({order[i], order[(i + 1) % order.size()], 1.0});
  }
  return graph_from_edges(n, edges, {.duplicates = DuplicatePolicy::max});
}

VertexId root(double n, double power) {
  return static_cast<VertexId>(std::round(std::pow(n, 1.0 / power)));
}

const std::vector<Shape>& shapes() {
  const std::vector<VertexId> usual = {1000, 3000, 10'000};
  static const std::vector<Shape> table{
      {"star", {10'000}, [](VertexId n, Rng&) { return star_graph(n); }},
      {"path", usual, [](VertexId n, Rng&) { return path_graph(n); }},
      {"tree", usual, [](VertexId n, Rng& rng) { return random_tree(n, rng); }},
      {"grid2d", usual, [](VertexId n, Rng&) { return grid_graph(root(n, 2), root(n, 2)); }},
      {"grid3d", usual,
       [](VertexId n, Rng&) { return grid_graph(root(n, 3), root(n, 3), root(n, 3)); }},
      {"rmat",
       {1024, 4096, 8192},
       [](VertexId n, Rng& rng) { return rmat_graph(static_cast<int>(std::log2(n)), 17, rng); }},
      {"roadlike",
       {1000, 3000, 10'000},
       [](VertexId n, Rng& rng) { return road_graph(root(n / 2.5, 2), root(n / 2.5, 2), rng); }},
      {"expander", {300, 1000, 3000, 10'000}, expander},
      {"expander, 8 decades", {300, 1000, 3000, 10'000}, [](VertexId n, Rng& rng) {
         return with_log_uniform_weights(expander(n, rng), 1e-4, 1e4, rng);
       }}};
  return table;
}

struct Timing {
  double milliseconds = HUGE_VAL;
  std::string sentence;
};

// Counts if it is the fastest so far and did not miss.
void time(Timing& best, const Problem& problem, SolverOptions solver, double tolerance) {
  solver.tolerance = tolerance;
  solver.columns = problem.b.columns();
  const RunContext run = run_context(1, 60.0);
  const Stopwatch watch;
  Block x;
  const SolveReport report =
      make_solver_and_solve(problem.system, solver, problem.b, x, run).report;
  const double milliseconds = 1e3 * watch.elapsed().cpu;
  if (report.outcome != Outcome::converged || milliseconds >= best.milliseconds) return;
  best = {milliseconds, report.sentence};
}

void race_shape(Results& results, const Shape& shape, VertexId size, int columns,
                const SmallOptions& options) {
  Rng rng(options.seed, 2);
  const Graph graph = shape.make(size, rng);
  const Problem problem = make_problem(shape.name, graph, labels, columns, options.seed);
  Timing chosen, cg, whole;
  // In turns, since the speed of a machine varies.
  for (int i = 0; i < options.repeats; ++i) {
    const auto kind = SolverKind::conjugate_gradient;
    if (i % 2 == 0) time(chosen, problem, {}, options.tolerance);
    time(cg, problem, {.kind = kind}, options.tolerance);
    if (i % 2 == 1) time(chosen, problem, {}, options.tolerance);
    time(whole, problem, {.kind = kind, .eliminate = false}, options.tolerance);
  }
  const std::string figure = std::string(shape.name) + " of " +
                             std::to_string(graph.vertex_count()) +
                             ", K=" + std::to_string(columns);
  std::printf("%s: %.0f edges; cg %.3f ms, without elimination %.3f ms; automatic: %s\n",
              figure.c_str(), problem.edges, cg.milliseconds, whole.milliseconds,
              chosen.sentence.c_str());
  const double least = std::min(cg.milliseconds, whole.milliseconds);
  if (std::isfinite(chosen.milliseconds) && std::isfinite(least))
    results.beside(figure, "cg", chosen.milliseconds, least, "ms");
}

}  // namespace

void small_graphs(Results& results, const SmallOptions& options) {
  for (const Shape& shape : shapes())
    for (const VertexId size : shape.sizes)
      for (const int columns : options.columns) race_shape(results, shape, size, columns, options);
}

}  // namespace gssl::bench
