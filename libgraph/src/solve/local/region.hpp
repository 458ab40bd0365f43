#pragma once
// A set of free vertices of a network that grows along its edges, and the system of their equations
// with all others held.
//
//   Region region(network);
//   region.grow(seeds, hops, most);               // false: more than `most` rows
//   GroundedLaplacian local = region.system();
//   region.add_all();                             // every free vertex: the whole system
//
// Time and memory by what the region holds, but for two numbers a vertex.

#include <memory>
#include <span>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"
#include "network_residual.hpp"

namespace gssl::solve {

class Region {
 public:
  explicit Region(const NetworkResidual& network)
      : network_(network),
        row_(static_cast<std::size_t>(network.size()), no_vertex),
        seen_in_(row_.size(), 0) {}

  // Adds `seeds` and what is within `hops` edges of them. False once there are more than `most`.
  bool grow(std::span<const VertexId> seeds, std::int64_t hops, std::int64_t most);
  void add_all();

  const std::vector<VertexId>& rows() const { return rows_; }  // ascending after system()
  bool holds(VertexId v) const { return row_[static_cast<std::size_t>(v)] != no_vertex; }
  // Free vertices outside with a neighbor inside.
  std::vector<VertexId> rim() const;

  // A on the rows: edges out of the region are ground.
  GroundedLaplacian system();

 private:
  void add(VertexId v);
  bool first_seen(VertexId v);

  const NetworkResidual& network_;
  std::vector<VertexId> rows_;
  std::vector<VertexId> row_;          // place in rows_, or no_vertex
  std::vector<std::int32_t> seen_in_;  // the last call of grow() that came to a vertex
  std::int32_t calls_ = 0;
};

}  // namespace gssl::solve
