#include "gssl/data/column_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

constexpr std::int64_t most_columns = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::bad_data, what); }

double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

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

bool distinct(std::vector<std::string> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

// "column 3", "column age"
std::string called(const std::string& name) { return "column " + name; }

// Encoded rows, dense or sparse, built cell by cell with columns ascending.
class RowBuilder {
 public:
  RowBuilder(std::int64_t rows, std::int64_t columns, bool sparse)
      : rows_(rows), columns_(columns), sparse_(sparse) {
    if (!sparse) values_.assign(static_cast<std::size_t>(rows * columns), 0.0);
  }

  void put(std::int64_t row, std::int64_t column, double value) {
    if (!sparse_) {
      values_[static_cast<std::size_t>(row * columns_ + column)] = value;
    } else if (value != 0.0) {
      values_.push_back(value);
      ids_.push_back(static_cast<std::int32_t>(column));
    }
  }
  void end_row() { offsets_.push_back(static_cast<std::int64_t>(values_.size())); }

  Points points() && {
    return sparse_ ? Points::sparse(rows_, columns_, std::move(offsets_), std::move(ids_),
                                    std::move(values_))
                   : Points::dense(rows_, columns_, std::move(values_));
  }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  bool sparse_;
  std::vector<double> values_;
  std::vector<std::int32_t> ids_;
  std::vector<std::int64_t> offsets_ = {0};
};

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

// A word's place among those of the training rows, −1 where it is none of them.
std::int32_t place_of(const std::string& word, const std::vector<std::string>& known) {
  const auto found = std::ranges::lower_bound(known, word);
  const bool is_known = found != known.end() && *found == word;
  return is_known ? static_cast<std::int32_t>(found - known.begin()) : -1;
}

std::vector<std::int32_t> places_of(const std::vector<std::string>& words,
                                    const std::vector<std::string>& known) {
  std::vector<std::int32_t> places;
  for (const std::string& word : words) places.push_back(place_of(word, known));
  return places;
}

}  // namespace

ColumnEncoding ColumnEncoding::fit(const FeatureTable& table, const EncodingOptions& options,
                                   std::span<const double> weights) {
  ColumnEncoding encoding;
  encoding.columns_ = table.column_count();
  encoding.names_ = table.names;
  encoding.by_index_ = table.by_index;
  if (encoding.columns_ == 0 && !table.by_index) refuse("table: no columns to learn from");
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
  if (table.columns.empty() && table.from_text && !table.points.is_sparse())
    for (std::int64_t c = 0; c < encoding.columns_; ++c)
      encoding.rules_.push_back(
          {.median = median_of(
               [&](std::size_t r) { return table.points.value(static_cast<VertexId>(r), c); },
               static_cast<std::size_t>(table.points.rows()), weights)});
  if (encoding.encoded_columns() > most_columns)
    refuse("table: " + std::to_string(encoding.encoded_columns()) +
           " columns when each word has one; leave columns with too many words out");
  if (options.standardize) encoding.learn_scale(encoding.encode(table), weights);
  return encoding;
}

std::int64_t ColumnEncoding::encoded_columns() const {
  if (rules_.empty()) return columns_;
  return std::accumulate(rules_.begin(), rules_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Rule& rule) { return sum + rule.width(); });
}

std::vector<std::int64_t> ColumnEncoding::word_columns() const {
  std::vector<std::int64_t> found;
  for (std::size_t c = 0; c < rules_.size(); ++c)
    if (rules_[c].of_words) found.push_back(static_cast<std::int64_t>(c));
  return found;
}

std::vector<bool> ColumnEncoding::is_number() const {
  if (rules_.empty()) return std::vector<bool>(static_cast<std::size_t>(columns_), true);
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
  if (!renamed) return names_;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < rules_.size(); ++c) {
    const std::string name = names_.empty() ? std::to_string(c + 1) : names_[c];
    for (const std::string& word : rules_[c].words) names.push_back(name + "=" + word);
    if (!rules_[c].of_words) names.push_back(name);
    if (rules_[c].marks_missing) names.push_back(name + " missing");
  }
  return names;
}

