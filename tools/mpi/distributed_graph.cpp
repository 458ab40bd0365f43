#include "distributed_graph.hpp"

#include <numeric>
#include <span>
#include <utility>

#include "fields.hpp"
#include "graph/support/edge_group.hpp"
#include "graph/support/row_sort.hpp"
#include "gssl/core/error.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

using detail::EdgeGroup;

constexpr std::int64_t most_local = std::int64_t{1} << 31;  // numbers of vertices that a rank sees

// An arc as it travels: the row within its owner's range, and the neighbor with the direction in
// which the edge was given, as in row_sort.hpp.
struct Arcs {
  Parcels<std::uint32_t> rows;
  Parcels<std::uint64_t> entries;
  Parcels<double> weights;
};

// Vertices and arcs of each of this rank's introduced vertices, added up over the ranks.
std::vector<std::int64_t> loads(const LocalEdges& edges, const Numbering& numbering,
                                const Communicator& ranks) {
  std::vector<std::int64_t> degree(static_cast<std::size_t>(edges.names.size()), 0);
  for (const auto& [u, v] : edges.pairs) {
    ++degree[static_cast<std::size_t>(u)];
    ++degree[static_cast<std::size_t>(v)];
  }
  const auto introducer = [&](std::int64_t vertex) {
    return static_cast<std::size_t>(
        std::upper_bound(numbering.first.begin(), numbering.first.end(), vertex) -
        numbering.first.begin() - 1);
  };
  std::vector<std::size_t> count(static_cast<std::size_t>(ranks.size()), 0);
  for (const std::int64_t vertex : numbering.vertex_of) ++count[introducer(vertex)];
  struct Told {
    std::int64_t vertex, degree;
  };
  Parcels<Told> out(count);
  std::vector<std::size_t> next = out.begin;
  for (std::size_t v = 0; v < degree.size(); ++v)
    out.items[next[introducer(numbering.vertex_of[v])]++] = {numbering.vertex_of[v], degree[v]};
  const std::int64_t first = numbering.first[static_cast<std::size_t>(ranks.rank())];
  std::vector<std::int64_t> load(numbering.introduced.size(), 1);
  for (const Told& told : ranks.exchange(out).items)
    load[static_cast<std::size_t>(told.vertex - first)] += told.degree;
  return load;
}

// Where the range of each rank starts, so that vertices and arcs together are shared evenly.
std::vector<std::int64_t> balanced_ranges(const LocalEdges& edges, const Numbering& numbering,
                                          const Communicator& ranks) {
  const int p = ranks.size();
  const std::vector<std::int64_t> load = loads(edges, numbering, ranks);
  const std::int64_t mine = std::accumulate(load.begin(), load.end(), std::int64_t{0});
  const std::int64_t total = ranks.sum(mine);
  std::int64_t before = ranks.sum_before(mine);
  std::vector<std::int64_t> first(static_cast<std::size_t>(p) + 1, 0);
  int r = 1;
  const auto wanted = [&](int rank) { return total / p * rank + total % p * rank / p; };
  while (r < p && wanted(r) <= before) ++r;  // these start on a rank before this one
  const std::int64_t own_first = numbering.first[static_cast<std::size_t>(ranks.rank())];
  for (std::size_t i = 0; i < load.size(); ++i) {
    before += load[i];
    for (; r < p && wanted(r) <= before; ++r)
      first[static_cast<std::size_t>(r)] = own_first + static_cast<std::int64_t>(i) + 1;
  }
  ranks.max(std::span<std::int64_t>(first));
  first.back() = numbering.vertices;
  return first;
}

