// Sparse matrices of SciPy whose rows are points.
#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "declared_size.hpp"
#include "number_array.hpp"
#include "sparse_npz.hpp"

namespace gssl::detail {
namespace {

using Entry = std::pair<std::int32_t, double>;  // column, value

void append_row(std::span<Entry> row, std::vector<std::int32_t>& columns,
                std::vector<double>& values) {
  std::ranges::stable_sort(row, {}, &Entry::first);
  const std::size_t begin = columns.size();
  for (const auto& [column, value] : row) {
    if (columns.size() > begin && columns.back() == column) {
      values.back() += value;
    } else {
      columns.push_back(column);
      values.push_back(value);
    }
  }
}

}  // namespace

Points sparse_rows(const SparseNpz& matrix, std::size_t bytes, const std::string& name) {
  const std::string rule = declared_too_many(static_cast<std::uint64_t>(matrix.rows), bytes);
  if (!rule.empty()) bad_array(name, rule);
  if (matrix.columns > std::numeric_limits<std::int32_t>::max())
    bad_array(name, std::to_string(matrix.columns) + " columns; at most 2^31 - 1 are taken");
  const auto count = static_cast<std::size_t>(matrix.rows);
  std::vector<std::size_t> end(count + 1, 0);  // of each row but the last, then where to put next
  visit_entries(matrix, [&](std::int64_t row, std::int64_t, double) {
    ++end[static_cast<std::size_t>(row) + 1];
  });
  for (std::size_t r = 0; r < count; ++r) end[r + 1] += end[r];
  std::vector<Entry> entries(end.back());
  visit_entries(matrix, [&](std::int64_t row, std::int64_t column, double value) {
    entries[end[static_cast<std::size_t>(row)]++] = {static_cast<std::int32_t>(column), value};
  });
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::size_t begin = 0;
  for (std::size_t r = 0; r < count; ++r) {
    append_row(std::span(entries).subspan(begin, end[r] - begin), columns, values);
    offsets.push_back(static_cast<std::int64_t>(values.size()));
    begin = end[r];
  }
  return Points::sparse(matrix.rows, matrix.columns, std::move(offsets), std::move(columns),
                        std::move(values));
}

}  // namespace gssl::detail
