#pragma once
// The Gram matrix of the items that a kernel method learns from: of points under a Kernel, or of
// vertices under a GraphKernel. Rows come on demand, so that it need not fit memory; every kernel
// method is written once over it.
//
//   auto gram = gssl::gram_of_points(gssl::make_kernel("gaussian(beta=0.5)"), points);
//   gssl::Block k = gram->whole(run);                       // n×n
//   std::vector<double> row(n);
//   gram->rows({{7}}, {{row.data()}}, run);                 // row 7
//
// Rows of points cost 2·n·columns operations each, in parallel over tiles, and are the same bytes
// at any thread count; nothing is kept. Those of vertices are computed once, by columns of the
// graph kernel. A Gram may be used by one thread at a time.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/network/graph_kernel.hpp"

namespace gssl {

class Gram {
 public:
  virtual ~Gram() = default;

  virtual std::int64_t size() const = 0;

  // Row which[i] to to[i][0 … n−1]. Throws ErrorCode::bad_data where an entry overflows, and
  // ErrorCode::cancelled or ErrorCode::time_limit where the run is stopped.
  virtual void rows(std::span<const std::int32_t> which, std::span<double* const> to,
                    const RunContext& run) const = 0;
  virtual void rows(std::span<const std::int32_t> which, std::span<float* const> to,
                    const RunContext& run) const = 0;
  // The same up to column `end`: to[i][0 … end−1].
  virtual void leading(std::span<const std::int32_t> which, std::int64_t end,
                       std::span<double* const> to, const RunContext& run) const = 0;
  // Whether rows of floats are near the true ones, to about 1e-6 of the largest entry.
  virtual bool fits_float() const = 0;

  virtual std::vector<double> diagonal(const RunContext& run) const = 0;

  // That of some of the items, in that order.
  virtual std::unique_ptr<Gram> select(std::span<const std::int32_t> items) const = 0;

  // 8n² bytes.
  Block whole(const RunContext& run = {}) const;
};

std::unique_ptr<Gram> gram_of_points(std::shared_ptr<const Kernel> kernel, Points points);

// Of the vertices given, in that order. O(m) columns of the kernel, 8m² bytes kept. `report`, where
// given, is joined by those of the solves.
std::unique_ptr<Gram> gram_of_vertices(const GraphKernel& kernel,
                                       const std::vector<VertexId>& vertices, const RunContext& run,
                                       Report* report = nullptr);

// All entries, for several fits.
struct GramMatrix {
  Block values;             // square
  bool fits_float = false;  // as in Gram
};

// Some items of a matrix that others use, too: row and column i are those of items[i]. Nothing is
// copied. Precondition: the matrix has these items.
std::unique_ptr<Gram> gram_of_shared(std::shared_ptr<const GramMatrix> matrix,
                                     std::vector<std::int32_t> items);

// A matrix as it is. Throws ErrorCode::bad_data unless it is square.
std::unique_ptr<Gram> gram_of_matrix(Block matrix);

}  // namespace gssl
