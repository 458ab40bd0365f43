#include "gssl/data/column_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/encoding/spelling.hpp"
#include "data/encoding/table_rows.hpp"

namespace gssl {
namespace {

using detail::weight_of;

constexpr std::int64_t most_columns = std::numeric_limits<std::int32_t>::max();
// Fewer columns than this are kept, used or not.
constexpr std::int64_t many_columns = 100'000;

// The value with half of the weight on each side; the mean of two where a gap is the middle.
double weighted_median(std::vector<std::pair<double, double>> rows) {
  std::ranges::sort(rows);
  double total = 0.0;
  for (const auto& [value, weight] : rows) total += weight;
  double below = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    below += rows[i].second;
    if (2.0 * below == total && i + 1 < rows.size())
      return std::midpoint(rows[i].first, rows[i + 1].first);
    if (2.0 * below >= total) return rows[i].first;
  }
  return 0.0;  // nothing to learn from
}

double median_of(const auto& value_at, std::size_t rows, std::span<const double> weights) {
  std::vector<std::pair<double, double>> known;
  for (std::size_t r = 0; r < rows; ++r) {
    const double value = value_at(r);
    if (!std::isnan(value) && weight_of(weights, r) > 0.0)
      known.emplace_back(value, weight_of(weights, r));
  }
  return weighted_median(std::move(known));
}

// Columns that have a value in a row, ascending; empty where these are more than half of all, or there
// are not many.
std::vector<std::int64_t> occurring_columns(const Points& points) {
  const std::int64_t all = points.columns();
  if (!points.is_sparse() || all < many_columns) return {};
  const std::span<const std::int32_t> ids = points.column_ids();
  if (all / 64 > std::ssize(ids)) {
    std::vector<std::int64_t> columns(ids.begin(), ids.end());
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }
  std::vector<bool> has(static_cast<std::size_t>(all));
  for (const std::int32_t c : ids) has[static_cast<std::size_t>(c)] = true;
  std::vector<std::int64_t> columns;
  if (2 * std::ranges::count(has, true) > all) return columns;
  for (std::int64_t c = 0; c < all; ++c)
    if (has[static_cast<std::size_t>(c)]) columns.push_back(c);
  return columns;
}

// The words of rows that count, sorted, with the most frequent.
struct Words {
  std::vector<std::string> known;
  std::int32_t mode = 0;
};

Words words_of(const FeatureColumn& column, std::span<const double> weights) {
  std::vector<double> weight(column.words.size(), 0.0);
  for (std::size_t r = 0; r < column.word_of.size(); ++r)
    if (column.word_of[r] >= 0)
      weight[static_cast<std::size_t>(column.word_of[r])] += weight_of(weights, r);
  Words words;
  double largest = 0.0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (weight[i] == 0.0) continue;
    if (weight[i] > largest) {
      largest = weight[i];
      words.mode = static_cast<std::int32_t>(words.known.size());
    }
    words.known.push_back(column.words[i]);
  }
  return words;
}

bool lacks_a_cell(const FeatureColumn& column, std::span<const double> weights) {
  const std::size_t rows = column.of_words ? column.word_of.size() : column.numbers.size();
  for (std::size_t r = 0; r < rows; ++r) {
    const bool missing = column.of_words ? column.word_of[r] < 0 : std::isnan(column.numbers[r]);
    if (missing && weight_of(weights, r) > 0.0) return true;
  }
  return false;
}

}  // namespace

