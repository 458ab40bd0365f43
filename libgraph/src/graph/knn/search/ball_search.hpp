#pragma once
// All neighbors of every point within a fixed distance, leaf by leaf over the k-d tree.
//
// What is near is told by bits, 32 points against 32 at a time, so that a leaf with all its pairs
// takes few hundred bytes where ids and distances would take thousands. Who needs the distances
// computes them again.

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/knn/rows/distance_kernels.hpp"
#include "graph/knn/tree/leaf_pairs.hpp"
#include "graph/knn/tree/tree_visit.hpp"

namespace gssl::knn {

class BallSearch {
 public:
  // `rows` are those of the tree, in its order.
  BallSearch(const LeafPairs& leaves, const RowSpace& rows, double epsilon)
      : leaves_(leaves),
        rows_(rows),
        tree_(leaves.tree()),
        kernels_(kernels_for(rows.norm())),
        key_limit_(largest_key(rows, epsilon)),
        ball_(leaves.frame().reach(rows.key_bound(epsilon))),
        visit_(tree_, kernels_, rows.norm()) {
    std::fill_n(limit_, lanes, rows.norm() == Norm::l2 ? ball_ * ball_ : ball_);
  }

  // Calls body(other leaf, queries, hits) for every leaf that holds a point within epsilon of one
  // of this leaf: bit q of `queries` is set if point q has neighbors there, and then bit p of
  // hits[q] if point p is one. No point is its own neighbor.
  template <class Body>
  void run(std::int64_t leaf, const Body& body) {
    float radius[lanes] = {};
    for (int p = 0; p < tree_.leaf_size(leaf); ++p) radius[p] = ball_ + tree_.errors(leaf)[p];
    const Meetings<Body> meetings{*this, body, leaf, radius,
                                  *std::max_element(radius, radius + tree_.leaf_size(leaf))};
    visit_.run(leaf, meetings);
  }

 private:
  template <class Body>
  struct Meetings {
    const BallSearch& ball;
    const Body& body;
    std::int64_t home;
    const float* radius;
    float most;

    float reach() const { return most; }
    void meet(std::int64_t leaf) const {
      std::uint32_t hits[lanes];
      const std::uint32_t found = ball.near(home, radius, leaf, hits);
      if (found != 0) body(leaf, found, hits);
    }
  };

  // The largest key of a distance up to epsilon.
  static double largest_key(const RowSpace& rows, double epsilon) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double key = rows.key_bound(epsilon);
    while (rows.distance(key) > epsilon) key = std::nextafter(key, 0.0);
    while (rows.distance(std::nextafter(key, infinity)) <= epsilon)
      key = std::nextafter(key, infinity);
    return key;
  }

  std::uint32_t near(std::int64_t home, const float* radius, std::int64_t leaf,
                     std::uint32_t* hits) const {
    const float* norms = leaves_.norms().data();
    std::uint32_t maybe =
        norms != nullptr
            ? kernels_.panel_hits(
                  {tree_.panel(home), tree_.panel(leaf), norms + home * lanes, norms + leaf * lanes,
                   limit_, limit_, leaves_.frame().factor(), tree_.columns()},
                  hits)
            : kernels_.leaf_hits(
                  {tree_.panel(home), radius, tree_.panel(leaf), tree_.pack(0, leaf / lanes),
                   static_cast<int>(leaf % lanes),
                   tree_.level(0).errors[static_cast<std::size_t>(leaf)], tree_.columns()},
                  hits);
    maybe &= ~0U >> (lanes - tree_.leaf_size(home));
    std::uint32_t found = 0;
    for (; maybe != 0; maybe &= maybe - 1) {
      const int q = __builtin_ctz(maybe);
      std::uint32_t bits = hits[q] & (~0U >> (lanes - tree_.leaf_size(leaf)));
      if (leaf == home) bits &= ~(1U << q);
      double keys[lanes];
      rows_.keys(static_cast<VertexId>(home * lanes + q), static_cast<VertexId>(leaf * lanes), bits,
                 keys);
      hits[q] = bits;
      for (const double* key = keys; bits != 0; bits &= bits - 1)
        if (*key++ > key_limit_) hits[q] ^= bits & -bits;
      found |= hits[q] != 0 ? 1U << q : 0U;
    }
    return found;
  }

  const LeafPairs& leaves_;
  const RowSpace& rows_;
  const KdTree& tree_;
  const DistanceKernels& kernels_;
  double key_limit_;
  float ball_;  // reach of epsilon
  float limit_[lanes];
  TreeVisit visit_;
};

}  // namespace gssl::knn
