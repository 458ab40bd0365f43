// An encoding as a part of a model's file.

#include <algorithm>
#include <functional>

#include "gssl/data/column_encoding.hpp"
#include "table_rows.hpp"

namespace gssl {

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
  if (spells()) record.put("longest", longest_);
  if (!occurring_.empty()) record.put("occurring", occurring_);
}

ColumnEncoding ColumnEncoding::load(const Record& record) {
  const auto damaged = [](const char* what) {
    detail::refuse_table(std::string("record: encoding: ") + what);
  };
  ColumnEncoding encoding;
  encoding.columns_ = record.integer("columns");
  encoding.by_index_ = record.integer("by_index") != 0;
  encoding.names_ = record.texts("names");
  encoding.mean_ = record.reals("mean");
  encoding.scale_ = record.reals("scale");
  if (record.has("longest")) encoding.longest_ = record.integer("longest");
  if (record.has("occurring")) encoding.occurring_ = record.long_integers("occurring");
  const std::vector<std::int64_t>& kept = encoding.occurring_;
  if (!kept.empty() &&
      (!encoding.by_index_ || kept.front() < 0 || kept.back() >= encoding.columns_ ||
       std::ranges::adjacent_find(kept, std::greater_equal()) != kept.end()))
    damaged("the columns kept must ascend");
  if (encoding.longest_ < 0 || (encoding.spells() && encoding.columns_ != 1))
    damaged("one column of words is spelled");
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
