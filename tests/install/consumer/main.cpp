// What a user's first program looks like: a graph, two labels, the harmonic learner.
#include <cstdio>
#include <gssl/graph/generators.hpp>
#include <gssl/io/graph_reader.hpp>
#include <gssl/learn/registry.hpp>

int main() {
  const gssl::Graph graph = gssl::path_graph(5);
  const auto labeled = gssl::LabeledSet::classes({0, 4}, {"left", "right"});
  const auto registry = gssl::builtin_learners();
  const auto learner = registry.make("harmonic");
  const gssl::Fit fit = learner.transductive().fit(graph, labeled, gssl::RunContext{});
  std::printf("%s %.2f\n", gssl::to_string(gssl::GraphFormat::metis), fit.scores.values(1, 0));
  return fit.report.converged() ? 0 : 1;
}
