#include "elimination_network.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "../graph/trusted_graph.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

constexpr std::uint32_t end_of_list = ~0u;
constexpr std::uint32_t unseen = ~0u;
constexpr std::uint32_t seen_in_row = ~0u - 1;

// Vertices up to this degree look for parallel edges each time they get an edge; others at the end.
constexpr VertexId few_neighbors = 8;
// Another round must remove this share of what is left.
constexpr double least_share = 0.05;

// What an assignment of {} would keep: the memory.
template <class Value>
void release(std::vector<Value>& values) {
  std::vector<Value>().swap(values);
}

// w·share, kept positive: a conductance that underflows to nothing would disconnect the network.
double positive_part(double w, double share) {
  return std::max(w * share, std::numeric_limits<double>::min());
}

}  // namespace

EliminationNetwork::EliminationNetwork(NetworkRows rows)
    : graph_(std::move(rows.graph)), ground_(std::move(rows.ground)), free_(end_of_list) {
  const Graph& graph = *graph_;
  const std::size_t n = index(graph.vertex_count());
  degree_.resize(n);
  head_.assign(n, end_of_list);
  state_.resize(n);
  slot_.assign(n, unseen);
  // Enough for most graphs; what is not used is never touched.
  pool_.reserve(3 * index(graph.edge_count()));
  for (VertexId v = graph.vertex_count() - 1; v >= 0; --v) {
    degree_[index(v)] = static_cast<VertexId>(graph.degree(v));
    enqueue_if_small(v);
  }
}

bool EliminationNetwork::Gathered::add(VertexId u, double w) {
  for (int i = 0; i < count; ++i) {
    if (neighbor[i] != u) continue;
    weight[i] += w;
    ++entries[i];
    return true;
  }
  if (count == most_neighbors) return false;
  neighbor[count] = u;
  weight[count] = w;
  entries[count++] = 1;
  return true;
}

// Calls body(neighbor, weight) on the live entries of v until it returns false.
template <class Body>
void EliminationNetwork::visit(VertexId v, Body&& body) const {
  const Graph& graph = *graph_;
  if (!state_[index(v)].listed) {
    for (EdgeIndex e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      const VertexId u = graph.neighbor_at(e);
      if (alive(u) && !body(u, graph.weight_at(e))) return;
    }
  }
  for (std::uint32_t i = head_[index(v)]; i != end_of_list; i = pool_[index(i)].next) {
    const Half& half = pool_[index(i)];
    if (alive(half.to) && !body(half.to, half.weight)) return;
  }
}

bool EliminationNetwork::gather(VertexId v, Gathered& found) const {
  bool fits = true;
  visit(v, [&](VertexId u, double w) { return fits = found.add(u, w); });
  return fits;
}

void EliminationNetwork::enqueue_if_small(VertexId v) {
  State& state = state_[index(v)];
  if (degree_[index(v)] > 2 || state.queued || !state.alive) return;
  state.queued = true;
  queue_.push_back(v);
}

// Places are used again and again, most of them while they are still in the cache.
std::uint32_t EliminationNetwork::make_half(VertexId to, double weight, std::uint32_t next) {
  if (free_ == end_of_list) {
    pool_.push_back({weight, to, next});
    return static_cast<std::uint32_t>(pool_.size() - 1);
  }
  Half& half = pool_[index(free_)];
  const std::uint32_t i = std::exchange(free_, half.next);
  half = {weight, to, next};
  return i;
}

void EliminationNetwork::free_half(std::uint32_t i) {
  pool_[index(i)].next = std::exchange(free_, i);
}

void EliminationNetwork::push(VertexId v, VertexId to, double weight) {
  head_[index(v)] = make_half(to, weight, head_[index(v)]);
  ++degree_[index(v)];
}

void EliminationNetwork::add_edge(VertexId u, VertexId v, double weight) {
  push(u, v, weight);
  push(v, u, weight);
  const VertexId smaller = degree_[index(u)] <= degree_[index(v)] ? u : v;
  // With two entries or fewer it is in the queue, and merges them when it leaves.
  if (degree_[index(smaller)] > 2 && degree_[index(smaller)] <= few_neighbors) compact(smaller);
}

void EliminationNetwork::eliminate(VertexId v, const Gathered& found, EliminationSteps& steps) {
  const double ground = ground_[index(v)];
  double pivot = ground;
  for (int i = 0; i < found.count; ++i) pivot += found.weight[i];
  double factor[most_neighbors] = {};
  state_[index(v)].alive = false;
  for (std::uint32_t i = std::exchange(head_[index(v)], end_of_list); i != end_of_list;)
    free_half(std::exchange(i, pool_[index(i)].next));
  for (int i = 0; i < found.count; ++i) {
    const VertexId u = found.neighbor[i];
    factor[i] = found.weight[i] / pivot;
    degree_[index(u)] -= found.entries[i];
    if (ground > 0.0) ground_[index(u)] += positive_part(ground, factor[i]);
    steps.neighbor.push_back(u);
    steps.factor.push_back(factor[i]);
  }
  steps.vertex.push_back(v);
  steps.pivot.push_back(pivot);
  steps.neighbor_count.push_back(static_cast<std::uint8_t>(found.count));
  for (int i = 0; i < found.count; ++i)
    for (int j = i + 1; j < found.count; ++j)
      add_edge(found.neighbor[i], found.neighbor[j], positive_part(found.weight[i], factor[j]));
  for (int i = 0; i < found.count; ++i) enqueue_if_small(found.neighbor[i]);
}

