#include "batch/tree/tree_growth.hpp"

#include <algorithm>
#include <numeric>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// What a node has of a column's list.
struct ColumnRange {
  std::int32_t column;
  std::size_t begin;
  std::size_t end;
};

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A node that is to be cut or made a leaf.
struct PendingNode {
  NodeTotals totals;
  std::vector<ColumnRange> columns;  // those that are not constant in it
  RowRange rows;                     // in the list of rows, which sparse points have
  int depth = 0;
  std::int32_t parent = -1;  // set in a right child alone
};

struct GrownNode {
  TreeNode node;
  std::int32_t task = -1;  // a subtree that is grown apart
};

// Part of a tree, in preorder.
struct GrownPart {
  std::vector<GrownNode> nodes;
  std::vector<double> values;
  std::vector<PendingNode> tasks;
};

// Space of one thread.
struct GrowthScratch {
  std::unique_ptr<ColumnScan> scan;
  std::vector<ColumnEntry> entries;
  std::vector<std::uint32_t> codes;
  std::vector<std::size_t> drawn;
};

class Growth {
 public:
  Growth(const Points& points, const SortedColumns& sorted, const TreeRows& rows,
         const GrowthRules& rules, const RunContext& run, Rng* rng)
      : points_(points),
        sorted_(sorted),
        rows_(rows),
        rules_(rules),
        run_(run),
        rng_(rng),
        table_(rules.impurity == TreeImpurity::entropy && rows.classes > 0 ? entropy_table(rows)
                                                                           : std::vector<double>{}),
        side_(static_cast<std::size_t>(rows.rows()), 0) {}

  DecisionTree grow();

 private:
  std::unique_ptr<ColumnScan> new_scan() const {
    return make_column_scan(rules_.impurity, rows_, rules_.min_leaf, table_);
  }
  std::size_t outputs() const { return static_cast<std::size_t>(std::max(1, rows_.classes)); }

  PendingNode root();
  void copy_lists(PendingNode& root);
  NodeTotals empty_totals() const;
  void count(NodeTotals& totals, std::uint32_t code) const;
  void finish_classes(NodeTotals& totals) const;
  template <class Codes>
  void finish_mean(NodeTotals& totals, const Codes& codes) const;

  void grow_part(PendingNode start, std::int64_t apart, GrownPart& part);
  std::int32_t add_node(const PendingNode& node, GrownPart& part) const;
  bool may_split(const PendingNode& node) const;
  Cut find_cut(const PendingNode& node, GrowthScratch& scratch, bool alone);
  ColumnPart part_of(const PendingNode& node, const ColumnRange& range) const;
  const std::vector<std::size_t>& draw_columns(const PendingNode& node, GrowthScratch& scratch);
  double threshold_of(const PendingNode& node, const Cut& cut) const;
  std::pair<PendingNode, PendingNode> children_of(const PendingNode& node, const Cut& cut,
                                                  GrowthScratch& scratch);
  void mark_sides(const PendingNode& node, const ColumnRange& range, const Cut& cut);
  void total_children(const ColumnRange& range, const Cut& cut, PendingNode& left,
                      PendingNode& right) const;
  void part_rows(const PendingNode& node, PendingNode& left, PendingNode& right,
                 GrowthScratch& scratch);
  void part_columns(const PendingNode& node, PendingNode& left, PendingNode& right,
                    GrowthScratch& scratch, bool alone);
  std::size_t part_list(const ColumnRange& range, bool keep_left, bool keep_right,
                        std::vector<ColumnEntry>& spare);
  bool constant(const ColumnRange& range, std::int64_t rows) const;
  DecisionTree join(GrownPart& top, std::vector<GrownPart>& parts) const;

  const Points& points_;
  const SortedColumns& sorted_;
  const TreeRows& rows_;
  GrowthRules rules_;
  const RunContext& run_;
  Rng* rng_;
  std::vector<double> table_;
  std::vector<std::uint8_t> side_;       // by row: 1 goes right
  std::vector<ColumnEntry> lists_;       // of all columns
  std::vector<std::uint32_t> row_list_;  // codes of a node's rows, for sparse points
};

