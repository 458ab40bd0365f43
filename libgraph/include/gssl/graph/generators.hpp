#pragma once
// Graphs with a known shape, and random graphs of the usual models. All weights are 1 unless
// stated. Sizes that make no sense (negative, or more than 2^31 − 1 vertices) and probabilities
// outside [0, 1] throw ErrorCode::usage. O(n + m) time unless stated. The random ones take their
// generator explicitly and give the same graph for the same generator state on every machine.
//
//   gssl::Graph lattice = gssl::grid_graph(100, 100);
//   gssl::Rng rng(seed);
//   gssl::Graph blocks = gssl::stochastic_block_model({50, 50}, 0.2, 0.01, rng);

#include <cstdint>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

// 0 − 1 − … − (n−1).
Graph path_graph(VertexId n);

// Center 0 joined to 1 … n−1.
Graph star_graph(VertexId n);

// The path closed by the edge {n−1, 0}; n = 0 or n ≥ 3.
Graph cycle_graph(VertexId n);

// rows × columns lattice; vertex (r, c) is r·columns + c.
Graph grid_graph(VertexId rows, VertexId columns);

// x × y × z lattice; vertex (i, j, k) is (i·y + j)·z + k.
Graph grid_graph(VertexId x, VertexId y, VertexId z);

// All n(n−1)/2 edges.
Graph complete_graph(VertexId n);

// Two cliques of m ≥ 1 vertices, 0 … m−1 and m … 2m−1, joined by a path of `length` ≥ 1 edges from
// m−1 to m; the length−1 inner vertices of the path come last, 2m, 2m+1, … With length 1 this is
// D_m: two m-cliques and one bridge.
Graph barbell_graph(VertexId m, VertexId length = 1);

// G(n, p): each pair is an edge with probability p, independently. Pairs that are not edges are
// skipped in geometric steps (Batagelj and Brandes 2005, doi:10.1103/PhysRevE.71.036113).
Graph erdos_renyi_graph(VertexId n, double p, Rng& rng);

// Quadrant probabilities of rmat_graph; each ≥ 0, together 1.
struct RmatOptions {
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
  double d = 0.05;
};

// Recursive matrix graph of 2^scale vertices (0 ≤ scale ≤ 30): edges_per_vertex·2^scale times, a
// cell of the adjacency matrix is chosen by descending `scale` times into a quadrant (Chakrabarti,
// Zhan and Faloutsos 2004, doi:10.1137/1.9781611972740.43). Self-loops are dropped and duplicates
// merged to weight 1, so there are fewer edges than were drawn.
Graph rmat_graph(int scale, std::int64_t edges_per_vertex, Rng& rng, RmatOptions options = {});

// Blocks of the given sizes, numbered one after the other; a pair is an edge with probability p_in
// inside a block and p_out between blocks. O(n + m + blocks²).
Graph stochastic_block_model(const std::vector<VertexId>& sizes, double p_in, double p_out,
                             Rng& rng);

// n points uniform in the unit square; an edge where the distance is ≤ radius (finite, ≥ 0).
// O(n + m) expected, by buckets of side ≥ radius.
Graph random_geometric_graph(VertexId n, double radius, Rng& rng);

// Random recursive tree: vertex v > 0 is joined to a uniform earlier one. n = 0 gives no vertices.
Graph random_tree(VertexId n, Rng& rng);

// What road_graph puts on its lattice. The defaults give about 2.5 vertices for each of the
// lattice, most of them of degree 1 and 2, as on a road map.
struct RoadOptions {
  double keep = 0.65;  // probability that a lattice edge is a road; [0, 1]
  int most_bends = 2;  // a road has 0 … most_bends inner vertices, uniformly; [0, 1000]
  double stubs = 0.3;  // probability that a lattice vertex has a dead end beside it; [0, 1]
};

// A road-like network: a lattice with edges missing, the others bent, and dead ends. Each piece has
// a length uniform in [½, 3/2) and weight 1/length; vertices are numbered at random. Usually one
// large component and many small ones. O(n + m) memory beside the graph.
Graph road_graph(VertexId rows, VertexId columns, Rng& rng, RoadOptions options = {});

// The same edges with weights exp(U), U uniform in [log low, log high), drawn in order of (u, v),
// u < v. Throws ErrorCode::usage unless 0 < low ≤ high, both finite.
Graph with_log_uniform_weights(const Graph& graph, double low, double high, Rng& rng);

// Two interleaving half circles. Moon 0 is (cos t, sin t), moon 1 is (1 − cos t, ½ − sin t), with t
// evenly spaced over [0, π]; normal noise of the given standard deviation is added to each
// coordinate.
struct PlanePoints {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<int> class_of;
};
// The first ⌈n/2⌉ points are moon 0. Throws ErrorCode::usage on n < 0 or noise not finite or < 0.
PlanePoints two_moons(VertexId n, double noise, Rng& rng);

}  // namespace gssl
