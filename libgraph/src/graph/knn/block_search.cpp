// All pairs, each once. The rows lie in panels of 32 in k-d tree order, a block is up to 32 panels,
// and every pair of blocks is one piece of work that feeds the lists of both. In it a pair of
// panels is skipped when their boxes are too far apart for either; else a tile of the matrix
// product bounds all 1024 distances from below,
//   ‖x − y‖² ≥ N(x) + N(y) − 2 x·y,   N(x) = ‖x‖²(1 − slack),
// where the slack covers every rounding, and what lies below the present k-th distance of either
// row is computed in double. The pieces run in the rounds of a tournament: no two pieces of a round
// share a block, so lists need no locks.

#include <chrono>
#include <optional>

#include "exact_search.hpp"
#include "gssl/core/parallel.hpp"
#include "kd_tree.hpp"
#include "kernels.hpp"
#include "projection.hpp"

namespace gssl::knn {
namespace {

class BlockSearch {
 public:
  // Searches `space`, where no two rows are farther apart than in `rows`.
  BlockSearch(const RowSpace& rows, const RowSpace& space, const FloatFrame& frame, KnnLists& lists,
              int threads)
      : rows_(rows),
        lists_(lists),
        frame_(frame),
        tree_(space, frame_, threads),
        kernels_(kernels_for(rows.norm())),
        norm_(tree_.order().size() + lanes, 0.0F),
        need_(norm_.size(), std::numeric_limits<float>::infinity()),
        limit_(norm_.size(), std::numeric_limits<float>::infinity()),
        reach_(static_cast<std::size_t>(tree_.leaf_count()),
               std::numeric_limits<float>::infinity()) {
    // Many blocks keep the threads busy, large ones the cache.
    while (panels_per_block_ > 4 && tree_.leaf_count() < 64 * panels_per_block_)
      panels_per_block_ /= 2;
    parallel_blocks(
        tree_.leaf_count(), threads,
        [this](std::int64_t begin, std::int64_t end) {
          for (std::int64_t panel = begin; panel < end; ++panel)
            for (int p = 0; p < tree_.leaf_size(panel); ++p)
              norm_[static_cast<std::size_t>(panel * lanes + p)] = norm_of(panel, p);
        },
        64);
    for (VertexId i = 0; i < rows.rows(); ++i) list_of(lists, i).clear();
  }

  void run(const RunContext& run, int threads) {
    const std::int64_t blocks = (tree_.leaf_count() + panels_per_block_ - 1) / panels_per_block_;
    const auto in_parallel = [&](std::int64_t count, const auto& piece) {
      parallel_blocks(
          count, threads,
          [&](std::int64_t i, std::int64_t) {
            stop_if_asked(run);
            distances_ += piece(i);
          },
          1);
    };
    in_parallel(blocks, [this](std::int64_t b) { return meet(b, b); });
    // Player `last` stays, the others walk around the table; an odd one out plays a block that is
    // not there.
    const std::int64_t last = blocks - 1 + blocks % 2;
    for (std::int64_t round = 0; round < last; ++round) {
      run.report_progress("k-nn", static_cast<double>(round) / static_cast<double>(last));
      in_parallel((last + 1) / 2, [&](std::int64_t i) {
        const std::int64_t a = i == 0 ? last : (round + i) % last;
        const std::int64_t b = (round - i + last) % last;
        return a < blocks && b < blocks ? meet(a, b) : 0;
      });
    }
  }

  std::int64_t distances() const { return distances_; }

 private:
  float norm_of(std::int64_t panel, int p) const {
    const float* x = tree_.panel(panel) + p;
    const float error = tree_.errors(panel)[p];
    if (rows_.norm() == Norm::l1 || std::isinf(error)) return -1.01F * error;
    double square = 0.0;
    for (std::int64_t c = 0; c < tree_.columns(); ++c)
      square += static_cast<double>(x[c * lanes]) * x[c * lanes];
    return static_cast<float>(square * (1.0 - frame_.slack()) -
                              static_cast<double>(tree_.columns()) * 0x1p-120);
  }

  // All pairs between two blocks, or within one. Returns the number of keys computed.
  std::int64_t meet(std::int64_t block_a, std::int64_t block_b) {
    std::int64_t keys = 0;
    const std::int64_t d = tree_.columns(), first_a = block_a * panels_per_block_;
    std::vector<float> low(static_cast<std::size_t>(d)), high(low.size());
    alignas(64) float bound[lanes];
    for (std::int64_t b = block_b * panels_per_block_; b < end_of(block_b); ++b) {
      if (block_a == block_b) keys += meet_panels(b, b);
      const float* box = tree_.pack(0, b / lanes) + b % lanes;
      for (std::int64_t c = 0; c < d; ++c) {
        low[static_cast<std::size_t>(c)] = box[c * lanes];
        high[static_cast<std::size_t>(c)] = box[(d + c) * lanes];
      }
      kernels_.box_bounds(tree_.pack(0, first_a / lanes), low.data(), high.data(), d, bound);
      const std::int64_t end_a = block_a == block_b ? b : end_of(block_a);
      for (std::int64_t a = first_a; a < end_a; ++a) {
        const float reach =
            std::max(reach_[static_cast<std::size_t>(a)], reach_[static_cast<std::size_t>(b)]) +
            error_of(a) + error_of(b);
        const float limit = rows_.norm() == Norm::l2 ? reach * reach : reach;
        if (!(bound[a % lanes] > limit)) keys += meet_panels(a, b);
      }
    }
    return keys;
  }