ColumnEncoding ColumnEncoding::fit(const FeatureTable& table, const EncodingOptions& options,
                                   std::span<const double> weights) {
  ColumnEncoding encoding;
  encoding.columns_ = table.column_count();
  encoding.names_ = table.names;
  encoding.by_index_ = table.by_index;
  if (table.by_index) encoding.occurring_ = occurring_columns(table.points);
  if (encoding.columns_ == 0 && !table.by_index)
    detail::refuse_table("table: no columns to learn from");
  for (const FeatureColumn& column : table.columns) {
    Rule rule{.of_words = column.of_words, .marks_missing = lacks_a_cell(column, weights)};
    if (column.of_words) {
      Words words = words_of(column, weights);
      rule.words = std::move(words.known);
      rule.mode = words.mode;
    } else {
      rule.median = median_of([&](std::size_t r) { return column.numbers[r]; },
                              column.numbers.size(), weights);
    }
    encoding.rules_.push_back(std::move(rule));
  }
  if (options.spell && std::ranges::any_of(table.columns, &FeatureColumn::of_words)) {
    if (encoding.columns_ != 1)
      detail::refuse_table("table: " + std::to_string(encoding.columns_) +
                           " columns: a kernel of strings takes one column of words; leave the "
                           "others out");
    encoding.rules_.clear();
    encoding.longest_ = std::max<std::int64_t>(1, detail::longest_of(table.columns[0]));
    return encoding;
  }
  if (table.columns.empty() && table.from_text && !table.points.is_sparse())
    for (std::int64_t c = 0; c < encoding.columns_; ++c)
      encoding.rules_.push_back(
          {.median = median_of(
               [&](std::size_t r) { return table.points.value(static_cast<VertexId>(r), c); },
               static_cast<std::size_t>(table.points.rows()), weights)});
  if (encoding.encoded_columns() > most_columns)
    detail::refuse_table("table: " + std::to_string(encoding.encoded_columns()) +
                         " columns when each word has one; leave columns with too many words out");
  if (options.standardize) encoding.learn_scale(encoding.encode(table), weights);
  return encoding;
}

std::int64_t ColumnEncoding::encoded_columns() const {
  if (spells()) return longest_;
  if (!occurring_.empty()) return std::ssize(occurring_);
  if (rules_.empty()) return columns_;
  return std::accumulate(rules_.begin(), rules_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Rule& rule) { return sum + rule.width(); });
}

std::vector<std::int64_t> ColumnEncoding::word_columns() const {
  if (spells()) return {0};
  std::vector<std::int64_t> found;
  for (std::size_t c = 0; c < rules_.size(); ++c)
    if (rules_[c].of_words) found.push_back(static_cast<std::int64_t>(c));
  return found;
}

std::vector<bool> ColumnEncoding::is_number() const {
  if (rules_.empty()) return std::vector<bool>(static_cast<std::size_t>(encoded_columns()), true);
  std::vector<bool> number;
  for (const Rule& rule : rules_) {
    const std::size_t begin = number.size();
    number.resize(begin + static_cast<std::size_t>(rule.width()), false);
    if (!rule.of_words) number[begin] = true;
  }
  return number;
}

std::vector<std::string> ColumnEncoding::encoded_names() const {
  const bool renamed =
      std::ranges::any_of(rules_, [](const Rule& r) { return r.of_words || r.marks_missing; });
  if (spells()) return {};
  if (!occurring_.empty()) {
    std::vector<std::string> numbers;
    for (const std::int64_t c : occurring_) numbers.push_back(std::to_string(c + 1));
    return numbers;
  }
  if (!renamed) return names_;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < rules_.size(); ++c) {
    const std::string name = names_.empty() ? std::to_string(c + 1) : names_[c];
    const std::string word_of = name + "=";
    for (const std::string& word : rules_[c].words) names.push_back(word_of + word);
    if (!rules_[c].of_words) names.push_back(name);
    if (rules_[c].marks_missing) names.push_back(name + " missing");
  }
  return names;
}

std::vector<std::pair<std::string, std::string>> ColumnEncoding::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  std::int64_t columns_of_words = 0;
  std::int64_t words = 0;
  std::int64_t with_gaps = 0;
  for (const Rule& rule : rules_) {
    columns_of_words += rule.of_words ? 1 : 0;
    words += static_cast<std::int64_t>(rule.words.size());
    with_gaps += rule.marks_missing ? 1 : 0;
  }
  facts.emplace_back("columns", std::to_string(columns_));
  if (spells())
    facts.emplace_back("spelled", "words, symbol by symbol; the longest of training has " +
                                      std::to_string(longest_));
  if (columns_of_words > 0)
    facts.emplace_back("columns of words", std::to_string(columns_of_words) + " (" +
                                               std::to_string(words) + " words, a column each)");
  if (with_gaps > 0)
    facts.emplace_back("columns with gaps",
                       std::to_string(with_gaps) +
                           " (median or most frequent word, and a column that marks them)");
  if (!spells() && encoded_columns() != columns_)
    facts.emplace_back("encoded columns", std::to_string(encoded_columns()));
  facts.emplace_back("standardized", scale_.empty()  ? "no"
                                     : mean_.empty() ? "yes (sd 1; sparse rows are not moved)"
                                                     : "yes (mean 0, sd 1)");
  return facts;
}

}  // namespace gssl
