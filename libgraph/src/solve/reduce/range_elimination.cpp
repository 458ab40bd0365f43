#include "range_elimination.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::solve {
namespace {

constexpr std::uint32_t seen_in_row = RangeElimination::unseen - 1;

// Vertices up to this degree look for parallel edges each time they get an edge; others at the end.
constexpr VertexId few_neighbors = 8;
// Another round must remove this share of what is left.
constexpr double least_share = 0.05;

// w·share, kept positive: a conductance that underflows to nothing would disconnect the network.
double positive_part(double w, double share) {
  return std::max(w * share, std::numeric_limits<double>::min());
}

}  // namespace

RangeElimination::RangeElimination(EliminationNetwork& network, const LocalityRanges& ranges,
                                   std::size_t r, Room room)
    : network_(network),
      begin_(ranges.begin(r)),
      end_(ranges.end(r)),
      left_(end_ - begin_),
      grows_(ranges.count() == 1),
      room_(room) {
  take_arrays();
  for (VertexId v = end_ - 1; v >= begin_; --v) {
    degree_[index(v)] = static_cast<VertexId>(graph_->degree(v));
    if (ranges.on_border(*graph_, v, r)) degree_[index(v)] += border;
    enqueue_if_small(v);
  }
}

RangeElimination::RangeElimination(EliminationNetwork& network, std::vector<Room> rooms)
    : network_(network),
      begin_(0),
      end_(network.graph_->vertex_count()),
      left_(0),
      grows_(true),
      room_(rooms.back()),
      more_rooms_(std::move(rooms)) {
  more_rooms_.pop_back();
  take_arrays();
  for (VertexId v = end_ - 1; v >= begin_; --v) {
    if (!alive(v)) continue;
    ++left_;
    if (degree_[index(v)] >= border) degree_[index(v)] -= border;
    state_[index(v)].queued = false;  // or of a range that had no room
    enqueue_if_small(v);
  }
}

void RangeElimination::take_arrays() {
  graph_ = network_.graph_.get();
  ground_ = network_.ground_.data();
  degree_ = network_.degree_.data();
  head_ = network_.head_.data();
  state_ = network_.state_.data();
  slot_ = network_.slot_.data();
  pool_ = network_.pool_.get();
}

