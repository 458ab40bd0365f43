#pragma once
// Which vertices of one level become one vertex of the next. Serial, O(n + m), by vertex number.

#include "multigrid_matrix.hpp"

namespace gssl::solve {

// A partition of some of the vertices. One that its ground holds, or that has no edge, is in no
// aggregate: the Jacobi steps settle it.
struct Aggregates {
  VertexId count = 0;
  std::vector<VertexId> of;             // vertex → aggregate or no_vertex
  std::vector<EdgeIndex> member_begin;  // aggregate k has member[member_begin[k] …], ascending
  std::vector<VertexId> member;
};

// Neighborhoods over strong edges (at least a quarter of the heaviest at their ends, in geometric
// mean): first a vertex with all its neighbors where all are free, then the rest joins the neighbor
// it holds to most, then what is left gathers its free neighbors.
Aggregates aggregate_neighborhoods(const MultigridMatrix& a);

// Trees of heaviest edges: each vertex in turn joins its heaviest neighbor, up to 8 together.
Aggregates aggregate_heaviest(const MultigridMatrix& a);

}  // namespace gssl::solve
