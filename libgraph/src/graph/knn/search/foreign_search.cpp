#include "foreign_search.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <tuple>

#include "graph/knn/exact_search.hpp"
#include "graph/knn/rows/distance_kernels.hpp"
#include "graph/knn/tree/tree_visit.hpp"
#include "gssl/core/index.hpp"

namespace gssl::knn {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr DistanceEdge none{std::numeric_limits<double>::infinity(),
                            std::numeric_limits<VertexId>::max(),
                            std::numeric_limits<VertexId>::max()};
// From so many wanted rows on, a component has panels of its own.
constexpr VertexId own_panels = 4 * lanes;

// Bit i is set where components[i] is another.
std::uint32_t foreign(const VertexId* components, VertexId home) {
  std::uint32_t mask = 0;
  for (int i = 0; i < lanes; ++i) mask |= static_cast<std::uint32_t>(components[i] != home) << i;
  return mask;
}

}  // namespace

ForeignSearch::ForeignSearch(const RowSpace& rows, int threads)
    : rows_(rows),
      leaves_(rows, threads),
      position_(order().size()),
      component_(index(leaves_.tree().leaf_count() * lanes), no_vertex) {
  for (std::size_t p = 0; p < order().size(); ++p)
    position_[index(order()[p])] = static_cast<VertexId>(p);
}

void ForeignSearch::set_components(std::span<const VertexId> component) {
  const KdTree& tree = leaves_.tree();
  for (std::size_t p = 0; p < order().size(); ++p) component_[p] = component[index(order()[p])];
  node_component_.resize(index(tree.top_level()));
  const auto common = [](const VertexId* of, int count) {
    return std::all_of(of, of + count, [of](VertexId c) { return c == *of; }) ? *of : no_vertex;
  };
  for (int level = 0; level < tree.top_level(); ++level) {
    std::vector<VertexId>& nodes = node_component_[index(level)];
    nodes.resize(index(tree.level(level).count));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto node = static_cast<std::int64_t>(i);
      nodes[i] = level == 0 ? common(&component_[i * lanes], tree.leaf_size(node))
                            : common(&node_component_[index(level) - 1][i * lanes],
                                     tree.children(level, node));
    }
  }
}

// One panel of rows that ask, on its way through the tree.
class ForeignSearch::Walk {
 public:
  Walk(const ForeignSearch& search, std::vector<std::atomic<double>>& shortest)
      : search_(search),
        leaves_(search.leaves_),
        tree_(leaves_.tree()),
        kernels_(kernels_for(search.rows_.norm())),
        shortest_(shortest),
        panel_(index(tree_.columns() * lanes)),
        low_(index(tree_.columns())),
        high_(low_.size()),
        visit_(tree_, kernels_, search.rows_.norm()) {}

  // For rows at up to 32 positions.
  void run(std::span<const VertexId> positions) {
    size_ = static_cast<int>(positions.size());
    std::copy(positions.begin(), positions.end(), position_);
    gather();
    std::fill_n(length_, lanes, none.length);
    std::fill_n(radius_, lanes, infinity);
    // Nothing is near to the places without a row.
    std::fill_n(limit_, lanes, -infinity);
    std::fill_n(limit_, size_, infinity);
    std::fill_n(best_, lanes, none);
    single_ = component_[0];
    for (int q = 1; q < size_; ++q)
      if (component_[q] != single_) single_ = no_vertex;
    reach_ = infinity;
    take_shortest();
    visit_.run_box(low_, high_, *this);
  }

  Found found(int q) const {
    return best_[q].length <= length_[q] ? Found{best_[q], best_[q].length}
                                         : Found{none, length_[q]};
  }

  float reach() const { return reach_; }
  bool enters(int level, std::int64_t node) const {
    return single_ == no_vertex || search_.node_component_[index(level)][index(node)] != single_;
  }

  void meet(std::int64_t leaf) {
    const std::uint32_t valid = ~0U >> (lanes - tree_.leaf_size(leaf));
    const VertexId* others = search_.component_.data() + leaf * lanes;
    std::uint32_t out = valid;
    if (single_ != no_vertex) out &= foreign(others, single_);
    if (out == 0) return;
    take_shortest();
    std::uint32_t hits[lanes];
    std::uint32_t found = near(leaf, hits) & (~0U >> (lanes - size_));
    for (; found != 0; found &= found - 1) {
      const int q = __builtin_ctz(found);
      std::uint32_t bits = hits[q] & out;
      if (bits != 0 && single_ == no_vertex) bits &= foreign(others, component_[q]);
      for (; bits != 0; bits &= bits - 1) offer(q, leaf * lanes + __builtin_ctz(bits));
    }
    if (shorter_) take_shortest();
  }

  std::int64_t distances = 0;

 private:
  void gather() {
    std::fill(low_.begin(), low_.end(), infinity);
    std::fill(high_.begin(), high_.end(), -infinity);
    for (int q = 0; q < size_; ++q) {
      const std::int64_t leaf = position_[q] / lanes, lane = position_[q] % lanes;
      const float* from = tree_.panel(leaf) + lane;
      for (std::size_t c = 0; c < low_.size(); ++c) {
        const float x = from[c * lanes];
        panel_[c * lanes + index(q)] = x;
        low_[c] = std::min(low_[c], x);
        high_[c] = std::max(high_[c], x);
      }
      error_[q] = tree_.errors(leaf)[lane];
      if (!leaves_.norms().empty()) norm_[q] = leaves_.norms()[index(position_[q])];
      component_[q] = search_.component_[index(position_[q])];
    }
  }

