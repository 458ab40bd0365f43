#pragma once
// The memory that a fit takes, before it is begun.
//
//   const FitMemory need = fit_memory(graph, classes, {.scores = true}, run);
//   need.bytes.high;   // beside the graph and the labels
//
// For auto, harmonic, poisson, local-global and label-propagation with their default solver, which
// take their columns in blocks where the run's memory is short; other learners keep n×K scores and
// more. Throws MemoryError where nothing fits below run.memory_limit. O(1).

#include "gssl/core/run_context.hpp"
#include "gssl/solve/solver_memory.hpp"

namespace gssl {

struct FitKeeps {
  bool scores = true;  // n×K of them
  int top = 0;         // or the best classes of each vertex
  // Labels given, of auto and harmonic: where these are few beside the vertices of a large graph,
  // no copy of it is made. 0: of the other learners, which make one.
  double given = 0.0;
  // The learner is auto or harmonic, with hard labels and a solver of its choice: on large graphs
  // `given` tells for sure whether there is a copy.
  bool hard = false;
};

struct FitMemory {
  MemoryRange bytes;
  int columns = 1;        // solved at once
  bool is_short = false;  // more memory would allow more of them, or another method
};

// `classes`: 1 for real targets.
FitMemory fit_memory(const NetworkSize& graph, int classes, const FitKeeps& keeps,
                     const RunContext& run = {});

}  // namespace gssl
