#include "gssl/flow/global_min_cut.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "graph/support/disjoint_sets.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/components.hpp"
#include "merged_rows.hpp"
#include "proven_set.hpp"

namespace gssl {

namespace {

using flow::merged, flow::MergedRows, flow::rows_of;

// Vertices by rank 0 … most, highest first, last come first out. Every rank a vertex had stays
// behind as a stale entry, which the caller knows by its present rank.
class RankStacks {
 public:
  static constexpr int most = 255;
  void push(VertexId v, int rank) {
    stacks_[static_cast<std::size_t>(rank)].push_back(v);
    filled_[static_cast<std::size_t>(rank / 64)] |= std::uint64_t{1} << (rank % 64);
  }
  // The next entry and its rank, or no_vertex.
  std::pair<VertexId, int> pop() {
    for (int word = 3; word >= 0; --word) {
      std::uint64_t& filled = filled_[static_cast<std::size_t>(word)];
      if (filled == 0) continue;
      const int rank = 64 * word + 63 - std::countl_zero(filled);
      auto& stack = stacks_[static_cast<std::size_t>(rank)];
      const VertexId v = stack.back();
      stack.pop_back();
      if (stack.empty()) filled &= ~(std::uint64_t{1} << (rank % 64));
      return {v, rank};
    }
    return {no_vertex, -1};
  }

 private:
  std::array<std::vector<VertexId>, most + 1> stacks_;
  std::array<std::uint64_t, 4> filled_{};
};

// How a round proves pairs to be strong: the costlier ones where those before merged hardly any.
enum class Proof { ranks, scan, flows };
// Flows are given up after as many looks at arcs as so many scans take.
constexpr EdgeIndex most_scans = 1000;

class Contraction {
 public:
  Contraction(const Graph& graph, const RunContext& run)
      : graph_(graph), run_(run), rows_(rows_of(graph)), inside_(index(graph.vertex_count())) {
    for (VertexId v = 0; v < graph.vertex_count(); ++v) inside_[index(v)] = v;
  }

  GlobalMinCut solve() {
    Proof proof = Proof::ranks;
    while (rows_.size > 1) {
      ++found_.rounds;
      run_.report_progress("global minimum cut");
      measure_degrees();
      const VertexId before = rows_.size;
      DisjointSets sets(before);
      merge_by_tests(sets);
      if (proof == Proof::ranks) {
        scan_in_ranks(sets);
      } else if (proof == Proof::scan) {
        scan_exactly(sets);
      } else {
        grow_by_flows(sets);
      }
      if (proof != Proof::flows) keep_best_prefix();
      // Ranks are rounded down and so miss some; scans prove little where all is as weak as the
      // threshold.
      const bool stuck = before - sets.sets() <= std::max(VertexId{1}, before / 50);
      proof = !stuck ? Proof::ranks : proof == Proof::ranks ? Proof::scan : Proof::flows;
      if (sets.sets() == before) continue;
      std::vector<VertexId> number;
      MergedRows left = merged(rows_, sets, number);
      for (VertexId& v : inside_) v = number[index(v)];
      rows_ = std::move(left);
    }
    finish();
    return std::move(found_);
  }

 private:
  // Each vertex alone is a cut.
  void measure_degrees() {
    degree_.assign(index(rows_.size), 0.0);
    VertexId least = 0;
    for (VertexId v = 0; v < rows_.size; ++v) {
      rows_.visit(v, [&](VertexId, double w) { degree_[index(v)] += w; });
      if (degree_[index(v)] < degree_[index(least)]) least = v;
    }
    if (!(degree_[index(least)] < best_)) return;
    best_ = degree_[index(least)];
    found_.side.assign(inside_.size(), 0);
    for (std::size_t v = 0; v < inside_.size(); ++v) found_.side[v] = inside_[v] == least ? 1 : 0;
  }

