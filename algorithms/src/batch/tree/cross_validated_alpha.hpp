#pragma once
// The α of weakest-link pruning by cross-validation: the steps of the tree of all rows are tried,
// each at the geometric mean of its α and the next, on trees that were grown without a fold.
//
// Of each fold one tree is grown and each held-out row walks down it once.

#include <functional>

#include "gssl/batch/tree_pruning.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl::detail {

struct ValidatedAlpha {
  double alpha = 0.0;
  double risk = 0.0;            // held-out risk of the tree that was chosen
  double standard_error = 0.0;  // of the least risk
  double least_risk = 0.0;
};

// `grow` grows a full tree from some rows. With `one_se` the smallest tree whose risk is within one
// standard error of the least, else that of least risk; of equal ones the smaller.
ValidatedAlpha cross_validated_alpha(const Dataset& data, const PruningSequence& sequence,
                                     int folds, bool one_se,
                                     const std::function<DecisionTree(const Dataset&)>& grow,
                                     const RunContext& run);

}  // namespace gssl::detail
