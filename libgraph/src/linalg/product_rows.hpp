#pragma once
// Rows of a product with a Laplacian and a diagonal, for any number of columns: what products with
// the one matrix, and residuals that are never stored, are made of.

#include <cstdint>

#include "gssl/graph/graph.hpp"

namespace gssl {

// diagonal_v x_v − Σ_u w_vu x_u for the rows [begin, end) of x, which is row-major and has a row for
// each vertex; `y` points at row `begin` of the product. Nothing is allocated.
void product_rows(const Graph& graph, const double* diagonal, const double* x, double* y,
                  std::int64_t columns, std::int64_t begin, std::int64_t end);

}  // namespace gssl
