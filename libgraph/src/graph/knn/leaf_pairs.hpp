#pragma once
// All neighbors of every point within a fixed distance, leaf by leaf over the k-d tree.

#include "gssl/core/parallel.hpp"
#include "kd_tree.hpp"
#include "kernels.hpp"
#include "tree_visit.hpp"

namespace gssl::knn {

// The tree and the rows in its order, shared by the searches of all threads.
class LeafPairs {
 public:
  LeafPairs(const RowSpace& given, int threads)
      : frame_(given),
        tree_(given, frame_, threads),
        rows_(given.reordered(tree_.order(), threads)) {
    if (rows_.columns() < product_columns) return;
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
  const RowSpace& rows() const { return rows_; }  // by position
  // By position, for bounds from products; none where differences are as fast.
  const std::vector<float>& norms() const { return norms_; }

 private:
  static constexpr std::int64_t product_columns = 16;
  FloatFrame frame_;
  KdTree tree_;
  RowSpace rows_;
  std::vector<float> norms_;
};

class BallSearch {
 public:
  BallSearch(const LeafPairs& leaves, double epsilon)
      : leaves_(leaves),
        tree_(leaves.tree()),
        kernels_(kernels_for(leaves.rows().norm())),
        epsilon_(epsilon),
        ball_(leaves.frame().reach(leaves.rows().key_bound(epsilon))) {
    std::fill_n(limit_, lanes, leaves.rows().norm() == Norm::l2 ? ball_ * ball_ : ball_);
  }

  // Calls body(p, q, distance) for each point p of the leaf and position q ≠ that of p within
  // epsilon.
  template <class Body>
  void run(std::int64_t leaf, const Body& body) {
    float radius[lanes] = {};
    for (int p = 0; p < tree_.leaf_size(leaf); ++p) radius[p] = ball_ + tree_.errors(leaf)[p];
    Search<Body> search{*this, body, leaf, radius,
                        *std::max_element(radius, radius + tree_.leaf_size(leaf))};
    TreeVisit<Search<Body>>(tree_, kernels_, leaves_.rows().norm()).run(leaf, search);
  }

 private:
  template <class Body>
  struct Search {
    const BallSearch& ball;
    const Body& body;
    std::int64_t home;
    const float* radius;
    float most;

    float reach() const { return most; }
    void meet(std::int64_t leaf) {
      const KdTree& tree = ball.tree_;
      std::uint32_t hits[lanes];
      const float* norms = ball.leaves_.norms().data();
      std::uint32_t found =
          norms != nullptr
              ? ball.kernels_.panel_hits(
                    {tree.panel(home), tree.panel(leaf), norms + home * lanes, norms + leaf * lanes,
                     ball.limit_, ball.limit_, ball.leaves_.frame().factor(), tree.columns()},
                    hits)
              : ball.kernels_.leaf_hits(
                    {tree.panel(home), radius, tree.panel(leaf), tree.pack(0, leaf / lanes),
                     static_cast<int>(leaf % lanes),
                     tree.level(0).errors[static_cast<std::size_t>(leaf)], tree.columns()},
                    hits);
      found &= ~0U >> (lanes - tree.leaf_size(home));
      for (; found != 0; found &= found - 1) {
        const int q = __builtin_ctz(found);
        std::uint32_t bits = hits[q] & (~0U >> (lanes - tree.leaf_size(leaf)));
        if (leaf == home) bits &= ~(1U << q);
        for (; bits != 0; bits &= bits - 1) {
          const std::int64_t at = home * lanes + q, p = leaf * lanes + __builtin_ctz(bits);
          const RowSpace& rows = ball.leaves_.rows();
          const double distance =
              rows.distance(rows.key(static_cast<VertexId>(at), static_cast<VertexId>(p)));
          if (distance <= ball.epsilon_) body(q, p, distance);
        }
      }
    }
  };

  const LeafPairs& leaves_;
  const KdTree& tree_;
  const Kernels& kernels_;
  double epsilon_;
  float ball_;  // reach of epsilon
  float limit_[lanes];
};

}  // namespace gssl::knn
