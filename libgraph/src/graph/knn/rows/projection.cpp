#include "projection.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gssl/core/dense.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/rng.hpp"

namespace gssl::knn {
namespace {

// One type, and products of whole matrices alone: each other combination is seconds of compiling.
using Matrix = Eigen::MatrixXd;

Matrix orthonormal(const Matrix& columns) {
  Block block(columns.rows(), columns.cols());
  for (std::int64_t i = 0; i < block.rows(); ++i)
    for (std::int64_t j = 0; j < block.columns(); ++j) block(i, j) = columns(i, j);
  block = orthonormal_columns(block);
  Matrix orthonormal(columns.rows(), columns.cols());
  for (std::int64_t i = 0; i < block.rows(); ++i)
    for (std::int64_t j = 0; j < block.columns(); ++j) orthonormal(i, j) = block(i, j);
  return orthonormal;
}

// out = x · basis, for a row of `columns` and a basis with 64 entries to a row.
inline __attribute__((always_inline)) void multiply_body(const double* x, const double* basis,
                                                         std::int64_t columns, double* out) {
  constexpr int width = Projection::directions;
  double sum[width] = {};
  for (std::int64_t c = 0; c < columns; ++c)
    for (int j = 0; j < width; ++j) sum[j] += x[c] * basis[c * width + j];
  for (int j = 0; j < width; ++j) out[j] = sum[j];
}

void multiply_baseline(const double* x, const double* basis, std::int64_t columns, double* out) {
  multiply_body(x, basis, columns, out);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) void multiply_avx2(const double* x, const double* basis,
                                                       std::int64_t columns, double* out) {
  multiply_body(x, basis, columns, out);
}
__attribute__((target("avx512f,fma"))) void multiply_avx512(const double* x, const double* basis,
                                                            std::int64_t columns, double* out) {
  multiply_body(x, basis, columns, out);
}
#endif

using Multiply = void (*)(const double*, const double*, std::int64_t, double*);

Multiply best_multiply() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return multiply_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return multiply_avx2;
#endif
  return multiply_baseline;
}

}  // namespace

Projection::Projection(const RowSpace& rows) : middle_(static_cast<std::size_t>(rows.columns())) {
  const std::int64_t d = rows.columns();
  const VertexId step = rows.rows() / 1024 + 1, count = (rows.rows() - 1) / step + 1;
  Matrix sample(count, d);
  for (VertexId s = 0; s < count; ++s)
    for (std::int64_t c = 0; c < d; ++c) sample(s, c) = rows.value(s * step, c);
  const Eigen::RowVectorXd mean = sample.colwise().mean();
  sample.rowwise() -= mean;
  // Squares and fourth powers follow.
  const double largest = sample.size() > 0 ? sample.cwiseAbs().maxCoeff() : 0.0;
  if (largest > 0.0 && std::isfinite(largest)) sample /= largest;
  std::copy_n(mean.data(), d, middle_.data());

  const std::int64_t width = std::min<std::int64_t>(d, directions + 8);
  Rng rng(1);
  Matrix basis(d, width);
  for (std::int64_t i = 0; i < basis.size(); ++i) basis.data()[i] = rng.normal();
  const Matrix transposed = sample.transpose();
  Matrix image = sample * basis;
  for (int round = 0; round < 2; ++round) {
    basis = orthonormal(transposed * image);
    image = sample * basis;
  }
  const Matrix image_transposed = image.transpose();
  const Matrix gram = image_transposed * image;
  Block square(width, width);
  std::copy_n(gram.data(), gram.size(), square.data());
  const DenseEigen turn = dense_eigen(square);
  const std::int64_t kept = std::min<std::int64_t>(width, directions);
  // Once more, as rotating costs digits that the bound needs.
  Matrix leading(width, kept);
  for (std::int64_t j = 0; j < kept; ++j)
    for (std::int64_t i = 0; i < width; ++i) leading(i, j) = turn.vectors(i, width - 1 - j);
  basis = orthonormal(basis * leading);
  basis_.assign(static_cast<std::size_t>(d * directions), 0.0);
  for (std::int64_t c = 0; c < d; ++c)
    for (std::int64_t j = 0; j < kept; ++j)
      basis_[static_cast<std::size_t>(c * directions + j)] = basis(c, j);
  const double total = sample.squaredNorm();
  explained_ =
      total > 0.0 ? std::accumulate(turn.values.end() - kept, turn.values.end(), 0.0) / total : 0.0;
}

