#pragma once
// A word to the value it names.

#include <string>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::detail {

// `choices` are pairs of a word and a value. Throws ErrorCode::usage "WHAT 'NAME'; expected a|b|c".
template <class Choices>
auto parse_choice(const char* what, const std::string& name, const Choices& choices) {
  std::string expected;
  for (const auto& [text, value] : choices) {
    if (name == text) return value;
    expected += expected.empty() ? text : std::string("|") + text;
  }
  throw Error(ErrorCode::usage, std::string(what) + " '" + name + "'; expected " + expected);
}

}  // namespace gssl::detail
