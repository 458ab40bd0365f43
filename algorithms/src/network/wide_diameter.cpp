#include "gssl/network/wide_diameter.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/graph/components.hpp"

namespace gssl {
namespace {

constexpr VertexId most_vertices = 300;
constexpr double least_exponent = 1.05;
constexpr std::uint64_t first_pair_stream = 8'100'000;

// Unit flows of least total length between two vertices, one path after another. The flow on an
// entry of neighbor_array() is 1, and −1 on its mirror, or 0.
class PathFlow {
 public:
  explicit PathFlow(const Graph& graph)
      : graph_(graph),
        mirror_(graph.neighbor_array().size()),
        tail_(mirror_.size()),
        flow_(mirror_.size()) {
    for (VertexId v = 0; v < graph.vertex_count(); ++v)
      for (EdgeIndex e = graph.row_begin(v); e < graph.row_end(v); ++e) {
        tail_[index(e)] = v;
        const auto row = graph.neighbors(graph.neighbor_at(e));
        mirror_[index(e)] = graph.row_begin(graph.neighbor_at(e)) +
                            (std::lower_bound(row.begin(), row.end(), v) - row.begin());
      }
  }

  // The longest of k paths.
  std::int64_t longest_path(VertexId from, VertexId to, std::int64_t k) {
    std::ranges::fill(flow_, 0);
    for (std::int64_t path = 0; path < k; ++path) augment(from, to);
    std::int64_t longest = 0;
    for (std::int64_t path = 0; path < k; ++path) longest = std::max(longest, take(from, to));
    return longest;
  }

 private:
  // Along the shortest path of what is left, where an edge that is given back costs −1
  // (Bellman and Ford with a queue).
  void augment(VertexId from, VertexId to) {
    constexpr int far = std::numeric_limits<int>::max() / 2;
    std::vector<int> distance(index(graph_.vertex_count()), far);
    std::vector<EdgeIndex> reached_by(index(graph_.vertex_count()), -1);
    std::vector<bool> waiting(index(graph_.vertex_count()), false);
    std::deque<VertexId> queue{from};
    distance[index(from)] = 0;
    while (!queue.empty()) {
      const VertexId v = queue.front();
      queue.pop_front();
      waiting[index(v)] = false;
      for (EdgeIndex e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        if (flow_[index(e)] == 1) continue;
        const int length = distance[index(v)] + (flow_[index(e)] == 0 ? 1 : -1);
        const VertexId u = graph_.neighbor_at(e);
        if (length >= distance[index(u)]) continue;
        distance[index(u)] = length;
        reached_by[index(u)] = e;
        if (!waiting[index(u)]) queue.push_back(u);
        waiting[index(u)] = true;
      }
    }
    for (VertexId v = to; v != from; v = tail_[index(reached_by[index(v)])]) {
      ++flow_[index(reached_by[index(v)])];
      --flow_[index(mirror_[index(reached_by[index(v)])])];
    }
  }

  // Takes one path out of the flow; its length.
  std::int64_t take(VertexId from, VertexId to) {
    std::int64_t length = 0;
    for (VertexId v = from; v != to; ++length) {
      EdgeIndex e = graph_.row_begin(v);
      while (flow_[index(e)] != 1) ++e;
      flow_[index(e)] = flow_[index(mirror_[index(e)])] = 0;
      v = graph_.neighbor_at(e);
    }
    return length;
  }

