#include "gssl/core/options.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/suggestion.hpp"

namespace gssl {

namespace {

using Type = OptionSpec::Type;

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

[[noreturn]] void refuse(std::string_view owner, const OptionSpec& spec, std::string_view value) {
  const std::string near = did_you_mean(value, spec.choices);
  throw Error(ErrorCode::usage, std::string(owner) + ": option " + spec.name + "=" +
                                    std::string(value) + ": must be " + spec.range_text() +
                                    (near.empty() ? "" : "; " + near));
}

// The first comma that no bracket holds: "kernel=polynomial(a=1,r=2),c=10" is two assignments.
std::size_t first_comma(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth <= 0) return i;
  }
  return std::string_view::npos;
}

bool inside(double value, const RealRange& range) {
  const bool above = range.low_open ? value > range.low : value >= range.low;
  const bool below = range.high_open ? value < range.high : value <= range.high;
  return above && below;  // false for NaN
}

const OptionSpec& spec_named(const std::vector<OptionSpec>& specs, std::string_view name,
                             std::string_view owner) {
  const auto found = std::ranges::find(specs, name, &OptionSpec::name);
  if (found != specs.end()) return *found;
  std::vector<std::string> names;
  names.reserve(specs.size());
  for (const auto& spec : specs) names.push_back(spec.name);
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::usage,
              std::string(owner) + ": no option '" + std::string(name) + "'; " +
                  (near.empty() ? "" : near + " ") +
                  (names.empty() ? "it has none" : "it has " + join(names, ", ")));
}

// Refuses a text that is no value of the option. `Value` is that of OptionValues.
template <class Value>
void read_value(const OptionSpec& spec, std::string_view text, std::string_view owner,
                Value& value) {
  value.type = spec.type;
  value.quiet = spec.quiet;
  value.text = std::string(text);
  switch (spec.type) {
    case Type::real: {
      const auto number = parse_number<double>(text);
      if (!number || !inside(*number, spec.real_range)) refuse(owner, spec, text);
      value.real = *number;
      break;
    }
    case Type::integer: {
      const auto number = parse_number<std::int64_t>(text);
      if (!number || *number < spec.integer_range.low || *number > spec.integer_range.high)
        refuse(owner, spec, text);
      value.integer = *number;
      break;
    }
    case Type::flag:
      if (text != "true" && text != "false") refuse(owner, spec, text);
      value.integer = text == "true";
      break;
    case Type::choice:
      if (std::ranges::find(spec.choices, text) == spec.choices.end()) refuse(owner, spec, text);
      break;
    case Type::text: break;
  }
}

}  // namespace

std::string OptionSpec::range_text() const {
  const auto infinite = [](double x) { return std::isinf(x); };
  switch (type) {
    case Type::real:
      if (infinite(real_range.low) && infinite(real_range.high)) return "a number";
      if (infinite(real_range.high))
        return (real_range.low_open ? "a number > " : "a number ≥ ") + to_text(real_range.low);
      return std::string("a number in ") + (real_range.low_open ? "(" : "[") +
             to_text(real_range.low) + ", " + to_text(real_range.high) +
             (real_range.high_open ? ")" : "]");
    case Type::integer:
      if (integer_range.high == IntegerRange{}.high)
        return integer_range.low == IntegerRange{}.low
                   ? "an integer"
                   : "an integer ≥ " + std::to_string(integer_range.low);
      return "an integer in [" + std::to_string(integer_range.low) + ", " +
             std::to_string(integer_range.high) + "]";
    case Type::flag: return "true|false";
    case Type::choice: return join(choices, "|");
    case Type::text: return "text";
  }
  return "text";
}

const OptionValues::Value& OptionValues::find(std::string_view name, Type type) const {
  const auto it = values_.find(name);
  GSSL_ASSERT(it != values_.end());
  GSSL_ASSERT(it->second.type == type);
  return it->second;
}

double OptionValues::real(std::string_view name) const { return find(name, Type::real).real; }
std::int64_t OptionValues::integer(std::string_view name) const {
  return find(name, Type::integer).integer;
}
bool OptionValues::flag(std::string_view name) const { return find(name, Type::flag).integer != 0; }

const std::string& OptionValues::text(std::string_view name) const {
  const auto it = values_.find(name);
  GSSL_ASSERT(it != values_.end());
  return it->second.text;
}

bool OptionValues::changed(std::string_view name) const {
  const auto it = values_.find(name);
  return it != values_.end() && it->second.changed;
}

bool OptionValues::given(std::string_view name) const {
  const auto it = values_.find(name);
  GSSL_ASSERT(it != values_.end());
  return it->second.given;
}

const std::vector<double>* OptionValues::numbers(std::string_view name) const {
  const std::optional<std::vector<double>>& numbers = find(name, Type::text).numbers;
  return numbers ? &*numbers : nullptr;
}