// Both arcs of every edge, by the owners of their rows; the edges are given back.
Arcs outgoing_arcs(LocalEdges& edges, const Numbering& numbering, const DistributedGraph& graph,
                   bool weighted, int ranks) {
  std::vector<int> owner(numbering.vertex_of.size());
  for (std::size_t v = 0; v < owner.size(); ++v) owner[v] = graph.owner_of(numbering.vertex_of[v]);
  const auto at = [](VertexId v) { return static_cast<std::size_t>(v); };
  std::vector<std::size_t> count(static_cast<std::size_t>(ranks), 0);
  for (const auto& [u, v] : edges.pairs) {
    ++count[at(owner[at(u)])];
    ++count[at(owner[at(v)])];
  }
  Arcs arcs;
  arcs.rows = Parcels<std::uint32_t>(count);
  arcs.entries = Parcels<std::uint64_t>(count);
  arcs.weights = Parcels<double>(weighted ? count : std::vector<std::size_t>(count.size(), 0));
  std::vector<std::size_t> next = arcs.rows.begin;
  for (std::size_t i = 0; i < edges.pairs.size(); ++i) {
    const auto [u, v] = edges.pairs[i];
    const std::int64_t a = numbering.vertex_of[at(u)], b = numbering.vertex_of[at(v)];
    const std::uint64_t reversed = a > b ? 1 : 0;
    const auto put = [&](int to, std::int64_t row, std::int64_t neighbor) {
      const std::size_t slot = next[at(to)]++;
      arcs.rows.items[slot] = static_cast<std::uint32_t>(row - graph.first[at(to)]);
      arcs.entries.items[slot] = static_cast<std::uint64_t>(neighbor) << 1 | reversed;
      if (weighted) arcs.weights.items[slot] = edges.weight(i);
    };
    put(owner[at(u)], a, b);
    put(owner[at(v)], b, a);
  }
  edges.pairs = {};
  edges.weights = {};
  return arcs;
}

