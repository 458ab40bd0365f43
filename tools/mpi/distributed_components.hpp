#pragma once
// Connected components of a graph on several ranks.
//
//   DistributedComponents found = connected_components(graph, ranks);   // collective
//   found.root_of[v];    // least vertex of the component of own row v
//
// Each rank first merges what its own arcs join; what is left is a graph of such parts and of the
// arcs between ranks. There every part takes the least label of its neighbors and labels jump to
// the label of their label (Zhang, Azad and Hu, FastSV, SIAM PP 2020,
// doi:10.1137/1.9781611976137.5): some log n rounds, whose messages shrink with the arcs that are
// still between two labels.

#include <cstdint>
#include <vector>

#include "communicator.hpp"
#include "distributed_graph.hpp"

namespace gssl::mpi {

struct DistributedComponents {
  std::vector<std::int64_t> root_of;  // of each own row
  std::int64_t count = 0;             // in all
};

DistributedComponents connected_components(const DistributedGraph& graph,
                                           const Communicator& ranks);

// Which own rows are in a component with a marked one. Collective; O(rows).
std::vector<char> spread_marks(const DistributedGraph& graph,
                               const DistributedComponents& components,
                               const std::vector<VertexId>& marked, const Communicator& ranks);

}  // namespace gssl::mpi
