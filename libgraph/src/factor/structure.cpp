#include "structure.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "factor_peaks.hpp"
#include "fill_order.hpp"
#include "gssl/core/index.hpp"
#include "panels.hpp"

namespace gssl::solve {
namespace {

// Subtrees with at most this share of the work go to one thread each; what is above them is done
// in order, each block by all threads.
constexpr double subtree_share = 1.0 / 16.0;

std::vector<VertexId> inverse(const std::vector<VertexId>& order) {
  std::vector<VertexId> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    position[index(order[k])] = static_cast<VertexId>(k);
  return position;
}

// Parent of each position: the first row below the diagonal of its column in the factor.
std::vector<VertexId> elimination_forest(const Graph& graph, const std::vector<VertexId>& order,
                                         const std::vector<VertexId>& position) {
  std::vector<VertexId> parent(order.size(), no_vertex), ancestor(order.size(), no_vertex);
  for (VertexId k = 0; k < graph.vertex_count(); ++k) {
    for (const VertexId u : graph.neighbors(order[index(k)])) {
      VertexId i = position[index(u)];
      while (i < k) {
        const VertexId next = std::exchange(ancestor[index(i)], k);
        if (next == no_vertex) parent[index(i)] = k;
        if (next == no_vertex || next == k) break;
        i = next;
      }
    }
  }
  return parent;
}

// Old position of each new one: depth first, children in ascending order.
std::vector<VertexId> postorder(const std::vector<VertexId>& parent) {
  const auto n = static_cast<VertexId>(parent.size());
  std::vector<VertexId> child(parent.size(), no_vertex), sibling(parent.size(), no_vertex);
  for (VertexId k = n - 1; k >= 0; --k) {
    if (parent[index(k)] == no_vertex) continue;
    sibling[index(k)] = child[index(parent[index(k)])];
    child[index(parent[index(k)])] = k;
  }
  std::vector<VertexId> found, stack;
  found.reserve(parent.size());
  for (VertexId root = 0; root < n; ++root) {
    if (parent[index(root)] != no_vertex) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const VertexId k = stack.back();
      if (child[index(k)] == no_vertex) {
        found.push_back(k);
        stack.pop_back();
      } else {
        stack.push_back(std::exchange(child[index(k)], sibling[index(child[index(k)])]));
      }
    }
  }
  return found;
}

// Puts order, position and the forest into postorder; returns the parents.
std::vector<VertexId> order_forest(const Graph& graph, NetworkStructure& s) {
  s.position = inverse(s.order);
  const std::vector<VertexId> parent = elimination_forest(graph, s.order, s.position);
  const std::vector<VertexId> old_of = postorder(parent);
  const std::vector<VertexId> new_of = inverse(old_of);
  std::vector<VertexId> order(old_of.size()), result(old_of.size(), no_vertex);
  for (std::size_t k = 0; k < old_of.size(); ++k) {
    order[k] = s.order[index(old_of[k])];
    const VertexId p = parent[index(old_of[k])];
    if (p != no_vertex) result[k] = new_of[index(p)];
  }
  s.order = std::move(order);
  s.position = inverse(s.order);
  return result;
}

// Entries of each column of the factor, diagonal included (Gilbert, Ng and Peyton 1994,
// doi:10.1137/S089547989223692): a column counts the rows in whose subtree it is a leaf, less what
// its children share.
std::vector<VertexId> column_counts(const Graph& graph, const NetworkStructure& s,
                                    const std::vector<VertexId>& parent) {
  const auto n = static_cast<VertexId>(parent.size());
  std::vector<VertexId> first_descendant(parent.size()), count(parent.size(), 0),
      newest(parent.size(), no_vertex), leaf(parent.size(), no_vertex), ancestor(parent.size());
  std::iota(first_descendant.begin(), first_descendant.end(), VertexId{0});
  std::iota(ancestor.begin(), ancestor.end(), VertexId{0});
  for (VertexId j = 0; j < n; ++j) {
    if (first_descendant[index(j)] == j) ++count[index(j)];
    const VertexId p = parent[index(j)];
    if (p != no_vertex)
      first_descendant[index(p)] = std::min(first_descendant[index(p)], first_descendant[index(j)]);
  }
  const auto least_common = [&](VertexId j) {
    VertexId root = j;
    while (ancestor[index(root)] != root) root = ancestor[index(root)];
    while (j != root) j = std::exchange(ancestor[index(j)], root);
    return root;
  };
  for (VertexId j = 0; j < n; ++j) {
    const VertexId p = parent[index(j)];
    if (p != no_vertex) --count[index(p)];
    for (const VertexId u : graph.neighbors(s.order[index(j)])) {
      const VertexId i = s.position[index(u)];
      if (i <= j || first_descendant[index(j)] <= newest[index(i)]) continue;
      ++count[index(j)];
      newest[index(i)] = first_descendant[index(j)];
      const VertexId before = std::exchange(leaf[index(i)], j);
      if (before != no_vertex) --count[index(least_common(before))];
    }
    if (p != no_vertex) ancestor[index(j)] = p;
  }
  for (VertexId j = 0; j < n; ++j)
    if (parent[index(j)] != no_vertex) count[index(parent[index(j)])] += count[index(j)];
  return count;
}

// A run of columns on the way to becoming a supernode.
struct Run {
  VertexId first;
  VertexId last;
  EdgeIndex side;  // columns and rows below
  double zeros;    // stored entries that are none of the factor