// Own numbers of neighbors: rows for own vertices, then ghosts in ascending order.
void number_ghosts(std::vector<std::uint64_t>& entries, DistributedGraph& graph,
                   std::int64_t own_rows) {
  constexpr std::size_t batch = 64;
  VertexNames ghosts;
  std::vector<std::uint64_t> vertices;  // of a batch of ghosts
  std::vector<std::size_t> places;
  std::vector<VertexId> numbers(batch);
  const auto flush = [&] {
    ghosts.insert(vertices, std::span(numbers).first(vertices.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::uint64_t& entry = entries[places[i]];
      entry = (static_cast<std::uint64_t>(own_rows + numbers[i]) << 1) | (entry & 1);
    }
    vertices.clear();
    places.clear();
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto own = static_cast<std::int64_t>(entries[i] >> 1) - graph.begin;
    if (own >= 0 && own < own_rows) {
      entries[i] = (static_cast<std::uint64_t>(own) << 1) | (entries[i] & 1);
      continue;
    }
    vertices.push_back(entries[i] >> 1);
    places.push_back(i);
    if (vertices.size() == batch) flush();
  }
  flush();
  if (own_rows + ghosts.size() >= most_local)
    throw Error(ErrorCode::out_of_memory,
                "a rank sees more than 2^31 vertices: start the job on more ranks");
  std::vector<std::pair<std::int64_t, VertexId>> sorted;
  std::string name;
  for (VertexId g = 0; g < ghosts.size(); ++g) {
    name.clear();
    ghosts.append_name(g, name);
    sorted.emplace_back(std::stoll(name), g);
  }
  std::ranges::sort(sorted);
  std::vector<std::uint64_t> place(sorted.size());
  graph.ghosts.reserve(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    graph.ghosts.push_back(sorted[i].first);
    place[static_cast<std::size_t>(sorted[i].second)] =
        static_cast<std::uint64_t>(own_rows) + static_cast<std::uint64_t>(i);
  }
  for (std::uint64_t& entry : entries) {
    const auto local = static_cast<std::int64_t>(entry >> 1);
    if (local >= own_rows)
      entry = place[static_cast<std::size_t>(local - own_rows)] << 1 | (entry & 1);
  }
}

// Rows as they were given, repetitions included.
struct GivenRows {
  std::vector<EdgeIndex> offsets;
  std::vector<std::uint32_t> entries;
  std::vector<double> weights;
};

GivenRows place_arcs(Arcs arcs, DistributedGraph& graph, std::int64_t own_rows, bool weighted) {
  number_ghosts(arcs.entries.items, graph, own_rows);
  GivenRows given;
  given.offsets.assign(static_cast<std::size_t>(own_rows) + 1, 0);
  for (const std::uint32_t row : arcs.rows.items) ++given.offsets[std::size_t{row} + 1];
  std::partial_sum(given.offsets.begin(), given.offsets.end(), given.offsets.begin());
  given.entries.resize(arcs.entries.items.size());
  given.weights.resize(weighted ? given.entries.size() : 0);
  std::vector<EdgeIndex> next(given.offsets.begin(), given.offsets.end() - 1);
  for (std::size_t i = 0; i < arcs.rows.items.size(); ++i) {
    const auto slot = static_cast<std::size_t>(next[arcs.rows.items[i]]++);
    given.entries[slot] = static_cast<std::uint32_t>(arcs.entries.items[i]);
    if (weighted) given.weights[slot] = arcs.weights.items[i];
  }
  return given;
}

// Sorts and merges one row after the other, in place.
class RowMerger {
 public:
  RowMerger(GivenRows& given, DistributedGraph& graph, const GraphBuilderOptions& options,
            GraphBuilderCounts& counts)
      : given_(given), graph_(graph), options_(options), counts_(counts) {}

  void run() {
    const std::size_t n = given_.offsets.size() - 1;
    graph_.offsets.assign(n + 1, 0);
    graph_.neighbors.resize(given_.entries.size());
    graph_.weights.resize(given_.weights.size());
    for (std::size_t v = 0; v < n; ++v) merge_row(static_cast<VertexId>(v));
    graph_.neighbors.resize(static_cast<std::size_t>(kept_));
    graph_.weights.resize(given_.weights.empty() && !heavy_ ? 0 : static_cast<std::size_t>(kept_));
  }
  bool heavy() const { return heavy_; }
  std::int64_t edges() const { return edges_; }  // of those that this rank counts

  // graph_.rows() is not known yet.
  std::int64_t vertex_of(VertexId local) const {
    const auto own = static_cast<VertexId>(given_.offsets.size() - 1);
    return local < own ? graph_.begin + local
                       : graph_.ghosts[static_cast<std::size_t>(local - own)];
  }

 private:
  // Equal entries by weight, or under `first` as they came: the sum of both owners is the same.
  void sort_row(std::size_t begin, std::size_t end) {
    std::uint32_t* const entries = given_.entries.data() + begin;
    if (given_.weights.empty()) return sorter_.sort(entries, end - begin);
    double* const weights = given_.weights.data() + begin;
    const bool in_file_order = options_.duplicates == DuplicatePolicy::first;
    sorter_.sort(entries, weights, end - begin, in_file_order ? 1 : 0);
    for (std::size_t i = 0, next = 0; i < end - begin && !in_file_order; i = next) {
      for (next = i + 1; next < end - begin && entries[next] == entries[i];) ++next;
      if (next > i + 1) std::sort(weights + i, weights + next);
    }
  }

  void merge_row(VertexId v) {
    const auto begin = static_cast<std::size_t>(given_.offsets[static_cast<std::size_t>(v)]);
    const auto end = static_cast<std::size_t>(given_.offsets[static_cast<std::size_t>(v) + 1]);
    sort_row(begin, end);
    for (std::size_t e = begin; e < end;) {
      const VertexId neighbor = detail::neighbor_of(given_.entries[e]);
      EdgeGroup group;
      for (; e < end && detail::neighbor_of(given_.entries[e]) == neighbor; ++e)
        group.add(detail::is_reversed(given_.entries[e]),
                  given_.weights.empty() ? 1.0 : given_.weights[e]);
      take(v, neighbor, group);
    }
    graph_.offsets[static_cast<std::size_t>(v) + 1] = kept_;
  }

  void take(VertexId v, VertexId neighbor, const EdgeGroup& group) {
    detail::check_group(group, options_, v, neighbor);
    const double weight = group.weight(options_);
    if (weight != 1.0 && given_.weights.empty() && graph_.weights.empty())
      graph_.weights.assign(given_.entries.size(), 1.0);  // repetitions of unit edges add up
    heavy_ = heavy_ || weight != 1.0;
    graph_.neighbors[static_cast<std::size_t>(kept_)] = neighbor;
    if (!graph_.weights.empty()) graph_.weights[static_cast<std::size_t>(kept_)] = weight;
    ++kept_;
    if (vertex_of(neighbor) < graph_.begin + v) return;  // counted at its lower end
    ++edges_;
    counts_.duplicates_merged +=
        group.forward.given + group.backward.given - (group.both() ? 2 : 1);
    counts_.reversed_merged += group.both() ? 1 : 0;
    counts_.opposite_differ += group.opposite_differ(options_.duplicates) ? 1 : 0;
  }

  GivenRows& given_;
  DistributedGraph& graph_;
  const GraphBuilderOptions& options_;
  GraphBuilderCounts& counts_;
  detail::RowSorter sorter_;
  EdgeIndex kept_ = 0;
  std::int64_t edges_ = 0;
  bool heavy_ = false;
};

}  // namespace

// Tells the owners which of their rows this rank has.
void connect_ghosts(DistributedGraph& graph, const Communicator& ranks) {
  graph.ghost_begin.clear();
  for (const std::int64_t first : graph.first)
    graph.ghost_begin.push_back(static_cast<std::size_t>(
        std::ranges::lower_bound(graph.ghosts, first) - graph.ghosts.begin()));
  Parcels<std::int64_t> wanted;
  wanted.begin = graph.ghost_begin;
  wanted.items = graph.ghosts;
  const Parcels<std::int64_t> asked = ranks.exchange(wanted);
  graph.asked_begin = asked.begin;
  graph.asked_for.reserve(asked.items.size());
  for (const std::int64_t vertex : asked.items)
    graph.asked_for.push_back(static_cast<VertexId>(vertex - graph.begin));
}

