#include "binary_slice.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "gssl/io/binary_graph.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

// The first rows of the ranks, so that the work of products is shared evenly.
std::vector<std::int64_t> balanced_rows(std::span<const EdgeIndex> offsets, int ranks) {
  const auto n = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto before = [&](std::int64_t v) {
    return offsets[static_cast<std::size_t>(v)] + arcs_worth_vertex * v;
  };
  const std::int64_t total = before(n);
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, n);
  std::int64_t v = 0;
  for (int r = 0; r < ranks; ++r) {
    const std::int64_t wanted = total / ranks * r + total % ranks * r / ranks;
    while (v < n && before(v) < wanted) ++v;
    first[static_cast<std::size_t>(r)] = v;
  }
  return first;
}

void copy_rows(const Graph& whole, DistributedGraph& graph, std::int64_t end) {
  const std::span<const EdgeIndex> offsets = whole.offset_array();
  const EdgeIndex from = offsets[static_cast<std::size_t>(graph.begin)];
  const EdgeIndex to = offsets[static_cast<std::size_t>(end)];
  const auto arcs = static_cast<std::size_t>(to - from);
  graph.offsets.clear();
  for (std::int64_t v = graph.begin; v <= end; ++v)
    graph.offsets.push_back(offsets[static_cast<std::size_t>(v)] - from);
  const std::span<const VertexId> neighbors =
      whole.neighbor_array().subspan(static_cast<std::size_t>(from), arcs);
  for (const VertexId u : neighbors)
    if (u < graph.begin || u >= end) graph.ghosts.push_back(u);
  std::ranges::sort(graph.ghosts);
  graph.ghosts.erase(std::unique(graph.ghosts.begin(), graph.ghosts.end()), graph.ghosts.end());
  graph.neighbors.reserve(arcs);
  const auto place = [&](std::int64_t u) -> std::int64_t {
    if (u >= graph.begin && u < end) return u - graph.begin;
    return end - graph.begin + (std::ranges::lower_bound(graph.ghosts, u) - graph.ghosts.begin());
  };
  for (const VertexId u : neighbors) graph.neighbors.push_back(static_cast<VertexId>(place(u)));
  if (!whole.weight_array().empty()) {
    const auto weights = whole.weight_array().subspan(static_cast<std::size_t>(from), arcs);
    for (std::size_t e = 0; e < arcs; ++e) graph.weights.put(e, weights[e], arcs);
  }
}

// Rows of the graph are own numbers ascending, own vertices first.
void sort_rows(DistributedGraph& graph) {
  std::vector<std::pair<VertexId, double>> row;
  for (VertexId v = 0; v < graph.rows(); ++v) {
    const auto begin = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]);
    const auto end = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v) + 1]);
    row.clear();
    for (std::size_t e = begin; e < end; ++e)
      row.emplace_back(graph.neighbors[e], graph.weight(static_cast<EdgeIndex>(e)));
    std::ranges::sort(row);
    for (std::size_t e = begin; e < end; ++e) {
      graph.neighbors[e] = row[e - begin].first;
      graph.weights.put(e, row[e - begin].second, graph.neighbors.size());
    }
  }
}

}  // namespace

BinarySlice read_binary_slice(const std::string& path, const RunContext& run,
                              const Communicator& ranks) {
  BinarySlice slice;
  together(ranks, [&] {
    const BinaryGraph file = BinaryGraph::open(path);
    if (file.facts().compressed)
      throw Error(ErrorCode::usage, path +
                                        ": has compressed rows, which every rank would expand; "
                                        "make plain ones with 'gssl convert " +
                                        path + " plain.gssl'");
    const Graph whole = file.graph(run);
    slice.names = file.names();
    slice.stats = file.stats();
    slice.graph.first = balanced_rows(whole.offset_array(), ranks.size());
    const auto r = static_cast<std::size_t>(ranks.rank());
    slice.graph.begin = slice.graph.first[r];
    slice.graph.edges = whole.edge_count();
    copy_rows(whole, slice.graph, slice.graph.first[r + 1]);
    sort_rows(slice.graph);
  });
  connect_ghosts(slice.graph, ranks);
  return slice;
}

}  // namespace gssl::mpi
