#pragma once
// The names of an enumeration, written once, beside it, in the order of its values from 0.
//
//   enum class Metric { euclidean, cosine };
//   template <>
//   inline constexpr auto names_of<Metric> = enum_names<Metric>("metric", {"euclidean", "cosine"});
//
//   names_of<Metric>.name(Metric::cosine);   // "cosine"
//   names_of<Metric>.value("cosin");   // throws "metric 'cosin' is not known: did you mean cosine?"
//   names_of<Metric>.find("cosin");          // nothing
//   names_of<Metric>.all();                  // every name, for help and completions

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"

namespace gssl {

// The values of an enumeration, or some of them, with their names.
template <class Enum>
using NamedValues = std::vector<std::pair<Enum, std::string>>;

template <class Enum, std::size_t N>
class EnumNames {
 public:
  constexpr EnumNames(std::string_view what, const std::string_view (&names)[N]) : what_(what) {
    for (std::size_t i = 0; i < N; ++i) names_[i] = names[i];
  }

  // "an unknown value" for one that has no name, as a program may make of a number.
  constexpr std::string_view name(Enum value) const {
    const auto i = static_cast<std::size_t>(value);
    return i < N ? names_[i] : "an unknown value";
  }

  std::vector<std::string> all() const { return {names_.begin(), names_.end()}; }

  NamedValues<Enum> pairs() const {
    NamedValues<Enum> pairs;
    for (std::size_t i = 0; i < N; ++i) pairs.emplace_back(static_cast<Enum>(i), names_[i]);
    return pairs;
  }

  std::optional<Enum> find(std::string_view name) const {
    for (std::size_t i = 0; i < N; ++i)
      if (names_[i] == name) return static_cast<Enum>(i);
    return {};
  }

  // Throws ErrorCode::usage with the names that are near, or all of them.
  Enum value(std::string_view name) const {
    if (const auto found = find(name)) return *found;
    throw Error(ErrorCode::usage, std::string(what_) + " '" + std::string(name) +
                                      "' is not known: " + suggestion(name, all()));
  }

 private:
  std::string_view what_;
  std::array<std::string_view, N> names_{};
};

template <class Enum, std::size_t N>
constexpr EnumNames<Enum, N> enum_names(std::string_view what, const std::string_view (&names)[N]) {
  return {what, names};
}

// Specialized beside each enumeration that has names.
template <class Enum>
inline constexpr std::nullptr_t names_of = nullptr;

}  // namespace gssl
