#pragma once
// A decision tree that has been grown: boxes of the space, each with one answer.
//
//   gssl::DecisionTree tree = gssl::TreeLearner({.depth = 3}).grow(data, run);
//   std::int64_t node = tree.leaf_of(points, 7);   // where row 7 ends
//   tree.values.row(node);                         // share of each class among the rows there
//   tree.leaf_count(), tree.depth();
//
// Nodes are in preorder: the left child of node i is node i+1. Every node knows what it would
// answer if it were a leaf, so a subtree can be cut off. O(depth) for a row; 48 + 8·K bytes a node.

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/points.hpp"

namespace gssl {

struct TreeNode {
  std::int32_t column = -1;  // −1: a leaf
  std::int32_t right = -1;   // node of the right child
  double threshold = 0.0;    // rows with x ≤ threshold go left
  double weight = 0.0;       // of the training rows in it
  double risk = 0.0;  // weight of those that its class gets wrong; of a regression Σ w(y − mean)²
  double gain = 0.0;  // by how much the split lowers the sum of weight · impurity
};

struct DecisionTree {
  std::vector<TreeNode> nodes;
  // A row for each node: the share of each class, or in one column the mean.
  Block values;
  std::int64_t columns = 0;  // of the points it was grown from

  bool is_leaf(std::int64_t node) const { return nodes[static_cast<std::size_t>(node)].column < 0; }
  std::int64_t leaf_count() const;
  int depth() const;    // splits on the longest way from the root; 0 for a single leaf
  double risk() const;  // sum over the leaves
  // For each column the sum of the gains of its splits as a share of all gains; all 0 for a leaf.
  std::vector<double> importances() const;
  // O(depth) for dense points, a logarithm more for sparse ones. The points must have the columns
  // that the tree was grown from.
  std::int64_t leaf_of(const Points& points, VertexId row) const;
};

}  // namespace gssl
