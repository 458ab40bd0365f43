#pragma once
// Vertices in breadth-first order, when the order given scatters neighbors all over the memory and
// breadth-first does not: on a road network with shuffled ids every later step is several times
// faster. Graphs without locality (social networks) and graphs in good order stay as they are.
//
//   Renumbering order(system, threads);
//   … solve order.system() with rows order.vertex(r) of b …
//
// O(n + m) when it renumbers, next to nothing when a sample of edges shows the order is good.

#include <vector>

#include "reduced_solver.hpp"

namespace gssl::solve {

class Renumbering {
 public:
  Renumbering(SharedSystem system, int threads);
  // The order found for `other`, applied to a system of the same pattern.
  Renumbering(const Renumbering& other, SharedSystem system, int threads);

  const SharedSystem& system() const { return system_; }
  bool changed() const { return !order_.empty(); }
  // Row of system() → vertex of the system given.
  VertexId vertex(VertexId row) const {
    return order_.empty() ? row : order_[static_cast<std::size_t>(row)];
  }

 private:
  SharedSystem system_;
  std::vector<VertexId> order_;
};

}  // namespace gssl::solve
