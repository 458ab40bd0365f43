#pragma once
// A graph whose vertices are numbered by component, and in each by pieces grown from seeds, so that
// neighbors are mostly near in memory. Internal: not installed.
//
//   const GroupedGraph grouped(graph);
//   grouped.graph();              // the same network
//   grouped.number(v);            // of vertex v in it
//   grouped.first(c);             // where component c begins; it ends where c + 1 does
//   grouped.piece(u);             // of its vertex u, from 0 in each component
//
// A component has up to 256 pieces of 64 vertices or more. O(n + m log(degree)).

#include <cstdint>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

class GroupedGraph {
 public:
  explicit GroupedGraph(const Graph& graph);

  const Graph& graph() const { return graph_; }
  VertexId number(VertexId v) const { return number_[index(v)]; }
  VertexId component(VertexId u) const { return component_[index(u)]; }
  VertexId components() const { return static_cast<VertexId>(first_.size()) - 1; }
  VertexId first(VertexId component) const { return first_[index(component)]; }
  std::int32_t piece(VertexId u) const { return piece_[index(u)]; }

 private:
  Graph graph_;
  std::vector<VertexId> number_, component_, first_;
  std::vector<std::int32_t> piece_;
};

}  // namespace gssl::detail
