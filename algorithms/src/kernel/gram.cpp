#include "gssl/kernel/gram.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "kernel/expression_kernel.hpp"
#include "kernel/kernel_tiles.hpp"
#include "kernel/vertex_kernel.hpp"

namespace gssl {
namespace {

// Of a kernel that has tiles, computed from rows that are read once for each precision.
class TiledGram final : public Gram {
 public:
  TiledGram(std::shared_ptr<const detail::ExpressionKernel> kernel, Points points)
      : kernel_(std::move(kernel)), points_(std::move(points)) {}

  std::int64_t size() const override { return points_.rows(); }
  void rows(std::span<const std::int32_t> which, std::span<double* const> to,
            const RunContext& run) const override {
    tiles(doubles_, run).rows(which, {}, to, run);
  }
  void rows(std::span<const std::int32_t> which, std::span<float* const> to,
            const RunContext& run) const override {
    tiles(floats_, run).rows(which, {}, to, run);
  }
  void leading(std::span<const std::int32_t> which, std::int64_t end, std::span<double* const> to,
               const RunContext& run) const override {
    tiles(doubles_, run).rows(which, {0, end}, to, run);
  }
  bool fits_float() const override { return detail::fits_float(kernel_->term(), points_); }
  std::vector<double> diagonal(const RunContext& run) const override {
    return kernel_->diagonal(points_, run);
  }
  std::unique_ptr<Gram> select(std::span<const std::int32_t> items) const override {
    return std::make_unique<TiledGram>(kernel_, gssl::select(points_, items));
  }

 private:
  template <class Real>
  const detail::KernelTiles<Real>& tiles(std::unique_ptr<detail::KernelTiles<Real>>& made,
                                         const RunContext& run) const {
    if (made == nullptr)
      made = std::make_unique<detail::KernelTiles<Real>>(kernel_->term(), points_, points_, run);
    return *made;
  }

  std::shared_ptr<const detail::ExpressionKernel> kernel_;
  Points points_;
  mutable std::unique_ptr<detail::KernelTiles<float>> floats_;
  mutable std::unique_ptr<detail::KernelTiles<double>> doubles_;
};

// Rows of a block, all where `rows` is empty, as far as `to` asks for.
template <class Real>
void copy_rows(const Block& block, std::span<const std::int32_t> rows, std::span<Real* const> to,
               std::int64_t end) {
  for (std::size_t i = 0; i < to.size(); ++i)
    std::ranges::transform(
        block.row(rows.empty() ? static_cast<std::int64_t>(i) : rows[i]).first(index(end)), to[i],
        [](double v) { return static_cast<Real>(v); });
}

// Of a kernel of which nothing more is known.
class BlockwiseGram final : public Gram {
 public:
  BlockwiseGram(std::shared_ptr<const Kernel> kernel, Points points)
      : kernel_(std::move(kernel)), points_(std::move(points)) {}

  std::int64_t size() const override { return points_.rows(); }
  void rows(std::span<const std::int32_t> which, std::span<double* const> to,
            const RunContext& run) const override {
    copy_rows(kernel_->block(gssl::select(points_, which), points_, run), {}, to, size());
  }
  void rows(std::span<const std::int32_t> which, std::span<float* const> to,
            const RunContext& run) const override {
    copy_rows(kernel_->block(gssl::select(points_, which), points_, run), {}, to, size());
  }
  void leading(std::span<const std::int32_t> which, std::int64_t end, std::span<double* const> to,
               const RunContext& run) const override {
    copy_rows(kernel_->block(gssl::select(points_, which), points_, run), {}, to, end);
  }
  bool fits_float() const override { return false; }
  std::vector<double> diagonal(const RunContext& run) const override {
    return kernel_->diagonal(points_, run);
  }
  std::unique_ptr<Gram> select(std::span<const std::int32_t> items) const override {
    return std::make_unique<BlockwiseGram>(kernel_, gssl::select(points_, items));
  }

 private:
  std::shared_ptr<const Kernel> kernel_;
  Points points_;
};

class MatrixGram final : public Gram {
 public:
  explicit MatrixGram(Block matrix) : matrix_(std::move(matrix)) {}

  std::int64_t size() const override { return matrix_.rows(); }
  void rows(std::span<const std::int32_t> which, std::span<double* const> to,
            const RunContext&) const override {
    copy_rows(matrix_, which, to, size());
  }
  void rows(std::span<const std::int32_t> which, std::span<float* const> to,
            const RunContext&) const override {
    copy_rows(matrix_, which, to, size());
  }
  void leading(std::span<const std::int32_t> which, std::int64_t end, std::span<double* const> to,
               const RunContext&) const override {
    copy_rows(matrix_, which, to, end);
  }
  bool fits_float() const override { return false; }
  std::vector<double> diagonal(const RunContext&) const override {
    std::vector<double> all;
    for (std::int64_t i = 0; i < size(); ++i) all.push_back(matrix_(i, i));
    return all;
  }
  std::unique_ptr<Gram> select(std::span<const std::int32_t> items) const override {
    const auto count = std::ssize(items);
    Block part(count, count);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = 0; j < count; ++j)
        part(i, j) = matrix_(items[index(i)], items[index(j)]);
    return std::make_unique<MatrixGram>(std::move(part));
  }