NodeTotals Growth::empty_totals() const {
  NodeTotals totals;
  totals.class_weight.assign(static_cast<std::size_t>(rows_.classes), 0.0);
  return totals;
}

void Growth::count(NodeTotals& totals, std::uint32_t code) const {
  const std::uint32_t row = rows_.row_of(code);
  const double w = rows_.weight_of(row);
  totals.weight += w;
  totals.size += std::max(1.0, w);
  ++totals.rows;
  if (rows_.classes > 0)
    totals.class_weight[static_cast<std::size_t>(rows_.class_of(code))] += w;
  else
    totals.mean += w * rows_.values[row];
}

void Growth::finish_classes(NodeTotals& totals) const {
  const auto& w = totals.class_weight;
  totals.risk = totals.weight - *std::ranges::max_element(w);
  totals.impurity = class_impurity(rules_.impurity, w, totals.weight);
  totals.pure = std::ranges::count_if(w, [](double x) { return x > 0.0; }) <= 1;
}

// The mean first, then the squares about it.
template <class Codes>
void Growth::finish_mean(NodeTotals& totals, const Codes& codes) const {
  totals.mean /= totals.weight;
  double first = 0.0;
  bool any = false;
  codes([&](std::uint32_t row) {
    const double y = rows_.values[row];
    if (!any) first = y;
    any = true;
    if (y != first) totals.pure = false;
    totals.risk += rows_.weight_of(row) * (y - totals.mean) * (y - totals.mean);
  });
  if (totals.pure) totals.mean = first;
  if (totals.pure) totals.risk = 0.0;
  totals.impurity = totals.risk;
}

PendingNode Growth::root() {
  PendingNode root;
  root.totals = empty_totals();
  const auto each = [&](auto&& body) {
    for (const std::uint32_t code : rows_.code_of)
      if (rows_.weight_of(rows_.row_of(code)) > 0.0) body(code);
  };
  each([&](std::uint32_t code) { count(root.totals, code); });
  if (rows_.classes > 0)
    finish_classes(root.totals);
  else
    finish_mean(root.totals, each);
  if (sorted_.is_sparse()) each([&](std::uint32_t code) { row_list_.push_back(code); });
  root.rows = {0, row_list_.size()};
  if (may_split(root)) copy_lists(root);
  return root;
}

// The sorted columns without rows of weight 0, ranks with codes.
void Growth::copy_lists(PendingNode& root) {
  const std::int64_t columns = sorted_.columns();
  std::vector<ColumnRange> ranges(static_cast<std::size_t>(columns));
  std::size_t place = 0;
  for (std::int64_t c = 0; c < columns; ++c) {
    ranges[static_cast<std::size_t>(c)] = {static_cast<std::int32_t>(c), place, place};
    place += sorted_.column(c).size();
  }
  lists_.resize(place);
  const bool all = root.totals.rows == rows_.rows();
  const int threads = rng_ != nullptr ? 1 : run_.thread_count();
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
    if (!constant(range, root.totals.rows)) root.columns.push_back(range);
}

bool Growth::constant(const ColumnRange& range, std::int64_t rows) const {
  if (range.begin == range.end) return true;
  if (static_cast<std::int64_t>(range.end - range.begin) < rows) return false;
  return lists_[range.begin].rank == lists_[range.end - 1].rank;
}

bool Growth::may_split(const PendingNode& node) const {
  return !node.totals.pure && (rules_.depth == 0 || node.depth < rules_.depth) &&
         node.totals.size >= rules_.min_split && node.totals.size >= 2.0 * rules_.min_leaf;
}

