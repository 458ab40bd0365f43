#pragma once
// Classification and regression trees (CART): the space is cut along its axes, again and again at
// the place that makes the two parts purest, until a part has one class or a rule says stop.
//
//   gssl::TreeLearner learner({.depth = 5, .min_leaf = 3});
//   gssl::Trained trained = learner.fit(data, run);
//   gssl::DecisionTree tree = learner.grow(data, run);      // the tree itself
//
// A cut is halfway between two neighboring values, x ≤ threshold goes left. Every cut is tried:
// the search is exact. Of cuts that are equally good (within 1e-12 of the impurity of the node) the
// one of the lower column is taken, then that of the lower threshold. A part that is not pure is
// cut even where no cut makes it purer at once, as XOR needs.
//
// A leaf answers with the shares of the classes of its rows (of a regression with their mean); the
// class decided for is the most frequent, the first of those on a tie. A row of weight w is w rows;
// for min_leaf and min_split a row of weight below 1 counts as one row.
//
// Weakest-link pruning (tree_pruning.hpp) makes subtrees leaves that save too little, for a given
// α or for the α that does best by cross-validation.
//
// Columns are sorted once, O(nd); a level of the tree then costs O(nd). Memory 16 bytes a value
// (for sparse points, a value that is not 0).

#include <cstdint>

#include "gssl/batch/decision_tree.hpp"
#include "gssl/core/named.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

enum class TreeImpurity {
  gini,              // Σ p(1 − p)
  entropy,           // Σ p log(1/p)
  misclassification  // 1 − max p
};
template <>
inline constexpr auto names_of<TreeImpurity> =
    enum_names<TreeImpurity>("impurity", {"gini", "entropy", "misclassification"});

enum class TreePruning {
  none,             // the tree as it was grown
  alpha,            // the best of weakest-link pruning for a given α
  cross_validation  // for the α that does best on held-out folds
};

// Which α is best on held-out folds.
enum class PruningRule {
  one_se,  // of the smallest tree within one standard error of the least risk
  minimum  // of least risk
};

struct TreeOptions {
  TreeImpurity impurity = TreeImpurity::gini;  // of classes; a regression has the variance
  int depth = 0;                               // most splits from the root to a leaf; 0: no limit
  std::int64_t min_leaf = 1;                   // fewest rows of a leaf, ≥ 1
  std::int64_t min_split = 2;                  // fewest rows of a node that is split, ≥ 2
  TreePruning prune = TreePruning::none;
  double alpha = 0.0;  // what a leaf must save of the training risk (tree_pruning.hpp), ≥ 0
  int folds = 10;      // of cross-validation, ≥ 2; random, by the seed of the run
  PruningRule rule = PruningRule::one_se;

  void validate() const;  // throws ErrorCode::usage
};

class TreeLearner final : public InductiveLearner {
 public:
  // Throws ErrorCode::usage as validate().
  explicit TreeLearner(TreeOptions options = {});

  Trained fit(const Dataset& data, const RunContext& run = {}) const override;
  // The tree before it is pruned. A run that is stopped leaves as leaves what was not yet split.
  DecisionTree grow(const Dataset& data, const RunContext& run = {}) const;

 private:
  DecisionTree prune(DecisionTree tree, const Dataset& data, const RunContext& run,
                     Report& report) const;

  TreeOptions options_;
};

LearnerEntry tree_entry();

}  // namespace gssl
