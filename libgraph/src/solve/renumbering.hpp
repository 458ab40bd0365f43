#pragma once
// Vertices in breadth-first order, when the order given scatters neighbors all over the memory and
// breadth-first does not: on a road network with shuffled ids every later step is several times
// faster. Graphs without locality (social networks) and graphs in good order stay as they are.
//
//   Renumbering order(system.graph());
//   … solve order.system(system, threads) with rows order.vertex(r) of b …
//
// Finding the order is O(n + m) when it changes, next to nothing when a sample of edges shows that
// the given one is good; so is putting a system into it.

#include <memory>
#include <vector>

#include "reduced_solver.hpp"

namespace gssl::solve {

// A network row by row: its edges, and each vertex's conductance to earth.
struct NetworkRows {
  std::shared_ptr<const Graph> graph;
  std::vector<double> ground;
};

class Renumbering {
 public:
  Renumbering() = default;  // changes nothing
  explicit Renumbering(const Graph& graph);

  bool changed() const { return !order_.empty(); }
  // Row → vertex.
  VertexId vertex(VertexId row) const {
    return order_.empty() ? row : order_[static_cast<std::size_t>(row)];
  }

  // The vertices by row; empty if nothing changes.
  const std::vector<VertexId>& order() const { return order_; }

  // The graph in this order. Precondition: changed().
  Graph graph(const Graph& given, int threads) const;
  // Edges and ground in this order; shares the graph if nothing changes.
  NetworkRows rows(const GroundedLaplacian& system, int threads) const;
  // The system in this order; the one given if nothing changes.
  SharedSystem system(const SharedSystem& given, int threads) const;

 private:
  std::vector<VertexId> order_;
};

}  // namespace gssl::solve
