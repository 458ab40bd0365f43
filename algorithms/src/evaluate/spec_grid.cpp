#include "gssl/core/error.hpp"
#include "gssl/evaluate/evaluation.hpp"

namespace gssl {

namespace {

// Pieces between separators that are not inside round brackets.
std::vector<std::string> pieces(std::string_view text, char separator) {
  std::vector<std::string> found(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == separator && depth == 0)
      found.emplace_back();
    else
      found.back() += c;
  }
  return found;
}

}  // namespace

std::vector<std::string> expand_grid(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos) return {spec};
  std::vector<std::string> all = {spec.substr(0, colon)};
  char joint = ':';
  for (const std::string& assignment : pieces(std::string_view(spec).substr(colon + 1), ',')) {
    const std::size_t equals = assignment.find('=');
    const std::string key = equals == std::string::npos ? "" : assignment.substr(0, equals + 1);
    const std::vector<std::string> values = pieces(
        std::string_view(assignment).substr(equals == std::string::npos ? 0 : equals + 1), '|');
    std::vector<std::string> longer;
    for (const std::string& start : all) {
      for (const std::string& value : values) {
        if (values.size() > 1 && value.empty())
          throw Error(ErrorCode::usage, spec + ": '" + assignment + "' has an empty value");
        longer.push_back(start + joint + key + value);
      }
    }
    all = std::move(longer);
    joint = ',';
  }
  return all;
}

}  // namespace gssl
