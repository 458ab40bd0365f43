// Leaf against leaf over a k-d tree. The 32 points of a leaf keep their lists side by side and walk
// the tree once; a box is entered when it is within reach of the one that needs most, a leaf is
// scanned by those points that its own box is within reach of.

#include <mutex>

#include "graph/knn/exact_search.hpp"
#include "graph/knn/tree/tree_visit.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::knn {
namespace {

// Rows in the order of their tree.
struct TreeSide {
  const KdTree& tree;
  const RowSpace& rows;
};

class LeafSearch {
 public:
  // For the k nearest points of queries, which may be the points.
  LeafSearch(const TreeSide& queries, const TreeSide& points, const FloatFrame& frame, int k)
      : queries_(queries.tree),
        query_rows_(queries.rows),
        tree_(points.tree),
        rows_(points.rows),
        frame_(frame),
        kernels_(kernels_for(rows_.norm())),
        k_(k),
        keys_(static_cast<std::size_t>(lanes * k)),
        ids_(keys_.size()),
        visit_(tree_, kernels_, rows_.norm()) {}

  // For the queries of a leaf.
  void run(std::int64_t leaf) {
    home_ = leaf;
    size_ = queries_.leaf_size(leaf);
    for (int q = 0; q < size_; ++q) list(q).clear();
    std::fill(std::begin(radius_), std::end(radius_), std::numeric_limits<float>::infinity());
    reach_ = std::numeric_limits<float>::infinity();
    if (among_themselves())
      visit_.run(leaf, *this);
    else
      visit_.run_foreign(queries_, leaf, *this);
  }

  float reach() const { return reach_; }

  void meet(std::int64_t leaf) {
    const LeafPair pair = {queries_.panel(home_),
                           radius_,
                           tree_.panel(leaf),
                           tree_.pack(0, leaf / lanes),
                           static_cast<int>(leaf % lanes),
                           tree_.level(0).errors[static_cast<std::size_t>(leaf)],
                           tree_.columns()};
    if (leaf == home_ && among_themselves()) {
      for (int q = 0; q < size_; ++q) meet_at_home(pair, q);
      reach_ = *std::max_element(radius_, radius_ + size_);
      return;
    }
    std::uint32_t hits[lanes];
    std::uint32_t found = kernels_.leaf_hits(pair, hits) & valid(size_);
    const std::uint32_t points = valid(tree_.leaf_size(leaf));
    bool nearer = false;
    for (; found != 0; found &= found - 1) {
      const int q = __builtin_ctz(found);
      bool taken = false;
      for (std::uint32_t bits = hits[q] & points; bits != 0; bits &= bits - 1)
        taken |= offer(q, leaf * lanes + __builtin_ctz(bits));
      if (taken) shrink(q);
      nearer |= taken;
    }
    if (nearer) reach_ = *std::max_element(radius_, radius_ + size_);
  }

  NeighborList list(std::int64_t q) { return {keys_.data() + q * k_, ids_.data() + q * k_, k_}; }

  std::int64_t distances = 0;

 private:
  // Nearly all of a leaf's own points would enter the empty lists; taken nearest first, about k do.
  void meet_at_home(const LeafPair& pair, int q) {
    float distance[lanes];
    std::int32_t order[lanes];
    kernels_.leaf_order(pair, q, distance, order);
    int taken = 0;
    for (const std::int32_t p : order) {
      if (p == q || p >= size_) continue;
      if (taken >= k_) {
        const float limit = (radius_[q] + pair.error) * 0x1.00004p0F;
        if (distance[p] > (rows_.norm() == Norm::l2 ? limit * limit : limit)) break;
      }
      offer(q, home_ * lanes + p);
      if (++taken >= k_) shrink(q);
    }
  }

  bool offer(int q, std::int64_t p) {
    ++distances;
    return list(q).offer(
        query_rows_.key(static_cast<VertexId>(home_ * lanes + q), rows_, static_cast<VertexId>(p)),
        tree_.order()[static_cast<std::size_t>(p)]);
  }

  void shrink(int q) { radius_[q] = frame_.reach(list(q).last_key()) + queries_.errors(home_)[q]; }

  bool among_themselves() const { return &queries_ == &tree_; }
  static std::uint32_t valid(int count) { return ~0U >> (lanes - count); }

  const KdTree& queries_;
  const RowSpace& query_rows_;
  const KdTree& tree_;
  const RowSpace& rows_;
  const FloatFrame& frame_;
  const DistanceKernels& kernels_;
  int k_;
  std::vector<double> keys_;
  std::vector<VertexId> ids_;
  TreeVisit visit_;
  std::int64_t home_ = 0;
  int size_ = 0;
  float radius_[lanes] = {};
  float reach_ = 0.0F;
};

// The lists of all queries.
void search_leaves(const TreeSide& queries, const TreeSide& points, const FloatFrame& frame,
                   KnnLists& lists, const RunContext& run) {
  std::atomic<std::int64_t> distances = 0;
  std::int64_t leaves_done = 0;
  std::mutex progress;
  const KdTree& tree = queries.tree;
  parallel_blocks(
      tree.leaf_count(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_if_asked(run);
        LeafSearch search(queries, points, frame, lists.k);
        for (std::int64_t leaf = begin; leaf < end; ++leaf) {
          search.run(leaf);
          for (int q = 0; q < tree.leaf_size(leaf); ++q) {
            const NeighborList found = search.list(q);
            const NeighborList out =
                list_of(lists, tree.order()[static_cast<std::size_t>(leaf * lanes + q)]);
            std::copy_n(found.ids, found.k, out.ids);
            for (int j = 0; j < found.k; ++j) out.keys[j] = points.rows.distance(found.keys[j]);
          }
        }
        distances += search.distances;
        const std::lock_guard lock(progress);
        leaves_done += end - begin;
        run.report_progress(
            "k-nn", static_cast<double>(leaves_done) / static_cast<double>(tree.leaf_count()));
      },
      64);
  lists.report.distances = distances;
}

}  // namespace

void tree_search(const RowSpace& given, const RowSpace* queries, KnnLists& lists,
                 const RunContext& run) {
  const Stopwatch watch;
  const int threads = run.thread_count();
  const FloatFrame frame(given);
  const KdTree tree(given, frame, threads);
  const RowSpace rows = given.reordered(tree.order(), threads);
  if (queries == nullptr) {
    lists.report.build_seconds = watch.seconds();
    search_leaves({tree, rows}, {tree, rows}, frame, lists, run);
  } else {
    const KdTree query_tree(*queries, frame, threads);
    const RowSpace query_rows = queries->reordered(query_tree.order(), threads);
    lists.report.build_seconds = watch.seconds();
    search_leaves({query_tree, query_rows}, {tree, rows}, frame, lists, run);
  }
  lists.report.search_seconds = watch.seconds() - lists.report.build_seconds;
}

}  // namespace gssl::knn
