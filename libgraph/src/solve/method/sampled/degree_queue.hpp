#pragma once
// Vertices to be eliminated, those of least degree first. O(1) for each call, amortized.
//
//   DegreeQueue queue(n);
//   queue.insert(v, degree[v]);
//   for (VertexId v = queue.pop(degree_of); v != no_vertex; v = queue.pop(degree_of)) …

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/types.hpp"

namespace gssl::solve {

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

  // Nothing, for a vertex that was never inserted.
  void lower(VertexId v, std::int32_t degree) {
    if (degree >= place_[index(v)].bucket) return;
    remove(v);
    insert(v, degree);
  }

  // A vertex of about the least degree, taken out, or no_vertex.
  template <class Degree>
  VertexId pop(Degree&& degree_of) {
    while (index(lowest_) < first_.size()) {
      const VertexId v = first_[index(lowest_)];
      if (v == no_vertex) {
        ++lowest_;
        continue;
      }
      remove(v);
      const std::int32_t degree = degree_of(v);
      if (std::min(degree, most) <= lowest_) return v;
      insert(v, degree);
    }
    return no_vertex;
  }

  // The vertex that pop() is likely to take next, or no_vertex.
  VertexId front() const {
    return index(lowest_) < first_.size() ? first_[index(lowest_)] : no_vertex;
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

}  // namespace gssl::solve
