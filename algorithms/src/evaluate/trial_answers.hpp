#pragma once
// What a learner says of the rows that it is measured on, whatever kind it is of. Internal: not
// installed.
//
//   Fitter fitter(problem, kernels, graphs);
//   Answers found = fitter.answers(learner, {.graph = problem.graph, .points = problem.points},
//                                  training, test, run);

#include <cstdint>
#include <vector>

#include "evaluate/shared_graphs.hpp"
#include "evaluate/shared_kernels.hpp"
#include "evaluate/shared_ridge.hpp"
#include "gssl/core/block.hpp"
#include "gssl/evaluate/evaluation.hpp"

namespace gssl::detail {

using RowIds = std::vector<std::int32_t>;

// What a learner says of some rows; classes are numbered as in the truth.
struct Answers {
  std::vector<int> answer;
  std::vector<double> confidence;
  Block scores;         // a column for each class of the truth; a value for a regression
  bool shares = false;  // scores are ≥ 0 and finite
  std::int64_t unreached = 0, tied = 0, unfinished = 0;
  std::vector<char> answered;
  bool converged = true;
  std::vector<int> cluster_of = {};    // of a clusterer: of each row
  double cut = 0.0, modularity = 0.0;  // likewise: of its partition of the graph
};

// What a learner may look at besides labels; each may be missing.
struct Inputs {
  const Graph* graph = nullptr;
  const Points* points = nullptr;
  const FeatureTable* table = nullptr;  // in place of points, for learners of rows
};

// Whether it learns from rows, or from points and labels, rather than on the graph.
bool learns_from_points(const MadeLearner& learner, const Inputs& inputs);

// Whether learners of rows take the numbers of `problem.points` as they are, every row alike.
bool takes_rows_as_they_are(const EvaluationProblem& problem);

// Of a trial, or of a fold that chooses from a grid: there nobody asks for probabilities, and no
// calibration changes an answer.
enum class Purpose { measure, choose };

// Throws ErrorCode::usage unless the learner can learn from what there is.
void check_kind(const MadeLearner& learner, const Inputs& inputs);

class Fitter {
 public:
  // All outlive it.
  Fitter(const EvaluationProblem& problem, const SharedKernels& kernels, const SharedGraphs& graphs)
      : problem_(problem), kernels_(kernels), graphs_(graphs), ridge_(problem) {}

  // Fits to the labels of `training` and to nothing else of the truth; answers for `test`.
  Answers answers(const MadeLearner& learner, const Inputs& inputs, const RowIds& training,
                  const RowIds& test, Purpose purpose, const RunContext& run) const;

 private:
  std::int64_t columns() const;
  std::vector<VertexId> vertices(const RowIds& rows) const;
  LabeledSet labeled(const RowIds& training, std::vector<int>& class_at) const;
  FeatureTable table(const Inputs& inputs, const RowIds& rows) const;
  std::vector<double> weights(const RowIds& rows) const;
  TrainingOptions training_options(Purpose purpose) const;
  Answers of_prediction(Prediction prediction, bool converged) const;
  Answers of_shared(Block scores, bool converged) const;
  Answers from_rows(const MadeLearner& learner, const Inputs& inputs, const RowIds& training,
                    const RowIds& test, Purpose purpose, const RunContext& run) const;
  Answers from_shared(const KernelMethod& method, const std::shared_ptr<const GramMatrix>& gram,
                      const RowIds& training, const RowIds& test, const RunContext& run) const;
  Fit fit_to_labels(const MadeLearner& learner, const Inputs& inputs, const LabeledSet& given,
                    const RunContext& run) const;
  Answers from_labels(const MadeLearner& learner, const Inputs& inputs, const RowIds& training,
                      const RowIds& test, Purpose purpose, const RunContext& run) const;
  Answers from_trials(const MadeLearner& learner, const Graph& graph, const RowIds& training,
                      const RowIds& test, const RunContext& run) const;
  Answers from_clusters(const Clusterer& clusterer, const Graph& graph, const RowIds& training,
                        const RowIds& test, const RunContext& run) const;
  void take(const Fit& fit, const std::vector<int>& class_at, VertexId v, std::size_t i,
            Answers& found) const;

  const EvaluationProblem& problem_;
  const SharedKernels& kernels_;
  const SharedGraphs& graphs_;
  const SharedRidge ridge_;
};

}  // namespace gssl::detail