  EdgeIndex width() const { return last - first + 1; }
  double area() const {
    const auto w = static_cast<double>(width());
    return w * static_cast<double>(side) - w * (w - 1.0) / 2.0;
  }
};

// A few zeros stored cost less than a narrow block.
bool worth_merging(const Run& merged) {
  const double share = merged.zeros / merged.area();
  return merged.width() <= 4 || (merged.width() <= 16 && share < 0.25) ||
         (merged.width() <= 48 && share < 0.1) || share < 0.05;
}

std::vector<Run> find_runs(const std::vector<VertexId>& parent,
                           const std::vector<VertexId>& count) {
  std::vector<Run> runs;
  for (VertexId j = 0; j < static_cast<VertexId>(parent.size()); ++j) {
    runs.push_back({j, j, count[index(j)], 0.0});
    while (runs.size() > 1) {
      const Run& below = runs[runs.size() - 1];
      const Run& above = runs[runs.size() - 2];
      const VertexId p = parent[index(above.last)];
      if (p == no_vertex || p > below.last) break;
      Run merged{above.first, below.last, above.width() + below.side, 0.0};
      merged.zeros = above.zeros + below.zeros + merged.area() - above.area() - below.area();
      if (!worth_merging(merged)) break;
      runs.pop_back();
      runs.back() = merged;
    }
  }
  return runs;
}

// The rows below each supernode: neighbors of its vertices and rows below its children.
void find_rows(const Graph& graph, const std::vector<Run>& runs, NetworkStructure& s) {
  std::vector<VertexId> child(runs.size(), no_vertex), sibling(runs.size(), no_vertex),
      seen(s.order.size(), no_vertex);
  s.row_start.reserve(runs.size() + 1);
  s.parent.reserve(runs.size());
  s.row_start.push_back(0);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(s.rows.size());
    const auto add = [&](VertexId i) {
      if (i <= runs[k].last || seen[index(i)] == static_cast<VertexId>(k)) return;
      seen[index(i)] = static_cast<VertexId>(k);
      s.rows.push_back(i);
    };
    for (VertexId j = runs[k].first; j <= runs[k].last; ++j)
      for (const VertexId u : graph.neighbors(s.order[index(j)])) add(s.position[index(u)]);
    for (VertexId c = child[k]; c != no_vertex; c = sibling[index(c)])
      for (EdgeIndex i = s.row_start[index(c)]; i < s.row_start[index(c) + 1]; ++i)
        add(s.rows[index(i)]);
    std::sort(s.rows.begin() + begin, s.rows.end());
    s.row_start.push_back(static_cast<EdgeIndex>(s.rows.size()));
    const bool root = begin == static_cast<std::ptrdiff_t>(s.rows.size());
    s.parent.push_back(root ? no_vertex : s.supernode_of[index(s.rows[index(begin)])]);
    if (root) continue;
    sibling[k] = std::exchange(child[index(s.parent[k])], static_cast<VertexId>(k));
  }
}

