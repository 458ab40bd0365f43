#include "batch/tree/tree_growth.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "batch/tree/node_lists.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// A node that is to be cut or made a leaf.
struct PendingNode {
  NodeTotals totals;
  NodeStretch stretch;
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
  PartingSpace space;
  std::vector<std::size_t> drawn;
};

class Growth {
 public:
  Growth(const Points& points, const SortedColumns& sorted, const TreeRows& rows,
         const GrowthRules& rules, const RunContext& run, Rng* rng)
      : columns_(points.columns()),
        rows_(rows),
        rules_(rules),
        run_(run),
        rng_(rng),
        table_(rules.impurity == TreeImpurity::entropy && rows.classes > 0 ? entropy_table(rows)
                                                                           : std::vector<double>{}),
        lists_(points, sorted, rows) {}

  DecisionTree grow();

 private:
  std::unique_ptr<ColumnScan> new_scan() const {
    return make_column_scan(rules_.impurity, rows_, rules_.min_leaf, table_);
  }
  std::size_t outputs() const { return static_cast<std::size_t>(std::max(1, rows_.classes)); }

  PendingNode root();
  template <class Codes>
  NodeTotals totals_of(const Codes& codes) const;
  void count(NodeTotals& totals, std::uint32_t code) const;
  void finish_classes(NodeTotals& totals) const;
  template <class Codes>
  void finish_mean(NodeTotals& totals, const Codes& codes) const;

  void grow_part(PendingNode start, std::int64_t apart, GrownPart& part);
  std::int32_t add_node(const PendingNode& node, GrownPart& part) const;
  bool may_split(const PendingNode& node) const;
  Cut find_cut(const PendingNode& node, GrowthScratch& scratch, bool alone);
  const std::vector<std::size_t>& draw_columns(const PendingNode& node, GrowthScratch& scratch);
  std::pair<PendingNode, PendingNode> children_of(const PendingNode& node, const Cut& cut,
                                                  GrowthScratch& scratch);
  void part_columns(const PendingNode& node, PendingNode& left, PendingNode& right,
                    GrowthScratch& scratch, bool alone);
  DecisionTree join(GrownPart& top, std::vector<GrownPart>& parts) const;

  std::int64_t columns_;
  const TreeRows& rows_;
  GrowthRules rules_;
  const RunContext& run_;
  Rng* rng_;
  std::vector<double> table_;
  NodeLists lists_;
};

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

// codes(body) calls body(code) for each row.
template <class Codes>
NodeTotals Growth::totals_of(const Codes& codes) const {
  NodeTotals totals;
  totals.class_weight.assign(static_cast<std::size_t>(rows_.classes), 0.0);
  codes([&](std::uint32_t code) { count(totals, code); });
  if (rows_.classes > 0)
    finish_classes(totals);
  else
    finish_mean(totals, codes);
  return totals;
}

PendingNode Growth::root() {
  PendingNode root;
  root.totals = totals_of([&](auto&& body) {
    for (const std::uint32_t code : rows_.code_of)
      if (rows_.weight_of(rows_.row_of(code)) > 0.0) body(code);
  });
  if (!std::isfinite(root.totals.risk))
    throw Error(ErrorCode::bad_data,
                "tree: targets whose squares overflow: divide them by their largest value");
  root.stretch = lists_.root(root.totals.rows);
  if (may_split(root)) lists_.copy_columns(root.stretch, rng_ != nullptr ? 1 : run_.thread_count());
  return root;
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
    if (node.stretch.columns.empty() || !may_split(node) || run_.should_stop()) continue;
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
    made.threshold = lists_.threshold_of(node.stretch, cut);
    made.gain = scratch.scan->gain(node.totals, cut.score);
    auto [left, right] = children_of(node, cut, scratch);
    part_columns(node, left, right, scratch, alone);
    right.parent = index;
    stack.push_back(std::move(right));
    stack.push_back(std::move(left));
  }
}

// Places in the node's columns, ascending.
const std::vector<std::size_t>& Growth::draw_columns(const PendingNode& node,
                                                     GrowthScratch& scratch) {
  auto& drawn = scratch.drawn;
  drawn.resize(node.stretch.columns.size());
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
  const auto scan_one = [&](ColumnScan& scan, std::size_t i, Cut& best) {
    const ColumnRange& range = node.stretch.columns[i];
    scan.scan(node.totals, lists_.part_of(node.stretch, range), range.column, best);
  };
  if (alone) {
    Cut best;
    for (const std::size_t i : tried) scan_one(*scratch.scan, i, best);
    return best;
  }
  std::vector<Cut> cuts(tried.size());
  parallel_blocks(
      static_cast<std::int64_t>(tried.size()), run_.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        const auto scan = new_scan();
        for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t)
          scan_one(*scan, tried[t], cuts[t]);
      },
      1);
  Cut best;
  const double margin = scratch.scan->margin(node.totals);
  for (const Cut& cut : cuts)
    if (cut.found() && cut.score > best.score + margin) best = cut;
  return best;
}

std::pair<PendingNode, PendingNode> Growth::children_of(const PendingNode& node, const Cut& cut,
                                                        GrowthScratch& scratch) {
  PendingNode left, right;
  std::tie(left.stretch, right.stretch) = lists_.part_rows(node.stretch, cut, scratch.space);
  const auto total = [&](PendingNode& child, bool is_right) {
    child.totals = totals_of(
        [&](auto&& body) { lists_.for_side(node.stretch, cut, child.stretch, is_right, body); });
    child.stretch.size = child.totals.rows;
    child.depth = node.depth + 1;
  };
  total(left, false);
  total(right, true);
  return {std::move(left), std::move(right)};
}

void Growth::part_columns(const PendingNode& node, PendingNode& left, PendingNode& right,
                          GrowthScratch& scratch, bool alone) {
  const KeptSides kept{may_split(left), may_split(right)};
  if (!kept.left && !kept.right) return;
  const auto& columns = node.stretch.columns;
  std::vector<std::size_t> middle(columns.size());
  if (alone) {
    for (std::size_t i = 0; i < middle.size(); ++i)
      middle[i] = lists_.part_column(columns[i], kept, scratch.space);
  } else {
    parallel_blocks(
        static_cast<std::int64_t>(middle.size()), run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          PartingSpace space;
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            middle[i] = lists_.part_column(columns[i], kept, space);
        },
        1);
  }
  lists_.share_columns(node.stretch, middle, kept, left.stretch, right.stretch);
}

DecisionTree Growth::join(GrownPart& top, std::vector<GrownPart>& parts) const {
  const std::size_t width = outputs();
  DecisionTree tree;
  tree.columns = columns_;
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
