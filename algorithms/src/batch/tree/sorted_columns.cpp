#include "batch/tree/sorted_columns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gssl/core/parallel.hpp"
#include "support/keyed_rows.hpp"

namespace gssl::detail {

namespace {

constexpr std::uint64_t key_of_zero = std::uint64_t{1} << 63;

// Sorts the list and writes dense ranks; a rank is left free for 0 where no row has it.
// Returns the rank of 0, or the number of smaller values.
std::uint32_t write_ranks(SortSpace& space, bool zero_is_not_held, RankedRow* out) {
  sort_keys(space);
  std::uint32_t rank = 0;
  std::uint32_t below_zero = 0;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < space.order.size(); ++i) {
    const KeyedRow item = space.list[SortSpace::place(space.order[i])];
    if (i > 0 && item.key != before) ++rank;
    before = item.key;
    const bool above = item.key > key_of_zero;
    if (!above) below_zero = rank + 1;
    out[i] = {rank + (zero_is_not_held && above ? 1U : 0U), item.row};
  }
  return below_zero;
}

// All values that are not 0, column by column, rows ascending.
std::vector<KeyedRow> transposed(const Points& points, std::vector<std::size_t> next) {
  std::vector<KeyedRow> held(next.back());
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) {
      if (x != 0.0)
        held[next[static_cast<std::size_t>(c)]++] = {key_of(x), static_cast<std::uint32_t>(r)};
    });
  return held;
}

template <class Value>
void gather_column(std::span<const Value> values, std::int64_t columns, std::int64_t c,
                   std::vector<KeyedRow>& list) {
  for (std::size_t r = 0; r < list.size(); ++r) {
    const Value x = values[r * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)];
    list[r] = {key_of(static_cast<double>(x)), static_cast<std::uint32_t>(r)};
  }
}

// Where each column begins.
std::vector<std::size_t> column_offsets(const Points& points) {
  const auto columns = static_cast<std::size_t>(points.columns());
  std::vector<std::size_t> offsets(columns + 1, 0);
  if (!points.is_sparse()) {
    for (std::size_t c = 0; c <= columns; ++c)
      offsets[c] = c * static_cast<std::size_t>(points.rows());
    return offsets;
  }
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) {
      if (x != 0.0) ++offsets[static_cast<std::size_t>(c) + 1];
    });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

}  // namespace

SortedColumns::SortedColumns(const Points& points, const RunContext& run)
    : rows_(points.rows()),
      sparse_(points.is_sparse()),
      offsets_(column_offsets(points)),
      entries_(offsets_.back()),
      zero_rank_(static_cast<std::size_t>(points.columns()), 0) {
  const std::vector<KeyedRow> held =
      sparse_ ? transposed(points, offsets_) : std::vector<KeyedRow>{};
  const auto sort_column = [&](std::int64_t c, SortSpace& space) {
    auto& list = space.list;
    const auto i = static_cast<std::size_t>(c);
    list.resize(offsets_[i + 1] - offsets_[i]);
    if (sparse_)
      std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(offsets_[i]), list.size(),
                  list.begin());
    else if (points.is_float())
      gather_column(points.floats(), points.columns(), c, list);
    else
      gather_column(points.doubles(), points.columns(), c, list);
    zero_rank_[i] = write_ranks(space, sparse_, entries_.data() + offsets_[i]);
  };
  // A few columns a task, so that many narrow ones do not cost a task each.
  const std::int64_t block = std::max<std::int64_t>(1, points.columns() / 256);
  parallel_blocks(
      points.columns(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        SortSpace space;
        for (std::int64_t c = begin; c < end; ++c) {
          run.throw_if_stopped("sorted columns", "before all columns were sorted");
          sort_column(c, space);
        }
      },
      block);
}

}  // namespace gssl::detail
