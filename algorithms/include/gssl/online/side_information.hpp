#pragma once
// What is known of the rows, or of the columns, of a matrix before its cells are seen: a positive
// definite kernel of their numbers.
//
//   gssl::SideInformation side = gssl::graph_side(graph, run);
//   side.value(3, 7);  side.largest;

#include <cstdint>
#include <functional>
#include <memory>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct SideInformation {
  std::function<double(std::int64_t, std::int64_t)> value;
  double largest = 1.0;  // of value(i, i) over all i
};

// Nothing: value(i, j) = [i = j].
SideInformation no_side();
// L⁺ + max L⁺_vv of a graph of the items: near items are alike. Columns are solved when first asked
// for and kept; n·seen numbers. An edgeless graph gives no_side(). Throws as GraphKernel.
SideInformation graph_side(std::shared_ptr<const Graph> graph, const RunContext& run = {});
// The path-tree kernel of times 0 … horizon − 1 (kernel/path_tree.hpp).
SideInformation path_tree_side(std::int64_t horizon);
// A matrix that the caller has. Throws ErrorCode::bad_data unless it is square, symmetric and
// finite, with a diagonal > 0; that it is positive definite is the caller's word.
SideInformation matrix_side(Block matrix);

}  // namespace gssl
