#include "sampled_elimination.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "degree_queue.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "solve/order/locality_ranges.hpp"

namespace gssl::solve {
namespace {

// Half 2e + s of edge e lies in the list of vertex end[1 − s] and points to end[s]. Weight 0 marks
// an edge that is gone; lists skip it when they are walked.
struct MultiEdge {
  VertexId end[2];
  float weight;
};

struct Vertex {
  std::size_t begin = 0;  // its list of halves, in a pool
  std::int32_t size = 0;
  std::int32_t capacity = 0;
  std::int32_t degree = 0;  // live halves in it, parallel ones counted each
  std::int32_t place = -1;  // in the list of neighbors being gathered
};

struct Neighbor {
  VertexId vertex;
  std::uint32_t half;
  double weight;
};

// A conductance that underflows to nothing would disconnect the network.
float positive(double weight) {
  return std::max(static_cast<float>(weight), std::numeric_limits<float>::min());
}

class SampledElimination {
 public:
  // Vertices 0 … n−1 with at most so many edges each, and the ground, which is n.
  SampledElimination(const std::vector<VertexId>& most_edges, std::size_t edges, Rng rng)
      : ground_(static_cast<VertexId>(most_edges.size())),
        rng_(rng),
        vertices_(most_edges.size() + 1),
        queue_(most_edges.size()) {
    std::size_t next = 0;
    for (std::size_t v = 0; v < most_edges.size(); ++v) {
      vertices_[v].begin = next;
      vertices_[v].capacity = most_edges[v] + most_edges[v] / 2;
      next += index(vertices_[v].capacity);
    }
    lists_.reserve(2 * next);  // what is not used is never touched
    lists_.resize(next);
    edges_.reserve(edges);
    columns_.order.reserve(most_edges.size());
    columns_.pivot.reserve(most_edges.size());
    columns_.start.reserve(most_edges.size() + 1);
    // Enough for most graphs; what is not used is never touched.
    columns_.row.reserve(4 * edges);
    columns_.weight.reserve(4 * edges);
  }

  VertexId ground() const { return ground_; }

  void add(VertexId v, VertexId u, float weight) {
    const auto e = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({{v, u}, weight});
    link(2 * e + 1, v);
    link(2 * e, u);
  }

  // Others stay. Later ones of a degree leave first.
  void enqueue(VertexId v) { queue_.insert(v, vertices_[index(v)].degree); }

  // The edges that are left can be asked for after this, and nothing else.
  // Ends early once the run is stopped.
  SampledColumns eliminate(const RunContext& run) {
    const auto degree = [&](VertexId v) { return vertices_[index(v)].degree; };
    columns_.start.push_back(0);
    std::int64_t done = 0;
    for (VertexId v = queue_.pop(degree); v != no_vertex; v = queue_.pop(degree)) {
      if (done++ % columns_between_looks == 0 && run.should_stop()) break;
      fetch_edges(queue_.front());
      gather(v);
      emit(v);
      vertices_[index(v)] = {};  // its list is free
      replace_clique();
    }
    return std::move(columns_);
  }

  std::vector<MultiEdge> edges_left() && {
    std::erase_if(edges_, [](const MultiEdge& edge) { return edge.weight == 0.0f; });
    return std::move(edges_);
  }

 private:
  // The ground never leaves, and has no list.
  void link(std::uint32_t half, VertexId owner) {
    if (owner == ground_) return;
    Vertex& vertex = vertices_[index(owner)];
    if (vertex.size == vertex.capacity) make_room(vertex);
    lists_[vertex.begin + index(vertex.size++)] = half;
    ++vertex.degree;
  }

  // Drops what is gone; moves the list to the end if that does not help much.
  void make_room(Vertex& vertex) {
    std::int32_t kept = 0;
    for (std::int32_t i = 0; i < vertex.size; ++i) {
      const std::uint32_t half = lists_[vertex.begin + index(i)];
      if (edges_[half >> 1].weight != 0.0f) lists_[vertex.begin + index(kept++)] = half;
    }
    vertex.size = kept;
    if (4 * kept <= 3 * vertex.capacity) return;
    if (lists_.size() + 2 * index(vertex.capacity) > lists_.capacity()) {
      pack_lists();
      return;
    }
    const std::size_t from = vertex.begin;
    vertex.begin = lists_.size();
    vertex.capacity *= 2;
    lists_.resize(lists_.size() + index(vertex.capacity));
    std::copy_n(lists_.begin() + static_cast<std::ptrdiff_t>(from), kept,
                lists_.begin() + static_cast<std::ptrdiff_t>(vertex.begin));
  }

