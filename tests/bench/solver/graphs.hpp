#pragma once
// The seven graphs on which solvers are compared: meshes, a scale-free graph, nearest neighbors of
// points in 20 dimensions, high contrast on two of them, and a road-like network. Each is the
// largest component of what its generator made.
//
//   grid2d    side × side lattice
//   grid3d    side³ lattice
//   rmat19    2^scale vertices, 17 edges drawn for each
//   knn20     union of exact 10-nearest-neighbor lists of points of 10 gaussians in R²⁰,
//             w = exp(−d²/D), D the mean of the squared distance to the tenth neighbor
//   knn20hc   the same edges, w = exp(−c(d² − lo)), the 0.1 and 99.9 % quantiles of the squared
//             distances of all lists 8 decades apart, lo the lower of them
//   grid2dw   grid2d with weights log-uniform in 1e-4 … 1e4
//   roadlike  road_graph of side × side
//
// And, for growth, knn3: as knn20, of points uniform in a cube.

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl::bench {

struct GraphSizes {
  VertexId grid_side = 1000;
  VertexId grid3d_side = 100;
  int rmat_scale = 19;
  VertexId knn_points = 100'000;
  VertexId road_side = 600;
  std::uint64_t seed = 1;
  int threads = 2;    // for the neighbor search
  std::string cache;  // folder in which neighbor lists are kept from run to run
};

// In the order of the table above, meshes first.
const std::vector<std::string>& graph_names();

// Throws ErrorCode::usage if there is none of that name.
Graph make_graph(const std::string& name, const GraphSizes& sizes);

}  // namespace gssl::bench
