#pragma once
// The weak learner of a booster: the same rows again and again, with other weights.

#include <memory>
#include <string>
#include <vector>

#include "gssl/batch/decision_tree.hpp"
#include "gssl/data/dataset.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

// What a round learned: its answer for every training row, and itself.
struct WeakModel {
  std::vector<int> said;
  DecisionTree tree;             // of trees by depth
  std::unique_ptr<Model> model;  // of any other learner
};

class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  // From rows of these weights, of sum 1.
  virtual WeakModel learn(const std::vector<double>& weights, const RunContext& run) = 0;
};

// "tree": trees of `depth`, of depth 1 and two classes the stump of least weighted error; else a
// learner of this library, NAME(option=value,…). `data` must outlive it. Throws as make_nested().
std::unique_ptr<WeakLearner> make_weak_learner(std::string_view owner, const std::string& spec,
                                               int depth, const Dataset& data,
                                               const RunContext& run);

// Throws ErrorCode::usage where there is no such learner, or a depth is asked of one that is not
// "tree".
void check_weak_learner(std::string_view owner, const std::string& spec, int depth);

// Rounds become a model: a sum of trees where they are trees, else votes.
class BoostedModelBuilder {
 public:
  // With `shares` scores are shares of the votes, else sums: of two classes (−f, f).
  BoostedModelBuilder(std::string owner, const std::string& spec, const Dataset& data, bool shares);
  ~BoostedModelBuilder();
  void add(WeakModel weak, double alpha);
  std::unique_ptr<Model> build();
  static std::unique_ptr<Model> load(const std::string& owner, const Record& record);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace gssl::detail