// Where each column of the training table is in this one.
std::vector<std::int64_t> ColumnEncoding::places_in(const FeatureTable& table) const {
  std::vector<std::int64_t> places(static_cast<std::size_t>(columns_));
  std::iota(places.begin(), places.end(), std::int64_t{0});
  const bool by_name =
      !names_.empty() && !table.names.empty() && distinct(names_) && distinct(table.names);
  if (by_name) {
    std::unordered_map<std::string, std::int64_t> place;
    for (std::size_t c = 0; c < table.names.size(); ++c)
      place.emplace(table.names[c], static_cast<std::int64_t>(c));
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const auto found = place.find(names_[c]);
      if (found == place.end())
        refuse("no column '" + names_[c] + "': the model was learned from it; add it");
      places[c] = found->second;
      place.erase(found);
    }
    for (const std::string& name : table.names)
      if (place.contains(name))
        refuse(called("'" + name + "'") +
               ": the model was learned without it; leave it out (with --columns)");
  } else if (table.column_count() != columns_) {
    refuse(std::to_string(table.column_count()) + " columns: the model was learned from " +
           std::to_string(columns_));
  }
  return places;
}

// A table of numbers by index with as many columns as the training table: others are 0, or dropped
// and counted.
Points ColumnEncoding::with_index(const FeatureTable& table, EncodingCounts& counts) const {
  if (table.points.columns() == columns_) return table.points;
  RowBuilder rows(table.points.rows(), columns_, table.points.is_sparse());
  for (VertexId r = 0; r < table.points.rows(); ++r) {
    table.points.visit_row(r, [&](std::int64_t c, double value) {
      if (c < columns_)
        rows.put(r, c, value);
      else if (value != 0.0)
        ++counts.beyond;
    });
    rows.end_row();
  }
  return std::move(rows).points();
}

namespace {

bool identity(const std::vector<std::int64_t>& places) {
  for (std::size_t c = 0; c < places.size(); ++c)
    if (places[c] != static_cast<std::int64_t>(c)) return false;
  return true;
}

// Cells of one column of a table, asked as number or as word whatever they are.
class CellReader {
 public:
  CellReader(const FeatureTable& table, std::int64_t place)
      : table_(table),
        place_(place),
        column_(table.columns.empty() ? nullptr : &table.columns[static_cast<std::size_t>(place)]) {
  }

  // NaN: missing.
  double number(std::int64_t row) const {
    if (column_ == nullptr) return table_.points.value(static_cast<VertexId>(row), place_);
    if (!column_->of_words) return column_->numbers[static_cast<std::size_t>(row)];
    const std::int32_t word = column_->word_of[static_cast<std::size_t>(row)];
    if (word >= 0)
      refuse(called(table_.column_name(place_)) + ": '" +
             column_->words[static_cast<std::size_t>(word)] + "' in row " + std::to_string(row) +
             " (from 0): the model was learned from numbers there");
    return std::numeric_limits<double>::quiet_NaN();
  }

  bool of_words() const { return column_ != nullptr && column_->of_words; }
  const FeatureColumn& words() const { return *column_; }

 private:
  const FeatureTable& table_;
  std::int64_t place_;
  const FeatureColumn* column_;
};

}  // namespace

Points ColumnEncoding::with_rules(const FeatureTable& table,
                                  const std::vector<std::int64_t>& places,
                                  EncodingCounts& counts) const {
  const std::int64_t width = encoded_columns();
  // A value of a sparse row takes 12 bytes, of a dense one 8.
  RowBuilder rows(table.row_count(), width, 12 * (2 * columns_ + 1) < 8 * width);
  std::vector<CellReader> cells;
  std::vector<std::vector<std::int32_t>> places_of_words;  // in those of the training rows
  for (std::size_t c = 0; c < rules_.size(); ++c) {
    cells.emplace_back(table, places[c]);
    places_of_words.push_back(cells[c].of_words() && rules_[c].of_words
                                  ? places_of(cells[c].words().words, rules_[c].words)
                                  : std::vector<std::int32_t>{});
  }
  const auto unseen = [&](std::size_t c, const std::string& word) {
    if (counts.unseen++ == 0)
      counts.first_unseen = called(table.column_name(places[c])) + ": '" + word + "'";
  };
  // The place of the word among those known, −1 for an unseen one, and whether it is missing.
  const auto word_at = [&](std::size_t c, std::int64_t r, bool& missing) {
    if (!cells[c].of_words()) {
      const double number = cells[c].number(r);
      missing = std::isnan(number);
      if (missing) return std::int32_t{-1};
      const std::int32_t place = place_of(to_text(number), rules_[c].words);
      if (place < 0) unseen(c, to_text(number));
      return place;
    }
    const std::int32_t word = cells[c].words().word_of[static_cast<std::size_t>(r)];
    missing = word < 0;
    if (missing) return std::int32_t{-1};
    const std::int32_t place = places_of_words[c][static_cast<std::size_t>(word)];
    if (place < 0) unseen(c, cells[c].words().words[static_cast<std::size_t>(word)]);
    return place;
  };
  for (std::int64_t r = 0; r < table.row_count(); ++r) {
    std::int64_t first = 0;
    for (std::size_t c = 0; c < rules_.size(); ++c) {
      const Rule& rule = rules_[c];
      bool missing = false;
      if (rule.of_words) {
        std::int32_t place = word_at(c, r, missing);
        if (missing && !rule.words.empty()) place = rule.mode;
        if (place >= 0) rows.put(r, first + place, 1.0);
      } else {
        const double number = cells[c].number(r);
        missing = std::isnan(number);
        rows.put(r, first, missing ? rule.median : number);
      }
      if (rule.marks_missing && missing) rows.put(r, first + rule.width() - 1, 1.0);
      counts.missing += missing ? 1 : 0;
      first += rule.width();
    }
    rows.end_row();
  }
  return std::move(rows).points();
}