  const Graph& graph_;
  std::vector<EdgeIndex> mirror_;
  std::vector<VertexId> tail_;
  std::vector<signed char> flow_;
};

// The two ends of the longest shortest path that searches by breadth find, each from the farthest
// vertex of the one before.
std::pair<VertexId, VertexId> far_apart(const Graph& graph, VertexId from) {
  constexpr int searches = 4;
  std::pair<VertexId, VertexId> ends{from, from};
  std::vector<int> distance(index(graph.vertex_count()));
  for (int search = 0; search < searches; ++search) {
    std::ranges::fill(distance, -1);
    std::vector<VertexId> queue{ends.second};
    distance[index(ends.second)] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const VertexId u : graph.neighbors(queue[i])) {
        if (distance[index(u)] >= 0) continue;
        distance[index(u)] = distance[index(queue[i])] + 1;
        queue.push_back(u);
      }
    ends = {ends.second, queue.back()};
  }
  return ends;
}

void check_connected(const Graph& graph) {
  if (connected_components(graph).count > 1)
    throw Error(ErrorCode::bad_data, "wide diameter: the graph must be connected");
}

double ratio(const WideDiameter& diameter, double cut) {
  if (!(cut > 0.0) || diameter.paths < 1)
    throw Error(ErrorCode::usage, "wide diameter: needs paths and a cut > 0");
  return static_cast<double>(diameter.paths * diameter.length) / cut;
}

}  // namespace

WideDiameter wide_diameter(const Graph& graph, const RunContext& run) {
  const VertexId n = graph.vertex_count();
  if (n > most_vertices)
    throw Error(ErrorCode::usage, "wide diameter: " + std::to_string(n) +
                                      " vertices: must be at most " +
                                      std::to_string(most_vertices));
  if (n <= 1) return {};
  check_connected(graph);
  const Graph unit = graph.with_weights({});
  WideDiameter found;
  found.paths = std::llround(global_min_cut(unit, run).value);
  PathFlow flow(unit);
  for (VertexId u = 0; u < n; ++u) {
    run.throw_if_stopped("wide diameter", "before all pairs were looked at");
    for (VertexId v = u + 1; v < n; ++v)
      found.length = std::max(found.length, flow.longest_path(u, v, found.paths));
  }
  return found;
}

WideDiameter wide_diameter_at_least(const Graph& graph, std::int64_t pairs, const RunContext& run) {
  if (pairs < 1)
    throw Error(ErrorCode::usage,
                "wide diameter: " + std::to_string(pairs) + " pairs: must be at least 1");
  const VertexId n = graph.vertex_count();
  if (n <= 1) return {};
  check_connected(graph);
  const Graph unit = graph.with_weights({});
  WideDiameter found;
  found.paths = std::llround(global_min_cut(unit, run).value);
  PathFlow flow(unit);
  Rng rng = run.rng(first_pair_stream);
  std::pair<VertexId, VertexId> pair = far_apart(unit, 0);
  for (std::int64_t i = 0; i < pairs; ++i) {
    run.throw_if_stopped("wide diameter", "before all pairs were looked at");
    if (i > 0) {
      pair.first = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
      pair.second = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
      if (i % 2 == 1) pair = far_apart(unit, pair.first);
    }
    if (pair.first == pair.second) continue;
    found.length = std::max(found.length, flow.longest_path(pair.first, pair.second, found.paths));
  }
  return found;
}

double wide_diameter_bound(std::int64_t parts, const WideDiameter& diameter, double cut) {
  if (parts < 1 || !(cut >= 0.0))
    throw Error(ErrorCode::usage, "wide diameter: needs at least one part and a cut ≥ 0");
  const auto n = static_cast<double>(parts);
  if (cut == 0.0) return n;
  const auto k = static_cast<double>(diameter.paths), length = static_cast<double>(diameter.length);
  const double e2 = std::exp(2.0);
  if (ratio(diameter, cut) > e2)
    return n + 4.0 * e2 * cut * cut * (std::log(length) + std::log(k / cut) - 1.0) / (k * k);
  return n + 4.0 * cut * length / k;
}

double tuned_exponent(const WideDiameter& diameter, double cut) {
  if (cut == 0.0) return least_exponent;
  const double c = std::max(std::log(ratio(diameter, cut)), 2.0);
  return std::max(least_exponent, c / (c - 1.0));
}

}  // namespace gssl
