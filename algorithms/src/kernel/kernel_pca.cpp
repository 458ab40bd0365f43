// Eigen's products on several threads add in another order for another number of threads.
#define EIGEN_DONT_PARALLELIZE

#include "gssl/kernel/kernel_pca.hpp"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/kernel/centering.hpp"
#include "kernel/kernel_choice.hpp"
#include "kernel/vertex_kernel.hpp"

namespace gssl {
namespace {

constexpr std::int64_t most_dense = 500;
constexpr double tolerance = 1e-10;
// An eigenvalue below so much of the largest is rounding.
constexpr double least_share = 1e-10;
constexpr const char* method = "kernel-pca";

using GramProduct = std::function<void(const double* in, double* out)>;

// As Spectra asks for an operator.
class GramOperator {
 public:
  using Scalar = double;
  GramOperator(std::int64_t n, const GramProduct& product, const RunContext& run)
      : n_(n), product_(product), run_(run) {}
  Eigen::Index rows() const { return n_; }
  Eigen::Index cols() const { return n_; }
  void perform_op(const double* in, double* out) const {
    run_.throw_if_stopped(method, "before its directions were known");
    product_(in, out);
  }

 private:
  std::int64_t n_;
  const GramProduct& product_;
  const RunContext& run_;
};

// The largest eigenpairs, descending; vectors are the columns.
DenseEigen largest_pairs(std::int64_t n, int count, const GramProduct& product,
                         const RunContext& run) {
  if (2 * static_cast<std::int64_t>(count) >= n)
    throw Error(ErrorCode::usage,
                std::string(method) + ": option dimensions=" + std::to_string(count) +
                    ": must be less than half of the " + std::to_string(n) + " items");
  GramOperator op(n, product, run);
  const auto wanted = static_cast<Eigen::Index>(count);
  const Eigen::Index width = std::min<Eigen::Index>(n, std::max<Eigen::Index>(2 * wanted + 1, 20));
  Spectra::SymEigsSolver<GramOperator> solver(op, wanted, width);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, 1000, tolerance);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw Error(ErrorCode::internal, std::string(method) + ": the eigenvalues did not converge");
  const auto values = solver.eigenvalues();
  const auto vectors = solver.eigenvectors();
  DenseEigen pairs{.values = {}, .vectors = Block(n, count)};
  for (int d = 0; d < count; ++d) {
    pairs.values.push_back(values[d]);
    for (std::int64_t i = 0; i < n; ++i) pairs.vectors(i, d) = vectors(i, d);
  }
  return pairs;
}

void multiply(const Block& matrix, const double* in, double* out, int threads) {
  const std::int64_t n = matrix.rows();
  parallel_blocks(
      n, threads,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          out[i] = std::inner_product(in, in + n, matrix.row(i).data(), 0.0);
      },
      64);
}

DenseEigen largest_pairs(const Block& matrix, int count, const RunContext& run) {
  const std::int64_t n = matrix.rows();
  if (n > most_dense && 2 * std::int64_t{count} < n) {
    const GramProduct product = [&](const double* in, double* out) {
      multiply(matrix, in, out, run.thread_count());
    };
    return largest_pairs(n, count, product, run);
  }
  const DenseEigen all = dense_eigen(matrix);
  DenseEigen pairs{.values = {}, .vectors = Block(n, count)};
  for (int d = 0; d < count; ++d) {
    pairs.values.push_back(all.values[index(n - 1 - d)]);
    for (std::int64_t i = 0; i < n; ++i) pairs.vectors(i, d) = all.vectors(i, n - 1 - d);
  }
  return pairs;
}

// The sign is that of the largest entry, the first of equals.
void set_signs(Block& vectors) {
  for (std::int64_t d = 0; d < vectors.columns(); ++d) {
    std::int64_t most = 0;
    for (std::int64_t i = 1; i < vectors.rows(); ++i)
      if (std::abs(vectors(i, d)) > std::abs(vectors(most, d)) * (1.0 + 1e-9)) most = i;
    if (vectors(most, d) >= 0.0) continue;
    for (std::int64_t i = 0; i < vectors.rows(); ++i) vectors(i, d) = -vectors(i, d);
  }
}

