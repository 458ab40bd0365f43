// bench_choice: what `automatic` decides by.
//
// factors    our exact factor beside CHOLMOD's on each graph of bench_solver, where one fits: time
//            to order and factor, and to solve ten columns.
// constants  each number of gssl/solve/cost_model.hpp halved and doubled: processor seconds of
//            `automatic` beside those with the number as it is, in the worst graph of bench_solver.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../harness/measure.hpp"
#include "../harness/program.hpp"
#include "graphs.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/ground_vertex.hpp"
#include "gssl/solve/cost_model.hpp"
#include "race.hpp"
#include "solve/method/cholesky/cholesky.hpp"

namespace {

using namespace gssl;
using namespace gssl::bench;

struct Settings {
  GraphSizes sizes;
  int columns = 10;
  int threads = 2;
  int repeats = 3;
  double most_flops = 2e11;
};

Problem problem_of(const std::string& name, const Settings& settings) {
  constexpr VertexId labels = 100;
  return make_problem(name, make_graph(name, settings.sizes), labels, settings.columns, 1);
}

template <class Work>
double fastest(int repeats, double Seconds::*clock, Work&& work) {
  double least = HUGE_VAL;
  for (int i = 0; i < repeats; ++i) {
    const bench::Stopwatch watch;
    work();
    least = std::min(least, (watch.elapsed().*clock));
  }
  return least;
}

struct FactorTimes {
  double made = 0.0, solved = 0.0, nonzeros = 0.0;
};

FactorTimes ours(const Problem& problem, const Settings& settings) {
  RunContext run;
  run.threads = settings.threads;
  const Graph graph = with_ground_vertex(problem.system->graph(), problem.system->ground());
  std::unique_ptr<NetworkFactor> factor;
  FactorTimes times;
  times.made = fastest(settings.repeats, &Seconds::wall, [&] {
    factor = make_network_factor(
        graph, run, [&](const FactorSize& size) { return size.flops < settings.most_flops; },
        graph.vertex_count() - 1);
  });
  if (factor == nullptr) return {};
  times.nonzeros = factor->size().nonzeros;
  Block b(graph.vertex_count(), problem.b.columns()), x;
  std::copy_n(problem.b.data(), problem.b.rows() * problem.b.columns(), b.data());
  times.solved = fastest(settings.repeats, &Seconds::wall, [&] { factor->solve(b, x, run); });
  return times;
}

FactorTimes cholmod(const Problem& problem, const Settings& settings) {
  RunContext run;
  run.threads = settings.threads;
  std::unique_ptr<solve::ReducedSolver> factor;
  FactorTimes times;
  times.made = fastest(settings.repeats, &Seconds::wall, [&] {
    factor = solve::make_cholesky(problem.system, [&](const solve::FactorEstimate& size) {
      times.nonzeros = size.nonzeros;
      return size.flops < settings.most_flops;
    });
  });
  if (factor == nullptr) return {};
  const std::vector<double> targets(static_cast<std::size_t>(problem.b.columns()), 0.0);
  times.solved = fastest(settings.repeats, &Seconds::wall, [&] {
    Block x(problem.b.rows(), problem.b.columns());
    factor->solve(problem.b, x, targets, run);
  });
  return times;
}

void race_factors(Results& results, const Settings& settings, const std::string& graph) {
  const Problem problem = problem_of(graph, settings);
  const FactorTimes here = ours(problem, settings), there = cholmod(problem, settings);
  if (here.made == 0.0 || there.made == 0.0) {
    results.value(graph + ": factor too large", settings.most_flops, "flops at most");
    return;
  }
  results.beside(graph + ", order and factor", "CHOLMOD", here.made, there.made);
  results.beside(graph + ", solve", "CHOLMOD", here.solved, there.solved);
  results.beside(graph + ", entries", "CHOLMOD", here.nonzeros, there.nonzeros, "");
}

double seconds_of_automatic(const Problem& problem, const Settings& settings) {
  RunContext run;
  run.threads = settings.threads;
  return fastest(settings.repeats, &Seconds::cpu, [&] {
    Block x;
    make_solver_and_solve(problem.system, {.tolerance = 1e-8, .columns = problem.b.columns()},
                          problem.b, x, run);
  });
}

void vary_constants(Results& results, const Settings& settings) {
  std::vector<Problem> problems;
  std::vector<double> usual;
  for (const std::string& name : graph_names()) {
    problems.push_back(problem_of(name, settings));
    usual.push_back(seconds_of_automatic(problems.back(), settings));
  }
  for (const CostConstant& constant : cost_constants())
    for (const double share : {0.5, 2.0}) {
      CostModel model;
      model.*constant.value *= share;
      set_cost_model(model);
      std::size_t worst = 0;
      double most = 0.0, time = 0.0;
      for (std::size_t i = 0; i < problems.size(); ++i) {
        const double seconds = seconds_of_automatic(problems[i], settings);
        if (seconds <= most * usual[i]) continue;
        most = seconds / usual[i];
        time = seconds;
        worst = i;
      }
      set_cost_model({});
      results.beside(std::string(constant.name) + (share < 1.0 ? " halved, " : " doubled, ") +
                         graph_names()[worst],
                     "as it is", time, usual[worst]);
    }
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_choice", "What `automatic` decides by");
  Settings settings;
  double share = 0.25;
  program.options()
      .add_option("--share", share, "Of the sizes of bench_solver, in vertices")
      ->capture_default_str();
  program.options().add_option("--columns", settings.columns)->capture_default_str();
  program.options().add_option("--threads", settings.threads)->capture_default_str();
  program.options()
      .add_option("--repeats", settings.repeats, "The fastest counts")
      ->capture_default_str();
  const auto shrink = [&] {
    const GraphSizes whole;
    const auto part = [&](VertexId side, double dimension) {
      return static_cast<VertexId>(side * std::pow(share, 1.0 / dimension));
    };
    settings.sizes.grid_side = part(whole.grid_side, 2.0);
    settings.sizes.grid3d_side = part(whole.grid3d_side, 3.0);
    settings.sizes.rmat_scale = whole.rmat_scale + static_cast<int>(std::log2(share));
    settings.sizes.knn_points = part(whole.knn_points, 1.0);
    settings.sizes.road_side = part(whole.road_side, 2.0);
  };
  program.add("factors", "our exact factor beside CHOLMOD's", [&](Results& results) {
    shrink();
    for (const std::string& graph : graph_names()) race_factors(results, settings, graph);
  });
  program.add("constants", "each constant of the cost model halved and doubled",
              [&](Results& results) {
                shrink();
                vary_constants(results, settings);
              });
  return program.run(argc, argv);
}