std::int32_t Growth::add_node(const PendingNode& node, GrownPart& part) const {
  const auto index = static_cast<std::int32_t>(part.nodes.size());
  if (node.parent >= 0) part.nodes[static_cast<std::size_t>(node.parent)].node.right = index;
  GrownNode grown;
  grown.node.weight = node.totals.weight;
  grown.node.risk = node.totals.risk;
  part.nodes.push_back(grown);
  if (rows_.classes == 0) part.values.push_back(node.totals.mean);
  for (const double w : node.totals.class_weight) part.values.push_back(w / node.totals.weight);
  return index;
}

void Growth::grow_part(PendingNode start, std::int64_t apart, GrownPart& part) {
  GrowthScratch scratch;
  scratch.scan = new_scan();
  std::vector<PendingNode> stack;
  start.parent = -1;
  stack.push_back(std::move(start));
  while (!stack.empty()) {
    const PendingNode node = std::move(stack.back());
    stack.pop_back();
    const std::int32_t index = add_node(node, part);
    if (node.columns.empty() || !may_split(node) || run_.should_stop()) continue;
    if (node.totals.rows <= apart) {
      part.nodes.back().task = static_cast<std::int32_t>(part.tasks.size());
      part.tasks.push_back(node);
      continue;
    }
    const bool alone = apart == 0;
    const Cut cut = find_cut(node, scratch, alone);
    if (!cut.found()) continue;
    TreeNode& made = part.nodes.back().node;
    made.column = cut.column;
    made.threshold = threshold_of(node, cut);
    made.gain = scratch.scan->gain(node.totals, cut.score);
    auto [left, right] = children_of(node, cut, scratch);
    part_columns(node, left, right, scratch, alone);
    right.parent = index;
    stack.push_back(std::move(right));
    stack.push_back(std::move(left));
  }
}

ColumnPart Growth::part_of(const PendingNode& node, const ColumnRange& range) const {
  ColumnPart part;
  part.entries = std::span(lists_).subspan(range.begin, range.end - range.begin);
  part.zeros = node.totals.rows - static_cast<std::int64_t>(part.entries.size());
  if (part.zeros > 0)
    part.zeros_at = std::ranges::lower_bound(part.entries, sorted_.zero_rank(range.column), {},
                                             &ColumnEntry::rank) -
                    part.entries.begin();
  return part;
}

// Places in node.columns, ascending.
const std::vector<std::size_t>& Growth::draw_columns(const PendingNode& node,
                                                     GrowthScratch& scratch) {
  auto& drawn = scratch.drawn;
  drawn.resize(node.columns.size());
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  const auto wanted = static_cast<std::size_t>(rules_.tried);
  if (rng_ == nullptr || wanted == 0 || wanted >= drawn.size()) return drawn;
  for (std::size_t i = 0; i < wanted; ++i)
    std::swap(drawn[i], drawn[i + rng_->below(drawn.size() - i)]);
  drawn.resize(wanted);
  std::ranges::sort(drawn);
  return drawn;
}

Cut Growth::find_cut(const PendingNode& node, GrowthScratch& scratch, bool alone) {
  const auto& tried = draw_columns(node, scratch);
  if (alone) {
    Cut best;
    for (const std::size_t i : tried)
      scratch.scan->scan(node.totals, part_of(node, node.columns[i]), node.columns[i].column, best);
    return best;
  }
  std::vector<Cut> cuts(tried.size());
  parallel_blocks(
      static_cast<std::int64_t>(tried.size()), run_.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        const auto scan = new_scan();
        for (std::int64_t t = begin; t < end; ++t) {
          const ColumnRange& range = node.columns[tried[static_cast<std::size_t>(t)]];
          scan->scan(node.totals, part_of(node, range), range.column,
                     cuts[static_cast<std::size_t>(t)]);
        }
      },
      1);
  Cut best;
  const double margin = scratch.scan->margin(node.totals);
  for (const Cut& cut : cuts)
    if (cut.found() && cut.score > best.score + margin) best = cut;
  return best;
}

