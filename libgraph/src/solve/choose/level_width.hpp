#pragma once
// How wide a graph is: the most vertices in a level of breadth-first search, from a vertex as far
// as can be from another. About the side of a plane grid and three quarters of a cross-section of a
// cube; half of all vertices where everything is near. An exact factor holds a dense block about as
// large, so a wide graph needs no order to be known for one without a small factor. O(n + m).

#include "gssl/graph/graph.hpp"

namespace gssl::solve {

// Over all components; 0 without vertices.
VertexId level_width(const Graph& graph);

}  // namespace gssl::solve
