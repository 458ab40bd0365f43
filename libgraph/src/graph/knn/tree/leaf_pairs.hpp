#pragma once
// A k-d tree with what it takes to compare its leaves.

#include "gssl/core/parallel.hpp"
#include "kd_tree.hpp"

namespace gssl::knn {

// Shared by the searches of all threads.
class LeafPairs {
 public:
  LeafPairs(const RowSpace& given, int threads) : frame_(given), tree_(given, frame_, threads) {
    if (tree_.columns() < product_columns) return;
    norms_.resize(static_cast<std::size_t>(tree_.leaf_count() * lanes), 0.0F);
    parallel_blocks(
        tree_.leaf_count(), threads,
        [this](std::int64_t begin, std::int64_t end) {
          for (std::int64_t leaf = begin; leaf < end; ++leaf)
            for (int p = 0; p < tree_.leaf_size(leaf); ++p)
              norms_[static_cast<std::size_t>(leaf * lanes + p)] =
                  frame_.norm_of(tree_.panel(leaf) + p, lanes);
        },
        256);
  }

  const FloatFrame& frame() const { return frame_; }
  const KdTree& tree() const { return tree_; }
  // By position, for bounds from products; none where differences are as fast.
  const std::vector<float>& norms() const { return norms_; }

 private:
  static constexpr std::int64_t product_columns = 16;
  FloatFrame frame_;
  KdTree tree_;
  std::vector<float> norms_;
};

}  // namespace gssl::knn
