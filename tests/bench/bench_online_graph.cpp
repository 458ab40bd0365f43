// Trials a second of minimum seminorm interpolation, by tenths of the stream, beside one solve with
// the whole factor a trial, in the same run on one thread. Processor time.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>

#include "gssl/core/rng.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/online/seminorm.hpp"
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
  int dimensions = 2;  // 2: evenly in a square; more: ten gaussians
  const char* engine = "factor";
  double flipped = 0.0;  // share of labels that are wrong
};

struct Cloud {
  std::vector<double> points;
  std::vector<double> label;
};

// A square with labels of a board of two by two; or ten gaussians with labels by parity.
Cloud cloud_of(const Race& how, Rng& rng) {
  const auto n = static_cast<std::size_t>(how.vertices),
             d = static_cast<std::size_t>(how.dimensions);
  Cloud cloud;
  std::vector<double> centers;
  for (std::size_t i = 0; i < 10 * d; ++i) centers.push_back(1.5 * rng.normal());
  for (std::size_t v = 0; v < n; ++v) {
    if (d == 2) {
      const double x = rng.uniform(), y = rng.uniform();
      cloud.points.insert(cloud.points.end(), {x, y});
      cloud.label.push_back((x > 0.5) != (y > 0.5) ? 1.0 : 0.0);
      continue;
    }
    const std::size_t of = rng.below(10);
    for (std::size_t c = 0; c < d; ++c) cloud.points.push_back(centers[of * d + c] + rng.normal());
    cloud.label.push_back(static_cast<double>(of % 2));
  }
  return cloud;
}

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
  Cloud cloud = cloud_of(how, rng);
  const auto graph = std::make_shared<const Graph>(
      knn_graph(Points::dense(n, how.dimensions, std::move(cloud.points)), how.neighbors, {}, run)
          .graph);
  const bool local = std::string(how.engine) == "local";
  const double full = local ? 0.0 : full_solve(results, *graph, run);
  const Stopwatch begun;
  const SeminormLearner learner(
      {.engine = local ? SeminormOptions::Engine::local : SeminormOptions::Engine::factor});
  const auto session = learner.start({.class_names = {"-1", "+1"}, .graph = graph}, run);
  results.value("start", begun.elapsed().cpu, "s");
  for (double& label : cloud.label)
    if (rng.uniform() < how.flipped) label = 1.0 - label;
  std::vector<VertexId> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  const Stopwatch watch;
  double last = 0.0;
  for (int t = 0; t < trials; ++t) {
    const VertexId v = order[static_cast<std::size_t>(t)];
    session->predict({.first = v});
    session->update({.value = cloud.label[static_cast<std::size_t>(v)]});
    if ((t + 1) % std::max(1, trials / 10) != 0) continue;
    const double now = watch.elapsed().cpu;
    std::printf("    %6d labels: %.0f trials/s\n", t + 1, trials / 10.0 / (now - last));
    last = now;
  }
  const double seconds = watch.elapsed().cpu / trials;
  for (const Certificate& certificate : session->report().certificates)
    std::printf("    %s %g\n", certificate.name.c_str(), certificate.values.front());
  results.value("trials", 1.0 / seconds, "/s");
  if (!local) results.beside("a trial", "a full solve", seconds, full);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_online_graph", "Minimum seminorm interpolation, one thread");
  Race how;
  program.options().add_option("--vertices", how.vertices)->capture_default_str();
  program.options().add_option("--trials", how.trials)->capture_default_str();
  program.options().add_option("--neighbors", how.neighbors)->capture_default_str();
  program.options()
      .add_option("--flipped", how.flipped, "share of labels that are wrong")
      ->capture_default_str();
  program.add("factor", "p = 2, labels of a board in random order",
              [&](Results& results) { race(results, how); });
  program.add(
      "local", "the same by local solves",
      [&](Results& results) {
        how.engine = "local";
        race(results, how);
      },
      bench::Program::Runs::when_named);
  program.add(
      "deep", "by local solves, 10 gaussians in 20 dimensions",
      [&](Results& results) {
        how.engine = "local";
        how.dimensions = 20;
        race(results, how);
      },
      bench::Program::Runs::when_named);
  return program.run(argc, argv);
}
