#include "sampled_elimination.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gssl::solve {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Half 2e + s of edge e lies in the list of vertex end[1 − s] and points to end[s]. Weight 0 marks
// an edge that is gone; lists skip it when they are walked.
struct Edge {
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

// Vertices in one list for each degree. A degree that rises is noticed when its vertex comes up;
// one that falls must be told, or vertices of degree 1 would wait behind others.
class DegreeQueue {
 public:
  explicit DegreeQueue(std::size_t vertices) : place_(vertices) {}

  void insert(VertexId v, std::int32_t degree) {
    const auto bucket = static_cast<std::int32_t>(std::min(degree, most));
    if (index(bucket) >= first_.size()) first_.resize(index(bucket) + 1, no_vertex);
    VertexId& first = first_[index(bucket)];
    if (first != no_vertex) place_[index(first)].previous = v;
    place_[index(v)] = {first, no_vertex, bucket};
    first = v;
    lowest_ = std::min(lowest_, bucket);
  }

  void lower(VertexId v, std::int32_t degree) {
    if (degree >= place_[index(v)].bucket) return;
    remove(v);
    insert(v, degree);
  }

  // A vertex of about the least degree, or no_vertex.
  VertexId pop(const std::vector<Vertex>& vertices) {
    while (index(lowest_) < first_.size()) {
      const VertexId v = first_[index(lowest_)];
      if (v == no_vertex) {
        ++lowest_;
        continue;
      }
      remove(v);
      const std::int32_t degree = vertices[index(v)].degree;
      if (std::min(degree, most) <= lowest_) return v;
      insert(v, degree);
    }
    return no_vertex;
  }

 private:
  static constexpr std::int32_t most = 4096;  // larger degrees share a list
  struct Place {
    VertexId next = no_vertex;
    VertexId previous = no_vertex;
    std::int32_t bucket = 0;
  };

  void remove(VertexId v) {
    const Place& place = place_[index(v)];
    if (place.next != no_vertex) place_[index(place.next)].previous = place.previous;
    if (place.previous != no_vertex) {
      place_[index(place.previous)].next = place.next;
    } else {
      first_[index(place.bucket)] = place.next;
    }
  }

  std::vector<VertexId> first_;
  std::vector<Place> place_;
  std::int32_t lowest_ = 0;
};

class SampledElimination {
 public:
  SampledElimination(const GroundedLaplacian& system, Rng rng)
      : ground_(system.size()),
        rng_(rng),
        vertices_(index(system.size()) + 1),
        queue_(vertices_.size()) {
    load(system);
    const auto n = index(system.size());
    factor_.order.reserve(n);
    factor_.pivot.reserve(n);
    factor_.start.reserve(n + 1);
    // Enough for most graphs; what is not used is never touched.
    factor_.row.reserve(4 * edges_.size());
    factor_.weight.reserve(4 * edges_.size());
  }

  SampledFactor run() && {
    factor_.start.push_back(0);
    for (VertexId v = queue_.pop(vertices_); v != no_vertex; v = queue_.pop(vertices_)) {
      gather(v);
      emit(v);
      vertices_[index(v)] = {};  // its list is free
      replace_clique();
    }
    return std::move(factor_);
  }

 private:
  void load(const GroundedLaplacian& system) {
    const Graph& graph = system.graph();
    double largest = 0.0;
    for (const double d : system.diagonal()) largest = std::max(largest, d);
    factor_.unit = largest;
    edges_.reserve(index(graph.edge_count()) + index(system.size()));
    std::size_t next = 0;
    for (VertexId v = 0; v < system.size(); ++v) {
      Vertex& vertex = vertices_[index(v)];
      const auto degree = static_cast<std::int32_t>(graph.degree(v)) + 1;
      vertex.begin = next;
      vertex.capacity = degree + degree / 2;
      next += index(vertex.capacity);
    }
    lists_.reserve(next + next / 4);
    lists_.resize(next);
    for (VertexId v = 0; v < system.size(); ++v) {
      graph.visit_row(v, [&](VertexId u, double w) {
        if (u > v) add(v, u, w);
      });
      if (system.ground()[index(v)] > 0.0) add(v, ground_, system.ground()[index(v)]);
    }
    for (VertexId v = system.size() - 1; v >= 0; --v) queue_.insert(v, vertices_[index(v)].degree);
  }

  void add(VertexId v, VertexId u, double weight) {
    const auto e = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({{v, u}, positive(weight / factor_.unit)});
    link(2 * e + 1, v);
    link(2 * e, u);
  }

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
    packed.reserve(room + room / 4);
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

  // A conductance that underflows to nothing would disconnect the network.
  static float positive(double weight) {
    return std::max(static_cast<float>(weight), std::numeric_limits<float>::min());
  }

  // The live neighbors of v, parallel edges merged, lightest first.
  void gather(VertexId v) {
    neighbors_.clear();
    const Vertex& own = vertices_[index(v)];
    for (std::int32_t i = 0; i < own.size; ++i) {
      const std::uint32_t half = lists_[own.begin + index(i)];
      Edge& edge = edges_[half >> 1];
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
      factor_.row.push_back(neighbor.vertex);
      factor_.weight.push_back(weight);
    }
    factor_.order.push_back(v);
    factor_.pivot.push_back(pivot);
    factor_.start.push_back(static_cast<std::int64_t>(factor_.row.size()));
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
      Edge& edge = edges_[half >> 1];
      edge.end[1 - (half & 1)] = partner;
      edge.weight = positive(neighbors_[j].weight * (heavier / total));
      link(half, partner);
    }
    edges_[neighbors_[last].half >> 1].weight = 0.0f;
    lose_edge(neighbors_[last].vertex);
  }

  VertexId ground_;
  Rng rng_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> lists_;  // halves; a list that outgrows its place moves to the end
  std::vector<Vertex> vertices_;
  DegreeQueue queue_;
  std::vector<Neighbor> neighbors_;
  std::vector<double> before_;  // sums of the weights of the neighbors before each
  SampledFactor factor_;
};

}  // namespace

SampledFactor eliminate_by_sampling(const GroundedLaplacian& system, Rng rng) {
  return SampledElimination(system, rng).run();
}

}  // namespace gssl::solve
