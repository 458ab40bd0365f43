#pragma once
// An evaluation as one JSON document (schema gssl-results/1, docs/evaluate.md), which the report page
// is made of: what gssl evaluate --results writes, and what the Python package gives as a dict.
//
//   const Evaluated evaluated{.data = path, .plan = plan, .names = names, .problem = problem,
//                             .seed = run.seed, .seconds = seconds};
//   Json json = evaluation_document(evaluated, trials, results, compare(results, …));

#include <cstdint>
#include <string>
#include <vector>

#include "evaluation_results.hpp"
#include "trial_plan.hpp"

namespace gssl::tool {

// What was evaluated, and how. Borrows.
struct Evaluated {
  std::string data;  // the file of the graph or of the points
  const TrialPlan& plan;
  const std::vector<std::string>& names;  // of the methods
  const EvaluationProblem& problem;
  std::uint64_t seed = 1;
  double seconds = 0.0;
  double shared_seconds = 0.0;  // of these, for what all trials share
};

// `complete` is whether every method has a result of every trial.
Json evaluation_document(const Evaluated& evaluated, const std::vector<Trial>& trials,
                         const std::vector<TrialResult>& results,
                         const std::vector<Comparison>& all);

}  // namespace gssl::tool
