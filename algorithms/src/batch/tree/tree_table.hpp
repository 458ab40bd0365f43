#pragma once
// Many trees in one array, made to be walked: 16 bytes a node, and one copy of each answer that
// leaves share (of a full tree nearly all leaves have one class).
//
//   detail::TreeTable table(columns, classes);
//   table.append(tree);                        // again for each tree
//   Block sum = table.sum(points, run);        // of the answers of all trees
//   table.save(record);  …  detail::TreeTable again = detail::TreeTable::load(record);
//
// O(depth) a row and tree. Rows are taken in blocks, one tree at a time, so that the tree stays in
// cache.

#include <map>
#include <span>
#include <vector>

#include "gssl/batch/decision_tree.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/record.hpp"

namespace gssl::detail {

class TreeTable {
 public:
  // `outputs`: classes, or 1 of a regression.
  TreeTable(std::int64_t columns, std::int64_t outputs) : columns_(columns), outputs_(outputs) {}

  // The answer of a leaf is its row of tree.values.
  void append(const DecisionTree& tree) { append(tree, tree.values); }
  // The answer of a leaf is its row of `answers`.
  void append(const DecisionTree& tree, const Block& answers);

  std::int64_t tree_count() const { return static_cast<std::int64_t>(roots_.size()); }
  std::int64_t node_count() const { return static_cast<std::int64_t>(nodes_.size()); }
  std::int64_t leaf_count() const;
  std::int64_t columns() const { return columns_; }
  std::int64_t outputs() const { return outputs_; }

  // Rows × outputs: the sum over all trees, in their order, of the answers for each row; of the
  // first `trees` where given.
  Block sum(const Points& points, const RunContext& run, std::int64_t trees = -1) const;
  // What one tree answers for each of some rows of dense values side by side.
  std::span<const double> answer(std::int64_t tree, const double* row) const {
    return {answers_.data() + leaf_answer(tree, row), static_cast<std::size_t>(outputs_)};
  }

  struct Leaf {
    std::int64_t tree;
    std::int64_t node;
  };
  // In preorder, tree by tree. O(nodes).
  std::vector<Leaf> leaves() const;
  // Of each node; −1 for a root. A left child comes right after its parent. O(nodes).
  std::vector<std::int32_t> parents() const;
  std::int64_t column_of(std::int64_t node) const { return node_at(node).column; }
  double threshold_of(std::int64_t node) const { return node_at(node).threshold; }
  std::span<const double> answer_of_leaf(std::int64_t node) const {
    const auto outputs = static_cast<std::size_t>(outputs_);
    return {answers_.data() + static_cast<std::size_t>(node_at(node).next) * outputs, outputs};
  }

  void save(Record& record) const;
  // Throws ErrorCode::bad_data where the record holds no such trees.
  static TreeTable load(const Record& record);

 private:
  struct Node {
    double threshold;
    std::int32_t column;  // −1: a leaf
    std::int32_t next;    // right child, or of a leaf the number of its answer
  };

  const Node& node_at(std::int64_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
  std::size_t leaf_answer(std::int64_t tree, const double* row) const {
    const Node* node = nodes_.data() + roots_[static_cast<std::size_t>(tree)];
    while (node->column >= 0)
      node = row[node->column] <= node->threshold ? node + 1 : nodes_.data() + node->next;
    return static_cast<std::size_t>(node->next) * static_cast<std::size_t>(outputs_);
  }
  std::int32_t answer_number(std::span<const double> row);
  void check() const;

  std::int64_t columns_ = 0;
  std::int64_t outputs_ = 0;
  std::vector<std::int32_t> roots_;
  std::vector<Node> nodes_;
  std::vector<double> answers_;
  std::map<std::vector<double>, std::int32_t> known_;  // answers of classes by what they say
};

}  // namespace gssl::detail
