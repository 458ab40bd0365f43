#include "connected_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "basis_kernels.hpp"
#include "gssl/core/parallel.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/trusted_system.hpp"
#include "solve/order/renumbering.hpp"

namespace gssl::solve {

ConnectedLaplacian::ConnectedLaplacian(std::shared_ptr<const Graph> graph, LaplacianKind kind)
    : system_(std::make_shared<const GroundedLaplacian>(
          TrustedSystem::make_connected(std::move(graph)))) {
  const std::vector<double>& degree = system_->diagonal();
  if (kind == LaplacianKind::combinatorial) {
    // Anderson and Morley 1985, doi:10.1080/03081088508817681.
    for (VertexId u = 0; u < system_->size(); ++u)
      for (const VertexId v : system_->graph().neighbors(u))
        bound_ = std::max(
            bound_, degree[static_cast<std::size_t>(u)] + degree[static_cast<std::size_t>(v)]);
    scale_ = std::accumulate(degree.begin(), degree.end(), 0.0) / static_cast<double>(size());
    return;
  }
  bound_ = 2.0;
  root_degree_.reserve(degree.size());
  for (const double d : degree) root_degree_.push_back(std::sqrt(d));
}

ConnectedLaplacian ConnectedLaplacian::in_order(const std::vector<VertexId>& order,
                                                int threads) const {
  return {graph_in_order(system_->graph(), order, threads),
          normalized() ? LaplacianKind::symmetric : LaplacianKind::combinatorial};
}

Block ConnectedLaplacian::null_vector() const {
  Block z(size(), 1, 1.0);
  double squares = static_cast<double>(size());
  if (normalized()) {
    squares = 0.0;
    for (std::int64_t v = 0; v < size(); ++v) {
      z(v, 0) = root_degree_[static_cast<std::size_t>(v)];
      squares += z(v, 0) * z(v, 0);
    }
  }
  const double norm = std::sqrt(squares);
  for (std::int64_t v = 0; v < size(); ++v) z(v, 0) /= norm;
  return z;
}

void ConnectedLaplacian::apply(const Block& x, Block& y, int threads) const {
  if (!normalized()) return system_->apply(x, y, threads);
  Block scaled = x;
  scale_rows(scaled, root_degree_, true, threads);
  system_->apply(scaled, y, threads);
  scale_rows(y, root_degree_, true, threads);
}

void ConnectedLaplacian::apply_scaling(Block& x, Block& y, int threads) const {
  if (!normalized()) return system_->apply(x, y, threads);
  scale_rows(x, root_degree_, true, threads);
  system_->apply(x, y, threads);
  scale_rows(y, root_degree_, true, threads);
  scale_rows(x, root_degree_, false, threads);
}

SmallSquare ConnectedLaplacian::product_squares(Block& x, int threads) const {
  const std::int64_t c = x.columns();
  if (normalized()) scale_rows(x, root_degree_, true, threads);
  std::vector<double> sums;
  column_sums(size(), c * c, threads, sums, [&](std::int64_t begin, std::int64_t end, double* sum) {
    std::vector<double> product(static_cast<std::size_t>((end - begin) * c));
    // Row `begin` is the first of them.
    system_->apply_rows(x.data(), product.data() - begin * c, c, begin, end);
    for (std::int64_t v = begin; v < end; ++v) {
      double* row = product.data() + (v - begin) * c;
      if (normalized())
        for (std::int64_t j = 0; j < c; ++j) row[j] /= root_degree_[static_cast<std::size_t>(v)];
    }
    add_cross_product(c, product.data(), c, product.data(), end - begin, sum);
  });
  if (normalized()) scale_rows(x, root_degree_, false, threads);
  SmallSquare square{};
  for (std::int64_t i = 0; i < c; ++i)
    for (std::int64_t j = 0; j < c; ++j)
      square[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          sums[static_cast<std::size_t>(i * c + j)];
  return square;
}

void scale_rows(Block& b, const std::vector<double>& factor, bool divide, int threads) {
  parallel_blocks(b.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const double f =
          divide ? 1.0 / factor[static_cast<std::size_t>(v)] : factor[static_cast<std::size_t>(v)];
      for (double& value : b.row(v)) value *= f;
    }
  });
}

}  // namespace gssl::solve
