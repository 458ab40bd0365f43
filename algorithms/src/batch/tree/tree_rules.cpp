#include "batch/tree/tree_rules.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

// low < x ≤ high of one column.
struct Range {
  std::int64_t column;
  double low = -no_limit;
  double high = no_limit;

  std::string text(const std::string& name) const {
    std::string all = high < no_limit ? name + " <= " + to_text(high) : name;
    if (low > -no_limit)
      all = high < no_limit ? to_text(low) + " < " + all : all + " > " + to_text(low);
    return all;
  }
};

class Rules {
 public:
  Rules(const TreeTable& table, const ModelNames& names)
      : table_(table), names_(names), leaves_(table.leaves()), parents_(table.parents()) {}

  std::int64_t count() const { return std::ssize(leaves_); }

  std::vector<ModelCell> row(std::int64_t r) const {
    const TreeTable::Leaf leaf = leaves_[index(r)];
    const auto answer = table_.answer_of_leaf(leaf.node);
    std::vector<ModelCell> cells = {leaf.tree + 1, rule_of(leaf.node)};
    if (names_.classes.empty()) {
      cells.emplace_back(answer.front());
      return cells;
    }
    const auto best = std::ranges::max_element(answer);
    cells.emplace_back(names_.classes[index(best - answer.begin())]);
    cells.emplace_back(*best);
    return cells;
  }

 private:
  std::string rule_of(std::int64_t node) const {
    std::string text;
    for (const Range& range : ranges_of(node))
      text += (text.empty() ? "" : " and ") + range.text(names_.columns[index(range.column)]);
    return text.empty() ? "always" : text;
  }

  // From the root on: a column stands where it is cut first.
  std::vector<Range> ranges_of(std::int64_t node) const {
    std::vector<std::int64_t> way;
    for (std::int64_t at = node; at >= 0; at = parents_[index(at)]) way.push_back(at);
    std::ranges::reverse(way);
    std::vector<Range> ranges;
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      const std::int64_t column = table_.column_of(way[i]);
      const double threshold = table_.threshold_of(way[i]);
      auto range = std::ranges::find(ranges, column, &Range::column);
      if (range == ranges.end()) range = ranges.insert(range, {.column = column});
      if (way[i + 1] == way[i] + 1)
        range->high = std::min(range->high, threshold);
      else
        range->low = std::max(range->low, threshold);
    }
    return ranges;
  }

  const TreeTable& table_;
  ModelNames names_;
  std::vector<TreeTable::Leaf> leaves_;
  std::vector<std::int32_t> parents_;
};

}  // namespace

ModelPart rules_part(const TreeTable& table, const ModelNames& names) {
  const auto rules = std::make_shared<const Rules>(table, names);
  ModelPart part{.name = "rules",
                 .headings = {"tree", "rule", "value"},
                 .rows = rules->count(),
                 .row = [rules](std::int64_t r) { return rules->row(r); }};
  if (!names.classes.empty()) part.headings = {"tree", "rule", "class", "score"};
  return part;
}

}  // namespace gssl::detail