  std::int64_t end_of(std::int64_t block) const {
    return std::min(tree_.leaf_count(), (block + 1) * panels_per_block_);
  }
  float error_of(std::int64_t panel) const {
    return tree_.level(0).errors[static_cast<std::size_t>(panel)];
  }

  std::int64_t meet_panels(std::int64_t a, std::int64_t b) {
    std::uint32_t hits[lanes];
    const float factor =
        rows_.norm() == Norm::l2 ? -2.0F : static_cast<float>(1.0 - frame_.slack());
    std::uint32_t found = kernels_.panel_hits(
        {tree_.panel(a), tree_.panel(b), norm_.data() + a * lanes, norm_.data() + b * lanes,
         limit_.data() + a * lanes, limit_.data() + b * lanes, factor, tree_.columns()},
        hits);
    found &= ~0U >> (lanes - tree_.leaf_size(a));
    if (found == 0) return 0;
    const std::uint32_t valid = ~0U >> (lanes - tree_.leaf_size(b));
    std::int64_t keys = 0;
    std::uint32_t nearer_a = 0, nearer_b = 0;  // rows whose lists have changed
    for (; found != 0; found &= found - 1) {
      const int at_a = __builtin_ctz(found);
      const VertexId i = row_at(a, at_a);
      std::uint32_t columns = hits[at_a] & valid;
      if (a == b) columns &= ~1U << at_a;  // each pair once
      for (; columns != 0; columns &= columns - 1) {
        const int at_b = __builtin_ctz(columns);
        const VertexId j = row_at(b, at_b);
        const double key = rows_.key(i, j);
        ++keys;
        if (list_of(lists_, i).offer(key, j)) nearer_a |= 1U << at_a;
        if (list_of(lists_, j).offer(key, i)) nearer_b |= 1U << at_b;
      }
    }
    shrink(a, nearer_a);
    shrink(b, nearer_b);
    return keys;
  }

  VertexId row_at(std::int64_t panel, int p) const {
    return tree_.order()[static_cast<std::size_t>(panel * lanes + p)];
  }

  void shrink(std::int64_t panel, std::uint32_t nearer) {
    if (nearer == 0) return;
    float* needs = need_.data() + panel * lanes;
    for (; nearer != 0; nearer &= nearer - 1) {
      const int p = __builtin_ctz(nearer);
      needs[p] = frame_.reach(list_of(lists_, row_at(panel, p)).last_key());
      limit_[static_cast<std::size_t>(panel * lanes + p)] =
          rows_.norm() == Norm::l2 ? needs[p] * needs[p] : needs[p];
    }
    reach_[static_cast<std::size_t>(panel)] =
        *std::max_element(needs, needs + tree_.leaf_size(panel));
  }

  const RowSpace& rows_;
  KnnLists& lists_;
  const FloatFrame frame_;
  const KdTree tree_;
  const Kernels& kernels_;
  std::int64_t panels_per_block_ = lanes;
  std::vector<float> norm_;   // by position
  std::vector<float> need_;   // by position: how far the row has to look
  std::vector<float> limit_;  // by position: bounds above it are of no use
  std::vector<float> reach_;  // by panel: the most any of its rows needs
  std::atomic<std::int64_t> distances_ = 0;
};

}  // namespace

void block_search(const RowSpace& rows, const Projection* projection, KnnLists& lists,
                  const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  const int threads = run.thread_count();
  std::optional<RowSpace> projected;
  if (projection != nullptr) projected.emplace(projection->apply(rows, threads));
  const FloatFrame frame =
      projected ? FloatFrame(*projected, Projection::relative_error) : FloatFrame(rows);
  BlockSearch search(rows, projected ? *projected : rows, frame, lists, threads);
  projected.reset();
  const auto built = std::chrono::steady_clock::now();
  search.run(run, threads);
  for (double& key : lists.distances) key = rows.distance(key);
  const auto searched = std::chrono::steady_clock::now();
  lists.report.distances = search.distances();
  lists.report.build_seconds = std::chrono::duration<double>(built - start).count();
  lists.report.search_seconds = std::chrono::duration<double>(searched - built).count();
}

}  // namespace gssl::knn
