#pragma once
// The values of a table without a call for each: what kind of table it is is asked once.
//
//   detail::with_values(points, [&](auto value) {
//     for (VertexId r = 0; r < n; ++r) leaf[r] = detail::leaf_by(tree, [&](auto c) { return value(r, c); });
//   });

#include "gssl/batch/decision_tree.hpp"
#include "gssl/data/points.hpp"

namespace gssl::detail {

// Calls use(value) with value(row, column).
template <class Use>
void with_values(const Points& points, Use&& use) {
  const std::int64_t columns = points.columns();
  const auto dense = [columns](const auto* values) {
    return [=](std::int64_t row, std::int64_t c) {
      return static_cast<double>(values[row * columns + c]);
    };
  };
  if (points.is_sparse())
    use([&points](std::int64_t row, std::int64_t c) {
      return points.value(static_cast<VertexId>(row), c);
    });
  else if (points.is_float())
    use(dense(points.floats().data()));
  else
    use(dense(points.doubles().data()));
}

// The leaf where a row ends whose value in column c is value(c).
template <class Value>
std::int64_t leaf_by(const DecisionTree& tree, Value&& value) {
  const TreeNode* const nodes = tree.nodes.data();
  const TreeNode* node = nodes;
  while (node->column >= 0)
    node = value(node->column) <= node->threshold ? node + 1 : nodes + node->right;
  return node - nodes;
}

}  // namespace gssl::detail
