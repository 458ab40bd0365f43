#pragma once
// Random forest: many trees, each grown on rows drawn with replacement, each node cut by the best
// of a few columns drawn at random; the answer is the mean of what the trees say.
//
//   gssl::Trained trained = gssl::ForestLearner({.trees = 200, .features = "sqrt"}).fit(data, run);
//   trained.report.certificates;   // out_of_bag_error, importances, …
//
// A row is out of the bag of the trees that were grown without it, 37 % of them; what those say of
// it is an honest guess of the error on new rows, for nothing. The importance of a column is the
// share of its cuts in the lowering of impurity, the mean over the trees; columns of many distinct
// values are favored by it.
//
// Columns are sorted once for all trees; trees are grown on several threads, tree t with the random
// numbers of stream t, and put together in order: the forest does not depend on the threads.
// O(trees · nd · depth) time, 16 bytes a value and 8 more for each thread.
//
// L. Breiman. Random forests. Machine Learning 45, 2001, doi:10.1023/A:1010933404324

#include <string>

#include "gssl/batch/tree.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

struct ForestOptions {
  int trees = 100;  // ≥ 1
  // Columns that are tried at a node: "sqrt" or "log" (1 + log₂) of the number of columns, "all",
  // or a number ≥ 1. Columns that are constant in the node do not count.
  std::string features = "sqrt";
  bool bootstrap = true;  // false: all rows for every tree
  TreeImpurity impurity = TreeImpurity::gini;
  int depth = 0;  // as in TreeOptions
  std::int64_t min_leaf = 1;
  std::int64_t min_split = 2;

  void validate() const;  // throws ErrorCode::usage
};

class ForestLearner final : public InductiveLearner {
 public:
  // Throws ErrorCode::usage as validate().
  explicit ForestLearner(ForestOptions options = {});
  // A run that is stopped gives the trees so far.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  ForestOptions options_;
};

LearnerEntry forest_entry();

}  // namespace gssl