void EliminationNetwork::drain(EliminationSteps& steps) {
  while (!queue_.empty()) {
    const VertexId v = queue_.back();
    queue_.pop_back();
    state_[index(v)].queued = false;
    if (!alive(v)) continue;
    Gathered found;
    if (gather(v, found)) {
      eliminate(v, found, steps);
    } else {
      compact(v);  // its degree had been counted too low
    }
  }
}

// Removes vertices of at most most_neighbors that no removal of this round has touched; returns how
// many. In order of id, that is every second vertex of a grid.
VertexId EliminationNetwork::remove_independent(EliminationSteps& steps) {
  touched_this_round_.assign(state_.size(), false);
  VertexId removed = 0;
  for (VertexId v = 0; v < graph_->vertex_count(); ++v) {
    if (!alive(v) || touched_this_round_[index(v)] || degree_[index(v)] > most_neighbors) continue;
    Gathered found;
    if (!gather(v, found)) continue;
    eliminate(v, found, steps);
    for (int i = 0; i < found.count; ++i) touched_this_round_[index(found.neighbor[i])] = true;
    ++removed;
  }
  return removed;
}

// Merges the parallel edges that nobody looked for until now, and queues whom that makes small.
void EliminationNetwork::recount_all() {
  for (std::size_t v = 0; v < head_.size(); ++v) {
    if (!state_[v].alive || head_[v] == end_of_list) continue;
    degree_[v] = recount(static_cast<VertexId>(v));
    enqueue_if_small(static_cast<VertexId>(v));
  }
}

void EliminationNetwork::compact(VertexId v) {
  std::uint32_t old = head_[index(v)];
  std::uint32_t kept = end_of_list;
  touched_.clear();
  const auto keep = [&](std::uint32_t i) {
    Half& half = pool_[index(i)];
    std::uint32_t& slot = slot_[index(half.to)];
    if (slot == unseen) {
      slot = i;
      touched_.push_back(half.to);
      half.next = kept;
      kept = i;
    } else {
      pool_[index(slot)].weight += half.weight;
      --degree_[index(half.to)];
      enqueue_if_small(half.to);
      free_half(i);
    }
  };
  if (!state_[index(v)].listed) {
    graph_->visit_row(v, [&](VertexId u, double w) {
      if (!alive(u)) return;
      keep(make_half(u, w, end_of_list));
    });
    state_[index(v)].listed = true;
  }
  while (old != end_of_list) {
    const std::uint32_t next = pool_[index(old)].next;
    if (alive(pool_[index(old)].to)) {
      keep(old);
    } else {
      free_half(old);
    }
    old = next;
  }
  for (const VertexId u : touched_) slot_[index(u)] = unseen;
  head_[index(v)] = kept;
  degree_[index(v)] = static_cast<VertexId>(touched_.size());
}

VertexId EliminationNetwork::recount(VertexId v) {
  touched_.clear();
  if (!state_[index(v)].listed) {
    for (const VertexId u : graph_->neighbors(v)) {
      if (!alive(u)) continue;
      slot_[index(u)] = seen_in_row;
      touched_.push_back(u);
    }
  }
  std::uint32_t old = std::exchange(head_[index(v)], end_of_list);
  while (old != end_of_list) {
    Half& half = pool_[index(old)];
    const std::uint32_t next = half.next;
    if (alive(half.to)) {
      std::uint32_t& slot = slot_[index(half.to)];
      if (slot == unseen) touched_.push_back(half.to);
      if (slot < seen_in_row) {
        pool_[index(slot)].weight += half.weight;
        free_half(old);
      } else {
        if (slot == unseen) slot = old;
        half.next = head_[index(v)];
        head_[index(v)] = old;
      }
    } else {
      free_half(old);
    }
    old = next;
  }
  for (const VertexId u : touched_) slot_[index(u)] = unseen;
  return static_cast<VertexId>(touched_.size());
}

void EliminationNetwork::run(EliminationSteps& steps) {
  const std::size_t n = state_.size();
  steps.vertex.reserve(n);
  steps.pivot.reserve(n);
  steps.neighbor_count.reserve(n);
  steps.neighbor.reserve(2 * n);
  steps.factor.reserve(2 * n);
  VertexId removed = 0, left = 0;
  do {
    do {
      drain(steps);
      recount_all();
    } while (!queue_.empty());
    left = graph_->vertex_count() - static_cast<VertexId>(steps.size());
    removed = remove_independent(steps);
  } while (removed > least_share * left);
  drain(steps);
  release(degree_);
  release(slot_);
  release(queue_);
}

