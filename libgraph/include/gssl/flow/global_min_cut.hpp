#pragma once
// The global minimum cut: the cheapest way to cut a graph in two, whatever the two sides are.
//
//   gssl::GlobalMinCut found = gssl::global_min_cut(graph, run);
//   found.value;      // weight of the edges between the sides
//   found.side[v];    // 1 on the smaller side
//
// Exact. The best cut so far (first the smallest weighted degree) is a threshold: two vertices that
// are at least that strongly connected may be merged, since no better cut parts them. Merged are
// the ends of edges that a scan in maximum-adjacency order proves strong (Nagamochi, Ono and
// Ibaraki), and pairs that pass local tests of Padberg and Rinaldi; every merged vertex and every
// prefix of a scan is a cut that may lower the threshold. On rings, tori, hypercubes and the like,
// where every vertex is as weak as the threshold, a scan proves hardly anything; there a set grows
// from one vertex, each next one proved by a flow from the set as Hao and Orlin do. When one vertex
// is left, nothing is below the threshold. Weights are compared as doubles, so "nothing" is up to
// rounding (about 1e-12 of the value); whole numbers below 2⁵³ are exact.
//
// A few passes of O(n + m) on the graphs people bring, flows on regular ones included, O(n m) scans
// and searches at worst; 12 bytes an arc and about 50 a vertex beside the graph, with flows 28
// bytes an arc more. One thread. A graph in several parts has value 0, and the side is the part of
// fewest vertices.
//
// Nagamochi, Ono, Ibaraki 1994, doi:10.1007/BF01582226; Padberg, Rinaldi 1990,
// doi:10.1007/BF01580850; with bounded queues: Henzinger, Noe, Schulz 2019,
// doi:10.1109/IPDPS.2019.00013; flows: Hao, Orlin 1994, doi:10.1006/jagm.1994.1043.

#include <cstdint>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct GlobalMinCut {
  double value = 0.0;               // recomputed on the graph from `side`
  double bound = 0.0;               // no cut is below it; equals `value` up to rounding
  std::vector<unsigned char> side;  // 1 on the side of fewer vertices, of vertex 0 if equal
  std::int64_t rounds = 0;          // times the graph was scanned and merged
};

// Throws ErrorCode::bad_data if the graph has fewer than two vertices, which have no cut, or its
// weights add up to more than a double holds, and ErrorCode::cancelled or ErrorCode::time_limit
// when it is stopped.
GlobalMinCut global_min_cut(const Graph& graph, const RunContext& run = {});

}  // namespace gssl
