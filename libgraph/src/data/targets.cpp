#include "gssl/data/targets.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse(std::size_t row, const std::string& what) {
  throw Error(ErrorCode::bad_data, "targets: row " + std::to_string(row) + ": " + what);
}

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

// The number of each label's class; `names` becomes the distinct labels in order.
std::vector<int> number_classes(const std::vector<std::string>& label,
                                std::vector<std::string>& names) {
  std::unordered_map<std::string, int> number;  // counted as they appear
  std::vector<int> class_of;
  class_of.reserve(label.size());
  for (const auto& name : label)
    class_of.push_back(number.try_emplace(name, static_cast<int>(number.size())).first->second);
  names.clear();
  for (const auto& [name, unused] : number) names.push_back(name);
  sort_class_names(names);
  std::vector<int> in_order(names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    in_order[static_cast<std::size_t>(number[names[k]])] = static_cast<int>(k);
  for (int& k : class_of) k = in_order[static_cast<std::size_t>(k)];
  return class_of;
}

}  // namespace

Targets Targets::classes(const std::vector<std::string>& label) {
  Targets targets;
  targets.class_of_ = number_classes(label, targets.class_names_);
  return targets;
}

Targets Targets::classes(std::vector<int> class_of, std::vector<std::string> class_names) {
  const int count = static_cast<int>(class_names.size());
  for (std::size_t i = 0; i < class_of.size(); ++i)
    if (class_of[i] < 0 || class_of[i] >= count)
      refuse(i, "class " + std::to_string(class_of[i]) + ": must be in [0, " +
                    std::to_string(count) + ")");
  Targets targets;
  targets.class_of_ = std::move(class_of);
  targets.class_names_ = std::move(class_names);
  return targets;
}

Targets Targets::reals(std::vector<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) refuse(i, to_text(values[i]) + ": must be finite");
  Targets targets;
  targets.regression_ = true;
  targets.values_ = std::move(values);
  return targets;
}

std::vector<std::int64_t> Targets::class_sizes() const {
  std::vector<std::int64_t> sizes(class_names_.size(), 0);
  for (const int c : class_of_) ++sizes[static_cast<std::size_t>(c)];
  return sizes;
}

Block Targets::block() const {
  const auto rows = static_cast<std::int64_t>(size());
  if (regression_) return {rows, 1, values_};
  Block block(rows, class_count());
  for (std::int64_t r = 0; r < rows; ++r) block(r, class_of_[static_cast<std::size_t>(r)]) = 1.0;
  return block;
}

Targets Targets::select(std::span<const std::int32_t> rows) const {
  Targets part;
  part.regression_ = regression_;
  part.class_names_ = class_names_;
  for (const std::int32_t r : rows) {
    if (r < 0 || static_cast<std::size_t>(r) >= size())
      throw Error(ErrorCode::bad_data, "targets: row " + std::to_string(r) + ": there are " +
                                           std::to_string(size()) + " rows");
    if (regression_)
      part.values_.push_back(values_[static_cast<std::size_t>(r)]);
    else
      part.class_of_.push_back(class_of_[static_cast<std::size_t>(r)]);
  }
  return part;
}

}  // namespace gssl
