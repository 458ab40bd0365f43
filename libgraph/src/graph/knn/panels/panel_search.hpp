#pragma once
// Lists of nearest neighbors that panels of rows feed by meeting.
//
// The rows lie in panels of 32 in k-d tree order. When two panels meet, a tile of the matrix
// product bounds all 1024 distances from below,
//   ‖x − y‖² ≥ N(x) + N(y) − 2 x·y,   N(x) = ‖x‖²(1 − slack),
// where the slack covers every rounding, and what lies below the present k-th distance of either
// row is computed in double. So the lists always hold the k nearest of all rows met, exactly.
//
// Panels are grouped to blocks, and pairs of blocks meet in the rounds of a tournament: no two
// pairs of a round share a block, so lists need no locks and everything is the same at any thread
// count.

#include <functional>
#include <vector>

#include "graph/knn/exact_search.hpp"
#include "graph/knn/rows/distance_kernels.hpp"
#include "graph/knn/tree/kd_tree.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::knn {

class PanelSearch {
 public:
  // Bounds are those of `space`, where no two rows are farther apart than in `rows`. Empties the
  // lists. `rows` and `lists` must outlive it.
  PanelSearch(const RowSpace& rows, const RowSpace& space, const FloatFrame& frame, KnnLists& lists,
              int threads);

  const RowSpace& rows() const { return rows_; }
  const FloatFrame& frame() const { return frame_; }
  const KdTree& tree() const { return tree_; }
  const DistanceKernels& kernels() const { return kernels_; }
  std::int64_t panels() const { return tree_.leaf_count(); }
  NeighborList list(VertexId row) const { return list_of(lists_, row); }
  // What each position adds to a bound; 32 to a panel.
  const float* norms(std::int64_t panel) const { return norm_.data() + panel * lanes; }

  // The panels of a block are block · panels_per_block() and on.
  std::int64_t panels_per_block() const { return panels_per_block_; }
  std::int64_t blocks() const { return (panels() + panels_per_block_ - 1) / panels_per_block_; }
  std::int64_t block_end(std::int64_t block) const {
    return std::min(panels(), (block + 1) * panels_per_block_);
  }

  // All pairs of rows of two panels, or of one, which have not met before. Returns the number of
  // distances computed. Not from two threads with a panel in common.
  std::int64_t meet(std::int64_t a, std::int64_t b);

  // Whether the list of a row has changed since the last call of forget_changes().
  bool has_changed(VertexId row) const { return changed_[static_cast<std::size_t>(row)] != 0; }
  void forget_changes() { std::fill(changed_.begin(), changed_.end(), std::uint8_t{0}); }

  // Bit i is set unless panel 32 · pack + i is too far from panel b for any row of the two.
  std::uint32_t in_reach(std::int64_t b, std::int64_t pack) const;

  // Pairs of panels that meet_all would now let meet, estimated from some of the panels.
  double pairs_in_reach() const;

  // Calls piece(a, b) once for all blocks a ≥ b, in parallel where they share none. piece returns
  // the number of distances it computed.
  template <class Piece>
  void tournament(const RunContext& run, const Piece& piece) {
    const auto in_parallel = [&](std::int64_t count, const auto& call) {
      distances_ += blocked_sum(
          count, run.thread_count(),
          [&](std::int64_t i, std::int64_t) {
            stop_if_asked(run);
            return call(i);
          },
          1);
    };
    in_parallel(blocks(), [&](std::int64_t b) { return piece(b, b); });
    // Player `last` stays, the others walk around the table; an odd one out plays a block that is
    // not there.
    const std::int64_t last = blocks() - 1 + blocks() % 2;
    for (std::int64_t round = 0; round < last; ++round) {
      run.report_progress("k-nn", static_cast<double>(round) / static_cast<double>(last));
      in_parallel((last + 1) / 2, [&](std::int64_t i) {
        const std::int64_t a = i == 0 ? last : (round + i) % last;
        const std::int64_t b = (round - i + last) % last;
        return a < blocks() && b < blocks() ? piece(std::max(a, b), std::min(a, b))
                                            : std::int64_t{0};
      });
    }
  }

  // All pairs of panels that are in reach of one another: the lists are exact then. met(a, b,
  // masks) tells which panels of blocks a ≥ b have met: it sets bit i of masks[j], which are 0,
  // where the i-th of a has met the j-th of b; false, that these two blocks are not to meet. An
  // empty function, that none has.
  using Met = std::function<bool(std::int64_t a, std::int64_t b, std::uint32_t* masks)>;
  void meet_all(const RunContext& run, const Met& met = {});

  std::int64_t distances() const { return distances_; }

 private:
  void shrink(std::int64_t panel, std::uint32_t nearer);
  VertexId row_at(std::int64_t panel, int p) const {
    return tree_.order()[static_cast<std::size_t>(panel * lanes + p)];
  }

  const RowSpace& rows_;
  KnnLists& lists_;
  const FloatFrame frame_;
  const KdTree tree_;
  const DistanceKernels& kernels_;
  std::int64_t panels_per_block_ = lanes;
  std::vector<float> norm_;            // by position
  std::vector<float> need_;            // by position: how far the row has to look
  std::vector<float> limit_;           // by position: bounds above it are of no use
  std::vector<float> reach_;           // by panel: the most any of its rows needs
  std::vector<std::uint8_t> changed_;  // by row
  std::int64_t distances_ = 0;
};

}  // namespace gssl::knn
