#pragma once
// What a partition A_1 … A_k of a graph's vertices costs. With W(A, B) the weight of the edges
// between A and B, |A| the vertices of A, vol(A) the sum of their weighted degrees, and w the total
// weight of all edges:
//
//   cut          ½ Σ W(A_i, rest)                        the weight of edges between clusters
//   ratio_cut    Σ W(A_i, rest)/|A_i|
//   ncut         Σ W(A_i, rest)/vol(A_i)
//   modularity   Σ [ W(A_i, A_i)/w − (vol(A_i)/2w)² ]    each edge of A_i counted once
//   conductance  max W(A_i, rest)/min(vol(A_i), 2w − vol(A_i))
//
// A cluster of volume 0 adds nothing to ncut and conductance; a graph without edges has modularity
// 0. For two clusters ratio_cut is cut·(1/|A| + 1/|B|).
//
//   gssl::CutObjectives o = gssl::cut_objectives(graph, partition.cluster_of, partition.count);
//
// O(n + m + k) time. Sources: U. von Luxburg 2007, doi:10.1007/s11222-007-9033-z; M. Newman and
// M. Girvan 2004, doi:10.1103/PhysRevE.69.026113.

#include <span>

#include "gssl/graph/graph.hpp"

namespace gssl {

struct CutObjectives {
  double cut = 0.0;
  double ratio_cut = 0.0;
  double ncut = 0.0;
  double modularity = 0.0;
  double conductance = 0.0;
};

// Throws ErrorCode::bad_data unless cluster_of has one number in [0, count) for each vertex, and if
// the weighted degrees add up to more than a double holds.
CutObjectives cut_objectives(const Graph& graph, std::span<const int> cluster_of, int count);

}  // namespace gssl
