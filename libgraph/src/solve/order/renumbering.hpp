#pragma once
// Vertices in breadth-first order, when the order given scatters neighbors all over the memory and
// breadth-first does not: on a road network with shuffled ids every later step is several times
// faster. Graphs without locality (social networks) and graphs in good order stay as they are.
//
//   Renumbering order(system.graph());
//   … solve order.system(system) with rows order.vertex(r) of b …
//
// Finding the order is O(n + m) when it changes, next to nothing when a sample of edges shows that
// the given one is good. The rows are put into it on the same walk.

#include <memory>
#include <vector>

#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

// A network row by row: its edges, and each vertex's conductance to earth.
struct NetworkRows {
  std::shared_ptr<const Graph> graph;
  std::vector<double> ground;
};

// `graph` with vertex order[r] as number r.
std::shared_ptr<const Graph> graph_in_order(const Graph& graph, const std::vector<VertexId>& order,
                                            int threads);

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

  // The graph in this order, if that changes it. The first call must be for the graph whose order
  // this is, and takes what finding it made; later ones may have other weights.
  std::shared_ptr<const Graph> graph(const Graph& given);
  // Edges and ground in this order, by graph(); shares the graph if nothing changes.
  NetworkRows rows(const GroundedLaplacian& system);
  // The system in this order, by rows(); the one given if nothing changes.
  SharedSystem system(const SharedSystem& given);

  // Rows of a block as the solvers number them, and back.
  Block in_order(const Block& given, int threads) const;
  Block as_given(Block ordered, int threads) const;

 private:
  std::vector<VertexId> order_;
  std::shared_ptr<const Graph> graph_;  // in this order, until it is taken
};

}  // namespace gssl::solve
