#include "gssl/flow/global_min_cut.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "../graph/disjoint_sets.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/components.hpp"

namespace gssl {

namespace {

std::size_t at(VertexId v) { return static_cast<std::size_t>(v); }

// The graph, or what is left of it after merging. Rows need not be ascending.
struct Rows {
  VertexId size = 0;
  const EdgeIndex* offsets = nullptr;
  const VertexId* heads = nullptr;
  const double* weights = nullptr;  // null: all 1
  std::vector<EdgeIndex> own_offsets;
  std::vector<VertexId> own_heads;
  std::vector<double> own_weights;

  double weight(EdgeIndex e) const { return weights == nullptr ? 1.0 : weights[e]; }
  template <class Body>
  void visit(VertexId v, Body&& body) const {
    for (EdgeIndex e = offsets[v]; e < offsets[v + 1]; ++e) body(heads[e], weight(e));
  }
};

Rows rows_of(const Graph& graph) {
  Rows rows;
  rows.size = graph.vertex_count();
  rows.offsets = graph.offset_array().data();
  rows.heads = graph.neighbor_array().data();
  if (!graph.has_unit_weights()) rows.weights = graph.weight_array().data();
  return rows;
}

// Merges each set into one vertex; number[v] becomes the vertex that v is in.
Rows merged(const Rows& rows, DisjointSets& sets, std::vector<VertexId>& number) {
  number.assign(at(rows.size), no_vertex);
  VertexId count = 0;
  for (VertexId v = 0; v < rows.size; ++v) {
    VertexId& name = number[at(sets.find(v))];
    if (name == no_vertex) name = count++;
    number[at(v)] = name;
  }
  // Members of each set, one set behind the other.
  std::vector<VertexId> end(at(count) + 1, 0), members(at(rows.size));
  for (VertexId v = 0; v < rows.size; ++v) ++end[at(number[at(v)]) + 1];
  for (VertexId c = 0; c < count; ++c) end[at(c) + 1] += end[at(c)];
  std::vector<VertexId> cursor(end.begin(), end.end() - 1);
  for (VertexId v = 0; v < rows.size; ++v) members[at(cursor[at(number[at(v)])]++)] = v;

  Rows left;
  left.size = count;
  left.own_offsets.reserve(at(count) + 1);
  left.own_offsets.push_back(0);
  std::vector<EdgeIndex> slot(at(count), -1);  // where the row of the moment keeps each neighbor
  for (VertexId c = 0; c < count; ++c) {
    const EdgeIndex begin = left.own_offsets.back();
    for (VertexId i = end[at(c)]; i < end[at(c) + 1]; ++i) {
      rows.visit(members[at(i)], [&](VertexId u, double w) {
        const VertexId d = number[at(u)];
        if (d == c) return;
        if (slot[at(d)] >= begin) {
          left.own_weights[static_cast<std::size_t>(slot[at(d)])] += w;
          return;
        }
        slot[at(d)] = static_cast<EdgeIndex>(left.own_heads.size());
        left.own_heads.push_back(d);
        left.own_weights.push_back(w);
      });
    }
    left.own_offsets.push_back(static_cast<EdgeIndex>(left.own_heads.size()));
  }
  left.offsets = left.own_offsets.data();
  left.heads = left.own_heads.data();
  left.weights = left.own_weights.data();
  return left;
}

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

class Contraction {
 public:
  Contraction(const Graph& graph, const RunContext& run)
      : graph_(graph), run_(run), rows_(rows_of(graph)), inside_(at(graph.vertex_count())) {
    for (VertexId v = 0; v < graph.vertex_count(); ++v) inside_[at(v)] = v;
  }

  GlobalMinCut solve() {
    bool exact = false;
    while (rows_.size > 1) {
      ++found_.rounds;
      run_.report_progress("global minimum cut");
      measure_degrees();
      const VertexId before = rows_.size;
      DisjointSets sets(before);
      merge_by_tests(sets);
      if (exact) {
        scan_exactly(sets);
      } else {
        scan_in_ranks(sets);
      }
      keep_best_prefix();
      // Ranks are rounded down and so miss some; a scan that hardly merged is done exactly next.
      exact = sets.sets() > before - std::max(VertexId{1}, before / 50);
      if (sets.sets() == before) continue;
      std::vector<VertexId> number;
      Rows left = merged(rows_, sets, number);
      for (VertexId& v : inside_) v = number[at(v)];
      rows_ = std::move(left);
    }
    finish();
    return std::move(found_);
  }

 private:
  // Each vertex alone is a cut.
  void measure_degrees() {
    degree_.assign(at(rows_.size), 0.0);
    VertexId least = 0;
    for (VertexId v = 0; v < rows_.size; ++v) {
      rows_.visit(v, [&](VertexId, double w) { degree_[at(v)] += w; });
      if (degree_[at(v)] < degree_[at(least)]) least = v;
    }
    if (!(degree_[at(least)] < best_)) return;
    best_ = degree_[at(least)];
    found_.side.assign(inside_.size(), 0);
    for (std::size_t v = 0; v < inside_.size(); ++v) found_.side[v] = inside_[v] == least ? 1 : 0;
  }