Points ColumnEncoding::encode(const FeatureTable& table, EncodingCounts* counts) const {
  EncodingCounts unused;
  EncodingCounts& found = counts == nullptr ? unused : *counts;
  if (by_index_ && table.by_index) return scaled(with_index(table, found));
  const std::vector<std::int64_t> places = places_in(table);
  const bool plain = std::ranges::none_of(
      rules_, [](const Rule& rule) { return rule.of_words || rule.marks_missing; });
  if (plain && table.columns.empty() && identity(places)) return scaled(table.points);
  if (!rules_.empty()) return scaled(with_rules(table, places, found));
  // Learned from numbers that cannot be missing: the other rules do not arise.
  ColumnEncoding numbers;
  numbers.columns_ = columns_;
  numbers.rules_.assign(static_cast<std::size_t>(columns_), Rule{});
  EncodingCounts gaps;
  Points points = numbers.with_rules(table, places, gaps);
  if (gaps.missing > 0)
    refuse(std::to_string(gaps.missing) +
           " cells are missing: the model was learned from rows that cannot lack any; fill them");
  return scaled(points);
}

void ColumnEncoding::learn_scale(const Points& encoded, std::span<const double> weights) {
  const auto width = static_cast<std::size_t>(encoded.columns());
  const bool sparse = encoded.is_sparse();
  std::vector<double> sum(width, 0.0);
  std::vector<double> held(width, 0.0);  // weight of the rows that hold the column
  double total = 0.0;
  for (VertexId r = 0; r < encoded.rows(); ++r) {
    const double w = weight_of(weights, static_cast<std::size_t>(r));
    total += w;
    encoded.visit_row(r, [&](std::int64_t c, double x) {
      sum[static_cast<std::size_t>(c)] += w * x;
      held[static_cast<std::size_t>(c)] += w;
    });
  }
  if (total == 0.0) refuse("table: no row counts: nothing to standardize by");
  std::vector<double> mean(width), squares(width);
  for (std::size_t c = 0; c < width; ++c) {
    mean[c] = sum[c] / total;
    squares[c] = (total - held[c]) * mean[c] * mean[c];  // of the zeros that are not held
  }
  for (VertexId r = 0; r < encoded.rows(); ++r)
    encoded.visit_row(r, [&](std::int64_t c, double x) {
      const auto at = static_cast<std::size_t>(c);
      squares[at] +=
          weight_of(weights, static_cast<std::size_t>(r)) * (x - mean[at]) * (x - mean[at]);
    });
  const std::vector<bool> number = is_number();
  scale_.assign(width, 1.0);
  for (std::size_t c = 0; c < width; ++c) {
    const double deviation = std::sqrt(squares[c] / total);
    // A column is constant where its spread is rounding alone.
    const bool varies = deviation > 1e-14 * std::abs(mean[c]);
    if (number[c]) scale_[c] = varies ? 1.0 / deviation : 1.0;
    if (!number[c]) mean[c] = 0.0;
  }
  if (!sparse) mean_ = std::move(mean);
}

