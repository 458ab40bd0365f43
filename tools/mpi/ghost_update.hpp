#pragma once
// Values of own vertices to the ranks that have them as ghosts, again and again.
//
//   const GhostUpdate update(graph, is_row, ranks);  // of marked vertices alone
//   update.run(values);                              // of own vertices, then of ghosts
//   sum_rows(graph, …, values, take);                // and what they are for

#include <cstdint>
#include <vector>

#include "communicator.hpp"
#include "distributed_graph.hpp"
#include "linalg/row_product.hpp"

namespace gssl::mpi {

class GhostUpdate {
 public:
  // marked[v] of own vertices. Collective. What other ranks mark is asked of them.
  GhostUpdate(const DistributedGraph& graph, const std::vector<char>& marked,
              const Communicator& ranks);

  // Collective. Leaves values of vertices that are not marked as they are.
  void run(std::vector<double>& values);

 private:
  const Communicator& ranks_;
  std::vector<VertexId> from_;  // own vertices that other ranks want, by rank
  std::vector<VertexId> to_;    // ghosts that get a value, by rank, after the own vertices
  Parcels<double> out_, in_;
};

// Calls take(i, Σ weight·value) over the arcs of row row_of(i), for each i below `count`. `Arcs` has
// the offsets, neighbors and weights of a DistributedGraph.
template <class Arcs, class RowOf, class Take>
void sum_rows(const Arcs& arcs, std::size_t count, RowOf&& row_of,
              const std::vector<double>& values, Take&& take) {
  const VertexId* const columns = arcs.neighbors.data();
  const EdgeIndex all = std::ssize(arcs.neighbors);
  const auto sum_with = [&](const auto& product) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(row_of(i));
      double sum = 0.0;
      product.add(arcs.offsets[row], arcs.offsets[row + 1], &sum);
      take(i, sum);
    }
  };
  if (arcs.weights.are_doubles())
    sum_with(RowProduct<1, false>(columns, arcs.weights.doubles(), all, values.data(), 1));
  else if (arcs.weights.are_bytes())
    sum_with(
        RowProduct<1, false, std::uint8_t>(columns, arcs.weights.bytes(), all, values.data(), 1));
  else
    sum_with(RowProduct<1, true>(columns, nullptr, all, values.data(), 1));
}

}  // namespace gssl::mpi
