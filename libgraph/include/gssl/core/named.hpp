#pragma once
// The names of an enumeration, written once, in the order of its values from 0.
//
//   constexpr auto metrics = enum_names<Metric>("metric", {"euclidean", "cosine"});
//   metrics.name(Metric::cosine);   // "cosine"
//   metrics.value("cosin");         // throws "metric 'cosin' is not known: did you mean cosine?"
//   metrics.all();                  // every name, for help and completions

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"

namespace gssl {

template <class Enum, std::size_t N>
class EnumNames {
 public:
  constexpr EnumNames(std::string_view what, const std::string_view (&names)[N]) : what_(what) {
    for (std::size_t i = 0; i < N; ++i) names_[i] = names[i];
  }

  // Precondition: `value` is one of those named.
  constexpr std::string_view name(Enum value) const {
    return names_[static_cast<std::size_t>(value)];
  }

  std::vector<std::string> all() const { return {names_.begin(), names_.end()}; }

  // Throws ErrorCode::usage with the names that are near, or all of them.
  Enum value(std::string_view name) const {
    for (std::size_t i = 0; i < N; ++i)
      if (names_[i] == name) return static_cast<Enum>(i);
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

}  // namespace gssl
