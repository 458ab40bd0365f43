#pragma once
// A k-d tree over float coordinates with 32 points to a leaf, stored flat: leaves in tree order as
// panels, and above them levels of boxes, 32 to a parent, so that one call bounds the distance to
// all children of a node. (Bentley 1975, doi:10.1145/361002.361007, with wide nodes.)
//
// Level 0 are the leaves; node i of level l has the nodes 32i … 32i+31 of level l − 1 below it. The
// top level has one node, its box never asked for.

#include <cstdint>
#include <vector>

#include "graph/knn/rows/float_frame.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::knn {

class KdTree {
 public:
  // O(n log n) time; 4nd bytes for the panels, as much again while building.
  KdTree(const RowSpace& rows, const FloatFrame& frame, int threads);

  struct Level {
    std::int64_t count = 0;     // nodes
    std::vector<float> packs;   // their boxes, 32 to a pack
    std::vector<float> errors;  // largest error of a point in each
  };

  // order()[p] is the row at position p; leaf i holds positions 32i … 32i + size − 1.
  const std::vector<VertexId>& order() const { return order_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t leaf_count() const { return levels_.front().count; }
  int leaf_size(std::int64_t leaf) const {
    return static_cast<int>(
        std::min<std::int64_t>(lanes, static_cast<std::int64_t>(order_.size()) - leaf * lanes));
  }
  const float* panel(std::int64_t leaf) const { return panels_.data() + leaf * columns_ * lanes; }
  const float* errors(std::int64_t leaf) const { return errors_.data() + leaf * lanes; }

  int top_level() const { return static_cast<int>(levels_.size()); }
  const Level& level(int l) const { return levels_[static_cast<std::size_t>(l)]; }
  const float* pack(int l, std::int64_t index) const {
    return level(l).packs.data() + index * 2 * columns_ * lanes;
  }
  int children(int l, std::int64_t index) const {
    return static_cast<int>(std::min<std::int64_t>(lanes, level(l - 1).count - index * lanes));
  }

 private:
  void sort_into_leaves(const RowSpace& rows, const FloatFrame& frame, int threads);
  void make_boxes(int threads);
  void make_box(std::size_t level, std::int64_t index);

  std::int64_t columns_ = 0;
  std::vector<VertexId> order_;
  std::vector<float> panels_;
  std::vector<float> errors_;
  std::vector<Level> levels_;
};

}  // namespace gssl::knn