  // Padberg and Rinaldi. An edge as heavy as the threshold; an edge that is half of all edges of an
  // end, which could then change sides for free (once for every vertex); an edge that with the
  // triangles over it carries as much as the threshold.
  void merge_by_tests(DisjointSets& sets) {
    std::vector<unsigned char> moved(index(rows_.size), 0), done(index(rows_.size), 0);
    std::vector<double> beside(index(rows_.size), 0.0);
    for (VertexId u = 0; u < rows_.size; ++u) {
      if (done[index(u)] != 0) continue;
      rows_.visit(u, [&](VertexId v, double w) { beside[index(v)] = w; });
      rows_.visit(u, [&](VertexId v, double w) {
        const double less = std::min(degree_[index(u)], degree_[index(v)]);
        if (w >= best_) {
          sets.unite(u, v);
        } else if (2.0 * w >= less && moved[index(u)] == 0 && moved[index(v)] == 0) {
          moved[index(u)] = moved[index(v)] = 1;
          sets.unite(u, v);
        } else if (done[index(v)] == 0) {
          done[index(v)] = 1;
          double through = w;
          rows_.visit(v, [&](VertexId y, double wy) { through += std::min(wy, beside[index(y)]); });
          if (through >= best_) sets.unite(u, v);
        }
      });
      rows_.visit(u, [&](VertexId v, double) { beside[index(v)] = 0.0; });
      check_stop();
    }
  }

  // Maximum-adjacency order under weights rounded down to ranks: a lower bound of what connects is
  // as good a proof.
  void scan_in_ranks(DisjointSets& sets) {
    // A whole scale keeps whole weights exact.
    double scale = std::floor(RankStacks::most / best_);
    double threshold = std::ceil(best_ * scale);
    if (!(scale >= 1.0 && threshold <= RankStacks::most)) {
      scale =
          std::min(RankStacks::most / best_ * (1.0 - 1e-12), std::numeric_limits<double>::max());
      threshold = RankStacks::most;
    }
    const int enough = static_cast<int>(threshold);
    RankStacks queue;
    std::vector<int> rank(index(rows_.size), 0);
    start_order();
    queue.push(0, 0);
    for (;;) {
      const auto next = queue.pop();
      const VertexId v = next.first;
      if (v == no_vertex) return;
      if (scanned_[index(v)] != 0 || next.second != rank[index(v)]) continue;
      scan(v, [&](VertexId u, double w) {
        int& r = rank[index(u)];
        if (r < enough) {
          const double more = w * scale;
          r = more >= enough ? enough : std::min(enough, r + static_cast<int>(more));
          queue.push(u, r);
        }
        if (r == enough) sets.unite(v, u);
      });
    }
  }

  // The same in doubles. If rounding leaves it without a merge, the last two in the order are
  // merged: no cut that parts them is below the degree of the last one (Stoer and Wagner).
  void scan_exactly(DisjointSets& sets) {
    const VertexId before = sets.sets();
    std::priority_queue<std::pair<double, VertexId>> queue;
    std::vector<VertexId> strong;
    std::vector<double> connection(index(rows_.size), 0.0);
    start_order();
    queue.emplace(0.0, 0);
    while (!strong.empty() || !queue.empty()) {
      VertexId v = no_vertex;
      if (!strong.empty()) {
        v = strong.back();
        strong.pop_back();
      } else {
        const auto [key, vertex] = queue.top();
        queue.pop();
        if (key == connection[index(vertex)]) v = vertex;
      }
      if (v == no_vertex || scanned_[index(v)] != 0) continue;
      scan(v, [&](VertexId u, double w) {
        double& r = connection[index(u)];
        const bool was_strong = r >= best_;
        r += w;
        if (r >= best_) {
          sets.unite(v, u);
          if (!was_strong) strong.push_back(u);
        } else {
          queue.emplace(r, u);
        }
      });
    }
    if (sets.sets() == before) sets.unite(order_.back(), order_[order_.size() - 2]);
  }

  // What is proven by flows is one vertex from here on.
  void grow_by_flows(DisjointSets& sets) {
    const auto strongest = std::max_element(degree_.begin(), degree_.end()) - degree_.begin();
    flow::ProvenSet set(rows_, best_);
    set.grow(static_cast<VertexId>(strongest), most_scans * rows_.offsets[rows_.size], run_);
    for (const VertexId v : set.members()) sets.unite(v, set.members().front());
    if (!set.side().empty()) {
      best_ = set.threshold();
      for (std::size_t v = 0; v < inside_.size(); ++v)
        found_.side[v] = set.side()[index(inside_[v])];
    }
  }

