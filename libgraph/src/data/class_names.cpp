#include "data/class_names.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "gssl/core/number_text.hpp"

namespace gssl::detail {

namespace {

// By value when every name is an integer of 64 bits, else bytewise. Equal values spelled
// differently ("1", "01") stay apart, in byte order.
void sort_class_names(std::vector<std::string>& names) {
  const bool all_integers = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return parse_number<std::int64_t>(name).has_value();
  });
  if (!all_integers) {
    std::sort(names.begin(), names.end());
    return;
  }
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    const auto x = *parse_number<std::int64_t>(a);
    const auto y = *parse_number<std::int64_t>(b);
    return x != y ? x < y : a < b;
  });
}

}  // namespace

std::vector<int> number_classes(const std::vector<std::string>& label,
                                std::vector<std::string>& names) {
  std::unordered_map<std::string, int> number;
  for (const auto& name : label) number.emplace(name, 0);
  names.clear();
  for (const auto& [name, unused] : number) names.push_back(name);
  sort_class_names(names);
  for (std::size_t k = 0; k < names.size(); ++k) number[names[k]] = static_cast<int>(k);
  std::vector<int> class_of;
  class_of.reserve(label.size());
  for (const auto& name : label) class_of.push_back(number[name]);
  return class_of;
}

}  // namespace gssl::detail