void measure(NetworkStructure& s) {
  const VertexId count = s.count();
  s.youngest.resize(index(count));
  std::iota(s.youngest.begin(), s.youngest.end(), VertexId{0});
  std::vector<double> subtree_flops(index(count), 0.0);
  for (VertexId k = 0; k < count; ++k) {
    s.size.nonzeros += static_cast<double>(packed_column(s.side(k), s.columns(k)));
    double flops = 0.0;
    for (EdgeIndex i = 0; i < s.columns(k); ++i) {
      const auto below = static_cast<double>(s.side(k) - i);
      flops += below * below;
    }
    s.size.flops += flops;
    subtree_flops[index(k)] += flops;
    const VertexId p = s.parent[index(k)];
    if (p == no_vertex) continue;
    subtree_flops[index(p)] += subtree_flops[index(k)];
    s.youngest[index(p)] = std::min(s.youngest[index(p)], s.youngest[index(k)]);
  }
  const double most = subtree_share * s.size.flops;
  for (VertexId k = 0; k < count; ++k) {
    const VertexId p = s.parent[index(k)];
    if (subtree_flops[index(k)] > most)
      s.top.push_back(k);
    else if (p == no_vertex || subtree_flops[index(p)] > most)
      s.subtrees.push_back(k);
  }
}

}  // namespace

std::int64_t NetworkStructure::place(VertexId k, VertexId at_position) const {
  const VertexId begin = first[index(k)], end = first[index(k) + 1];
  if (at_position < end) return at_position - begin;
  const std::span<const VertexId> below = rows_below(k);
  return columns(k) + (std::lower_bound(below.begin(), below.end(), at_position) - below.begin());
}

std::vector<std::int64_t> NetworkStructure::places_in_parent(VertexId k) const {
  const VertexId p = parent[index(k)], begin = first[index(p)], end = first[index(p) + 1];
  const std::span<const VertexId> above = rows_below(p);
  std::vector<std::int64_t> places;
  places.reserve(rows_below(k).size());
  auto from = above.begin();
  for (const VertexId row : rows_below(k)) {
    if (row < end) {
      places.push_back(row - begin);
      continue;
    }
    if (*from != row) from = std::lower_bound(from, above.end(), row);
    places.push_back(columns(p) + (from++ - above.begin()));
  }
  return places;
}

std::optional<NetworkStructure> analyze_network(const Graph& graph, VertexId last,
                                                const RunContext& run) {
  std::optional<std::vector<VertexId>> order = fill_reducing_order(graph, run);
  if (!order) return std::nullopt;
  NetworkStructure s;
  s.order = *std::move(order);
  if (last != no_vertex) std::erase(s.order, last), s.order.push_back(last);
  const std::vector<VertexId> parent = order_forest(graph, s);
  const std::vector<Run> runs = find_runs(parent, column_counts(graph, s, parent));
  s.supernode_of.resize(s.order.size());
  s.first.reserve(runs.size() + 1);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    s.first.push_back(runs[k].first);
    for (VertexId j = runs[k].first; j <= runs[k].last; ++j)
      s.supernode_of[index(j)] = static_cast<VertexId>(k);
  }
  s.first.push_back(graph.vertex_count());
  find_rows(graph, runs, s);
  s.rows.shrink_to_fit();
  measure(s);
  s.size.peaks = peak_memory(s, run.thread_count());
  return s;
}

}  // namespace gssl::solve
