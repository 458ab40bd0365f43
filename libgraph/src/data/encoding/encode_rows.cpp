// Rows of a table as the rules of an encoding have them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "gssl/core/number_text.hpp"
#include "gssl/data/column_encoding.hpp"
#include "row_builder.hpp"
#include "spelling.hpp"
#include "table_rows.hpp"

namespace gssl {
namespace {

using detail::refuse_table;
using detail::RowBuilder;

bool distinct(std::vector<std::string> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

// "column 3", "column age"
std::string called(const std::string& name) { return "column " + name; }

// A word's place among those of the training rows, −1 where it is none of them.
std::int32_t place_of(const std::string& word, const std::vector<std::string>& known) {
  const auto found = std::ranges::lower_bound(known, word);
  const bool is_known = found != known.end() && *found == word;
  return is_known ? static_cast<std::int32_t>(found - known.begin()) : -1;
}

std::vector<std::int32_t> places_of(const std::vector<std::string>& words,
                                    const std::vector<std::string>& known) {
  std::vector<std::int32_t> places;
  places.reserve(words.size());
  for (const std::string& word : words) places.push_back(place_of(word, known));
  return places;
}

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
      refuse_table(called(table_.column_name(place_)) + ": '" +
                   column_->words[static_cast<std::size_t>(word)] + "' in row " +
                   std::to_string(row) + " (from 0): the model was learned from numbers there");
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
      if (found == place.end()) {
        const bool may_lack_header = table.column_count() == columns_;
        refuse_table("no column '" + names_[c] + "': the model was learned from it; add it" +
                         (may_lack_header ? ", or, where the table has no header, say so" : ""),
                     may_lack_header ? Remedies(Remedy::no_header) : Remedies());
      }
      places[c] = found->second;
      place.erase(found);
    }
    for (const std::string& name : table.names)
      if (place.contains(name))
        refuse_table(called("'" + name + "'") +
                         ": the model was learned without it; leave it out, or, where it names the "
                         "rows, tell it as the column of ids",
                     Remedy::columns | Remedy::id_column);
  } else if (table.column_count() != columns_) {
    const bool more = table.column_count() > columns_;
    refuse_table(
        std::to_string(table.column_count()) + " columns: the model was learned from " +
            std::to_string(columns_) +
            (more ? "; where one holds labels, weights or ids, tell its number" : ""),
        more ? Remedy::label_column | Remedy::weight_column | Remedy::id_column : Remedies());
  }
  return places;
}

std::int64_t ColumnEncoding::encoded_place(std::int64_t column) const {
  if (occurring_.empty()) return column < columns_ ? column : -1;
  const auto found = std::ranges::lower_bound(occurring_, column);
  return found != occurring_.end() && *found == column ? found - occurring_.begin() : -1;
}

// A table of numbers by index with the columns of the training table: others are 0, or dropped and
// counted.
Points ColumnEncoding::with_index(const FeatureTable& table, EncodingCounts& counts) const {
  if (table.points.columns() == columns_ && occurring_.empty()) return table.points;
  RowBuilder rows(table.points.rows(), encoded_columns(), table.points.is_sparse());
  for (VertexId r = 0; r < table.points.rows(); ++r) {
    table.points.visit_row(r, [&](std::int64_t c, double value) {
      if (const std::int64_t place = encoded_place(c); place >= 0)
        rows.put(r, place, value);
      else if (value != 0.0)
        ++counts.beyond;
    });
    rows.end_row();
  }
  return std::move(rows).points();
}

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

Points ColumnEncoding::spelled(const FeatureTable& table, EncodingCounts& counts) const {
  const CellReader cell(table, places_in(table)[0]);
  const auto word_at = [&](std::int64_t r) {
    if (cell.of_words()) {
      const std::int32_t word = cell.words().word_of[static_cast<std::size_t>(r)];
      return word < 0 ? std::string() : cell.words().words[static_cast<std::size_t>(word)];
    }
    const double number = cell.number(r);
    return std::isnan(number) ? std::string() : to_text(number);
  };
  std::vector<std::vector<std::int32_t>> strings;
  auto width = static_cast<std::size_t>(longest_);
  for (std::int64_t r = 0; r < table.row_count(); ++r) {
    strings.push_back(detail::symbols_of(word_at(r)));
    counts.missing += strings.back().empty() ? 1 : 0;
    width = std::max(width, strings.back().size());
  }
  RowBuilder rows(table.row_count(), static_cast<std::int64_t>(width), true);
  for (std::int64_t r = 0; r < table.row_count(); ++r) {
    const std::vector<std::int32_t>& string = strings[static_cast<std::size_t>(r)];
    for (std::size_t i = 0; i < string.size(); ++i)
      rows.put(r, static_cast<std::int64_t>(i), string[i]);
    rows.end_row();
  }
  return std::move(rows).points();
}

Points ColumnEncoding::encode(const FeatureTable& table, EncodingCounts* counts) const {
  EncodingCounts unused;
  EncodingCounts& found = counts == nullptr ? unused : *counts;
  if (by_index_ && table.by_index) return scaled(with_index(table, found));
  if (spells()) return spelled(table, found);
  const std::vector<std::int64_t> places = places_in(table);
  const bool plain = std::ranges::none_of(
      rules_, [](const Rule& rule) { return rule.of_words || rule.marks_missing; });
  if (plain && table.columns.empty() && identity(places)) return scaled(with_index(table, found));
  if (!rules_.empty()) return scaled(with_rules(table, places, found));
  // Learned from numbers that cannot be missing: the other rules do not arise.
  ColumnEncoding numbers;
  numbers.columns_ = columns_;
  numbers.rules_.assign(static_cast<std::size_t>(columns_), Rule{});
  EncodingCounts gaps;
  Points points = numbers.with_rules(table, places, gaps);
  if (gaps.missing > 0)
    refuse_table(
        std::to_string(gaps.missing) +
        " cells are missing: the model was learned from rows that cannot lack any; fill them");
  return scaled(points);
}

}  // namespace gssl
