#pragma once
// What is timed while a constant of the cost model is varied: pieces of work in which the model
// decides, on the graphs of graphs.hpp and on small ones.
//
//   for (const ConstantCase& one : constant_cases(sizes, columns))
//     std::string decided = one.work(run);   // the sentences of the reports, where there are any
//
//   systems      ten columns and one on each graph and on small ones; a series of other weights
//   eigenpairs   ten and forty pairs; of graphs that a dense matrix suits or just does not
//   resistances  of few pairs, of many pairs and of all edges, with and without an error allowed
//   label_sets   harmonic fits of few and of many label sets; of as many labels as a factor suits
//   trials       minimum seminorm interpolation by a factor and by local solves

#include <functional>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/solve/cost_model.hpp"

namespace gssl::bench {

struct ConstantCase {
  std::string name;
  CostUse use;  // constants of this, and of systems, may decide here
  std::function<std::string(const RunContext&)> work;
  bool small = false;  // not of the graphs of graphs.hpp, but near a size where the model switches
};

// `columns` of the systems that have several.
std::vector<ConstantCase> constant_cases(const GraphSizes& sizes, int columns);

}  // namespace gssl::bench
