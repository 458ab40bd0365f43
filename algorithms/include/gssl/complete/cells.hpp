#pragma once
// Making, choosing and looking up cells of a matrix.
//
//   gssl::Cells cells = gssl::make_cells(671, 9066, rows, columns, values);
//   auto [training, test] = gssl::split(cells, 0.2, rng);

#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/learn/completer.hpp"

namespace gssl {

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