  // New lists for those that are left, each with room for half as much again.
  void pack_lists() {
    std::size_t room = 0;
    for (const Vertex& vertex : vertices_) room += index(roomy(vertex));
    std::vector<std::uint32_t> packed;
    packed.reserve(2 * room);  // each time all lists are packed costs a tenth of the whole
    packed.resize(room);
    std::size_t next = 0;
    for (Vertex& vertex : vertices_) {
      const std::size_t from = std::exchange(vertex.begin, next);
      const std::int32_t size = std::exchange(vertex.size, 0);
      vertex.capacity = roomy(vertex);
      for (std::int32_t i = 0; i < size; ++i)
        if (const std::uint32_t half = lists_[from + index(i)]; edges_[half >> 1].weight != 0.0f)
          packed[next + index(vertex.size++)] = half;
      next += index(vertex.capacity);
    }
    lists_ = std::move(packed);
  }
  static std::int32_t roomy(const Vertex& vertex) {
    return vertex.degree + vertex.degree / 2 + (vertex.degree > 0 ? 1 : 0);
  }

  void lose_edge(VertexId v) {
    if (v != ground_) queue_.lower(v, --vertices_[index(v)].degree);
  }

  static constexpr std::int32_t most_fetched = 64;
  static constexpr std::int64_t columns_between_looks = 1024;  // at the clock

  // What the elimination of v, which is probably next, will look for all over the memory.
  void fetch_edges(VertexId v) const {
    if (v == no_vertex) return;
    const Vertex& own = vertices_[index(v)];
    for (std::int32_t i = 0; i < std::min(own.size, most_fetched); ++i)
      __builtin_prefetch(&edges_[lists_[own.begin + index(i)] >> 1], 1);
  }

  // The live neighbors of v, parallel edges merged, lightest first.
  void gather(VertexId v) {
    neighbors_.clear();
    const Vertex& own = vertices_[index(v)];
    for (std::int32_t i = 0; i < own.size; ++i) {
      const std::uint32_t half = lists_[own.begin + index(i)];
      __builtin_prefetch(&vertices_[index(edges_[half >> 1].end[half & 1])], 1);
    }
    for (std::int32_t i = 0; i < own.size; ++i) {
      const std::uint32_t half = lists_[own.begin + index(i)];
      MultiEdge& edge = edges_[half >> 1];
      if (edge.weight == 0.0f) continue;
      const VertexId u = edge.end[half & 1];
      Vertex& other = vertices_[index(u)];
      if (other.place < 0) {
        other.place = static_cast<std::int32_t>(neighbors_.size());
        neighbors_.push_back({u, half, edge.weight});
      } else {
        neighbors_[index(other.place)].weight += edge.weight;
        edge.weight = 0.0f;
        lose_edge(u);
      }
    }
    for (const Neighbor& neighbor : neighbors_) vertices_[index(neighbor.vertex)].place = -1;
    std::ranges::sort(neighbors_, [](const Neighbor& a, const Neighbor& b) {
      return a.weight != b.weight ? a.weight < b.weight : a.vertex < b.vertex;
    });
    before_.resize(neighbors_.size() + 1);
    before_[0] = 0.0;
    for (std::size_t j = 0; j < neighbors_.size(); ++j)
      before_[j + 1] = before_[j] + neighbors_[j].weight;
  }

  void emit(VertexId v) {
    double pivot = 0.0;
    for (const Neighbor& neighbor : neighbors_) {
      const auto weight = static_cast<float>(neighbor.weight);
      pivot += static_cast<double>(weight);
      if (neighbor.vertex == ground_) continue;
      columns_.row.push_back(neighbor.vertex);
      columns_.weight.push_back(weight);
    }
    columns_.order.push_back(v);
    columns_.pivot.push_back(pivot);
    columns_.start.push_back(static_cast<std::int64_t>(columns_.row.size()));
  }

  // The edge to each neighbor but the heaviest becomes an edge between it and a heavier one.
  void replace_clique() {
    const double total = before_.back();
    const std::size_t last = neighbors_.size() - 1;
    for (std::size_t j = 0; j < last; ++j) {
      const double heavier = total - before_[j + 1];
      const double point = before_[j + 1] + rng_.uniform() * heavier;
      const auto above = std::upper_bound(before_.begin() + static_cast<std::ptrdiff_t>(j) + 2,
                                          before_.end() - 1, point);
      const VertexId partner = neighbors_[index(above - before_.begin()) - 1].vertex;
      const std::uint32_t half = neighbors_[j].half;
      MultiEdge& edge = edges_[half >> 1];
      edge.end[1 - (half & 1)] = partner;
      edge.weight = positive(neighbors_[j].weight * (heavier / total));
      link(half, partner);
    }
    edges_[neighbors_[last].half >> 1].weight = 0.0f;
    lose_edge(neighbors_[last].vertex);
  }

