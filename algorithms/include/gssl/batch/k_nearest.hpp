#pragma once
// The k nearest training rows vote: for a class, or for the mean of their values.
//
//   gssl::KNearestLearner learner({.k = 5, .weights = gssl::NeighborWeights::inverse});
//   gssl::Trained trained = learner.fit(data, run);
//
// weights  uniform  every neighbor has one vote
//          inverse  one over its distance; where some are at distance 0, those alone, one vote each
// A row of weight w is w rows: it fills w of the k places, the last neighbor as far as places are
// left. Ties: of rows equally far the one with the lower number is nearer; of classes with equal
// votes the first, in the order of class_names(), is decided for. k above the number of rows: all
// of them.
//
// Learning keeps the rows, 8 bytes a value and no more. A query costs an exact search: few columns
// O(log n) by a tree; 13 and more, euclidean, n·columns multiply-adds in single precision that leave
// few distances to compute in double; sparse rows by lists of their columns
// (graph/knn_lists.hpp). Scores are shares of the votes, or the value. (T. Cover, P. Hart 1967,
// doi:10.1109/TIT.1967.1053964)

#include "gssl/graph/metric.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

enum class NeighborWeights { uniform, inverse };

struct KNearestOptions {
  int k = 5;  // ≥ 1
  Metric metric = Metric::euclidean;
  NeighborWeights weights = NeighborWeights::uniform;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class KNearestLearner final : public InductiveLearner {
 public:
  explicit KNearestLearner(KNearestOptions options = {});
  // Classes or real targets. Throws ErrorCode::bad_data where the metric is not defined for a row
  // (cosine of zeros); so do the scores of such rows.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  KNearestOptions options_;
};

LearnerEntry k_nearest_entry();

}  // namespace gssl