  void start_order() {
    scanned_.assign(index(rows_.size), 0);
    order_.clear();
    prefix_cut_ = 0.0;
    best_prefix_ = 0;
    best_prefix_cut_ = best_;
  }

  // Takes v next and calls offer(neighbor, weight) for those not yet taken. Every beginning of the
  // order is a cut.
  template <class Offer>
  void scan(VertexId v, Offer&& offer) {
    scanned_[index(v)] = 1;
    order_.push_back(v);
    double inward = 0.0;
    rows_.visit(v, [&](VertexId u, double w) {
      if (scanned_[index(u)] != 0) {
        inward += w;
      } else {
        offer(u, w);
      }
    });
    prefix_cut_ += degree_[index(v)] - 2.0 * inward;
    if (prefix_cut_ < best_prefix_cut_ && order_.size() < index(rows_.size)) {
      best_prefix_cut_ = prefix_cut_;
      best_prefix_ = order_.size();
    }
    check_stop();
  }

  // Called before the merge of this round, since the order speaks of the vertices before it.
  void keep_best_prefix() {
    if (best_prefix_ == 0) return;
    std::vector<unsigned char> in(index(rows_.size), 0);
    for (std::size_t i = 0; i < best_prefix_; ++i) in[index(order_[i])] = 1;
    double cut = 0.0;  // anew: the running sum has rounded as often as there are vertices
    for (VertexId v = 0; v < rows_.size; ++v)
      if (in[index(v)] != 0)
        rows_.visit(v, [&](VertexId u, double w) { cut += in[index(u)] != 0 ? 0.0 : w; });
    if (!(cut < best_)) return;
    best_ = cut;
    for (std::size_t v = 0; v < inside_.size(); ++v) found_.side[v] = in[index(inside_[v])];
  }

  void finish() {
    const auto ones = std::count(found_.side.begin(), found_.side.end(), 1);
    const auto n = static_cast<std::ptrdiff_t>(found_.side.size());
    if (2 * ones > n || (2 * ones == n && found_.side[0] == 0))
      for (unsigned char& s : found_.side) s = s != 0 ? 0 : 1;
    found_.bound = best_;
    for (VertexId v = 0; v < graph_.vertex_count(); ++v)
      if (found_.side[index(v)] != 0)
        graph_.visit_row(
            v, [&](VertexId u, double w) { found_.value += found_.side[index(u)] != 0 ? 0.0 : w; });
  }

  void check_stop() {
    if (++steps_ % 4096 == 0)
      run_.throw_if_stopped("global minimum cut", "before the cut was proved");
  }

  const Graph& graph_;
  const RunContext& run_;
  MergedRows rows_;
  std::vector<VertexId> inside_;  // for each vertex of the graph, the merged one it is in
  std::vector<double> degree_;
  double best_ = std::numeric_limits<double>::infinity();
  GlobalMinCut found_;
  // Of the scan of the moment:
  std::vector<unsigned char> scanned_;
  std::vector<VertexId> order_;
  double prefix_cut_ = 0.0;
  double best_prefix_cut_ = 0.0;
  std::size_t best_prefix_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace

GlobalMinCut global_min_cut(const Graph& graph, const RunContext& run) {
  if (graph.vertex_count() < 2)
    throw Error(ErrorCode::bad_data, "global minimum cut: the graph has " +
                                         std::to_string(graph.vertex_count()) +
                                         " vertices: must have at least 2");
  if (!std::isfinite(
          std::accumulate(graph.weight_array().begin(), graph.weight_array().end(), 0.0)))
    throw Error(ErrorCode::bad_data,
                "global minimum cut: the sum of all weights overflows a double; rescale them");
  const Components components = connected_components(graph);
  if (components.count == 1) return Contraction(graph, run).solve();
  const auto least = std::min_element(components.sizes.begin(), components.sizes.end());
  const auto part = static_cast<VertexId>(least - components.sizes.begin());
  GlobalMinCut found;
  for (const VertexId component : components.of) found.side.push_back(component == part ? 1 : 0);
  return found;
}

}  // namespace gssl
