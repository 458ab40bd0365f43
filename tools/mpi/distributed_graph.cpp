#include "distributed_graph.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "arc_exchange.hpp"
#include "fields.hpp"
#include "graph/support/edge_group.hpp"
#include "graph/support/row_sort.hpp"
#include "gssl/core/error.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

using detail::EdgeGroup;

// arcs_worth_vertex and the arcs of each of this rank's introduced vertices, added up over the ranks.
std::vector<std::int64_t> loads(const LocalEdges& edges, const Numbering& numbering,
                                const Communicator& ranks) {
  std::vector<std::int64_t> degree(static_cast<std::size_t>(edges.names.size()), 0);
  for (const EdgeRun& run : edges.runs)
    for (const auto& [u, v] : run.pairs) {
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
  std::vector<std::int64_t> load(numbering.introduced.size(), arcs_worth_vertex);
  for (const Told& told : ranks.exchange(out).items)
    load[static_cast<std::size_t>(told.vertex - first)] += told.degree;
  return load;
}

// Where the range of each rank starts, so that loads are shared evenly.
std::vector<std::int64_t> balanced_ranges(const std::vector<std::int64_t>& load,
                                          const Numbering& numbering, const Communicator& ranks) {
  const int p = ranks.size();
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

// Where each own row starts, repetitions included, from the loads that the introducers know.
std::vector<EdgeIndex> row_offsets(const std::vector<std::int64_t>& load,
                                   const Numbering& numbering, const DistributedGraph& graph,
                                   const Communicator& ranks) {
  const std::int64_t own_first = numbering.first[static_cast<std::size_t>(ranks.rank())];
  Parcels<std::int64_t> out;
  out.items = load;
  for (const std::int64_t first : graph.first)
    out.begin.push_back(
        static_cast<std::size_t>(std::clamp(first - own_first, std::int64_t{0}, std::ssize(load))));
  std::vector<EdgeIndex> offsets{0};
  for (const std::int64_t row : ranks.exchange(out).items)
    offsets.push_back(offsets.back() + row - arcs_worth_vertex);
  return offsets;
}

// Sorts and merges the entries of one row after the other, in place.
class RowMerger {
 public:
  RowMerger(DistributedGraph& graph, const GraphBuilderOptions& options, GraphBuilderCounts& counts)
      : graph_(graph),
        weighted_(!graph.weights.empty()),
        higher_ghosts_(graph.rows() +
                       static_cast<VertexId>(std::ranges::lower_bound(graph.ghosts, graph.begin) -
                                             graph.ghosts.begin())),
        options_(options),
        counts_(counts) {}

  void run() {
    std::size_t begin = 0;
    for (VertexId v = 0; v < graph_.rows(); ++v) {
      EdgeIndex& row_end = graph_.offsets[static_cast<std::size_t>(v) + 1];
      const auto end = static_cast<std::size_t>(row_end);
      merge_row(v, begin, end);
      row_end = kept_;
      begin = end;
    }
    graph_.neighbors.resize(static_cast<std::size_t>(kept_));
    graph_.weights.resize(static_cast<std::size_t>(kept_));
  }
  bool heavy() const { return heavy_; }
  std::int64_t edges() const { return edges_; }  // of those that this rank counts

 private:
  // Equal entries by weight, or under `first` as they came: the sum of both owners is the same.
  void sort_row(std::span<std::uint32_t> row, double* weights) {
    if (!weighted_) return sorter_.sort(row.data(), row.size());
    const bool in_file_order = options_.duplicates == DuplicatePolicy::first;
    sorter_.sort(row.data(), weights, row.size(), in_file_order ? 1 : 0);
    for (std::size_t i = 0, next = 0; i < row.size() && !in_file_order; i = next) {
      for (next = i + 1; next < row.size() && row[next] == row[i];) ++next;
      if (next > i + 1) std::sort(weights + i, weights + next);
    }
  }

  // What is kept lies before what was not looked at yet.
  void merge_row(VertexId v, std::size_t begin, std::size_t end) {
    auto* const entries = reinterpret_cast<std::uint32_t*>(graph_.neighbors.data());
    const std::span row(entries + begin, end - begin);
    double* const weights = weighted_ ? graph_.weights.doubles() + begin : nullptr;
    sort_row(row, weights);
    const auto take_once = [&](VertexId neighbor, double weight) {
      edges_ += is_counted(v, neighbor) ? 1 : 0;
      keep(neighbor, weight);
    };
    detail::visit_groups(row, weights, take_once, [&](VertexId neighbor, const EdgeGroup& group) {
      take(v, neighbor, group);
    });
  }

  void take(VertexId v, VertexId neighbor, const EdgeGroup& group) {
    detail::check_group(group, options_, v, neighbor);
    keep(neighbor, group.weight(options_));
    if (!is_counted(v, neighbor)) return;
    ++edges_;
    counts_.duplicates_merged += group.merged();
    counts_.reversed_merged += group.both() ? 1 : 0;
    counts_.opposite_differ += group.opposite_differ(options_.duplicates) ? 1 : 0;
  }

  void keep(VertexId neighbor, double weight) {
    heavy_ = heavy_ || weight != 1.0;
    graph_.neighbors[static_cast<std::size_t>(kept_)] = neighbor;
    graph_.weights.put(static_cast<std::size_t>(kept_), weight, graph_.neighbors.size());
    ++kept_;
  }

  // An edge is counted at its lower end.
  bool is_counted(VertexId v, VertexId neighbor) const {
    return neighbor < graph_.rows() ? neighbor > v : neighbor >= higher_ghosts_;
  }

  DistributedGraph& graph_;
  const bool weighted_;           // as given
  const VertexId higher_ghosts_;  // the first of a vertex above the own ones
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
  {
    const std::vector<std::int64_t> load = loads(edges, numbering, ranks);
    graph.first = balanced_ranges(load, numbering, ranks);
    const auto r = static_cast<std::size_t>(ranks.rank());
    graph.begin = graph.first[r];
    if (ranks.max(graph.first[r + 1] - graph.begin) >= most_local)
      refuse(ErrorCode::out_of_memory,
             "a rank would own more than 2^31 vertices: start the job on more ranks");
    graph.offsets = row_offsets(load, numbering, graph, ranks);
  }
  const bool weighted = ranks.any(
      std::ranges::any_of(edges.runs, [](const EdgeRun& run) { return !run.weights.empty(); }));
  counts.edges_given = ranks.sum(edges.given);
  counts.self_loops_dropped = ranks.sum(edges.self_loops);
  send_arcs(edges, numbering, weighted, options.duplicates == DuplicatePolicy::first, graph, ranks);
  GraphBuilderCounts found;
  std::int64_t own_edges = 0;
  bool heavy = false;
  RefusedEdge refused;
  together(ranks, [&] {
    RowMerger merger(graph, options, found);
    try {
      merger.run();
    } catch (const EdgeError& error) {
      refused = {graph.vertex_of(error.u()), graph.vertex_of(error.v()), error.rule()};
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
  if (!ranks.any(heavy)) graph.weights.clear();
  together(ranks, [&] { graph.weights.pack(); });
  connect_ghosts(graph, ranks);
  return graph;
}

}  // namespace gssl::mpi
