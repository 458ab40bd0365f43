#pragma once
// Some cells of a matrix, each a real number: ratings of items by users, measurements of samples.
//
//   gssl::Cells cells = gssl::make_cells(671, 9066, rows, columns, values);
//   auto [training, test] = gssl::split(cells, 0.2, rng);

#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/core/rng.hpp"

namespace gssl {

struct Cells {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  // Of each cell.
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t count() const { return static_cast<std::int64_t>(value.size()); }
  double mean() const;  // 0 without cells
};

// Throws ErrorCode::bad_data unless the three lists are as long, rows and columns are in range, and
// values are finite.
Cells make_cells(std::int64_t rows, std::int64_t columns, std::vector<std::int32_t> row,
                 std::vector<std::int32_t> column, std::vector<double> value);

// Some of the cells, by their numbers.
Cells select(const Cells& cells, const std::vector<std::int64_t>& numbers);

// The rest, and a random `share` of the cells, rounded. Throws ErrorCode::usage unless 0 < share <
// 1 leaves cells in both.
std::pair<Cells, Cells> split(const Cells& cells, double share, Rng& rng);

// Where the cells of each row (or column) are: those with offset[r] ≤ i < offset[r + 1] are the
// cells numbered order[i], in the order given.
struct CellIndex {
  std::vector<std::int64_t> offset;
  std::vector<std::int64_t> order;
};
CellIndex by_row(const Cells& cells);
CellIndex by_column(const Cells& cells);

}  // namespace gssl
