#pragma once
// The graph of nearest neighbors: i and j are joined if one is among the k nearest of the other
// (union), or each is among those of the other (mutual). A mutual graph is a subgraph of the union
// and leaves outliers alone; neither need be connected.
//
//   gssl::KnnGraph g = gssl::knn_graph(points, 10);
//   g.graph;  g.search.sentence;  g.weights.scale;
//
// k ≥ n gives the complete graph; one point, one vertex without edges. Cost of the search
// (knn_lists.hpp) and O(nk log k) for the graph.

#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/knn_lists.hpp"

namespace gssl {

struct KnnGraphOptions {
  KnnOptions search = {};
  bool mutual = false;
  EdgeWeightOptions weights = {};
};

struct KnnGraph {
  Graph graph;
  KnnReport search;
  EdgeWeightReport weights;
};

// Throws as knn_lists and EdgeWeightOptions::validate.
KnnGraph knn_graph(const Points& points, int k, const KnnGraphOptions& options = {},
                   const RunContext& run = {});

// The same from finished lists, before distances become weights. The local scale of a vertex is its
// last distance. Where lists are made by hand: distances[i→j] and [j→i] must agree. 16m + 12nk
// bytes.
DistanceGraph neighbor_graph(const KnnLists& lists, bool mutual = false,
                             const RunContext& run = {});

}  // namespace gssl
