// Trials a second of minimum seminorm interpolation, by tenths of the stream, beside one solve with
// the whole factor a trial, in the same run on one thread. Processor time.
//
//   bench_online_graph [VERTICES=100000] [TRIALS=10000] [NEIGHBORS=10]

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "gssl/core/rng.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/online/seminorm.hpp"
#include "gssl/solve/network_factor.hpp"

namespace {

using namespace gssl;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// A full solve for each trial is what a factor alone would cost.
void full_solves(const Graph& graph, const RunContext& run) {
  const double start = cpu_seconds();
  const auto factor = make_network_factor(graph, run);
  std::printf("factor: %.2f s, %.3g entries\n", cpu_seconds() - start, factor->size().nonzeros);
  const double before = cpu_seconds();
  constexpr int solves = 50;
  Block b(graph.vertex_count(), 1), x;
  b(0, 0) = 1.0;
  for (int i = 0; i < solves; ++i) factor->solve(b, x, run);
  std::printf("full solves: %.0f/s\n", solves / (cpu_seconds() - before));
}

}  // namespace

int main(int argc, char** argv) {
  const auto n = static_cast<VertexId>(argc > 1 ? std::atoi(argv[1]) : 100'000);
  const int trials = std::min(argc > 2 ? std::atoi(argv[2]) : 10'000, static_cast<int>(n));
  const int neighbors = argc > 3 ? std::atoi(argv[3]) : 10;
  RunContext run;
  run.threads = 1;
  Rng rng = run.rng();
  std::vector<double> xy(2 * static_cast<std::size_t>(n));
  for (double& x : xy) x = rng.uniform();
  const auto graph =
      std::make_shared<const Graph>(knn_graph(Points::dense(n, 2, xy), neighbors, {}, run).graph);
  full_solves(*graph, run);
  const double begun = cpu_seconds();
  const auto session = SeminormLearner().start({.class_names = {"-1", "+1"}, .graph = graph}, run);
  std::printf("start: %.2f s\n", cpu_seconds() - begun);
  std::vector<VertexId> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  const double start = cpu_seconds();
  double last = start;
  for (int t = 0; t < trials; ++t) {
    const auto v = static_cast<std::size_t>(order[static_cast<std::size_t>(t)]);
    session->predict({.first = order[static_cast<std::size_t>(t)]});
    // A board of two by two.
    session->update({.value = (xy[2 * v] > 0.5) != (xy[2 * v + 1] > 0.5) ? 1.0 : 0.0});
    if ((t + 1) % std::max(1, trials / 10) != 0) continue;
    const double now = cpu_seconds();
    std::printf("%6d labels: %.0f trials/s\n", t + 1, trials / 10.0 / (now - last));
    last = now;
  }
  std::printf("all: %.0f trials/s\n", trials / (cpu_seconds() - start));
  return 0;
}