  VertexId ground_;
  Rng rng_;
  std::vector<MultiEdge> edges_;
  std::vector<std::uint32_t> lists_;  // halves; a list that outgrows its place moves to the end
  std::vector<Vertex> vertices_;
  DegreeQueue queue_;
  std::vector<Neighbor> neighbors_;
  std::vector<double> before_;  // sums of the weights of the neighbors before each
  SampledColumns columns_;
};

// What was done within a range.
struct RangeResult {
  SampledColumns columns;
  std::vector<VertexId> border;  // vertices that stay, ascending
  std::vector<MultiEdge> edges;  // between them and to the ground, no_vertex
};

RangeResult eliminate_range(const GroundedLaplacian& system, const LocalityRanges& ranges,
                            std::size_t r, double unit, Rng rng, const RunContext& run) {
  const Graph& graph = system.graph();
  const VertexId first = ranges.begin(r), end = ranges.end(r);
  std::vector<VertexId> most_edges;
  most_edges.reserve(index(end - first));
  for (VertexId v = first; v < end; ++v)
    most_edges.push_back(static_cast<VertexId>(graph.degree(v)) + 1);
  SampledElimination range(most_edges, index(ranges.entries(graph, r) / 2 + (end - first)), rng);
  for (VertexId v = first; v < end; ++v) {
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u > v && u < end) range.add(v - first, u - first, positive(w / unit));
    });
    if (const double g = system.ground()[index(v)]; g > 0.0)
      range.add(v - first, range.ground(), positive(g / unit));
  }
  RangeResult result;
  for (VertexId v = end - 1; v >= first; --v) {
    if (ranges.on_border(graph, v, r)) {
      result.border.push_back(v);
    } else {
      range.enqueue(v - first);
    }
  }
  std::ranges::reverse(result.border);
  result.columns = range.eliminate(run);
  for (VertexId& v : result.columns.order) v += first;
  for (VertexId& v : result.columns.row) v += first;
  const VertexId ground = range.ground();
  result.edges = std::move(range).edges_left();
  for (MultiEdge& edge : result.edges)
    for (VertexId& v : edge.end) v = v == ground ? no_vertex : v + first;
  return result;
}

// The borders of all ranges, with what was left between their vertices.
SampledColumns eliminate_borders(const GroundedLaplacian& system, const LocalityRanges& ranges,
                                 const std::vector<RangeResult>& within, double unit, Rng rng,
                                 const RunContext& run) {
  std::vector<VertexId> name, place(index(system.size()) + 1, no_vertex);
  for (const RangeResult& range : within)
    for (const VertexId v : range.border) {
      place[index(v)] = static_cast<VertexId>(name.size());
      name.push_back(v);
    }
  const auto ground = static_cast<VertexId>(name.size());
  std::vector<MultiEdge> edges;
  const auto place_of = [&](VertexId v) { return v == no_vertex ? ground : place[index(v)]; };
  for (std::size_t r = 0; r < within.size(); ++r) {
    for (const MultiEdge& edge : within[r].edges)
      edges.push_back({{place_of(edge.end[0]), place_of(edge.end[1])}, edge.weight});
    for (const VertexId v : within[r].border)
      system.graph().visit_row(v, [&](VertexId u, double w) {
        if (u >= ranges.end(r)) edges.push_back({{place_of(v), place_of(u)}, positive(w / unit)});
      });
  }
  std::vector<VertexId> edge_count(name.size() + 1);
  for (const MultiEdge& edge : edges)
    for (const VertexId v : edge.end) ++edge_count[index(v)];
  edge_count.pop_back();
  SampledElimination rest(edge_count, edges.size(), rng);
  for (const MultiEdge& edge : edges) rest.add(edge.end[0], edge.end[1], edge.weight);
  for (VertexId v = ground - 1; v >= 0; --v) rest.enqueue(v);
  SampledColumns columns = rest.eliminate(run);
  for (VertexId& v : columns.order) v = name[index(v)];
  for (VertexId& v : columns.row) v = name[index(v)];
  return columns;
}

}  // namespace

SampledFactor eliminate_by_sampling(const GroundedLaplacian& system, std::uint64_t seed,
                                    int threads, const RunContext& run) {
  SampledFactor factor;
  factor.unit = system.diagonal().empty() ? 1.0 : std::ranges::max(system.diagonal());
  const LocalityRanges ranges(system.graph());
  if (ranges.count() == 1) {
    factor.rest = eliminate_range(system, ranges, 0, factor.unit, Rng(seed), run).columns;
    return factor;
  }
  std::vector<RangeResult> within(ranges.count());
  parallel_blocks(
      static_cast<std::int64_t>(ranges.count()), threads,
      [&](std::int64_t r, std::int64_t) {
        within[index(r)] = eliminate_range(system, ranges, index(r), factor.unit,
                                           Rng(seed, static_cast<std::uint64_t>(r) + 1), run);
      },
      1);
  if (run.should_stop()) return factor;  // vertices of no border may be left
  factor.rest = eliminate_borders(system, ranges, within, factor.unit, Rng(seed), run);
  for (std::size_t r = 0; r < within.size(); ++r) {
    factor.first.push_back(ranges.begin(r));
    factor.within.push_back(std::move(within[r].columns));
  }
  return factor;
}

}  // namespace gssl::solve