// Calls body(column, weight) along the row of v in the reduced matrix, columns ascending: the live
// part of its row of the graph, merged with its list.
template <class Body>
void EliminationNetwork::visit_reduced_row(VertexId v, const std::vector<VertexId>& row_of,
                                           std::vector<Entry>& scratch, Body&& body) const {
  scratch.clear();
  for (std::uint32_t i = head_[index(v)]; i != end_of_list; i = pool_[index(i)].next)
    if (alive(pool_[index(i)].to))
      scratch.push_back({row_of[index(pool_[index(i)].to)], pool_[index(i)].weight});
  if (scratch.empty()) {  // most rows of a graph with few vertices to remove
    graph_->visit_row(v, [&](VertexId u, double w) {
      if (const VertexId column = row_of[index(u)]; column != no_vertex) body(column, w);
    });
    return;
  }
  std::ranges::stable_sort(scratch, {}, &Entry::column);
  Entry pending{no_vertex, 0.0};
  const auto put = [&](VertexId column, double weight) {
    if (column == pending.column) {
      pending.weight += weight;
      return;
    }
    if (pending.column != no_vertex) body(pending.column, pending.weight);
    pending = {column, weight};
  };
  auto listed = scratch.begin();
  if (!state_[index(v)].listed) {
    graph_->visit_row(v, [&](VertexId u, double w) {
      if (!alive(u)) return;
      for (; listed != scratch.end() && listed->column < row_of[index(u)]; ++listed)
        put(listed->column, listed->weight);
      put(row_of[index(u)], w);
    });
  }
  for (; listed != scratch.end(); ++listed) put(listed->column, listed->weight);
  if (pending.column != no_vertex) body(pending.column, pending.weight);
}

// The two ends of an edge may hold it in different pieces, whose sums differ in the last digit: the
// smaller end decides. So the part of each row right of the diagonal is taken out first; then the
// network can go, and the rest is that part mirrored.
NetworkRows EliminationNetwork::reduced(const std::vector<VertexId>& kept, int threads) && {
  const auto n = static_cast<VertexId>(kept.size());
  std::vector<VertexId> row_of(state_.size(), no_vertex);
  std::vector<double> ground(kept.size());
  for (VertexId r = 0; r < n; ++r) {
    row_of[index(kept[index(r)])] = r;
    ground[index(r)] = ground_[index(kept[index(r)])];
  }
  release(ground_);
  const auto each_right_entry = [&](auto&& body) {
    parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Entry> scratch;
      for (auto r = static_cast<VertexId>(begin); r < end; ++r)
        visit_reduced_row(kept[index(r)], row_of, scratch, [&](VertexId u, double w) {
          if (u > r) body(r, u, w);
        });
    });
  };
  std::vector<EdgeIndex> right(kept.size() + 1, 0);
  each_right_entry([&](VertexId r, VertexId, double) { ++right[index(r) + 1]; });
  for (VertexId r = 0; r < n; ++r) right[index(r) + 1] += right[index(r)];
  std::vector<VertexId> right_neighbor(index(right.back()));
  std::vector<double> right_weight(right_neighbor.size());
  std::vector<EdgeIndex> next(right.begin(), right.end() - 1);
  each_right_entry([&](VertexId r, VertexId u, double w) {
    const auto e = index(next[index(r)]++);
    right_neighbor[e] = u;
    right_weight[e] = w;
  });
  release(pool_);
  release(head_);
  release(row_of);
  graph_.reset();

  std::vector<EdgeIndex> offsets(kept.size() + 1, 0);
  for (VertexId r = 0; r < n; ++r) offsets[index(r) + 1] = right[index(r) + 1] - right[index(r)];
  for (const VertexId u : right_neighbor) ++offsets[index(u) + 1];
  for (VertexId r = 0; r < n; ++r) offsets[index(r) + 1] += offsets[index(r)];
  next.assign(offsets.begin(), offsets.end() - 1);
  std::vector<VertexId> neighbors(index(offsets.back()));
  std::vector<double> weights(neighbors.size());
  const auto put = [&](VertexId row, VertexId column, double weight) {
    const auto e = index(next[index(row)]++);
    neighbors[e] = column;
    weights[e] = weight;
  };
  // All that is left of the diagonal in a row comes before the row's own turn.
  for (VertexId r = 0; r < n; ++r)
    for (auto e = index(right[index(r)]); e < index(right[index(r) + 1]); ++e) {
      put(r, right_neighbor[e], right_weight[e]);
      put(right_neighbor[e], r, right_weight[e]);
    }
  return {std::make_shared<const Graph>(
              TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights))),
          std::move(ground)};
}

}  // namespace gssl::solve