// Halfway between the two values, and never so high that the upper one would go left.
double Growth::threshold_of(const PendingNode& node, const Cut& cut) const {
  const auto range = *std::ranges::find(node.columns, cut.column, &ColumnRange::column);
  const ColumnPart part = part_of(node, range);
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

void Growth::mark_sides(const PendingNode& node, const ColumnRange& range, const Cut& cut) {
  const ColumnPart part = part_of(node, range);
  if (part.zeros > 0)
    for (std::size_t i = node.rows.begin; i < node.rows.end; ++i)
      side_[rows_.row_of(row_list_[i])] = cut.zeros_left ? 0 : 1;
  for (std::size_t i = 0; i < part.entries.size(); ++i)
    side_[rows_.row_of(part.entries[i].code)] = i >= static_cast<std::size_t>(cut.left) ? 1 : 0;
}

// The rows of a side stand together: in the list of rows, or in that of the column that is cut.
void Growth::total_children(const ColumnRange& range, const Cut& cut, PendingNode& left,
                            PendingNode& right) const {
  const auto total = [this](PendingNode& child, std::size_t begin, std::size_t end,
                            const auto& code_at) {
    const auto each = [&](auto&& body) {
      for (std::size_t i = begin; i < end; ++i) body(code_at(i));
    };
    child.totals = empty_totals();
    each([&](std::uint32_t code) { count(child.totals, code); });
    if (rows_.classes > 0)
      finish_classes(child.totals);
    else
      finish_mean(child.totals, each);
  };
  if (sorted_.is_sparse()) {
    const auto code_at = [this](std::size_t i) { return row_list_[i]; };
    total(left, left.rows.begin, left.rows.end, code_at);
    total(right, right.rows.begin, right.rows.end, code_at);
  } else {
    const auto code_at = [this](std::size_t i) { return lists_[i].code; };
    const std::size_t middle = range.begin + static_cast<std::size_t>(cut.left);
    total(left, range.begin, middle, code_at);
    total(right, middle, range.end, code_at);
  }
}

std::pair<PendingNode, PendingNode> Growth::children_of(const PendingNode& node, const Cut& cut,
                                                        GrowthScratch& scratch) {
  const auto range = *std::ranges::find(node.columns, cut.column, &ColumnRange::column);
  mark_sides(node, range, cut);
  std::pair<PendingNode, PendingNode> children;
  auto& [left, right] = children;
  part_rows(node, left, right, scratch);
  total_children(range, cut, left, right);
  left.depth = right.depth = node.depth + 1;
  return children;
}

void Growth::part_rows(const PendingNode& node, PendingNode& left, PendingNode& right,
                       GrowthScratch& scratch) {
  if (!sorted_.is_sparse()) return;
  scratch.codes.clear();
  std::size_t end = node.rows.begin;
  for (std::size_t i = node.rows.begin; i < node.rows.end; ++i) {
    const std::uint32_t code = row_list_[i];
    if (side_[rows_.row_of(code)] != 0)
      scratch.codes.push_back(code);
    else
      row_list_[end++] = code;
  }
  std::ranges::copy(scratch.codes, row_list_.begin() + static_cast<std::ptrdiff_t>(end));
  left.rows = {node.rows.begin, end};
  right.rows = {end, node.rows.end};
}

// Parts one list by the sides of its rows, order kept; a side that is not kept is lost. Returns
// where the right part begins, or, of a list of one side, its end.
std::size_t Growth::part_list(const ColumnRange& range, bool keep_left, bool keep_right,
                              std::vector<ColumnEntry>& spare) {
  ColumnEntry* const list = lists_.data();
  const int bits = rows_.kind_bits;
  const std::uint8_t* const side = side_.data();
  std::size_t end = range.begin;
  if (keep_left && keep_right) {
    if (spare.size() < range.end - range.begin) spare.resize(range.end - range.begin);
    ColumnEntry* const right = spare.data();
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
  const std::size_t kept = keep_left ? 0 : 1;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const ColumnEntry entry = list[i];
    list[end] = entry;
    end += side[entry.code >> bits] == kept ? 1U : 0U;
  }
  return end;
}

void Growth::part_columns(const PendingNode& node, PendingNode& left, PendingNode& right,
                          GrowthScratch& scratch, bool alone) {
  const bool keep_left = may_split(left);
  const bool keep_right = may_split(right);
  if (!keep_left && !keep_right) return;
  std::vector<std::size_t> middle(node.columns.size());
  const auto part_one = [&](std::size_t i, std::vector<ColumnEntry>& spare) {
    middle[i] = part_list(node.columns[i], keep_left, keep_right, spare);
  };
  if (alone) {
    for (std::size_t i = 0; i < middle.size(); ++i) part_one(i, scratch.entries);
  } else {
    parallel_blocks(
        static_cast<std::int64_t>(middle.size()), run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          std::vector<ColumnEntry> spare;
          for (std::int64_t i = begin; i < end; ++i) part_one(static_cast<std::size_t>(i), spare);
        },
        1);
  }
  const auto keep = [&](PendingNode& child, const ColumnRange& range) {
    if (!constant(range, child.totals.rows)) child.columns.push_back(range);
  };
  if (keep_left) left.columns.reserve(middle.size());
  if (keep_right) right.columns.reserve(middle.size());
  for (std::size_t i = 0; i < middle.size(); ++i) {
    const auto [column, begin, end] = node.columns[i];
    if (keep_left) keep(left, {column, begin, middle[i]});
    if (keep_right)
      keep(right,
           keep_left ? ColumnRange{column, middle[i], end} : ColumnRange{column, begin, middle[i]});
  }
}

