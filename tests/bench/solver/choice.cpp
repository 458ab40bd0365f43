// bench_choice: what `automatic` decides by.
//
// factors    our exact factor beside CHOLMOD's on each graph of bench_solver, where one fits: time
//            to order and factor, and to solve ten columns.
// constants  each number of gssl/solve/cost_model.hpp halved and doubled: processor seconds beside
//            those with the number as it is, in the worst of the cases of constant_cases.hpp. Exit
//            status 1 if a ratio is above 2 on a graph of bench_solver. Small graphs are told beside:
//            near a size where the model switches, a number is a cliff. On two cores, half of the
//            constants each:
//
//              bench_choice --share 0.02 --threads 1 --parts 2 --part 1 constants &
//              bench_choice --share 0.02 --threads 1 --parts 2 --part 2 constants

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../harness/measure.hpp"
#include "../harness/program.hpp"
#include "constants.hpp"
#include "graphs.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/ground_vertex.hpp"
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
  ConstantRace varied;
  program.options()
      .add_option("--only", varied.only, "Constants to vary, as in a,b; none: all")
      ->delimiter(',')
      ->allow_extra_args(false);
  program.options()
      .add_option("--part", varied.part, "Which of --parts processes this one is")
      ->capture_default_str();
  program.options()
      .add_option("--parts", varied.parts, "Processes that share the constants")
      ->capture_default_str();
  bool failed = false;
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
  program.add("constants",
              "each constant of the cost model halved and doubled; exit status 1 above 2",
              [&](Results& results) {
                shrink();
                varied.sizes = settings.sizes;
                varied.columns = settings.columns;
                varied.threads = settings.threads;
                varied.repeats = settings.repeats;
                failed = !vary_constants(results, varied);
              });
  const int status = program.run(argc, argv);
  return status == 0 && failed ? 1 : status;
}
