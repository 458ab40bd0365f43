#include "duplicates.hpp"

#include <utility>

namespace gssl::knn {
namespace {

using Hashed = std::pair<std::uint64_t, VertexId>;

std::vector<Hashed> hashes(const RowSpace& rows, VertexId step) {
  std::vector<Hashed> list;
  for (std::int64_t i = 0; i < rows.rows(); i += step)
    list.emplace_back(rows.hash(static_cast<VertexId>(i)), static_cast<VertexId>(i));
  std::sort(list.begin(), list.end());
  return list;
}

// Pairs of equal rows in a sample of S: S²/2 times the share of such pairs among all. With S = 4√n,
// less than 8 mean that comparing equal rows costs less than one distance for each point.
bool has_many(const RowSpace& rows) {
  const auto sample = static_cast<VertexId>(4.0 * std::sqrt(static_cast<double>(rows.rows()))) + 64;
  const std::vector<Hashed> list = hashes(rows, rows.rows() / sample + 1);
  int pairs = 0;
  for (std::size_t i = 1; i < list.size(); ++i) pairs += list[i].first == list[i - 1].first;
  return pairs >= 8;
}

}  // namespace

std::optional<Reduction> leave_out_duplicates(const RowSpace& rows, int k) {
  if (rows.rows() <= k + 1 || !has_many(rows)) return std::nullopt;
  const std::vector<Hashed> list = hashes(rows, 1);
  Reduction reduction;
  std::vector<VertexId>& list_of_row = reduction.stand_in;  // row numbers at first
  list_of_row.resize(static_cast<std::size_t>(rows.rows()));
  for (std::size_t first = 0; first < list.size();) {
    std::size_t i = first;
    for (; i < list.size() && list[i].first == list[first].first &&
           rows.same(list[first].second, list[i].second);
         ++i)
      list_of_row[static_cast<std::size_t>(list[i].second)] =
          list[std::min(i, first + static_cast<std::size_t>(k))].second;
    first = i;
  }
  std::vector<VertexId> place(list_of_row.size());
  for (VertexId i = 0; i < rows.rows(); ++i) {
    if (list_of_row[static_cast<std::size_t>(i)] != i) continue;
    place[static_cast<std::size_t>(i)] = static_cast<VertexId>(reduction.kept.size());
    reduction.kept.push_back(i);
  }
  if (reduction.kept.size() == list_of_row.size()) return std::nullopt;
  for (VertexId& row : list_of_row) row = place[static_cast<std::size_t>(row)];
  return reduction;
}

}  // namespace gssl::knn