DecisionTree Growth::join(GrownPart& top, std::vector<GrownPart>& parts) const {
  const std::size_t width = outputs();
  DecisionTree tree;
  tree.columns = points_.columns();
  std::vector<double> values;
  std::vector<std::int32_t> place(top.nodes.size());
  for (std::size_t i = 0; i < top.nodes.size(); ++i) {
    const auto base = static_cast<std::int32_t>(tree.nodes.size());
    place[i] = base;
    const GrownNode& grown = top.nodes[i];
    if (grown.task < 0) {
      tree.nodes.push_back(grown.node);
      values.insert(values.end(), top.values.begin() + static_cast<std::ptrdiff_t>(i * width),
                    top.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      continue;
    }
    GrownPart& part = parts[static_cast<std::size_t>(grown.task)];
    for (const GrownNode& inner : part.nodes) {
      tree.nodes.push_back(inner.node);
      if (inner.node.column >= 0) tree.nodes.back().right += base;
    }
    values.insert(values.end(), part.values.begin(), part.values.end());
    part = {};
  }
  for (std::size_t i = 0; i < top.nodes.size(); ++i)
    if (top.nodes[i].node.column >= 0)
      tree.nodes[static_cast<std::size_t>(place[i])].right =
          place[static_cast<std::size_t>(top.nodes[i].node.right)];
  const auto nodes = static_cast<std::int64_t>(tree.nodes.size());
  tree.values = Block(nodes, static_cast<std::int64_t>(width), std::move(values));
  return tree;
}

DecisionTree Growth::grow() {
  PendingNode start = root();
  constexpr std::int64_t small_tree = 4096;
  const std::int64_t rows = start.totals.rows;
  // Depends on the rows alone, so that any number of threads grows the same parts.
  const std::int64_t apart = rng_ != nullptr || rows <= small_tree ? 0 : rows / 8;
  GrownPart top;
  grow_part(std::move(start), apart, top);
  std::vector<GrownPart> parts(top.tasks.size());
  parallel_blocks(
      static_cast<std::int64_t>(parts.size()), run_.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
          grow_part(std::move(top.tasks[static_cast<std::size_t>(t)]), 0,
                    parts[static_cast<std::size_t>(t)]);
      },
      1);
  return join(top, parts);
}

}  // namespace

DecisionTree grow_tree(const Points& points, const SortedColumns& sorted, const TreeRows& rows,
                       const GrowthRules& rules, const RunContext& run, Rng* rng) {
  return Growth(points, sorted, rows, rules, run, rng).grow();
}

}  // namespace gssl::detail
