#include "class_words.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::tool {

ClassWords::ClassWords(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty())
      throw Error(ErrorCode::usage, "a class without a name: write them as in --classes ham,spam");
    if (find(name))
      throw Error(ErrorCode::usage, "class " + name + " is given twice: leave one out");
    add(name);
  }
}

std::optional<int> ClassWords::find(std::string_view word) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == word) return static_cast<int>(i);
  const std::optional<double> value = parse_number<double>(word);
  if (!value) return std::nullopt;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i] == value) return static_cast<int>(i);
  return std::nullopt;
}

void ClassWords::add(std::string_view word) {
  names_.emplace_back(word);
  values_.push_back(parse_number<double>(word));
}

void ClassWords::sort() {
  const bool numbers = std::ranges::all_of(values_, [](const auto& v) { return v.has_value(); });
  std::ranges::sort(names_, [&](const std::string& a, const std::string& b) {
    return numbers ? *parse_number<double>(a) < *parse_number<double>(b) : a < b;
  });
  for (std::size_t i = 0; i < names_.size(); ++i) values_[i] = parse_number<double>(names_[i]);
}

std::optional<ClassWords> usual_classes(std::string_view first_outcome) {
  if (first_outcome == "-1" || first_outcome == "+1") return ClassWords({"-1", "+1"});
  if (first_outcome == "0") return ClassWords({"0", "1"});
  return std::nullopt;
}

}  // namespace gssl::tool
