#pragma once
// Many equal rows would cost the square of their number: all tie at distance 0, and the ties have
// to be told by row number. But only the first k + 1 of equal rows can be in anyone's list, and
// those that come later have the same list as the last of these.

#include <optional>
#include <vector>

#include "row_space.hpp"

namespace gssl::knn {

struct Reduction {
  std::vector<VertexId> kept;      // rows that are searched, ascending
  std::vector<VertexId> stand_in;  // of each row: the place in `kept` of the row whose list it has
};

// Nothing if there are hardly any duplicates, which a sample tells. O(nd + n log n) if there are.
std::optional<Reduction> leave_out_duplicates(const RowSpace& rows, int k);

}  // namespace gssl::knn
