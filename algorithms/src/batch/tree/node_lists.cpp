#include "batch/tree/node_lists.hpp"

#include <algorithm>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

NodeLists::NodeLists(const Points& points, const SortedColumns& sorted, const TreeRows& rows)
    : points_(points),
      sorted_(sorted),
      rows_(rows),
      side_(static_cast<std::size_t>(rows.rows()), 0) {}

NodeStretch NodeLists::root(std::int64_t size) {
  if (sorted_.is_sparse())
    for (const std::uint32_t code : rows_.code_of)
      if (rows_.weight_of(rows_.row_of(code)) > 0.0) row_list_.push_back(code);
  return {.size = size, .columns = {}, .last_row = row_list_.size()};
}

// Without rows of weight 0, ranks with codes.
void NodeLists::copy_columns(NodeStretch& root, int threads) {
  const std::int64_t columns = sorted_.columns();
  std::vector<ColumnRange> ranges(static_cast<std::size_t>(columns));
  std::size_t place = 0;
  for (std::int64_t c = 0; c < columns; ++c) {
    ranges[static_cast<std::size_t>(c)] = {static_cast<std::int32_t>(c), place, place};
    place += sorted_.column(c).size();
  }
  lists_.resize(place);
  const bool all = root.size == rows_.rows();
  parallel_blocks(
      columns, threads,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t c = begin; c < end; ++c) {
          ColumnRange& range = ranges[static_cast<std::size_t>(c)];
          for (const RankedRow& item : sorted_.column(c)) {
            lists_[range.end] = {item.rank, rows_.code_of[item.row]};
            range.end += all || rows_.weights[item.row] > 0.0 ? 1U : 0U;
          }
        }
      },
      std::max<std::int64_t>(1, columns / 256));
  for (const ColumnRange& range : ranges)
    if (!constant(range, root.size)) root.columns.push_back(range);
}

bool NodeLists::constant(const ColumnRange& range, std::int64_t rows) const {
  if (range.begin == range.end) return true;
  if (static_cast<std::int64_t>(range.end - range.begin) < rows) return false;
  return lists_[range.begin].rank == lists_[range.end - 1].rank;
}

ColumnPart NodeLists::part_of(const NodeStretch& node, const ColumnRange& range) const {
  ColumnPart part;
  part.entries = std::span(lists_).subspan(range.begin, range.end - range.begin);
  part.zeros = node.size - static_cast<std::int64_t>(part.entries.size());
  if (part.zeros > 0)
    part.zeros_at = std::ranges::lower_bound(part.entries, sorted_.zero_rank(range.column), {},
                                             &ColumnEntry::rank) -
                    part.entries.begin();
  return part;
}

ColumnRange NodeLists::range_of(const NodeStretch& node, std::int32_t column) {
  return *std::ranges::find(node.columns, column, &ColumnRange::column);
}

double NodeLists::threshold_of(const NodeStretch& node, const Cut& cut) const {
  const ColumnPart part = part_of(node, range_of(node, cut.column));
  const auto value_at = [&](std::int64_t i) {
    const std::uint32_t row = rows_.row_of(part.entries[static_cast<std::size_t>(i)].code);
    return points_.value(static_cast<VertexId>(row), cut.column);
  };
  const bool zeros = part.zeros > 0 && cut.left == part.zeros_at;
  const double lower = zeros && cut.zeros_left ? 0.0 : value_at(cut.left - 1);
  const double upper = zeros && !cut.zeros_left ? 0.0 : value_at(cut.left);
  const double middle = 0.5 * lower + 0.5 * upper;
  return middle >= upper || middle < lower ? lower : middle;
}

void NodeLists::mark_sides(const NodeStretch& node, const Cut& cut) {
  const ColumnPart part = part_of(node, range_of(node, cut.column));
  if (part.zeros > 0)
    for (std::size_t i = node.first_row; i < node.last_row; ++i)
      side_[rows_.row_of(row_list_[i])] = cut.zeros_left ? 0 : 1;
  for (std::size_t i = 0; i < part.entries.size(); ++i)
    side_[rows_.row_of(part.entries[i].code)] = i >= static_cast<std::size_t>(cut.left) ? 1 : 0;
}

std::pair<NodeStretch, NodeStretch> NodeLists::part_rows(const NodeStretch& node, const Cut& cut,
                                                         PartingSpace& space) {
  mark_sides(node, cut);
  if (!sorted_.is_sparse()) return {};
  space.codes.clear();
  std::size_t end = node.first_row;
  for (std::size_t i = node.first_row; i < node.last_row; ++i) {
    const std::uint32_t code = row_list_[i];
    if (side_[rows_.row_of(code)] != 0)
      space.codes.push_back(code);
    else
      row_list_[end++] = code;
  }
  std::ranges::copy(space.codes, row_list_.begin() + static_cast<std::ptrdiff_t>(end));
  return {{.columns = {}, .first_row = node.first_row, .last_row = end},
          {.columns = {}, .first_row = end, .last_row = node.last_row}};
}

std::size_t NodeLists::part_column(const ColumnRange& range, KeptSides kept, PartingSpace& space) {
  ColumnEntry* const list = lists_.data();
  const int bits = rows_.kind_bits;
  const std::uint8_t* const side = side_.data();
  std::size_t end = range.begin;
  if (kept.left && kept.right) {
    if (space.entries.size() < range.end - range.begin)
      space.entries.resize(range.end - range.begin);
    ColumnEntry* const right = space.entries.data();
    std::size_t moved = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const ColumnEntry entry = list[i];
      const std::size_t goes_right = side[entry.code >> bits];
      list[end] = entry;
      right[moved] = entry;
      end += 1 - goes_right;
      moved += goes_right;
    }
    std::copy_n(right, moved, list + end);
    return end;
  }
  const std::size_t wanted = kept.left ? 0 : 1;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const ColumnEntry entry = list[i];
    list[end] = entry;
    end += side[entry.code >> bits] == wanted ? 1U : 0U;
  }
  return end;
}

void NodeLists::share_columns(const NodeStretch& node, const std::vector<std::size_t>& middle,
                              KeptSides kept, NodeStretch& left, NodeStretch& right) const {
  const auto keep = [&](NodeStretch& child, const ColumnRange& range) {
    if (!constant(range, child.size)) child.columns.push_back(range);
  };
  if (kept.left) left.columns.reserve(middle.size());
  if (kept.right) right.columns.reserve(middle.size());
  for (std::size_t i = 0; i < middle.size(); ++i) {
    const auto [column, begin, end] = node.columns[i];
    if (kept.left) keep(left, {column, begin, middle[i]});
    if (kept.right)
      keep(right,
           kept.left ? ColumnRange{column, middle[i], end} : ColumnRange{column, begin, middle[i]});
  }
}

}  // namespace gssl::detail