OptionValues::Value& OptionValues::set_text(std::string_view name, Type type, std::string text) {
  const auto it = values_.find(name);
  GSSL_ASSERT(it != values_.end());
  Value& value = it->second;
  GSSL_ASSERT(value.type == type && !value.given);
  value.changed = value.text != text;
  value.given = true;
  value.text = std::move(text);
  return value;
}

void OptionValues::choose(std::string_view name, std::string choice) {
  set_text(name, Type::choice, std::move(choice));
}

void OptionValues::give(std::string_view name, const std::vector<double>& numbers) {
  set_text(name, Type::text, list_text(numbers)).numbers = numbers;
}

std::string OptionValues::echo() const {
  std::vector<std::string> words;
  for (const auto& name : order_) {
    const Value& value = values_.find(name)->second;
    if (value.given || !value.quiet) words.push_back(name + "=" + value.text);
  }
  return join(words, ",");
}

OptionTable& OptionTable::add(OptionSpec spec) {
  specs_.push_back(std::move(spec));
  return *this;
}

OptionTable& OptionTable::quiet() {
  GSSL_ASSERT(!specs_.empty());
  specs_.back().quiet = true;
  return *this;
}

OptionTable& OptionTable::add(const OptionTable& other) {
  for (const OptionSpec& spec : other.specs_)
    if (std::ranges::find(specs_, spec.name, &OptionSpec::name) == specs_.end()) add(spec);
  return *this;
}

OptionTable& OptionTable::real(std::string name, double default_value, RealRange range,
                               std::string help) {
  OptionSpec spec{.name = std::move(name),
                  .type = Type::real,
                  .default_value = to_text(default_value),
                  .real_range = range,
                  .integer_range = {},
                  .choices = {},
                  .help = std::move(help)};
  return add(std::move(spec));
}

OptionTable& OptionTable::integer(std::string name, std::int64_t default_value, IntegerRange range,
                                  std::string help) {
  OptionSpec spec{.name = std::move(name),
                  .type = Type::integer,
                  .default_value = std::to_string(default_value),
                  .real_range = {},
                  .integer_range = range,
                  .choices = {},
                  .help = std::move(help)};
  return add(std::move(spec));
}

OptionTable& OptionTable::flag(std::string name, bool default_value, std::string help) {
  OptionSpec spec{.name = std::move(name),
                  .type = Type::flag,
                  .default_value = default_value ? "true" : "false",
                  .real_range = {},
                  .integer_range = {},
                  .choices = {},
                  .help = std::move(help)};
  return add(std::move(spec));
}

OptionTable& OptionTable::choice(std::string name, std::string default_value,
                                 std::vector<std::string> choices, std::string help) {
  OptionSpec spec{.name = std::move(name),
                  .type = Type::choice,
                  .default_value = std::move(default_value),
                  .real_range = {},
                  .integer_range = {},
                  .choices = std::move(choices),
                  .help = std::move(help)};
  return add(std::move(spec));
}

OptionTable& OptionTable::text(std::string name, std::string default_value, std::string help) {
  OptionSpec spec{.name = std::move(name),
                  .type = Type::text,
                  .default_value = std::move(default_value),
                  .real_range = {},
                  .integer_range = {},
                  .choices = {},
                  .help = std::move(help)};
  return add(std::move(spec));
}

SplitSpec split_spec(std::string_view spec) {
  const std::size_t colon = std::min(spec.find(':'), spec.size());
  return {spec.substr(0, colon), spec.substr(std::min(colon + 1, spec.size()))};
}

OptionValues OptionTable::parse(std::string_view assignments, std::string_view owner) const {
  OptionValues values;
  for (const auto& spec : specs_) {
    values.order_.push_back(spec.name);
    OptionValues::Value value;
    read_value(spec, spec.default_value, owner, value);
    values.values_.emplace(spec.name, std::move(value));
  }
  while (!assignments.empty()) {
    const auto comma = first_comma(assignments);
    const std::string_view item = assignments.substr(0, comma);
    assignments =
        comma == std::string_view::npos ? std::string_view{} : assignments.substr(comma + 1);
    const auto equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const OptionSpec& found = spec_named(specs_, key, owner);
    if (equals == std::string_view::npos && found.type != Type::flag) {
      throw Error(ErrorCode::usage, std::string(owner) + ": option " + found.name +
                                        " needs a value: " + found.name + "=" + found.range_text());
    }
    auto& slot = values.values_.find(key)->second;
    if (slot.given)
      throw Error(ErrorCode::usage,
                  std::string(owner) + ": option " + found.name + " is given twice; keep one");
    OptionValues::Value value;
    read_value(found, equals == std::string_view::npos ? "true" : item.substr(equals + 1), owner,
               value);
    const bool is_text = found.type == Type::choice || found.type == Type::text;
    value.changed = value.real != slot.real || value.integer != slot.integer ||
                    (is_text && value.text != slot.text);
    value.given = true;
    slot = std::move(value);
  }
  return values;
}

}  // namespace gssl
