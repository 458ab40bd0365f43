#pragma once
// Values of own vertices to the ranks that have them as ghosts, again and again.
//
//   GhostUpdate update(graph, is_row, ranks);  // of marked vertices alone
//   update.run(values);                        // of own vertices, then of ghosts, unless move()d

#include <span>
#include <vector>

#include "communicator.hpp"
#include "distributed_graph.hpp"

namespace gssl::mpi {

class GhostUpdate {
 public:
  // marked[v] of own vertices. Collective. What other ranks mark is asked of them.
  GhostUpdate(const DistributedGraph& graph, const std::vector<char>& marked,
              const Communicator& ranks);

  // Places of ghosts that get a value, by rank.
  std::span<const VertexId> ghosts() const { return to_; }
  // From now on the value of vertex v is values[place[v]].
  void move(std::span<const VertexId> place);

  // Collective. Leaves values of vertices that are not marked as they are.
  void run(std::vector<double>& values);

 private:
  const Communicator& ranks_;
  std::vector<VertexId> from_;  // own vertices that other ranks want, by rank
  std::vector<VertexId> to_;
  Parcels<double> out_, in_;
};

}  // namespace gssl::mpi
