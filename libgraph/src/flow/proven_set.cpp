#include "proven_set.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::flow {

namespace {

std::size_t at(VertexId v) { return static_cast<std::size_t>(v); }
std::size_t at(EdgeIndex e) { return static_cast<std::size_t>(e); }

constexpr std::int64_t looks_between_stops = 1 << 16;

}  // namespace

ProvenSet::ProvenSet(const MergedRows& rows, double threshold)
    : rows_(rows), threshold_(threshold) {
  const VertexId n = rows.size;
  const auto arcs = static_cast<std::size_t>(rows.offsets[n]);
  begin_.assign(rows.offsets, rows.offsets + n + 1);
  head_.resize(arcs);
  weight_.resize(arcs);
  mirror_.resize(arcs);
  // Vertices upward put themselves into the rows of their neighbors, which so are ascending.
  std::vector<EdgeIndex> next(begin_.begin(), begin_.end() - 1);
  for (VertexId v = 0; v < n; ++v)
    rows.visit(v, [&](VertexId u, double w) {
      const EdgeIndex e = next[at(u)]++;
      head_[at(e)] = v;
      weight_[at(e)] = w;
    });
  std::copy(begin_.begin(), begin_.end() - 1, next.begin());
  for (VertexId v = 0; v < n; ++v)
    for (EdgeIndex e = begin_[at(v)]; e < begin_[at(v) + 1]; ++e)
      mirror_[at(e)] = next[at(head_[at(e)])]++;
  inward_ = weight_;
  in_.assign(at(n), 0);
  joined_.assign(at(n), 0.0);
  by_.resize(at(n));
  next_.resize(at(n));
  seen_.assign(at(n), 0);
}

void ProvenSet::grow(VertexId first, std::int64_t most_looks, const RunContext& run) {
  std::priority_queue<std::pair<double, VertexId>> beside;
  const auto take = [&](VertexId v) {
    in_[at(v)] = 1;
    members_.push_back(v);
    for (EdgeIndex e = begin_[at(v)]; e < begin_[at(v) + 1]; ++e) {
      const VertexId u = head_[at(e)];
      if (in_[at(u)] != 0) continue;
      joined_[at(u)] += weight_[at(e)];
      beside.emplace(joined_[at(u)], u);
    }
  };
  take(first);
  while (!beside.empty()) {
    const auto [joined, sink] = beside.top();
    beside.pop();
    if (in_[at(sink)] != 0 || joined != joined_[at(sink)]) continue;
    if (joined < threshold_ && !prove(sink, most_looks, run)) return;
    take(sink);
  }
}

// False if the looks are used up.
bool ProvenSet::prove(VertexId sink, std::int64_t most_looks, const RunContext& run) {
  double missing = threshold_;
  for (EdgeIndex e = begin_[at(sink)]; e < begin_[at(sink) + 1] && missing > 0.0; ++e) {
    const VertexId u = head_[at(e)];
    if (in_[at(u)] == 0) continue;
    const double amount = std::min(missing, inward_[at(e)]);
    inward_[at(e)] -= amount;
    inward_[at(mirror_[at(e)])] += amount;
    missing -= amount;
  }
  while (missing > 0.0) {
    if (looks_ > most_looks) return false;
    const VertexId source = search(sink, run);
    if (source == no_vertex) {
      take_cut();
      return true;
    }
    missing -= send(source, sink, missing);
  }
  return true;
}

// The nearest member of the set from which the sink can be reached, or no_vertex.
VertexId ProvenSet::search(VertexId sink, const RunContext& run) {
  ++searches_;
  reached_.assign(1, sink);
  seen_[at(sink)] = searches_;
  for (std::size_t head = 0; head < reached_.size(); ++head) {
    const VertexId v = reached_[head];
    const EdgeIndex end = begin_[at(v) + 1];
    looks_ += end - begin_[at(v)];
    if (looks_ >= next_stop_) {
      next_stop_ = looks_ + looks_between_stops;
      run.throw_if_stopped("global minimum cut", "before the cut was proved");
    }
    for (EdgeIndex e = begin_[at(v)]; e < end; ++e) {
      const VertexId u = head_[at(e)];
      if (seen_[at(u)] == searches_ || !(inward_[at(e)] > 0.0)) continue;
      seen_[at(u)] = searches_;
      by_[at(u)] = e;
      next_[at(u)] = v;
      if (in_[at(u)] != 0) return u;
      reached_.push_back(u);
    }
  }
  return no_vertex;
}

// At most `most` along the path that was found; how much.
double ProvenSet::send(VertexId source, VertexId sink, double most) {
  double amount = most;
  for (VertexId v = source; v != sink; v = next_[at(v)])
    amount = std::min(amount, inward_[at(by_[at(v)])]);
  for (VertexId v = source; v != sink; v = next_[at(v)]) {
    const EdgeIndex e = by_[at(v)];
    inward_[at(e)] -= amount;
    inward_[at(mirror_[at(e)])] += amount;
  }
  return amount;
}

// Those reached, if they are a better cut: rounding may have left them without a path too early.
void ProvenSet::take_cut() {
  double cut = 0.0;
  for (const VertexId v : reached_)
    for (EdgeIndex e = begin_[at(v)]; e < begin_[at(v) + 1]; ++e)
      if (seen_[at(head_[at(e)])] != searches_) cut += weight_[at(e)];
  if (!(cut < threshold_)) return;
  threshold_ = cut;
  side_.assign(at(rows_.size), 0);
  for (const VertexId v : reached_) side_[at(v)] = 1;
}

}  // namespace gssl::flow