  // Padberg and Rinaldi. An edge as heavy as the threshold; an edge that is half of all edges of an
  // end, which could then change sides for free (once for every vertex); an edge that with the
  // triangles over it carries as much as the threshold.
  void merge_by_tests(DisjointSets& sets) {
    std::vector<unsigned char> moved(at(rows_.size), 0), done(at(rows_.size), 0);
    std::vector<double> beside(at(rows_.size), 0.0);
    for (VertexId u = 0; u < rows_.size; ++u) {
      if (done[at(u)] != 0) continue;
      rows_.visit(u, [&](VertexId v, double w) { beside[at(v)] = w; });
      rows_.visit(u, [&](VertexId v, double w) {
        const double less = std::min(degree_[at(u)], degree_[at(v)]);
        if (w >= best_) {
          sets.unite(u, v);
        } else if (2.0 * w >= less && moved[at(u)] == 0 && moved[at(v)] == 0) {
          moved[at(u)] = moved[at(v)] = 1;
          sets.unite(u, v);
        } else if (done[at(v)] == 0) {
          done[at(v)] = 1;
          double through = w;
          rows_.visit(v, [&](VertexId y, double wy) { through += std::min(wy, beside[at(y)]); });
          if (through >= best_) sets.unite(u, v);
        }
      });
      rows_.visit(u, [&](VertexId v, double) { beside[at(v)] = 0.0; });
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
    std::vector<int> rank(at(rows_.size), 0);
    start_order();
    queue.push(0, 0);
    for (;;) {
      const auto next = queue.pop();
      const VertexId v = next.first;
      if (v == no_vertex) return;
      if (scanned_[at(v)] != 0 || next.second != rank[at(v)]) continue;
      scan(v, [&](VertexId u, double w) {
        int& r = rank[at(u)];
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
    std::vector<double> connection(at(rows_.size), 0.0);
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
        if (key == connection[at(vertex)]) v = vertex;
      }
      if (v == no_vertex || scanned_[at(v)] != 0) continue;
      scan(v, [&](VertexId u, double w) {
        double& r = connection[at(u)];
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

  void start_order() {
    scanned_.assign(at(rows_.size), 0);
    order_.clear();
    prefix_cut_ = 0.0;
    best_prefix_ = 0;
    best_prefix_cut_ = best_;
  }

  // Takes v next and calls offer(neighbor, weight) for those not yet taken. Every beginning of the
  // order is a cut.
  template <class Offer>
  void scan(VertexId v, Offer&& offer) {
    scanned_[at(v)] = 1;
    order_.push_back(v);
    double inward = 0.0;
    rows_.visit(v, [&](VertexId u, double w) {
      if (scanned_[at(u)] != 0) {
        inward += w;
      } else {
        offer(u, w);
      }
    });
    prefix_cut_ += degree_[at(v)] - 2.0 * inward;
    if (prefix_cut_ < best_prefix_cut_ && order_.size() < at(rows_.size)) {
      best_prefix_cut_ = prefix_cut_;
      best_prefix_ = order_.size();
    }
    check_stop();
  }

  // Called before the merge of this round, since the order speaks of the vertices before it.
  void keep_best_prefix() {
    if (best_prefix_ == 0) return;
    std::vector<unsigned char> in(at(rows_.size), 0);
    for (std::size_t i = 0; i < best_prefix_; ++i) in[at(order_[i])] = 1;
    double cut = 0.0;  // anew: the running sum has rounded as often as there are vertices
    for (VertexId v = 0; v < rows_.size; ++v)
      if (in[at(v)] != 0)
        rows_.visit(v, [&](VertexId u, double w) { cut += in[at(u)] != 0 ? 0.0 : w; });
    if (!(cut < best_)) return;
    best_ = cut;
    for (std::size_t v = 0; v < inside_.size(); ++v) found_.side[v] = in[at(inside_[v])];
  }

  void finish() {
    const auto ones = std::count(found_.side.begin(), found_.side.end(), 1);
    const auto n = static_cast<std::ptrdiff_t>(found_.side.size());
    if (2 * ones > n || (2 * ones == n && found_.side[0] == 0))
      for (unsigned char& s : found_.side) s = s != 0 ? 0 : 1;
    found_.bound = best_;
    for (VertexId v = 0; v < graph_.vertex_count(); ++v)
      if (found_.side[at(v)] != 0)
        graph_.visit_row(
            v, [&](VertexId u, double w) { found_.value += found_.side[at(u)] != 0 ? 0.0 : w; });
  }

  void check_stop() {
    if (++steps_ % 4096 == 0 && run_.should_stop())
      throw Error(ErrorCode::cancelled, "global minimum cut: stopped before the cut was proved");
  }

  const Graph& graph_;
  const RunContext& run_;
  Rows rows_;
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
