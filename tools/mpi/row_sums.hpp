#pragma once
// Σ weight·value over the arcs of rows of a rank: what products with its graph are made of.
//
//   sum_rows(graph, rows.size(), [&](std::size_t i) { return rows[i]; }, values,
//            [&](std::size_t i, double sum) { y[i] = d[i] * x[i] - sum; });

#include <cstdint>
#include <vector>

#include "gssl/core/types.hpp"
#include "linalg/row_product.hpp"

namespace gssl::mpi {

// Calls take(i, sum) with that of row row_of(i), for each i below `count`. `Arcs` has the offsets and
// weights of a DistributedGraph; its neighbors are places in `values`.
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
