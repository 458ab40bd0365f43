#include "gssl/io/missing_labels.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fields.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

// Whether -1 means no label beside these: at least two different whole numbers of 0 or more. A
// class +1 has its counterpart.
bool numbered_from_zero(const std::unordered_map<std::string_view, std::int64_t>& count_of) {
  std::vector<double> seen;
  for (const auto& [label, count] : count_of) {
    const auto value = parse_number<double>(label);
    if (label.starts_with('+') || !value || !(*value >= 0.0 || *value == -1.0) ||
        std::floor(*value) != *value)
      return false;
    if (*value >= 0.0) seen.push_back(*value);
  }
  std::ranges::sort(seen);
  return std::unique(seen.begin(), seen.end()) - seen.begin() >= 2;
}

bool is_minus_one(std::string_view label) {
  return label.starts_with('-') && parse_number<double>(label) == -1.0;
}

}  // namespace

std::vector<std::string> MissingMarks::default_words() {
  return {"NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?"};
}

MissingMarks parse_missing_marks(const std::string& list) {
  if (list == "default") return {};
  MissingMarks marks = MissingMarks::none();
  if (list == "none") return marks;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, comma - at);
    if (word == "default") {
      for (std::string& usual : MissingMarks::default_words())
        marks.words.push_back(std::move(usual));
      marks.minus_one = MissingMarks::MinusOne::by_rule;
    } else if (!word.empty()) {
      marks.words.push_back(word);
    }
    at = comma + 1;
  }
  return marks;
}

std::int64_t MissingCount::words() const {
  std::int64_t count = total;
  for (const auto& [mark, times] : marks)
    if (mark.empty()) count -= times;
  return count;
}

std::string MissingCount::sentence() const {
  std::string text;
  for (const auto& [mark, times] : marks) {
    text += (text.empty() ? "" : ", ") +
            (mark.empty() ? std::string("empty") : "'" + detail::shown(mark) + "'") + " " +
            std::to_string(times);
  }
  return text;
}

MissingCount blank_missing(std::vector<std::string>& labels, const MissingMarks& marks) {
  std::unordered_map<std::string_view, std::int64_t> count_of;
  std::vector<std::string_view> in_order;
  for (const std::string& label : labels) {
    if (count_of[label]++ == 0) in_order.push_back(label);
  }
  const auto is_word = [&](std::string_view label) {
    return label.empty() || std::ranges::find(marks.words, label) != marks.words.end();
  };
  MissingCount found;
  const auto take = [&](std::string_view label) {
    const std::int64_t times = count_of[label];
    found.marks.emplace_back(label, times);
    found.total += times;
  };
  std::vector<std::string_view> others;
  for (const std::string_view label : in_order) {
    if (is_word(label)) {
      take(label);
      count_of.erase(label);
    } else {
      others.push_back(label);
    }
  }
  using MinusOne = MissingMarks::MinusOne;
  const bool by_rule = marks.minus_one == MinusOne::by_rule &&
                       std::ranges::any_of(others, is_minus_one) && numbered_from_zero(count_of);
  if (by_rule || marks.minus_one == MinusOne::is_missing) {
    for (const std::string_view label : others) {
      if (!is_minus_one(label)) continue;
      take(label);
      found.minus_one_by_rule = by_rule;
    }
  }
  if (found.total == 0) return found;
  for (std::string& label : labels) {
    const auto same = [&](const auto& mark) { return mark.first == label; };
    if (!label.empty() && std::ranges::any_of(found.marks, same)) label.clear();
  }
  return found;
}

}  // namespace gssl
