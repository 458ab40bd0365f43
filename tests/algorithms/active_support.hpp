#pragma once
// Questions of a fresh asker, and harmonic scores to ask by.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline AskOptions with_criterion(Criterion criterion, std::int64_t rank = 0, double noise = 0.0) {
  return {.criterion = criterion, .rank = rank, .noise = noise};
}

inline std::vector<Question> ask(const Graph& graph, const std::vector<VertexId>& labeled,
                                 int count, const AskOptions& options,
                                 const Scores* scores = nullptr,
                                 Asker::Candidates candidates = std::nullopt, int threads = 2) {
  const RunContext run = on_threads(threads);
  return Asker(graph, labeled, candidates, options, run).next(count, scores, run);
}

inline std::vector<VertexId> vertices_of(const std::vector<Question>& questions) {
  std::vector<VertexId> vertices;
  for (const Question& q : questions) vertices.push_back(q.vertex);
  return vertices;
}

inline std::vector<VertexId> first_labels(VertexId n, std::size_t count, std::uint64_t seed) {
  std::vector<VertexId> vertices = shuffled_order(n, seed);
  vertices.resize(count);
  return vertices;
}

inline Fit harmonic_fit(const Graph& graph, const std::vector<VertexId>& labeled, int class_count) {
  std::vector<int> class_of;
  for (std::size_t i = 0; i < labeled.size(); ++i)
    class_of.push_back(static_cast<int>(i) % class_count);
  return HarmonicLearner().fit(graph, classes(labeled, class_of, class_count), on_threads(1));
}

}  // namespace gssl::test
