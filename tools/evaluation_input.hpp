#pragma once
// What gssl evaluate is asked for, and what it reads: graphs, rows, the truth, given splits.
//
//   EvaluationInput input = read_input(session, options);
//   EvaluationProblem problem = problem_of(input);

#include <cstdint>
#include <string>
#include <vector>

#include "feature_input.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "gssl/io/graph_reader.hpp"
#include "points_graph.hpp"
#include "session.hpp"
#include "training_options.hpp"
#include "trial_plan.hpp"

namespace gssl::tool {

struct EvaluateOptions : TrialPlan {
  std::string graph;
  std::string truth;
  std::string points;
  PointsGraphOptions build;
  ColumnOptions columns;
  TrainingChoices training;
  std::vector<std::string> methods;
  int inner_folds = 5;
  std::vector<std::int64_t> knn_grid;
  std::vector<std::string> weights_grid;
  std::string ablate;  // groups of columns
  bool memory = false;
  std::string results;
  std::string report;
  bool resume = false;
};

// What is read.
struct EvaluationInput {
  GraphFile file;
  FeatureTable table;  // of --points
  bool has_graph = false;
  bool has_points = false;
  Targets truth;
  std::vector<VertexId> vertices;
  std::vector<double> weights;  // of each truth; empty: 1 each
  TrainingOptions training;
  // Of --knn-grid and --weights-grid; empty: the graph of the file.
  std::vector<std::pair<std::string, Graph>> graphs;
  // Of --ablate: the table without each group of columns, and its name.
  std::vector<std::pair<std::string, FeatureTable>> without;
};

EvaluationInput read_input(Session& session, const EvaluateOptions& options);

// The methods, and behind them each of those that learn from rows once for each group of columns
// that is left out. Fills problem.tables_of_method where there are such groups. `input` outlives
// the problem.
std::vector<std::string> methods_with_ablation(const LearnerRegistry& registry,
                                               const std::vector<std::string>& methods,
                                               const EvaluationInput& input,
                                               EvaluationProblem& problem);

// The names of these in tables: "svm without petal".
std::vector<std::string> method_names(const LearnerRegistry& registry,
                                      const std::vector<std::string>& methods,
                                      const EvaluationInput& input);

// Borrows from `input`.
EvaluationProblem problem_of(const EvaluationInput& input);

// A trial for each line: names of what is learned from, and behind a '|' that stands alone of what
// is measured; without it the rest is.
std::vector<Trial> read_splits(const std::string& path, const EvaluationInput& input);

}  // namespace gssl::tool
