#pragma once
// Any learners, of any kinds, measured on the same trials: each is fitted to the labels of the
// training part and answers for the rows of the test part, whose labels it never sees.
//
//   gssl::EvaluationProblem problem{.truth = truth, .vertices = vertices, .graph = &graph};
//   std::vector<gssl::TrialResult> all =
//       gssl::evaluate(registry, problem, {"harmonic", "poisson", "harmonic:soft=1|10|100"},
//                      trials, {}, run);
//
// A SPEC with "a|b|c" for a value is a grid. Which of its SPECs is used is decided anew in every
// trial, by the validation part, or else by stratified folds of the training part alone; then that
// one is fitted to training and validation part together. Of equals the first is taken. A row
// without an answer then counts as wrong, or for a regression as the mean of what was learned from.
//
// A transductive learner sees the graph of all vertices and the labels of the training part; an
// inductive one the rows of the training part; one on points all rows and those labels. A learner of
// several kinds learns from points where there are points. A clusterer makes as many clusters as there
// are classes, without a label; those of the training part then name each cluster.
//
// What learners of rows are given beside rows is learned in each fit anew, from the rows of that fit
// alone, in the trials and in the folds of a grid alike (`training`, as train_model() does it): how
// columns become numbers, their means and deviations, the weights of classes, the curve that makes
// scores probabilities. That curve is learned for learners on graphs, too, from labels of the
// training part that are left out in turn (left_out_calibration.hpp).
//
// What does not depend on the labels is computed once for all trials and choices: the graph, the
// potentials of all vertices that are labeled in any trial, from one exact factor, where that costs
// less than solving for each (harmonic, poisson, local-global, auto; shared_graph.hpp), and the Gram
// matrix of each kernel of points that is named in full (svm, svr, kernel-ridge, kernel-perceptron),
// while they fit 1.5 GB, unless rows are weighted, standardized or not numbers, or scores calibrated.
//
// Trials run in parallel, the results are the same bytes at any number of threads but for seconds.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gssl/core/remedy.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "gssl/evaluate/probability_metrics.hpp"
#include "gssl/evaluate/trials.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/trained_model.hpp"

namespace gssl {

// What "a|b|c" stands for: one SPEC for each choice of values, the last key varying fastest, inside
// round brackets too: "svm:kernel=gaussian(beta=0.5|1)" is two. Throws ErrorCode::usage where a
// value is empty.
std::vector<std::string> expand_grid(const std::string& spec);

// One of several graphs of the same vertices, such as those of other numbers of neighbors.
struct GraphChoice {
  std::string name;  // "knn=10"
  const Graph* graph = nullptr;
};

struct EvaluationProblem {
  Targets truth;
  std::vector<VertexId> vertices;  // truth i is of this vertex, or row of the points
  const Graph* graph = nullptr;    // none: only learners on points
  const Points* points = nullptr;  // none, nor `table`: only learners on graphs
  // Where not empty: in place of `graph`, each learner on graphs chooses one of these as it chooses
  // from a grid. A choice of SPEC and graph is written "harmonic on knn=10".
  std::vector<GraphChoice> graphs = {};
  // The rows as they were read, for learners of rows in place of `points`: with words and gaps, which
  // `points` cannot have, or the same numbers. nullptr: `points`.
  const FeatureTable* table = nullptr;
  // Where not empty: of each method the table in place of `table`, as without a group of columns;
  // nullptr: `table`.
  std::vector<const FeatureTable*> tables_of_method = {};
  std::vector<double> weights = {};  // of each truth, for learners of rows; empty: 1 each
  TrainingOptions training = {};     // of learners of rows; `calibrate` of all
};

struct TrialResult;

struct EvaluationOptions {
  int inner_folds = 5;  // that choose from a grid; fewer where the training part is smaller
  // Called for each result as it is found, with all its rows, by one thread at a time, in no
  // particular order.
  std::function<void(const TrialResult&)> finished = {};
  // Called once with the seconds that took what all trials share, before the first of them. They are
  // in no result.
  std::function<void(double seconds)> prepared = {};
  // The first trial of each method in each group runs alone, and what it adds to the memory that this
  // process holds is in its result.
  bool measure_memory = false;
};

// One learner in one trial.
struct TrialResult {
  int trial = 0;
  int method = 0;
  std::string chosen = {};  // the SPEC that was used, every option spelled out
  std::string error = {};   // why there is no result; empty: there is one
  Remedies remedies = {};   // of that error
  bool converged = true;
  std::int64_t test = 0;  // rows measured
  std::int64_t unreached = 0, tied = 0, unfinished = 0;
  Confusion counts = {};
  // Of the rows answered alone, as `errors` are; probabilities are the shares of the scores, where
  // these are ≥ 0. NaN where there is nothing to measure.
  double log_loss = 0.0, brier = 0.0, auc = 0.0;
  double ece = 0.0;                              // of 15 bins of equal count
  std::vector<ReliabilityBin> reliability = {};  // 15 bins of equal width, those that are not empty
  ValueErrors errors = {};                       // regression
  // Of each test row: of classes '1' for right, '0' for wrong, '-' without an answer; of a
  // regression the answer less the truth, NaN without an answer. evaluate() keeps what compare()
  // needs: where trials of a group measure a row again, and all methods have their results of a
  // trial, only the rows that one of these has no answer for are left in `right`, and no residuals
  // where there are none such.
  std::string right = {};
  std::vector<double> residuals = {};
  // Where one row is measured: its class or value, and the score of each class, or the value that
  // was answered; no scores where there is no answer.
  double truth = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> scores = {};
  double seconds = 0.0;
  std::int64_t memory = -1;  // bytes added at most; −1: not measured
  // Of a clusterer: how its clusters of the test rows agree with their classes, 0 (chance) to 1, and
  // what its partition of all vertices costs (cut_objectives.hpp). NaN for others.
  double nmi = std::numeric_limits<double>::quiet_NaN();
  double ari = std::numeric_limits<double>::quiet_NaN();
  double cut = std::numeric_limits<double>::quiet_NaN();
  double modularity = std::numeric_limits<double>::quiet_NaN();

  double accuracy() const { return counts.accuracy(); }
  std::int64_t unanswered() const { return unreached + tied + unfinished; }
};

// Results in order of trial, then method, without those that were not done when the run was
// stopped. `done` are results of an earlier run of the same trials, which are taken as they are.
// Throws ErrorCode::usage where a method does not exist or cannot learn from what there is; an Error
// of a learner is in its result.
std::vector<TrialResult> evaluate(const LearnerRegistry& registry, const EvaluationProblem& problem,
                                  const std::vector<std::string>& methods,
                                  const std::vector<Trial>& trials,
                                  const EvaluationOptions& options = {}, const RunContext& run = {},
                                  std::vector<TrialResult> done = {});

}  // namespace gssl