// Coordinates, eigenvalues and the residuals that prove them. Returns the vectors.
Block finish(KernelPca& pca, DenseEigen pairs, int asked, const GramProduct& product) {
  const double first = std::max(0.0, pairs.values.front());
  const auto kept = std::ranges::count_if(
      pairs.values, [&](double value) { return value > least_share * first && value > 0.0; });
  if (kept < asked)
    pca.report.warnings.push_back(std::string(method) + ": only " + std::to_string(kept) + " of " +
                                  std::to_string(asked) + " dimensions have any variance");
  set_signs(pairs.vectors);
  const std::int64_t n = pairs.vectors.rows();
  Block vectors(n, kept);
  for (std::int64_t i = 0; i < n; ++i)
    std::ranges::copy(pairs.vectors.row(i).first(index(kept)), vectors.row(i).begin());
  pca.eigenvalues.assign(pairs.values.begin(), pairs.values.begin() + kept);
  pca.coordinates = vectors;
  Certificate residual{"residual", {}};
  std::vector<double> in(index(n)), out(index(n));
  for (std::int64_t d = 0; d < kept; ++d) {
    const double value = pca.eigenvalues[index(d)];
    for (std::int64_t i = 0; i < n; ++i) in[index(i)] = vectors(i, d);
    product(in.data(), out.data());
    double square = 0.0;
    for (std::size_t i = 0; i < in.size(); ++i)
      square += (out[i] - value * in[i]) * (out[i] - value * in[i]);
    residual.values.push_back(std::sqrt(square) / first);
    for (std::int64_t i = 0; i < n; ++i) pca.coordinates(i, d) *= std::sqrt(value);
  }
  Ending& how = pca.report;
  how.requested = how.used = n > most_dense ? "lanczos" : "dense";
  pca.report.system_numbers().relative_residual =
      residual.values.empty() ? 0.0 : *std::ranges::max_element(residual.values);
  how.sentence = std::string(method) + ": " + std::to_string(kept) + " dimensions of " +
                 std::to_string(n) + " items by " + how.used + " eigenpairs";
  pca.report.certificates.push_back(std::move(residual));
  return vectors;
}

int count_of(const KernelPcaOptions& options, std::int64_t n) {
  options.validate();
  if (n == 0) throw Error(ErrorCode::bad_data, std::string(method) + ": no rows");
  return static_cast<int>(std::min<std::int64_t>(options.dimensions, n));
}

// What projects other rows: v/√λ over K°, written over K.
void learn_projection(KernelPca& pca, const Block& vectors, const Centering& means) {
  Expansion e;
  e.coefficients = vectors;
  e.bias.assign(index(vectors.columns()), 0.0);
  for (std::int64_t d = 0; d < vectors.columns(); ++d)
    for (std::int64_t i = 0; i < vectors.rows(); ++i)
      e.coefficients(i, d) /= std::sqrt(pca.eigenvalues[index(d)]);
  e = uncentered(std::move(e), means, {});
  pca.coefficients = std::move(e.coefficients);
  pca.bias = std::move(e.bias);
}

}  // namespace

void KernelPcaOptions::validate() const {
  if (dimensions < 1)
    throw Error(ErrorCode::usage, std::string(method) + ": option dimensions=" +
                                      std::to_string(dimensions) + ": must be >= 1");
}

