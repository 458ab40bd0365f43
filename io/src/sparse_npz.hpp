#pragma once
// The arrays of a sparse matrix that SciPy saved: csr, csc, coo or bsr.
//
//   const SparseNpz matrix = read_sparse_arrays(bytes, "adjacency.npz");
//   visit_entries(matrix, [&](std::int64_t row, std::int64_t column, double value) { … });

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/data/points.hpp"

namespace gssl::detail {

struct SparseNpz {
  enum class Layout { by_rows, by_columns, pairs };
  Layout layout = Layout::pairs;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  // Rows and columns of a block; 1 and 1 but for bsr. Each index below is of a block.
  std::int64_t block_rows = 1;
  std::int64_t block_columns = 1;
  std::vector<std::int64_t> starts;   // of rows or columns; row of each entry for pairs
  std::vector<std::int64_t> indices;  // column, or row, of each block
  std::vector<double> values;         // block after block, each row by row
};

// Throws ErrorCode::bad_data "NAME: …" if an array is missing, has another length or an index is
// out of range. O(entries).
SparseNpz read_sparse_arrays(std::string_view bytes, const std::string& name);

// The rows of the matrix; what is given twice is added. Throws ErrorCode::bad_data "NAME: …" for more
// rows than `bytes` of a file can hold, and as Points::sparse(). O(entries log entries of a row).
Points sparse_rows(const SparseNpz& matrix, std::size_t bytes, const std::string& name);

// Calls visit(row, column, value) for each entry, zeros of blocks left out.
template <class Visit>
void visit_entries(const SparseNpz& m, Visit&& visit) {
  const auto block = [&](std::int64_t row, std::size_t e) {
    std::int64_t at = static_cast<std::int64_t>(e) * m.block_rows * m.block_columns;
    const std::int64_t first = m.indices[e] * m.block_columns;
    for (std::int64_t r = 0; r < m.block_rows; ++r) {
      for (std::int64_t c = 0; c < m.block_columns; ++c, ++at) {
        const double value = m.values[static_cast<std::size_t>(at)];
        const bool alone = m.block_rows * m.block_columns == 1;
        if (alone || value != 0) visit(row * m.block_rows + r, first + c, value);
      }
    }
  };
  if (m.layout == SparseNpz::Layout::pairs) {
    for (std::size_t e = 0; e < m.indices.size(); ++e)
      visit(m.starts[e], m.indices[e], m.values[e]);
    return;
  }
  for (std::size_t line = 0; line + 1 < m.starts.size(); ++line) {
    for (auto e = static_cast<std::size_t>(m.starts[line]);
         e < static_cast<std::size_t>(m.starts[line + 1]); ++e) {
      if (m.layout == SparseNpz::Layout::by_rows) {
        block(static_cast<std::int64_t>(line), e);
      } else {
        visit(m.indices[e], static_cast<std::int64_t>(line), m.values[e]);
      }
    }
  }
}

}  // namespace gssl::detail
