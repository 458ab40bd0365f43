#pragma once
// A word to the value it names.

#include <array>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::detail {

// Throws ErrorCode::usage "WHAT 'NAME'; expected a|b|c".
template <class Value, std::size_t N>
Value parse_choice(const char* what, const std::string& name,
                   const std::array<std::pair<const char*, Value>, N>& choices) {
  std::string expected;
  for (const auto& [text, value] : choices) {
    if (name == text) return value;
    expected += expected.empty() ? text : std::string("|") + text;
  }
  throw Error(ErrorCode::usage, std::string(what) + " '" + name + "'; expected " + expected);
}

}  // namespace gssl::detail