Block KernelPca::project(const Points& points, const RunContext& run) const {
  constexpr std::int64_t rows_at_once = 512;
  if (kernel == nullptr)
    throw Error(ErrorCode::usage,
                std::string(method) + ": vertices of a graph: no other rows can be projected");
  Block all(points.rows(), coefficients.columns());
  for (std::int64_t first = 0; first < points.rows(); first += rows_at_once) {
    std::vector<std::int32_t> which(index(std::min(rows_at_once, points.rows() - first)));
    std::iota(which.begin(), which.end(), static_cast<std::int32_t>(first));
    const Block entries = kernel->block(select(points, which), items, run);
    for (std::int64_t r = 0; r < entries.rows(); ++r)
      for (std::int64_t d = 0; d < all.columns(); ++d) {
        double sum = bias[index(d)];
        for (std::int64_t i = 0; i < entries.columns(); ++i)
          sum += entries(r, i) * coefficients(i, d);
        all(first + r, d) = sum;
      }
  }
  return all;
}

KernelPca kernel_pca_of_points(const std::string& kernel, const Points& points,
                               const KernelPcaOptions& options, const RunContext& run) {
  const int count = count_of(options, points.rows());
  KernelPca pca;
  const Stopwatch watch;
  const auto made =
      detail::kernel_on_points(method, detail::without_centering(kernel).kernel, points, {});
  const auto gram = gram_of_points(made, points);
  const Centering means = centering_of(*gram, {}, run);
  const Block matrix = centered(*gram, means)->whole(run);
  pca.report.setup_seconds = watch.seconds();
  pca.total = 0.0;
  for (std::int64_t i = 0; i < matrix.rows(); ++i) pca.total += matrix(i, i);
  const GramProduct product = [&](const double* in, double* out) { multiply(matrix, in, out, 1); };
  const Block vectors = finish(pca, largest_pairs(matrix, count, run), options.dimensions, product);
  pca.kernel = made;
  pca.items = points;
  learn_projection(pca, vectors, means);
  pca.report.solve_seconds = watch.seconds() - pca.report.setup_seconds;
  return pca;
}

KernelPca kernel_pca_of_graph(const std::string& kernel, const Graph& graph,
                              const KernelPcaOptions& options, const RunContext& run) {
  const std::int64_t n = graph.vertex_count();
  const int count = count_of(options, n);
  KernelPca pca;
  const Stopwatch watch;
  const detail::VertexKernel made(
      std::make_shared<const Graph>(graph),
      detail::kernel_on_graph(method, detail::without_centering(kernel).kernel), run);
  std::unique_ptr<Gram> gram;
  if (made.is_entrywise()) {
    std::vector<VertexId> all(index(n));
    std::iota(all.begin(), all.end(), 0);
    gram = detail::gram_of_vertices(made, all, run, &pca.report);
  }
  pca.report.setup_seconds = watch.seconds();
  pca.total = -1.0;
  const auto centered_copy = [n](const double* from, double* to) {
    const double mean = std::accumulate(from, from + n, 0.0) / static_cast<double>(n);
    for (std::int64_t i = 0; i < n; ++i) to[i] = from[i] - mean;
  };
  Block x(n, 1);
  // K° = JKJ with J = I − 11ᵀ/n, by entries or by products with K.
  const Block entries = gram ? centered(*gram, centering_of(*gram, {}, run))->whole(run) : Block();
  const GramProduct product = [&](const double* in, double* out) {
    if (gram != nullptr) return multiply(entries, in, out, 1);
    centered_copy(in, x.data());
    const KernelProduct next = made.product(x, run);
    merge(pca.report, solve_report(next.report));
    centered_copy(next.values.data(), out);
  };
  DenseEigen pairs;
  if (gram != nullptr) {
    pairs = largest_pairs(entries, count, run);
  } else if (n <= most_dense) {
    Block matrix(n, n);
    std::vector<double> in(index(n), 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      in[index(i)] = 1.0;
      product(in.data(), matrix.row(i).data());
      in[index(i)] = 0.0;
    }
    pairs = largest_pairs(matrix, count, run);
  } else {
    pairs = largest_pairs(n, count, product, run);
  }
  const Outcome outcome = pca.report.outcome;
  finish(pca, std::move(pairs), options.dimensions, product);
  pca.report.outcome = worse(outcome, pca.report.outcome);
  pca.report.solve_seconds = watch.seconds() - pca.report.setup_seconds;
  return pca;
}

}  // namespace gssl