  // The rows of the panel need no longer edges than others of their components have found.
  void take_shortest() {
    for (int q = 0; q < size_; ++q) {
      const double least = shortest_[index(component_[q])].load(std::memory_order_relaxed);
      if (least < length_[q]) shorten(q, least);
    }
    if (shorter_) reach_ = *std::max_element(radius_, radius_ + size_);
    shorter_ = false;
  }

  void shorten(int q, double length) {
    length_[q] = length;
    const float reach = leaves_.frame().reach(search_.rows_.key_bound(length));
    radius_[q] = reach + error_[q];
    limit_[q] = search_.rows_.norm() == Norm::l2 ? reach * reach : reach;
    shorter_ = true;
  }

  std::uint32_t near(std::int64_t leaf, std::uint32_t* hits) const {
    const float* norms = leaves_.norms().data();
    if (norms == nullptr)
      return kernels_.leaf_hits(
          {panel_.data(), radius_, tree_.panel(leaf), tree_.pack(0, leaf / lanes),
           static_cast<int>(leaf % lanes), tree_.level(0).errors[index(leaf)], tree_.columns()},
          hits);
    float no_limit[lanes];
    std::fill_n(no_limit, lanes, -infinity);
    return kernels_.panel_hits({panel_.data(), tree_.panel(leaf), norm_, norms + leaf * lanes,
                                limit_, no_limit, leaves_.frame().factor(), tree_.columns()},
                               hits);
  }

  void offer(int q, std::int64_t p) {
    ++distances;
    const VertexId row = search_.order()[index(position_[q])], other = search_.order()[index(p)];
    const double length = search_.rows_.distance(search_.rows_.key(row, other));
    if (length > length_[q]) return;
    best_[q] = std::min(best_[q], distance_edge(length, row, other));
    if (length == length_[q]) return;
    shorten(q, length);
    std::atomic<double>& least = shortest_[index(component_[q])];
    double now = least.load(std::memory_order_relaxed);
    while (length < now && !least.compare_exchange_weak(now, length)) {
    }
  }

  const ForeignSearch& search_;
  const LeafPairs& leaves_;
  const KdTree& tree_;
  const DistanceKernels& kernels_;
  std::vector<std::atomic<double>>& shortest_;
  int size_ = 0;
  VertexId single_ = no_vertex;  // the component of all rows of the panel; no_vertex: several
  VertexId position_[lanes] = {};
  VertexId component_[lanes] = {};
  std::vector<float> panel_;
  std::vector<float> low_;  // box of the panel
  std::vector<float> high_;
  float error_[lanes] = {};
  float norm_[lanes] = {};
  double length_[lanes] = {};  // longer edges are of no use
  float radius_[lanes] = {};   // the same for the kernels
  float limit_[lanes] = {};
  DistanceEdge best_[lanes];
  bool shorter_ = false;  // a radius, since reach_ was taken
  float reach_ = infinity;
  TreeVisit visit_;
};

std::vector<ForeignSearch::Found> ForeignSearch::search(std::span<const VertexId> wanted,
                                                        std::span<const double> least,
                                                        const RunContext& run,
                                                        std::int64_t& distances) const {
  std::vector<VertexId> asked(least.size(), 0);  // rows of each component
  // By component where it fills panels, which then keep out of the boxes that are all its own.
  struct Query {
    VertexId group;  // component, or −1
    VertexId position;
    VertexId place;  // in `wanted`
  };
  std::vector<Query> queries;
  queries.reserve(wanted.size());
  for (const VertexId row : wanted) ++asked[index(component_[index(position_[index(row)])])];
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const VertexId position = position_[index(wanted[i])], home = component_[index(position)];
    queries.push_back(
        {asked[index(home)] >= own_panels ? home : no_vertex, position, static_cast<VertexId>(i)});
  }
  std::sort(queries.begin(), queries.end(), [](const Query& a, const Query& b) {
    return std::tie(a.group, a.position) < std::tie(b.group, b.position);
  });
  std::vector<std::size_t> begins;  // of the panels
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (begins.empty() || i - begins.back() == lanes ||
        queries[i].group != queries[begins.back()].group)
      begins.push_back(i);
  begins.push_back(queries.size());

  std::vector<std::atomic<double>> shortest(least.size());
  for (std::size_t c = 0; c < least.size(); ++c) shortest[c] = least[c];
  std::vector<Found> found(wanted.size());
  std::atomic<std::int64_t> computed = 0;
  parallel_blocks(
      static_cast<std::int64_t>(begins.size()) - 1, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_if_asked(run);
        Walk walk(*this, shortest);
        std::vector<VertexId> positions;
        for (std::int64_t panel = begin; panel < end; ++panel) {
          const std::size_t first = begins[index(panel)], last = begins[index(panel) + 1];
          positions.clear();
          for (std::size_t i = first; i < last; ++i) positions.push_back(queries[i].position);
          walk.run(positions);
          for (std::size_t i = first; i < last; ++i)
            found[index(queries[i].place)] = walk.found(static_cast<int>(i - first));
        }
        computed += walk.distances;
      },
      8);
  distances += computed;
  return found;
}

}  // namespace gssl::knn
