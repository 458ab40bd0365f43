#include "gssl/batch/decision_tree.hpp"

#include <algorithm>

namespace gssl {

std::int64_t DecisionTree::leaf_count() const {
  return std::ranges::count_if(nodes, [](const TreeNode& node) { return node.column < 0; });
}

int DecisionTree::depth() const {
  std::vector<int> depth_of(nodes.size(), 0);
  int deepest = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    deepest = std::max(deepest, depth_of[i]);
    if (nodes[i].column < 0) continue;
    depth_of[i + 1] = depth_of[i] + 1;
    depth_of[static_cast<std::size_t>(nodes[i].right)] = depth_of[i] + 1;
  }
  return deepest;
}

double DecisionTree::risk() const {
  double sum = 0.0;
  for (const TreeNode& node : nodes)
    if (node.column < 0) sum += node.risk;
  return sum;
}

std::vector<double> DecisionTree::importances() const {
  std::vector<double> share(static_cast<std::size_t>(columns), 0.0);
  double all = 0.0;
  for (const TreeNode& node : nodes) {
    if (node.column < 0) continue;
    share[static_cast<std::size_t>(node.column)] += node.gain;
    all += node.gain;
  }
  if (all > 0.0)
    for (double& s : share) s /= all;
  return share;
}

std::int64_t DecisionTree::leaf_of(const Points& points, VertexId row) const {
  std::int64_t i = 0;
  while (!is_leaf(i)) {
    const TreeNode& node = nodes[static_cast<std::size_t>(i)];
    i = points.value(row, node.column) <= node.threshold ? i + 1 : node.right;
  }
  return i;
}

}  // namespace gssl
