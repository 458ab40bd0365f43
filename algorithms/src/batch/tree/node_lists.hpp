#pragma once
// The lists that nodes of a growing tree have in common: of every column the rows in its order, and
// of sparse points the rows themselves. A node is a stretch of each; when it is cut, every stretch is
// parted in place, order kept.
//
//   NodeLists lists(points, sorted, rows);
//   NodeStretch root = lists.root(count);
//   lists.copy_columns(root, threads);
//   auto [left, right] = lists.part_rows(root, cut, spare);
//
// Stretches of different nodes may be parted by different threads at a time.

#include <cstdint>
#include <utility>
#include <vector>

#include "batch/tree/column_scan.hpp"
#include "batch/tree/sorted_columns.hpp"
#include "batch/tree/tree_rows.hpp"
#include "gssl/data/points.hpp"

namespace gssl::detail {

// What a node has of a column's list.
struct ColumnRange {
  std::int32_t column;
  std::size_t begin;
  std::size_t end;
};

struct NodeStretch {
  std::int64_t size = 0;             // rows of the node
  std::vector<ColumnRange> columns;  // those that are not constant in it
  std::size_t first_row = 0;         // of the list of rows, which sparse points have
  std::size_t last_row = 0;
};

// Space of one thread.
struct PartingSpace {
  std::vector<ColumnEntry> entries;
  std::vector<std::uint32_t> codes;
};

// Which sides of a cut will be cut again, so that they need their lists.
struct KeptSides {
  bool left = false;
  bool right = false;
};

class NodeLists {
 public:
  // Keeps references.
  NodeLists(const Points& points, const SortedColumns& sorted, const TreeRows& rows);

  // All rows that weigh something, `size` of them; without columns.
  NodeStretch root(std::int64_t size);
  // Its columns, from the sorted ones.
  void copy_columns(NodeStretch& root, int threads);

  ColumnPart part_of(const NodeStretch& node, const ColumnRange& range) const;
  // Halfway between the two values, and never so high that the upper one would go left.
  double threshold_of(const NodeStretch& node, const Cut& cut) const;

  // Marks the side of every row. What comes back has rows, where points are sparse, and no columns.
  std::pair<NodeStretch, NodeStretch> part_rows(const NodeStretch& node, const Cut& cut,
                                                PartingSpace& space);
  // Calls body(code) for the rows of either side, before the columns are parted.
  template <class Body>
  void for_side(const NodeStretch& node, const Cut& cut, const NodeStretch& side, bool right,
                Body&& body) const {
    if (sorted_.is_sparse()) {
      for (std::size_t i = side.first_row; i < side.last_row; ++i) body(row_list_[i]);
      return;
    }
    // The rows of a side stand together in the list of the column that is cut.
    const ColumnRange range = range_of(node, cut.column);
    const std::size_t middle = range.begin + static_cast<std::size_t>(cut.left);
    const std::size_t end = right ? range.end : middle;
    for (std::size_t i = right ? middle : range.begin; i < end; ++i) body(lists_[i].code);
  }

  // Parts the list of one column by the sides of its rows; a side that is not kept is lost. Returns
  // where the right part begins, or, of a list of one side, its end.
  std::size_t part_column(const ColumnRange& range, KeptSides kept, PartingSpace& space);
  // The columns of both sides, `middle` as part_column() gave it for each column of the node.
  void share_columns(const NodeStretch& node, const std::vector<std::size_t>& middle,
                     KeptSides kept, NodeStretch& left, NodeStretch& right) const;

 private:
  static ColumnRange range_of(const NodeStretch& node, std::int32_t column);
  void mark_sides(const NodeStretch& node, const Cut& cut);
  bool constant(const ColumnRange& range, std::int64_t rows) const;

  const Points& points_;
  const SortedColumns& sorted_;
  const TreeRows& rows_;
  std::vector<std::uint8_t> side_;       // by row: 1 goes right
  std::vector<ColumnEntry> lists_;       // of all columns
  std::vector<std::uint32_t> row_list_;  // codes of a node's rows, for sparse points
};

}  // namespace gssl::detail
