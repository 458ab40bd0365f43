#include "gssl/graph/knn_graph.hpp"

#include <algorithm>

#include "core/memory/large_array.hpp"

namespace gssl {

namespace {

struct Neighbor {
  VertexId id;
  double distance;
};

// Row i of the reverse lists: who has i among its neighbors, ascending.
struct Reverse {
  std::vector<EdgeIndex> offsets;
  std::vector<Neighbor> entries;
};

Reverse reversed(const KnnLists& lists, int threads) {
  Reverse reverse;
  reverse.offsets.assign(static_cast<std::size_t>(lists.count) + 2, 0);
  for (const VertexId j : lists.neighbors) ++reverse.offsets[static_cast<std::size_t>(j) + 2];
  for (std::size_t v = 2; v < reverse.offsets.size(); ++v)
    reverse.offsets[v] += reverse.offsets[v - 1];
  detail::resize_large(reverse.entries, lists.neighbors.size(), threads);
  for (VertexId i = 0; i < lists.count; ++i)
    for (int a = 0; a < lists.k; ++a) {
      EdgeIndex& next = reverse.offsets[static_cast<std::size_t>(lists.row(i)[a]) + 1];
      reverse.entries[static_cast<std::size_t>(next++)] = {i, lists.distance_row(i)[a]};
    }
  return reverse;
}

}  // namespace

DistanceGraph neighbor_graph(const KnnLists& lists, bool mutual, const RunContext& run) {
  const int threads = run.thread_count();
  const Reverse reverse = reversed(lists, threads);
  DistanceGraph graph;
  graph.offsets.assign(static_cast<std::size_t>(lists.count) + 1, 0);

  // Calls out(neighbor) for each neighbor of vertex i, ascending.
  const auto merge_row = [&](VertexId i, std::vector<Neighbor>& own, const auto& out) {
    own.clear();
    for (int a = 0; a < lists.k; ++a) own.push_back({lists.row(i)[a], lists.distance_row(i)[a]});
    std::sort(own.begin(), own.end(),
              [](const Neighbor& a, const Neighbor& b) { return a.id < b.id; });
    const Neighbor* other = reverse.entries.data() + reverse.offsets[static_cast<std::size_t>(i)];
    const Neighbor* end = reverse.entries.data() + reverse.offsets[static_cast<std::size_t>(i) + 1];
    auto mine = own.begin();
    while (mine != own.end() || other != end) {
      const bool take_mine = mine != own.end() && (other == end || mine->id <= other->id);
      const bool take_other = other != end && (mine == own.end() || other->id <= mine->id);
      const Neighbor next = take_mine ? *mine : *other;
      if (take_mine) ++mine;
      if (take_other) ++other;
      if (!mutual || (take_mine && take_other)) out(next);
    }
  };

  parallel_blocks(lists.count, threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Neighbor> own;
    for (auto i = static_cast<VertexId>(begin); i < end; ++i)
      merge_row(i, own, [&](const Neighbor&) { ++graph.offsets[static_cast<std::size_t>(i) + 1]; });
  });
  for (std::size_t v = 1; v < graph.offsets.size(); ++v) graph.offsets[v] += graph.offsets[v - 1];
  const auto entries = static_cast<std::size_t>(graph.offsets.back());
  detail::resize_large(graph.neighbors, entries, threads);
  detail::resize_large(graph.distances, entries, threads);
  parallel_blocks(lists.count, threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Neighbor> own;
    for (auto i = static_cast<VertexId>(begin); i < end; ++i) {
      auto at = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
      merge_row(i, own, [&](const Neighbor& neighbor) {
        graph.neighbors[at] = neighbor.id;
        graph.distances[at++] = neighbor.distance;
      });
    }
  });
  if (lists.k > 0) {
    graph.local_scale.reserve(static_cast<std::size_t>(lists.count));
    for (VertexId i = 0; i < lists.count; ++i)
      graph.local_scale.push_back(lists.distance_row(i).back());
  }
  return graph;
}

KnnGraph knn_graph(const Points& points, int k, const KnnGraphOptions& options,
                   const RunContext& run) {
  options.weights.validate();
  KnnLists lists = knn_lists(points, k, options.search, run);
  DistanceGraph distances = neighbor_graph(lists, options.mutual, run);
  KnnReport report = std::move(lists.report);
  lists = {};
  WeightedGraph weighted = weigh(std::move(distances), options.weights);
  return {std::move(weighted.graph), std::move(report), std::move(weighted.report)};
}

}  // namespace gssl
