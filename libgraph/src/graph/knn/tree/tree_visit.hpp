#pragma once
// The walk of a leaf over a k-d tree: all its points search together, nearest boxes first.
//
// A Search has
//   float reach() const;              // no point farther from the leaf's box is of use
//   void meet(std::int64_t leaf);     // a leaf within reach
// and its reach may shrink as it meets leaves. It may also have
//   bool enters(int level, std::int64_t node) const;   // false: nothing in the node is of use
// O(1) memory.

#include <array>
#include <cstdint>
#include <span>

#include "graph/knn/rows/distance_kernels.hpp"
#include "kd_tree.hpp"

namespace gssl::knn {

class TreeVisit {
 public:
  TreeVisit(const KdTree& tree, const DistanceKernels& kernels, Norm norm)
      : tree_(tree),
        kernels_(kernels),
        norm_(norm),
        low_(static_cast<std::size_t>(tree.columns())),
        high_(low_.size()) {}

  // Meets every leaf within reach of leaf `home`, itself first.
  template <class Search>
  void run(std::int64_t home, Search& search) {
    home_ = home;
    set_box(tree_, home);
    search.meet(home);
    descend(tree_.top_level(), 0, search);
  }

  // Meets every leaf within reach of a leaf of another tree over the same columns.
  template <class Search>
  void run_foreign(const KdTree& other, std::int64_t leaf, Search& search) {
    home_ = -1;
    set_box(other, leaf);
    descend(tree_.top_level(), 0, search);
  }

  // Meets every leaf within reach of a box, given by its ends in each column.
  template <class Search>
  void run_box(std::span<const float> low, std::span<const float> high, Search& search) {
    home_ = -1;
    std::copy(low.begin(), low.end(), low_.begin());
    std::copy(high.begin(), high.end(), high_.begin());
    descend(tree_.top_level(), 0, search);
  }

 private:
  void set_box(const KdTree& tree, std::int64_t leaf) {
    const float* box = tree.pack(0, leaf / lanes) + leaf % lanes;
    for (std::size_t c = 0; c < low_.size(); ++c) {
      low_[c] = box[c * lanes];
      high_[c] = box[(low_.size() + c) * lanes];
    }
  }

  template <class Search>
  static bool enters(const Search& search, int level, std::int64_t node) {
    if constexpr (requires { search.enters(level, node); })
      return search.enters(level, node);
    else
      return true;
  }

  template <class Search>
  void descend(int level, std::int64_t index, Search& search) {
    if (level == 0) {
      if (index != home_) search.meet(index);
      return;
    }
    alignas(64) std::array<float, lanes> bound;
    kernels_.box_bounds(tree_.pack(level - 1, index), low_.data(), high_.data(), tree_.columns(),
                        bound.data());
    // What is within reach, by bound; the way home has bound 0 and so comes among the first.
    std::array<int, lanes> near;
    int count = 0;
    const float* errors = tree_.level(level - 1).errors.data() + index * lanes;
    const auto within_reach = [&](int child) {
      const float limit = search.reach() + errors[child];
      return !(bound[static_cast<std::size_t>(child)] >
               (norm_ == Norm::l2 ? limit * limit : limit));
    };
    for (int child = 0; child < tree_.children(level, index); ++child) {
      if (!within_reach(child) || !enters(search, level - 1, index * lanes + child)) continue;
      int at = count++;
      for (; at > 0 && bound[static_cast<std::size_t>(near[static_cast<std::size_t>(at - 1)])] >
                           bound[static_cast<std::size_t>(child)];
           --at)
        near[static_cast<std::size_t>(at)] = near[static_cast<std::size_t>(at - 1)];
      near[static_cast<std::size_t>(at)] = child;
    }
    for (int i = 0; i < count; ++i) {
      const int child = near[static_cast<std::size_t>(i)];
      if (within_reach(child)) descend(level - 1, index * lanes + child, search);
    }
  }

  const KdTree& tree_;
  const DistanceKernels& kernels_;
  Norm norm_;
  std::int64_t home_ = 0;
  std::vector<float> low_;
  std::vector<float> high_;
};

}  // namespace gssl::knn
