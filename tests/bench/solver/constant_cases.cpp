#include "constant_cases.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "gssl/core/number_text.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/online/seminorm.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/shared_graph.hpp"
#include "race.hpp"

namespace gssl::bench {
namespace {

using Cases = std::vector<ConstantCase>;
using GraphPointer = std::shared_ptr<const Graph>;

constexpr double tolerance = 1e-8;
constexpr VertexId usual_labels = 100;
constexpr VertexId few_labels = 10;  // of a small graph
constexpr int class_count = 10;
constexpr std::uint64_t case_stream = 5;

struct NamedGraph {
  std::string name;
  GraphPointer graph;
};

NamedGraph named_graph(const std::string& name, const GraphSizes& sizes) {
  return {name, std::make_shared<const Graph>(make_graph(name, sizes))};
}

// Of about so many vertices, whatever share of the large ones is asked for.
NamedGraph small_graph(const std::string& name, VertexId vertices) {
  const auto side = [&](double dimension) {
    return static_cast<VertexId>(std::lround(std::pow(vertices, 1.0 / dimension)));
  };
  GraphSizes sizes;
  sizes.grid_side = sizes.road_side = side(2.0);
  sizes.grid3d_side = side(3.0);
  sizes.knn_points = vertices;
  NamedGraph made = named_graph(name, sizes);
  made.name += " of " + std::to_string(made.graph->vertex_count());
  return made;
}

// A social network has so many edges that a sketch of it takes seconds.
NamedGraph quarter_graph(const std::string& name, GraphSizes sizes) {
  sizes.rmat_scale -= 2;
  NamedGraph made = named_graph(name, sizes);
  made.name = "a quarter of " + made.name;
  return made;
}

// Vertices of `graph` in a random order, `count` of them at most.
std::vector<VertexId> drawn_vertices(const Graph& graph, std::size_t count, std::uint64_t seed) {
  std::vector<VertexId> order(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(order.begin(), order.end(), VertexId{0});
  Rng rng(seed, case_stream);
  shuffle(order, rng);
  order.resize(std::min(order.size(), count));
  return order;
}

void add_system(Cases& cases, const NamedGraph& on, VertexId labels, int columns) {
  const auto problem =
      std::make_shared<const Problem>(make_problem(on.name, *on.graph, labels, columns, 1));
  const std::string width = std::to_string(columns) + (columns == 1 ? " column" : " columns");
  cases.push_back({on.name + ", " + width, CostUse::systems, [problem](const RunContext& run) {
                     Block x;
                     return make_solver_and_solve(
                                problem->system,
                                {.tolerance = tolerance, .columns = problem->b.columns()},
                                problem->b, x, run)
                         .report.sentence;
                   }});
}

// One column, then the same with weights that lie further and further apart.
void add_series(Cases& cases, const NamedGraph& on) {
  constexpr int updates = 3;
  std::vector<Problem> problems;
  for (int i = 0; i <= updates; ++i) {
    Rng rng(static_cast<std::uint64_t>(i), case_stream);
    const double apart = std::pow(10.0, 0.5 * i);
    problems.push_back(make_problem(
        on.name, with_log_uniform_weights(*on.graph, 1.0 / apart, apart, rng), usual_labels, 1, 1));
  }
  cases.push_back({on.name + ", other weights", CostUse::systems,
                   [problems = std::move(problems)](const RunContext& run) {
                     Block x;
                     FirstSolve first = make_solver_and_solve(
                         problems[0].system,
                         {.tolerance = tolerance, .columns = 1, .updates = updates}, problems[0].b,
                         x, run);
                     std::string decided = std::move(first.report.sentence);
                     std::unique_ptr<LinearSolver> solver = std::move(first.solver);
                     for (std::size_t i = 1; i < problems.size(); ++i) {
                       solver = solver->updated(problems[i].system, run);
                       decided += "; " + solver->solve(problems[i].b, x, run).sentence;
                     }
                     return decided;
                   }});
}

void add_pairs(Cases& cases, const NamedGraph& on, int count) {
  cases.push_back({on.name + ", " + std::to_string(count) + " eigenpairs", CostUse::eigenpairs,
                   [graph = on.graph, count](const RunContext& run) {
                     return smallest_eigenpairs(*graph, {.count = count}, run).sentence;
                   }});
}

// Of so many random pairs; of all edges where there are none.
void add_resistances(Cases& cases, const NamedGraph& on, std::size_t count, double epsilon) {
  std::vector<VertexPair> pairs;
  const std::vector<VertexId> ends = drawn_vertices(*on.graph, 2 * count, 1);
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) pairs.push_back({ends[i], ends[i + 1]});
  const std::string what = pairs.empty() ? "all edges" : std::to_string(pairs.size()) + " pairs";
  cases.push_back({on.name + ", resistances of " + what + (epsilon > 0.0 ? " within " : ", exact") +
                       (epsilon > 0.0 ? to_brief_text(epsilon) : ""),
                   CostUse::resistances,
                   [graph = on.graph, pairs = std::move(pairs), epsilon](const RunContext& run) {
                     const ResistanceOptions options{.epsilon = epsilon};
                     const Report report =
                         pairs.empty() ? edge_resistances(*graph, options, run).report
                                       : pair_resistances(*graph, pairs, options, run).report;
                     return report.used + ": " + report.sentence;
                   }});
}

void add_all_resistances(Cases& cases, const NamedGraph& on) {
  add_resistances(cases, on, 20, 0.0);
  add_resistances(cases, on, 200, 0.2);
  add_resistances(cases, on, 0, 0.2);
}

// Fits apart or from one factor, as the model says.
std::string fit_all(const Graph& graph, const std::vector<VertexId>& pool,
                    const std::vector<LabeledSet>& sets, double columns, const RunContext& run) {
  const HarmonicLearner learner({.tolerance = tolerance});
  const SharedGraph shared(graph, {.labeled = pool, .columns = columns}, run);
  std::string decided;
  for (const LabeledSet& labeled : sets)
    decided += fit_on(learner, shared, labeled, run).report.sentence + "; ";
  return decided;
}

// Sets of four labels a class, of a pool of sixty vertices.
void add_label_sets(Cases& cases, const NamedGraph& on, int count) {
  constexpr std::size_t pool_size = 60, set_size = 4 * class_count;
  std::vector<std::string> names;
  for (int k = 0; k < class_count; ++k) names.push_back(std::to_string(k));
  const std::vector<VertexId> pool = drawn_vertices(*on.graph, pool_size, 1);
  std::vector<LabeledSet> sets;
  Rng rng(2, case_stream);
  for (int s = 0; s < count; ++s) {
    std::vector<VertexId> vertices = pool;
    shuffle(vertices, rng);
    vertices.resize(set_size);
    std::vector<int> class_of;
    for (int i = 0; i < static_cast<int>(set_size); ++i) class_of.push_back(i % class_count);
    sets.push_back(LabeledSet::classes(std::move(vertices), std::move(class_of), names));
  }
  cases.push_back({on.name + ", " + std::to_string(count) + " label sets", CostUse::label_sets,
                   [graph = on.graph, pool, sets](const RunContext& run) {
                     const double columns = (class_count - 1.0) * static_cast<double>(sets.size());
                     return fit_all(*graph, pool, sets, columns, run);
                   }});
}

// The same labels again and again with other values, so many of them.
void add_targets(Cases& cases, const NamedGraph& on, std::size_t labels) {
  constexpr int count = 30;
  const std::vector<VertexId> vertices = drawn_vertices(*on.graph, labels, 1);
  std::vector<LabeledSet> sets;
  Rng rng(3, case_stream);
  for (int s = 0; s < count; ++s) {
    std::vector<double> values;
    for (std::size_t i = 0; i < vertices.size(); ++i) values.push_back(rng.normal());
    sets.push_back(LabeledSet::targets(vertices, std::move(values)));
  }
  cases.push_back({on.name + ", targets at " + std::to_string(labels), CostUse::label_sets,
                   [graph = on.graph, vertices, sets](const RunContext& run) {
                     return fit_all(*graph, vertices, sets, static_cast<double>(sets.size()), run);
                   }});
}

void add_trials(Cases& cases, const NamedGraph& on, SeminormOptions::Engine engine,
                const std::string& by) {
  constexpr std::size_t trials = 200;
  const std::vector<VertexId> asked = drawn_vertices(*on.graph, trials, 1);
  cases.push_back(
      {on.name + ", trials by " + by, CostUse::trials,
       [graph = on.graph, asked, engine](const RunContext& run) {
         const SeminormLearner learner({.engine = engine});
         const auto session = learner.start({.class_names = {"-1", "+1"}, .graph = graph}, run);
         for (const VertexId v : asked) {
           session->predict({.first = v});
           session->update({.value = 2 * v < graph->vertex_count() ? 1.0 : 0.0});
         }
         return std::string();  // a report would prove bounds, for seconds
       }});
}

// On graphs that no share makes smaller: each of these numbers lies between half and twice one at
// which the model changes its mind.
void add_small(Cases& cases, int columns) {
  const std::size_t first = cases.size();
  for (const NamedGraph& on :
       {small_graph("grid2d", 900), small_graph("grid2d", 2'500), small_graph("grid2d", 8'100),
        small_graph("grid3d", 1'728), small_graph("knn20", 400), small_graph("knn20", 2'000)})
    for (const int width : {1, columns}) add_system(cases, on, few_labels, width);
  for (const NamedGraph& on :
       {small_graph("grid2d", 196), small_graph("grid2d", 400), small_graph("knn20", 400)})
    add_pairs(cases, on, 10);
  const NamedGraph grid = small_graph("grid2d", 1'024);
  add_targets(cases, grid, 180);
  add_targets(cases, grid, 200);
  for (std::size_t i = first; i < cases.size(); ++i) cases[i].small = true;
}

}  // namespace

std::vector<ConstantCase> constant_cases(const GraphSizes& sizes, int columns) {
  Cases cases;
  for (const std::string& name : graph_names()) {
    const NamedGraph on = named_graph(name, sizes);
    add_system(cases, on, usual_labels, columns);
    add_system(cases, on, usual_labels, 1);
    const bool common = name == "grid2d" || name == "knn20";
    if (common || name == "roadlike") add_series(cases, on);
    if (name != "knn20hc" && name != "grid2dw") add_pairs(cases, on, 10);
    if (common) add_pairs(cases, on, 40);
    if (common) add_all_resistances(cases, on);
    if (name == "rmat19") add_all_resistances(cases, quarter_graph(name, sizes));
    if (common)
      for (const int sets : {2, 8}) add_label_sets(cases, on, sets);
    if (name == "knn20") {
      add_trials(cases, on, SeminormOptions::Engine::automatic, "a factor");
      add_trials(cases, on, SeminormOptions::Engine::local, "local solves");
    }
  }
  add_small(cases, columns);
  return cases;
}

}  // namespace gssl::bench
