// Trials a second of minimum seminorm interpolation, by tenths of the stream, beside one solve with
// the whole factor a trial, in the same run on one thread. Processor time.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>

#include "gssl/core/rng.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/online/seminorm.hpp"
#include "gssl/solve/network_factor.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using namespace gssl;

using bench::Results;
using bench::Stopwatch;

struct Race {
  VertexId vertices = 100'000;
  int trials = 10'000;
  int neighbors = 10;
};

// Seconds of one full solve, which each trial would cost with a factor alone.
double full_solve(Results& results, const Graph& graph, const RunContext& run) {
  Stopwatch watch;
  const auto factor = make_network_factor(graph, run);
  results.value("factor", watch.elapsed().cpu, "s");
  std::printf("    %.3g entries\n", factor->size().nonzeros);
  watch = Stopwatch();
  constexpr int solves = 50;
  Block b(graph.vertex_count(), 1), x;
  b(0, 0) = 1.0;
  for (int i = 0; i < solves; ++i) factor->solve(b, x, run);
  return watch.elapsed().cpu / solves;
}

void race(Results& results, const Race& how) {
  const VertexId n = how.vertices;
  const int trials = std::min(how.trials, static_cast<int>(n));
  RunContext run;
  run.threads = 1;
  Rng rng = run.rng();
  std::vector<double> xy(2 * static_cast<std::size_t>(n));
  for (double& x : xy) x = rng.uniform();
  const auto graph = std::make_shared<const Graph>(
      knn_graph(Points::dense(n, 2, xy), how.neighbors, {}, run).graph);
  const double full = full_solve(results, *graph, run);
  const Stopwatch begun;
  const auto session = SeminormLearner().start({.class_names = {"-1", "+1"}, .graph = graph}, run);
  results.value("start", begun.elapsed().cpu, "s");
  std::vector<VertexId> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  const Stopwatch watch;
  double last = 0.0;
  for (int t = 0; t < trials; ++t) {
    const auto v = static_cast<std::size_t>(order[static_cast<std::size_t>(t)]);
    session->predict({.first = order[static_cast<std::size_t>(t)]});
    // A board of two by two.
    session->update({.value = (xy[2 * v] > 0.5) != (xy[2 * v + 1] > 0.5) ? 1.0 : 0.0});
    if ((t + 1) % std::max(1, trials / 10) != 0) continue;
    const double now = watch.elapsed().cpu;
    std::printf("    %6d labels: %.0f trials/s\n", t + 1, trials / 10.0 / (now - last));
    last = now;
  }
  const double seconds = watch.elapsed().cpu / trials;
  results.value("trials", 1.0 / seconds, "/s");
  results.beside("a trial", "a full solve", seconds, full);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_online_graph", "Minimum seminorm interpolation, one thread");
  Race how;
  program.options().add_option("--vertices", how.vertices)->capture_default_str();
  program.options().add_option("--trials", how.trials)->capture_default_str();
  program.options().add_option("--neighbors", how.neighbors)->capture_default_str();
  program.add("seminorm", "p = 2, labels of a board in random order",
              [&](Results& results) { race(results, how); });
  return program.run(argc, argv);
}
