#include "batch/tree/tree_table.hpp"

#include <algorithm>
#include <limits>

#include "batch/tree/row_buffer.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

std::int32_t TreeTable::answer_number(std::span<const double> row) {
  const auto next = static_cast<std::int32_t>(answers_.size() / row.size());
  if (outputs_ > 1) {
    const auto [it, added] = known_.try_emplace({row.begin(), row.end()}, next);
    if (!added) return it->second;
  }
  answers_.insert(answers_.end(), row.begin(), row.end());
  return next;
}

void TreeTable::append(const DecisionTree& tree, const Block& answers) {
  if (nodes_.size() + tree.nodes.size() > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::bad_data,
                "trees: more than 2^31 nodes together: learn fewer trees or smaller ones");
  const auto base = static_cast<std::int32_t>(nodes_.size());
  roots_.push_back(base);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    const std::int32_t next = node.column < 0
                                  ? answer_number(answers.row(static_cast<std::int64_t>(i)))
                                  : base + node.right;
    nodes_.push_back({node.threshold, node.column, next});
  }
}

std::int64_t TreeTable::leaf_count() const {
  return std::ranges::count_if(nodes_, [](const Node& node) { return node.column < 0; });
}

std::vector<TreeTable::Leaf> TreeTable::leaves() const {
  std::vector<Leaf> all;
  std::int64_t tree = -1;
  for (std::int64_t i = 0; i < node_count(); ++i) {
    if (tree + 1 < tree_count() && roots_[static_cast<std::size_t>(tree + 1)] == i) ++tree;
    if (node_at(i).column < 0) all.push_back({tree, i});
  }
  return all;
}

std::vector<std::int32_t> TreeTable::parents() const {
  std::vector<std::int32_t> parent(nodes_.size(), -1);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].column < 0) continue;
    parent[i + 1] = static_cast<std::int32_t>(i);
    parent[static_cast<std::size_t>(nodes_[i].next)] = static_cast<std::int32_t>(i);
  }
  return parent;
}

Block TreeTable::sum(const Points& points, const RunContext& run, std::int64_t trees) const {
  const std::int64_t used = trees < 0 ? tree_count() : std::min(trees, tree_count());
  Block sums(points.rows(), outputs_);
  const std::int64_t block = RowBuffer::rows_at_once(points);
  parallel_blocks(
      points.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        run.throw_if_stopped("prediction", "before all rows were scored");
        RowBuffer rows(points, begin, end);
        for (std::int64_t t = 0; t < used; ++t)
          for (std::int64_t r = begin; r < end; ++r) {
            const auto said = answer(t, rows.row(r));
            const auto out = sums.row(r);
            for (std::size_t k = 0; k < out.size(); ++k) out[k] += said[k];
          }
      },
      block);
  return sums;
}

void TreeTable::save(Record& record) const {
  std::vector<std::int32_t> column;
  std::vector<std::int32_t> next;
  std::vector<double> threshold;  // of nodes that are no leaf
  for (const Node& node : nodes_) {
    column.push_back(node.column);
    next.push_back(node.next);
    if (node.column >= 0) threshold.push_back(node.threshold);
  }
  record.put("columns", columns_);
  record.put("outputs", outputs_);
  record.put("root", roots_);
  record.put("column", std::move(column));
  record.put("next", std::move(next));
  record.put("threshold", std::move(threshold));
  record.put("answer", answers_);
}

TreeTable TreeTable::load(const Record& record) {
  TreeTable table(record.integer("columns"), record.integer("outputs"));
  table.roots_ = record.integers("root");
  const auto& column = record.integers("column");
  const auto& next = record.integers("next", static_cast<std::int64_t>(column.size()));
  const auto inner = std::ranges::count_if(column, [](std::int32_t c) { return c >= 0; });
  const auto& threshold = record.reals("threshold", inner);
  table.answers_ = record.reals("answer");
  std::size_t t = 0;
  for (std::size_t i = 0; i < column.size(); ++i)
    table.nodes_.push_back({column[i] >= 0 ? threshold[t++] : 0.0, column[i], next[i]});
  table.check();
  return table;
}

// Every way from a root must end at a leaf whose answer exists: children come after their parents.
void TreeTable::check() const {
  const auto fail = [] {
    throw Error(ErrorCode::bad_data, "trees: the record does not hold trees: it is damaged");
  };
  if (columns_ < 0 || outputs_ < 1 || roots_.empty()) fail();
  const auto nodes = static_cast<std::int64_t>(nodes_.size());
  const auto answers = static_cast<std::int64_t>(answers_.size()) / outputs_;
  for (const std::int32_t root : roots_)
    if (root < 0 || root >= nodes) fail();
  for (std::int64_t i = 0; i < nodes; ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    const bool leaf = node.column < 0;
    if (node.column < -1 || node.column >= columns_) fail();
    if (leaf ? node.next < 0 || node.next >= answers : node.next <= i + 1 || node.next >= nodes)
      fail();
  }
}

}  // namespace gssl::detail