Points ColumnEncoding::scaled(const Points& encoded) const {
  if (scale_.empty()) return encoded;
  RowBuilder rows(encoded.rows(), encoded.columns(), encoded.is_sparse() && mean_.empty());
  std::vector<double> whole(mean_.empty() ? 0 : scale_.size());
  for (VertexId r = 0; r < encoded.rows(); ++r) {
    if (mean_.empty()) {
      encoded.visit_row(r, [&](std::int64_t c, double x) {
        rows.put(r, c, x * scale_[static_cast<std::size_t>(c)]);
      });
    } else {
      std::ranges::fill(whole, 0.0);
      encoded.visit_row(r,
                        [&](std::int64_t c, double x) { whole[static_cast<std::size_t>(c)] = x; });
      for (std::size_t c = 0; c < whole.size(); ++c)
        rows.put(r, static_cast<std::int64_t>(c), (whole[c] - mean_[c]) * scale_[c]);
    }
    rows.end_row();
  }
  return std::move(rows).points();
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
  if (columns_of_words > 0)
    facts.emplace_back("columns of words", std::to_string(columns_of_words) + " (" +
                                               std::to_string(words) + " words, a column each)");
  if (with_gaps > 0)
    facts.emplace_back("columns with gaps",
                       std::to_string(with_gaps) +
                           " (median or most frequent word, and a column that marks them)");
  if (encoded_columns() != columns_)
    facts.emplace_back("encoded columns", std::to_string(encoded_columns()));
  facts.emplace_back("standardized", scale_.empty()  ? "no"
                                     : mean_.empty() ? "yes (sd 1; sparse rows are not moved)"
                                                     : "yes (mean 0, sd 1)");
  return facts;
}

void ColumnEncoding::save(Record& record) const {
  record.put("columns", columns_);
  record.put("by_index", std::int64_t{by_index_ ? 1 : 0});
  record.put("names", names_);
  record.put("mean", mean_);
  record.put("scale", scale_);
  std::vector<std::int32_t> kind, marks, mode;
  std::vector<std::int64_t> count;
  std::vector<double> median;
  std::vector<std::string> words;
  for (const Rule& rule : rules_) {
    kind.push_back(rule.of_words ? 1 : 0);
    marks.push_back(rule.marks_missing ? 1 : 0);
    mode.push_back(rule.mode);
    median.push_back(rule.median);
    count.push_back(static_cast<std::int64_t>(rule.words.size()));
    words.insert(words.end(), rule.words.begin(), rule.words.end());
  }
  record.put("of_words", std::move(kind));
  record.put("marks_missing", std::move(marks));
  record.put("mode", std::move(mode));
  record.put("median", std::move(median));
  record.put("word_count", std::move(count));
  record.put("words", words);
}

ColumnEncoding ColumnEncoding::load(const Record& record) {
  const auto damaged = [](const char* what) { refuse(std::string("record: encoding: ") + what); };
  ColumnEncoding encoding;
  encoding.columns_ = record.integer("columns");
  encoding.by_index_ = record.integer("by_index") != 0;
  encoding.names_ = record.texts("names");
  encoding.mean_ = record.reals("mean");
  encoding.scale_ = record.reals("scale");
  const std::vector<std::int32_t>& kind = record.integers("of_words");
  const auto rules = static_cast<std::int64_t>(kind.size());
  const std::vector<std::int32_t>& marks = record.integers("marks_missing", rules);
  const std::vector<std::int32_t>& mode = record.integers("mode", rules);
  const std::vector<double>& median = record.reals("median", rules);
  const std::vector<std::int64_t>& count = record.long_integers("word_count");
  const std::vector<std::string> words = record.texts("words");
  if (encoding.columns_ < 0 || (rules != 0 && rules != encoding.columns_) ||
      count.size() != kind.size())
    damaged("a rule for each column is needed");
  if (!encoding.names_.empty() &&
      static_cast<std::int64_t>(encoding.names_.size()) != encoding.columns_)
    damaged("a name for each column is needed");
  std::size_t next = 0;
  for (std::size_t c = 0; c < kind.size(); ++c) {
    Rule rule{kind[c] != 0, marks[c] != 0, median[c], mode[c], {}};
    if (count[c] < 0 || static_cast<std::size_t>(count[c]) > words.size() - next)
      damaged("words are missing");
    for (std::int64_t i = 0; i < count[c]; ++i) rule.words.push_back(words[next++]);
    if (!std::ranges::is_sorted(rule.words)) damaged("words are not sorted");
    if (rule.mode < 0 || (rule.mode > 0 && rule.mode >= count[c])) damaged("no such word");
    encoding.rules_.push_back(std::move(rule));
  }
  const auto width = static_cast<std::size_t>(encoding.encoded_columns());
  if ((!encoding.scale_.empty() && encoding.scale_.size() != width) ||
      (!encoding.mean_.empty() && encoding.mean_.size() != encoding.scale_.size()))
    damaged("a scale for each column is needed");
  return encoding;
}

}  // namespace gssl