double DistributedGraph::weighted_degree(VertexId v) const {
  const auto at = static_cast<std::size_t>(v);
  if (weights.empty()) return static_cast<double>(offsets[at + 1] - offsets[at]);
  double sum = 0.0;
  for (EdgeIndex e = offsets[at]; e < offsets[at + 1]; ++e) sum += weight(e);
  return sum;
}

namespace {

// An edge that the options refuse, by its vertices.
struct RefusedEdge {
  std::int64_t u = -1;
  std::int64_t v = -1;
  std::string rule;
};

// Names the edge by the ranks that introduced its ends, and throws on every rank.
[[noreturn]] void refuse_edge(const RefusedEdge& edge, int speaker, const LocalEdges& edges,
                              const Numbering& numbering, const std::string& file,
                              const Communicator& ranks) {
  const auto name_of = [&](std::int64_t vertex) {
    const auto above = std::upper_bound(numbering.first.begin(), numbering.first.end(), vertex);
    const auto rank = static_cast<int>(above - numbering.first.begin()) - 1;
    std::string name;
    if (ranks.rank() == rank)
      name = edges.names.name(numbering.introduced[static_cast<std::size_t>(
          vertex - numbering.first[static_cast<std::size_t>(rank)])]);
    ranks.broadcast(name, rank);
    return detail::shown(name);
  };
  std::string rule = edge.rule;
  ranks.broadcast(rule, speaker);
  const std::string u = name_of(ranks.broadcast(edge.u, speaker));
  const std::string v = name_of(ranks.broadcast(edge.v, speaker));
  refuse(ErrorCode::bad_data, file + ": edge " + u + " " + v + ": " + rule);
}

}  // namespace

DistributedGraph build_graph(LocalEdges& edges, const Numbering& numbering,
                             const GraphBuilderOptions& options, const std::string& file,
                             GraphBuilderCounts& counts, const Communicator& ranks) {
  DistributedGraph graph;
  graph.first = balanced_ranges(edges, numbering, ranks);
  const auto r = static_cast<std::size_t>(ranks.rank());
  graph.begin = graph.first[r];
  const std::int64_t own_rows = graph.first[r + 1] - graph.begin;
  if (ranks.max(own_rows) >= most_local)
    refuse(ErrorCode::out_of_memory,
           "a rank would own more than 2^31 vertices: start the job on more ranks");
  const bool weighted = ranks.any(!edges.weights.empty());
  counts.edges_given = ranks.sum(edges.given);
  counts.self_loops_dropped = ranks.sum(edges.self_loops);
  Arcs arcs;
  together(ranks, [&] { arcs = outgoing_arcs(edges, numbering, graph, weighted, ranks.size()); });
  arcs.rows = ranks.exchange(arcs.rows);
  arcs.entries = ranks.exchange(arcs.entries);
  arcs.weights = ranks.exchange(arcs.weights);
  GraphBuilderCounts found;
  std::int64_t own_edges = 0;
  bool heavy = false;
  RefusedEdge refused;
  together(ranks, [&] {
    GivenRows given = place_arcs(std::move(arcs), graph, own_rows, weighted);
    RowMerger merger(given, graph, options, found);
    try {
      merger.run();
    } catch (const EdgeError& error) {
      refused = {merger.vertex_of(error.u()), merger.vertex_of(error.v()), error.rule()};
    }
    own_edges = merger.edges();
    heavy = merger.heavy();
  });
  const std::int64_t speaker = ranks.max(refused.u < 0 ? std::int64_t{-1} : ranks.rank());
  if (speaker >= 0) refuse_edge(refused, static_cast<int>(speaker), edges, numbering, file, ranks);
  graph.edges = ranks.sum(own_edges);
  counts.duplicates_merged = ranks.sum(found.duplicates_merged);
  counts.reversed_merged = ranks.sum(found.reversed_merged);
  counts.opposite_differ = ranks.sum(found.opposite_differ);
  heavy = ranks.any(heavy);
  if (!heavy) graph.weights = {};
  if (heavy && graph.weights.empty()) graph.weights.assign(graph.neighbors.size(), 1.0);
  connect_ghosts(graph, ranks);
  return graph;
}

}  // namespace gssl::mpi