bool RangeElimination::Gathered::add(VertexId u, double w) {
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
void RangeElimination::visit(VertexId v, Body&& body) const {
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

bool RangeElimination::gather(VertexId v, Gathered& found) const {
  bool fits = true;
  visit(v, [&](VertexId u, double w) { return fits = found.add(u, w); });
  return fits;
}

void RangeElimination::enqueue_if_small(VertexId v) {
  State& state = state_[index(v)];
  if (degree_[index(v)] > 2 || state.queued || !state.alive) return;
  state.queued = true;
  queue_.push_back(v);
}

// Places are used again and again, most of them while they are still in the cache.
std::uint32_t RangeElimination::make_half(VertexId to, double weight, std::uint32_t next) {
  if (room_.freed == end_of_list && room_.unused == room_.limit) more_room();
  if (room_.freed == end_of_list) {
    pool_[index(room_.unused)] = {weight, to, next};
    return room_.unused++;
  }
  Half& half = pool_[index(room_.freed)];
  const std::uint32_t i = std::exchange(room_.freed, half.next);
  half = {weight, to, next};
  return i;
}

void RangeElimination::free_half(std::uint32_t i) {
  pool_[index(i)].next = std::exchange(room_.freed, i);
}

void RangeElimination::more_room() {
  while (!more_rooms_.empty()) {
    room_ = more_rooms_.back();
    more_rooms_.pop_back();
    if (room_.freed != end_of_list || room_.unused != room_.limit) return;
  }
  const std::size_t size = network_.pool_size_;
  GSSL_ASSERT(grows_ && size < end_of_list);
  network_.pool_size_ = std::min<std::size_t>(end_of_list, 2 * size);
  auto larger = std::make_unique_for_overwrite<Half[]>(network_.pool_size_);
  std::copy_n(pool_, size, larger.get());
  network_.pool_ = std::move(larger);
  pool_ = network_.pool_.get();
  room_ = {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(network_.pool_size_),
           end_of_list};
}

void RangeElimination::push(VertexId v, VertexId to, double weight) {
  head_[index(v)] = make_half(to, weight, head_[index(v)]);
  ++degree_[index(v)];
  state_[index(v)].unmerged = true;
}

void RangeElimination::add_edge(VertexId u, VertexId v, double weight) {
  push(u, v, weight);
  push(v, u, weight);
  const VertexId smaller = degree_[index(u)] <= degree_[index(v)] ? u : v;
  // With two entries or fewer it is in the queue, and merges them when it leaves.
  if (degree_[index(smaller)] > 2 && degree_[index(smaller)] <= few_neighbors) compact(smaller);
}

double RangeElimination::remove(VertexId v, const Gathered& found, EliminationSteps& steps) {
  const double ground = ground_[index(v)];
  double pivot = ground;
  for (int i = 0; i < found.count; ++i) pivot += found.weight[i];
  state_[index(v)].alive = false;
  --left_;
  for (std::uint32_t i = std::exchange(head_[index(v)], end_of_list); i != end_of_list;)
    free_half(std::exchange(i, pool_[index(i)].next));
  for (int i = 0; i < found.count; ++i) {
    const VertexId u = found.neighbor[i];
    const double factor = found.weight[i] / pivot;
    degree_[index(u)] -= found.entries[i];
    if (ground > 0.0) ground_[index(u)] += positive_part(ground, factor);
    steps.neighbor.push_back(u);
    steps.factor.push_back(factor);
  }
  steps.vertex.push_back(v);
  steps.pivot.push_back(pivot);
  steps.neighbor_count.push_back(static_cast<std::uint8_t>(found.count));
  return pivot;
}

void RangeElimination::eliminate(VertexId v, const Gathered& found, EliminationSteps& steps) {
  const double pivot = remove(v, found, steps);
  for (int i = 0; i < found.count; ++i)
    for (int j = i + 1; j < found.count; ++j)
      add_edge(found.neighbor[i], found.neighbor[j],
               positive_part(found.weight[i], found.weight[j] / pivot));
  for (int i = 0; i < found.count; ++i) enqueue_if_small(found.neighbor[i]);
}

// Removes v and then, as long as that leaves one, a neighbor of few neighbors. The edge between the
// two neighbors of a vertex removed stays in hand, so that a chain becomes one edge without an
// entry made for each link.
void RangeElimination::remove_chain(VertexId v, EliminationSteps& steps) {
  VertexId far = no_vertex;  // the edge in hand goes from v to here; it counts in its degree
  double weight = 0.0;
  for (;;) {
    Gathered found;
    if (far != no_vertex) found.add(far, weight);
    if (!gather(v, found)) {  // its degree had been counted too low
      if (far != no_vertex) {
        --degree_[index(far)];
        add_edge(v, far, weight);
      }
      compact(v);
      return;
    }
    if (found.count > 2) {
      eliminate(v, found, steps);
      return;
    }
    const double pivot = remove(v, found, steps);
    if (found.count == 0) return;
    far = found.count == 2 ? found.neighbor[0] : no_vertex;
    v = found.neighbor[found.count - 1];
    if (far == no_vertex) {
      if (degree_[index(v)] > 2) return;
      continue;
    }
    weight = positive_part(found.weight[0], found.weight[1] / pivot);
    if (degree_[index(v)] > 1 && degree_[index(far)] <= 1) std::swap(v, far);
    const bool stops = degree_[index(v)] > 1;
    if (stops) {
      add_edge(v, far, weight);
      enqueue_if_small(v);
    } else {
      ++degree_[index(far)];
    }
    enqueue_if_small(far);
    if (stops) return;
  }
}

void RangeElimination::drain(EliminationSteps& steps) {
  while (!queue_.empty() && has_room()) {
    const VertexId v = queue_.back();
    queue_.pop_back();
    state_[index(v)].queued = false;
    if (alive(v)) remove_chain(v, steps);
  }
}

// Removes vertices of at most most_neighbors that no removal of this round has touched; returns how
// many. In order of id, that is every second vertex of a grid.
VertexId RangeElimination::remove_independent(EliminationSteps& steps) {
  touched_this_round_.assign(index(end_ - begin_), false);
  VertexId removed = 0;
  for (VertexId v = begin_; v < end_ && has_room(); ++v) {
    if (!alive(v) || touched_this_round_[index(v - begin_)] || degree_[index(v)] > most_neighbors)
      continue;
    Gathered found;
    if (!gather(v, found)) continue;
    eliminate(v, found, steps);
    for (int i = 0; i < found.count; ++i)
      touched_this_round_[index(found.neighbor[i] - begin_)] = true;
    ++removed;
  }
  return removed;
}

// Merges the parallel edges that nobody looked for until now, and queues whom that makes small.
void RangeElimination::recount_all() {
  for (VertexId v = begin_; v < end_; ++v) {
    State& state = state_[index(v)];
    if (!state.alive || !state.unmerged || degree_[index(v)] >= border) continue;
    state.unmerged = false;
    degree_[index(v)] = recount(v);
    enqueue_if_small(v);
  }
}

void RangeElimination::compact(VertexId v) {
  if (!state_[index(v)].listed && !has_room(graph_->degree(v))) return;
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
      --degree_[index(half.to)];  // too low if its own list was merged before
      state_[index(half.to)].unmerged = true;
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
  state_[index(v)].unmerged = false;
}

VertexId RangeElimination::recount(VertexId v) {
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

EliminationNetwork::Room RangeElimination::run(EliminationSteps& steps) {
  const std::size_t n = index(left_);
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
    } while (!queue_.empty() && has_room());
    left = left_;
    removed = remove_independent(steps);
  } while (removed > least_share * left && has_room());
  drain(steps);
  return room_;
}

}  // namespace gssl::solve
