#pragma once
// Weakest-link pruning: the trees that minimize  risk + α · leaves  for every α ≥ 0. They are
// nested: as α grows, each is the one before it with some subtrees made leaves.
//
//   gssl::PruningSequence sequence(tree);
//   for (const gssl::PruningStep& step : sequence.steps()) …;   // α, leaves, risk
//   gssl::DecisionTree small = sequence.at(0.01);               // that of α = 0.01
//
// The risk is the share of the training weight that is wrongly classed, of a regression the mean
// square, so α is what a leaf must save of it. A subtree is made a leaf at the α where it saves no
// more than it costs, g = (risk of the node as a leaf − risk of its subtree)/(leaves − 1); where
// several g are within 1e-12 of the risk of the root, all go in one step. O(nodes · depth).
//
// Breiman, Friedman, Olshen, Stone 1984, chapter 3.

#include <cstdint>
#include <vector>

#include "gssl/batch/decision_tree.hpp"

namespace gssl {

struct PruningStep {
  double alpha = 0.0;  // from which on this tree is the best, and the smallest of the best
  std::int64_t leaves = 0;
  double risk = 0.0;
};

class PruningSequence {
 public:
  explicit PruningSequence(DecisionTree tree);

  // α ascending from 0; the last tree is the root alone.
  const std::vector<PruningStep>& steps() const& { return steps_; }
  const std::vector<PruningStep>& steps() && = delete;
  const DecisionTree& tree() const& { return tree_; }
  const DecisionTree& tree() && = delete;
  // The α from which on a node is a leaf, if it is there at all; −1 of a leaf.
  double leaf_from(std::int64_t node) const { return leaf_from_[static_cast<std::size_t>(node)]; }
  // The smallest tree that minimizes risk + alpha · leaves, alpha ≥ 0.
  DecisionTree at(double alpha) const;

 private:
  void collapse_all();

  DecisionTree tree_;
  std::vector<double> leaf_from_;
  std::vector<PruningStep> steps_;
};

}  // namespace gssl
