#include "gssl/batch/tree_pruning.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace gssl {

namespace {

// A tree whose subtrees become leaves one after the other.
class WeakestLinks {
 public:
  explicit WeakestLinks(const DecisionTree& tree) : tree_(tree), nodes_(tree.nodes.size()) {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const TreeNode& node = tree.nodes[i];
      nodes_[i].end = node.column < 0 ? i + 1 : nodes_[static_cast<std::size_t>(node.right)].end;
      nodes_[i].risk = node.risk;
      if (node.column < 0) continue;
      const auto right = static_cast<std::size_t>(node.right);
      nodes_[i + 1].parent = nodes_[right].parent = static_cast<std::int64_t>(i);
      nodes_[i].leaves = nodes_[i + 1].leaves + nodes_[right].leaves;
      nodes_[i].risk = nodes_[i + 1].risk + nodes_[right].risk;
      queue_.emplace(link(i), i);
    }
  }

  bool done() const { return queue_.empty(); }
  double weakest() const { return queue_.begin()->first; }
  std::int64_t leaves() const { return nodes_.front().leaves; }
  double risk() const { return nodes_.front().risk; }

  // Makes the weakest subtree a leaf, and forgets the nodes below it.
  std::size_t collapse_weakest() {
    const std::size_t i = queue_.begin()->second;
    for (std::size_t j = i; j < nodes_[i].end; ++j)
      if (nodes_[j].leaves > 1) {
        queue_.erase({link(j), j});
        nodes_[j].leaves = j == i ? nodes_[j].leaves : 1;
      }
    const std::int64_t leaves_lost = nodes_[i].leaves - 1;
    const double risk_gained = tree_.nodes[i].risk - nodes_[i].risk;
    nodes_[i].leaves = 1;
    nodes_[i].risk = tree_.nodes[i].risk;
    for (std::int64_t p = nodes_[i].parent; p >= 0;
         p = nodes_[static_cast<std::size_t>(p)].parent) {
      const auto above = static_cast<std::size_t>(p);
      queue_.erase({link(above), above});
      nodes_[above].leaves -= leaves_lost;
      nodes_[above].risk += risk_gained;
      queue_.emplace(link(above), above);
    }
    return i;
  }

 private:
  struct Subtree {
    std::size_t end = 0;  // nodes [i, end) are below node i
    std::int64_t parent = -1;
    std::int64_t leaves = 1;
    double risk = 0.0;  // of its leaves
  };

  double link(std::size_t i) const {
    return std::max(0.0, tree_.nodes[i].risk - nodes_[i].risk) /
           static_cast<double>(nodes_[i].leaves - 1);
  }

  const DecisionTree& tree_;
  std::vector<Subtree> nodes_;
  std::set<std::pair<double, std::size_t>> queue_;
};

}  // namespace

PruningSequence::PruningSequence(DecisionTree tree)
    : tree_(std::move(tree)), leaf_from_(tree_.nodes.size(), -1.0) {
  collapse_all();
}

void PruningSequence::collapse_all() {
  const double weight = tree_.nodes.front().weight;
  const double equal = 1e-12 * tree_.nodes.front().risk;
  WeakestLinks links(tree_);
  for (std::size_t i = 0; i < leaf_from_.size(); ++i)
    if (!tree_.is_leaf(static_cast<std::int64_t>(i)))
      leaf_from_[i] = std::numeric_limits<double>::infinity();
  double alpha = 0.0;
  while (true) {
    while (!links.done() && links.weakest() <= alpha + equal)
      leaf_from_[links.collapse_weakest()] = alpha / weight;
    steps_.push_back({alpha / weight, links.leaves(), links.risk() / weight});
    if (links.done()) return;
    alpha = links.weakest();
  }
}

DecisionTree PruningSequence::at(double alpha) const {
  DecisionTree pruned;
  pruned.columns = tree_.columns;
  std::vector<double> values;
  // A node to copy, and the copy whose right child it is.
  std::vector<std::pair<std::int32_t, std::int32_t>> stack = {{0, -1}};
  while (!stack.empty()) {
    const auto [from, parent] = stack.back();
    stack.pop_back();
    const auto to = static_cast<std::int32_t>(pruned.nodes.size());
    if (parent >= 0) pruned.nodes[static_cast<std::size_t>(parent)].right = to;
    TreeNode node = tree_.nodes[static_cast<std::size_t>(from)];
    const auto row = tree_.values.row(from);
    values.insert(values.end(), row.begin(), row.end());
    if (leaf_from_[static_cast<std::size_t>(from)] <= alpha) {
      node = {.weight = node.weight, .risk = node.risk};
    } else {
      stack.emplace_back(node.right, to);
      stack.emplace_back(from + 1, -1);
    }
    pruned.nodes.push_back(node);
  }
  pruned.values = Block(static_cast<std::int64_t>(pruned.nodes.size()), tree_.values.columns(),
                        std::move(values));
  return pruned;
}

}  // namespace gssl
