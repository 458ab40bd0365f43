#pragma once
// A set of rows of a system that grows along its edges, and the system on those rows with the
// others held at zero.
//
//   Region region(graph);
//   region.add(seeds);
//   region.grow(hops, most);           // false: more than `most` rows
//   LocalSystem local = region.system(a);
//
// Time and memory by what the region holds, but for one number a vertex.

#include <memory>
#include <span>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

class Region {
 public:
  explicit Region(const GroundedLaplacian& system)
      : system_(system),
        row_(static_cast<std::size_t>(system.size()), no_vertex),
        seen_in_(row_.size(), 0) {}

  // Adds `seeds` and what is within `hops` edges of them. False once there are more than `most`.
  bool grow(std::span<const VertexId> seeds, std::int64_t hops, std::int64_t most);

  const std::vector<VertexId>& rows() const { return rows_; }  // in the order they came
  bool holds(VertexId v) const { return row_[static_cast<std::size_t>(v)] != no_vertex; }
  // Vertices outside with a neighbor inside.
  std::vector<VertexId> rim() const;

  // A on the rows: edges out of the region are ground.
  GroundedLaplacian local_system();

 private:
  void add(VertexId v);
  bool first_seen(VertexId v);

  const GroundedLaplacian& system_;
  std::vector<VertexId> rows_;
  std::vector<VertexId> row_;          // place in rows_, or no_vertex
  std::vector<std::int32_t> seen_in_;  // the last call of grow() that came to a vertex
  std::int32_t calls_ = 0;
};

}  // namespace gssl::solve