 private:
  Block matrix_;
};

// Some rows and columns of a matrix that is shared.
class SharedGram final : public Gram {
 public:
  SharedGram(std::shared_ptr<const GramMatrix> matrix, std::vector<std::int32_t> items)
      : matrix_(std::move(matrix)), items_(std::move(items)) {}

  std::int64_t size() const override { return std::ssize(items_); }
  void rows(std::span<const std::int32_t> which, std::span<double* const> to,
            const RunContext&) const override {
    gather(which, items_.size(), to);
  }
  void rows(std::span<const std::int32_t> which, std::span<float* const> to,
            const RunContext&) const override {
    gather(which, items_.size(), to);
  }
  void leading(std::span<const std::int32_t> which, std::int64_t end, std::span<double* const> to,
               const RunContext&) const override {
    gather(which, index(end), to);
  }
  bool fits_float() const override { return matrix_->fits_float; }
  std::vector<double> diagonal(const RunContext&) const override {
    std::vector<double> all;
    for (const std::int32_t i : items_) all.push_back(matrix_->values(i, i));
    return all;
  }
  std::unique_ptr<Gram> select(std::span<const std::int32_t> items) const override {
    std::vector<std::int32_t> some;
    for (const std::int32_t i : items) some.push_back(items_[index(i)]);
    return std::make_unique<SharedGram>(matrix_, std::move(some));
  }

 private:
  template <class Real>
  void gather(std::span<const std::int32_t> which, std::size_t end,
              std::span<Real* const> to) const {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double* row = matrix_->values.row(items_[index(which[i])]).data();
      for (std::size_t j = 0; j < end; ++j) to[i][j] = static_cast<Real>(row[items_[j]]);
    }
  }

  std::shared_ptr<const GramMatrix> matrix_;
  std::vector<std::int32_t> items_;
};

template <class Columns>
std::unique_ptr<Gram> gram_by_columns(const Columns& kernel, const std::vector<VertexId>& vertices,
                                      const RunContext& run, Report* report) {
  constexpr std::int64_t columns_at_once = 32;
  const auto m = std::ssize(vertices);
  Block matrix(m, m);
  for (std::int64_t first = 0; first < m; first += columns_at_once) {
    run.throw_if_stopped("graph kernel", "before its columns were known");
    const std::int64_t end = std::min(m, first + columns_at_once);
    const KernelProduct product =
        kernel.columns({vertices.begin() + first, vertices.begin() + end}, run);
    run.throw_if_stopped("graph kernel", "before its columns were known");
    if (report != nullptr) merge(*report, solve_report(product.report));
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = first; j < end; ++j)
        matrix(i, j) = product.values(vertices[index(i)], j - first);
  }
  // Equal up to the tolerance of the solves.
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < i; ++j)
      matrix(i, j) = matrix(j, i) = 0.5 * (matrix(i, j) + matrix(j, i));
  return gram_of_matrix(std::move(matrix));
}

}  // namespace

Block Gram::whole(const RunContext& run) const {
  Block all(size(), size());
  std::vector<std::int32_t> which(index(size()));
  std::iota(which.begin(), which.end(), 0);
  std::vector<double*> to;
  for (std::int64_t i = 0; i < size(); ++i) to.push_back(all.row(i).data());
  rows(which, to, run);
  return all;
}

std::unique_ptr<Gram> gram_of_points(std::shared_ptr<const Kernel> kernel, Points points) {
  if (auto expression = std::dynamic_pointer_cast<const detail::ExpressionKernel>(kernel))
    return std::make_unique<TiledGram>(std::move(expression), std::move(points));
  return std::make_unique<BlockwiseGram>(std::move(kernel), std::move(points));
}

std::unique_ptr<Gram> gram_of_vertices(const GraphKernel& kernel,
                                       const std::vector<VertexId>& vertices, const RunContext& run,
                                       Report* report) {
  return gram_by_columns(kernel, vertices, run, report);
}

std::unique_ptr<Gram> detail::gram_of_vertices(const VertexKernel& kernel,
                                               const std::vector<VertexId>& vertices,
                                               const RunContext& run, Report* report) {
  return gram_by_columns(kernel, vertices, run, report);
}

std::unique_ptr<Gram> gram_of_shared(std::shared_ptr<const GramMatrix> matrix,
                                     std::vector<std::int32_t> items) {
  return std::make_unique<SharedGram>(std::move(matrix), std::move(items));
}

std::unique_ptr<Gram> gram_of_matrix(Block matrix) {
  if (matrix.rows() != matrix.columns())
    throw Error(ErrorCode::bad_data, "Gram matrix of " + std::to_string(matrix.rows()) +
                                         " rows and " + std::to_string(matrix.columns()) +
                                         " columns: must be square");
  return std::make_unique<MatrixGram>(std::move(matrix));
}

}  // namespace gssl
