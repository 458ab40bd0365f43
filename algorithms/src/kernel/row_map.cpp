#include "kernel/row_map.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

// Of the size of a matrix: what rounding may leave of a zero.
constexpr double rounding = 1e-12;

double largest_entry(const Block& a) {
  double largest = 0.0;
  for (const double value : a.values()) largest = std::max(largest, std::abs(value));
  return largest;
}

// R with RᵀR = A; eigenvalues that rounding made negative count as 0.
Block root_of(const Block& a) {
  const DenseEigen pairs = dense_eigen(a);
  Block root(a.rows(), a.columns());
  for (std::int64_t i = 0; i < root.rows(); ++i) {
    const double scale = std::sqrt(std::max(0.0, pairs.values[static_cast<std::size_t>(i)]));
    for (std::int64_t c = 0; c < root.columns(); ++c) root(i, c) = scale * pairs.vectors(c, i);
  }
  return root;
}

[[noreturn]] void refuse_columns(std::int64_t found, const std::string& rule) {
  throw Error(ErrorCode::bad_data,
              "kernel: rows of " + std::to_string(found) + " columns: " + rule);
}

}  // namespace

std::string not_a_kernel(const Block& a) {
  if (a.rows() != a.columns())
    return "a matrix of " + std::to_string(a.rows()) + " rows and " + std::to_string(a.columns()) +
           " columns: must be square";
  const double least_seen = rounding * largest_entry(a);
  for (std::int64_t r = 0; r < a.rows(); ++r)
    for (std::int64_t c = 0; c < r; ++c)
      if (std::abs(a(r, c) - a(c, r)) > least_seen)
        return "entries (" + std::to_string(r + 1) + ", " + std::to_string(c + 1) + ") and (" +
               std::to_string(c + 1) + ", " + std::to_string(r + 1) +
               ") differ: the matrix must be symmetric";
  const double least = dense_eigen(a).values.front();
  if (least < -least_seen * static_cast<double>(a.rows()))
    return "the matrix has the eigenvalue " + to_brief_text(least) +
           ": must be >= 0, so that the kernel is positive";
  return {};
}

RowMap::RowMap(const KernelTerm& term)
    : inner_(term.kind == KernelTerm::Kind::form ? KernelTerm{} : term.inner[0]),
      matrix_(term.kind == KernelTerm::Kind::form ? root_of(term.matrix) : term.matrix),
      columns_(term.columns) {}

Points RowMap::apply(const Points& points, const RunContext& run) const {
  const std::int64_t columns = points.columns();
  if (!columns_.empty() && columns_.back() >= columns)
    refuse_columns(columns, "the kernel is of column " + std::to_string(columns_.back() + 1));
  if (columns_.empty() && columns != matrix_.columns())
    refuse_columns(columns, "the matrix has " + std::to_string(matrix_.columns()));
  const std::int64_t width = columns_.empty() ? matrix_.rows() : std::ssize(columns_);
  std::vector<double> mapped(static_cast<std::size_t>(points.rows() * width), 0.0);
  parallel_blocks(points.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> row(static_cast<std::size_t>(columns));
    for (std::int64_t r = begin; r < end; ++r) {
      std::ranges::fill(row, 0.0);
      points.visit_row(static_cast<VertexId>(r),
                       [&](std::int64_t c, double x) { row[static_cast<std::size_t>(c)] = x; });
      double* to = mapped.data() + r * width;
      for (std::int64_t i = 0; i < width; ++i) {
        if (!columns_.empty()) {
          to[i] = row[static_cast<std::size_t>(columns_[static_cast<std::size_t>(i)])];
          continue;
        }
        double sum = 0.0;
        for (std::int64_t c = 0; c < columns; ++c)
          sum += matrix_(i, c) * row[static_cast<std::size_t>(c)];
        to[i] = sum;
      }
    }
  });
  return Points::dense(points.rows(), width, std::move(mapped));
}

}  // namespace gssl::detail
