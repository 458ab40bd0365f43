#pragma once
// Which rows have no one class of largest score. Internal: not installed.
//
//   const std::vector<bool> tied = detail::tied_rows(model.scores(points), model.score_kind());

#include <algorithm>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

// Of each row, whether another class has the same score, to the bit, as the best. A value is never
// tied. O(rows·columns).
inline std::vector<bool> tied_rows(const Block& scores, ScoreKind kind) {
  std::vector<bool> tied(static_cast<std::size_t>(scores.rows()), false);
  if (kind == ScoreKind::value || scores.columns() < 2) return tied;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    const auto row = scores.row(r);
    tied[static_cast<std::size_t>(r)] = std::ranges::count(row, std::ranges::max(row)) > 1;
  }
  return tied;
}

}  // namespace gssl::detail
