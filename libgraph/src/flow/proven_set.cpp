#include "proven_set.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"

namespace gssl::flow {

namespace {

std::size_t index(EdgeIndex e) { return static_cast<std::size_t>(e); }

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
      const EdgeIndex e = next[index(u)]++;
      head_[index(e)] = v;
      weight_[index(e)] = w;
    });
  std::copy(begin_.begin(), begin_.end() - 1, next.begin());
  for (VertexId v = 0; v < n; ++v)
    for (EdgeIndex e = begin_[index(v)]; e < begin_[index(v) + 1]; ++e)
      mirror_[index(e)] = next[index(head_[index(e)])]++;
  inward_ = weight_;
  in_.assign(index(n), 0);
  joined_.assign(index(n), 0.0);
  by_.resize(index(n));
  next_.resize(index(n));
  seen_.assign(index(n), 0);
}

void ProvenSet::grow(VertexId first, std::int64_t most_looks, const RunContext& run) {
  std::priority_queue<std::pair<double, VertexId>> beside;
  const auto take = [&](VertexId v) {
    in_[index(v)] = 1;
    members_.push_back(v);
    for (EdgeIndex e = begin_[index(v)]; e < begin_[index(v) + 1]; ++e) {
      const VertexId u = head_[index(e)];
      if (in_[index(u)] != 0) continue;
      joined_[index(u)] += weight_[index(e)];
      beside.emplace(joined_[index(u)], u);
    }
  };
  take(first);
  while (!beside.empty()) {
    const auto [joined, sink] = beside.top();
    beside.pop();
    if (in_[index(sink)] != 0 || joined != joined_[index(sink)]) continue;
    if (joined < threshold_ && !prove(sink, most_looks, run)) return;
    take(sink);
  }
}

// False if the looks are used up.
bool ProvenSet::prove(VertexId sink, std::int64_t most_looks, const RunContext& run) {
  double missing = threshold_;
  for (EdgeIndex e = begin_[index(sink)]; e < begin_[index(sink) + 1] && missing > 0.0; ++e) {
    const VertexId u = head_[index(e)];
    if (in_[index(u)] == 0) continue;
    const double amount = std::min(missing, inward_[index(e)]);
    inward_[index(e)] -= amount;
    inward_[index(mirror_[index(e)])] += amount;
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
  seen_[index(sink)] = searches_;
  for (std::size_t head = 0; head < reached_.size(); ++head) {
    const VertexId v = reached_[head];
    const EdgeIndex end = begin_[index(v) + 1];
    looks_ += end - begin_[index(v)];
    if (looks_ >= next_stop_) {
      next_stop_ = looks_ + looks_between_stops;
      run.throw_if_stopped("global minimum cut", "before the cut was proved");
    }
    for (EdgeIndex e = begin_[index(v)]; e < end; ++e) {
      const VertexId u = head_[index(e)];
      if (seen_[index(u)] == searches_ || !(inward_[index(e)] > 0.0)) continue;
      seen_[index(u)] = searches_;
      by_[index(u)] = e;
      next_[index(u)] = v;
      if (in_[index(u)] != 0) return u;
      reached_.push_back(u);
    }
  }
  return no_vertex;
}

// At most `most` along the path that was found; how much.
double ProvenSet::send(VertexId source, VertexId sink, double most) {
  double amount = most;
  for (VertexId v = source; v != sink; v = next_[index(v)])
    amount = std::min(amount, inward_[index(by_[index(v)])]);
  for (VertexId v = source; v != sink; v = next_[index(v)]) {
    const EdgeIndex e = by_[index(v)];
    inward_[index(e)] -= amount;
    inward_[index(mirror_[index(e)])] += amount;
  }
  return amount;
}

// Those reached, if they are a better cut: rounding may have left them without a path too early.
void ProvenSet::take_cut() {
  double cut = 0.0;
  for (const VertexId v : reached_)
    for (EdgeIndex e = begin_[index(v)]; e < begin_[index(v) + 1]; ++e)
      if (seen_[index(head_[index(e)])] != searches_) cut += weight_[index(e)];
  if (!(cut < threshold_)) return;
  threshold_ = cut;
  side_.assign(index(rows_.size), 0);
  for (const VertexId v : reached_) side_[index(v)] = 1;
}

}  // namespace gssl::flow