void Projection::project(const RowSpace& rows, VertexId i, double* scratch, double* out) const {
  static const Multiply multiply = best_multiply();
  const std::int64_t d = rows.columns();
  double square = 0.0;
  rows.visit_row(i, [&](const auto* row) {
    for (std::int64_t c = 0; c < d; ++c) {
      scratch[c] = static_cast<double>(row[c]) - middle_[static_cast<std::size_t>(c)];
      square += scratch[c] * scratch[c];
    }
  });
  multiply(scratch, basis_.data(), d, out);
  for (int j = 0; j < directions; ++j) square -= out[j] * out[j];
  out[directions] = std::sqrt(std::max(square, 0.0));
  if (std::isfinite(square)) return;
  // Too far out to say where: so far that the frame makes no claim.
  std::fill_n(out, directions, 0.0);
  out[directions] = std::numeric_limits<double>::max();
}

RowSpace Projection::apply(const RowSpace& rows, int threads) const {
  constexpr std::int64_t width = directions + 1;
  std::vector<double> values(static_cast<std::size_t>(rows.rows() * width));
  parallel_blocks(
      rows.rows(), threads,
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> scratch(static_cast<std::size_t>(rows.columns()));
        for (std::int64_t i = begin; i < end; ++i)
          project(rows, static_cast<VertexId>(i), scratch.data(), values.data() + i * width);
      },
      256);
  return RowSpace(rows.rows(), width, std::move(values));
}

double Projection::relative_cost(const RowSpace& rows, int k) const {
  constexpr VertexId queries = 32, others = 4096;
  constexpr std::int64_t width = directions + 1;
  const VertexId step = rows.rows() / others + 1, count = (rows.rows() - 1) / step + 1;
  std::vector<double> scratch(static_cast<std::size_t>(rows.columns()));
  std::vector<double> projected(static_cast<std::size_t>(count * width));
  for (VertexId s = 0; s < count; ++s)
    project(rows, s * step, scratch.data(), projected.data() + s * width);
  const RowSpace low(count, width, std::move(projected));
  // The k-th neighbor of all is about the rank-th in the sample.
  const auto rank = std::min<std::int64_t>(count - 1, std::int64_t{k} * count / rows.rows() + 1);
  std::int64_t pairs = 0, survivors = 0;
  std::vector<double> keys;
  for (VertexId q = 0; q < std::min(queries, count); ++q) {
    const VertexId at = static_cast<VertexId>(std::int64_t{q} * count / queries);
    keys.clear();
    for (VertexId s = 0; s < count; ++s) keys.push_back(rows.key(at * step, s * step));
    std::nth_element(keys.begin(), keys.begin() + rank, keys.end());
    const double limit = keys[static_cast<std::size_t>(rank)];
    for (VertexId s = 0; s < count; ++s) survivors += low.key(at, s) <= limit;
    pairs += count;
  }
  // Nanoseconds a pair: the float product, and a double key of rows that are not in the cache.
  const auto product = [](std::int64_t columns) {
    return 0.1 + 0.0175 * static_cast<double>(columns);
  };
  const double key = 60.0 + 0.3 * static_cast<double>(rows.columns());
  const double share =
      static_cast<double>(survivors) / static_cast<double>(std::max<std::int64_t>(pairs, 1));
  return (product(width) + share * key) / product(rows.columns());
}

}  // namespace gssl::knn
