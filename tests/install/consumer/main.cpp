// What a user's first program looks like: a graph, two labels, the harmonic learner. And what it
// needs of the border to a library: an error thrown there is caught here, a type made there is
// known here, and a loop of the headers runs on several threads.
#include <cstdio>
#include <gssl/core/error.hpp>
#include <gssl/core/parallel.hpp>
#include <gssl/graph/generators.hpp>
#include <gssl/io/graph_reader.hpp>
#include <gssl/learn/registry.hpp>
#include <gssl/transductive/harmonic.hpp>

int main() {
  const gssl::Graph graph = gssl::path_graph(5);
  const auto labeled = gssl::LabeledSet::classes({0, 4}, {"left", "right"});
  const auto registry = gssl::builtin_learners();
  const auto learner = registry.make("harmonic");
  const gssl::Fit fit = learner.transductive().fit(graph, labeled, gssl::RunContext{});
  int status = 0;
  try {
    learner.transductive().fit(graph, gssl::LabeledSet(), gssl::RunContext{});
  } catch (const gssl::Error& error) {
    status = gssl::exit_status(error.code());
  }
  double sum = 0.0;
  gssl::parallel_blocks(5, 2, [&](auto begin, auto end) {
    for (auto v = begin; v < end; ++v) sum += fit.scores.values(v, 0);
  });
  std::printf("%s %.2f %d\n", gssl::to_string(gssl::GraphFormat::metis), fit.scores.values(1, 0),
              status);
  const bool known = learner.as<gssl::HarmonicLearner>() != nullptr;
  return fit.report.converged() && known && sum > 2.4 && sum < 2.6 ? 0 : 1;
}
