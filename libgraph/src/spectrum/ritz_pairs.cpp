#include "ritz_pairs.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/dense.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/residual.hpp"

namespace gssl::solve {

Block joined(const Block& a, const Block& b) {
  Block both(std::max(a.rows(), b.rows()), a.columns() + b.columns());
  for (std::int64_t v = 0; v < both.rows(); ++v) {
    for (std::int64_t j = 0; j < a.columns(); ++j) both(v, j) = a(v, j);
    for (std::int64_t j = 0; j < b.columns(); ++j) both(v, a.columns() + j) = b(v, j);
  }
  return both;
}

Block columns_of(const Block& a, std::int64_t first, std::int64_t count) {
  Block part(a.rows(), count);
  for (std::int64_t v = 0; v < a.rows(); ++v)
    for (std::int64_t j = 0; j < count; ++j) part(v, j) = a(v, first + j);
  return part;
}

std::vector<double> residual_norms(const Block& x, std::vector<double> values, const Block& locked,
                                   Block& product, int threads) {
  values.resize(static_cast<std::size_t>(x.columns()), 0.0);
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      for (std::int64_t j = 0; j < x.columns(); ++j)
        product(v, j) -= values[static_cast<std::size_t>(j)] * x(v, j);
  });
  if (locked.columns() > 0) {
    const Block part = gram(locked, product, threads);
    parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v)
        for (std::int64_t i = 0; i < locked.columns(); ++i)
          for (std::int64_t j = 0; j < x.columns(); ++j) product(v, j) -= locked(v, i) * part(i, j);
    });
  }
  return column_norms(product, threads);
}

double residual_limit(const ConnectedLaplacian& laplacian, double tolerance, double value) {
  return std::max(std::min(tolerance * laplacian.scale(), value / 100.0),
                  spectrum_rounding * laplacian.bound());
}

// In groups of columns, so that M x is never there as a whole.
RitzPairs rayleigh_ritz(const ConnectedLaplacian& laplacian, Block x, int threads,
                        const Block& locked) {
  const std::int64_t c = x.columns();
  Block group, product;
  const auto each_group = [&](auto&& body) {
    for (std::int64_t first = 0; first < c; first += widest_block) {
      group = columns_of(x, first, std::min(widest_block, c - first));
      laplacian.apply_scaling(group, product, threads);
      body(first);
    }
  };
  Block square(c, c);
  each_group([&](std::int64_t first) {
    const Block part = gram(x, product, threads);
    for (std::int64_t i = 0; i < c; ++i)
      for (std::int64_t j = 0; j < part.columns(); ++j) square(i, first + j) = part(i, j);
  });
  const DenseEigen small = dense_eigen(square);
  rotate(x, small.vectors, threads);
  RitzPairs pairs;
  pairs.values = small.values;
  each_group([&](std::int64_t first) {
    const auto from = pairs.values.begin() + first;
    const std::vector<double> values(from, from + group.columns());
    for (const double norm : residual_norms(group, values, locked, product, threads))
      pairs.residuals.push_back(norm);
  });
  pairs.vectors = std::move(x);
  return pairs;
}

}  // namespace gssl::solve
