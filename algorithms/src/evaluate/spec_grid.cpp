#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/options.hpp"
#include "gssl/evaluate/evaluation.hpp"

namespace gssl {

namespace {

using Texts = std::vector<std::string>;

// How deep in round brackets the place behind `c` is.
int depth_behind(char c, int depth) { return c == '(' ? depth + 1 : c == ')' ? depth - 1 : depth; }

// Pieces between separators that are not inside round brackets.
std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth = depth_behind(text[i], depth);
    if (text[i] != separator || depth != 0) continue;
    found.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  found.push_back(text.substr(begin));
  return found;
}

// Of the bracket that opens at `open`; npos: it does not close.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth = depth_behind(text[i], depth);
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

// Each of `starts` with each of `ends` behind it.
void extend(Texts& starts, const Texts& ends) {
  Texts longer;
  longer.reserve(starts.size() * ends.size());
  for (const std::string& start : starts)
    for (const std::string& end : ends) longer.emplace_back(start).append(end);
  starts = std::move(longer);
}

void extend(Texts& starts, std::string_view end) {
  for (std::string& start : starts) start.append(end);
}

class Grid {
 public:
  explicit Grid(const std::string& spec) : spec_(spec) {}

  // "key=a|b,key=c"
  Texts of_list(std::string_view list) const {
    Texts all(1);
    bool first = true;
    for (const std::string_view assignment : pieces(list, ',')) {
      if (!first) extend(all, ",");
      extend(all, of_assignment(assignment));
      first = false;
    }
    return all;
  }

 private:
  // "key=a|b", or "a|b" alone
  Texts of_assignment(std::string_view assignment) const {
    const std::size_t key = pieces(assignment, '=').front().size() + 1;
    const bool named = key <= assignment.size();
    const auto values = pieces(assignment.substr(named ? key : 0), '|');
    Texts all;
    for (const std::string_view value : values) {
      if (values.size() > 1 && value.empty())
        throw Error(ErrorCode::usage,
                    spec_ + ": '" + std::string(assignment) + "' has an empty value");
      for (std::string& one : of_value(value)) all.push_back(std::move(one));
    }
    Texts found = {std::string(assignment.substr(0, named ? key : 0))};
    extend(found, all);
    return found;
  }

  // "name(key=a|b)"; a bracket that does not close is left to whoever reads the value.
  Texts of_value(std::string_view value) const {
    Texts all(1);
    std::size_t begin = 0;
    for (std::size_t open = value.find('('); open != std::string_view::npos;
         open = value.find('(', begin)) {
      const std::size_t close = closing(value, open);
      if (close == std::string_view::npos) break;
      extend(all, value.substr(begin, open + 1 - begin));
      extend(all, of_list(value.substr(open + 1, close - open - 1)));
      begin = close;
    }
    extend(all, value.substr(begin));
    return all;
  }

  const std::string& spec_;
};

}  // namespace

std::vector<std::string> expand_grid(const std::string& spec) {
  const auto [name, assignments] = split_spec(spec);
  if (name.size() == spec.size()) return {spec};
  Texts all = {std::string(name) + ":"};
  extend(all, Grid(spec).of_list(assignments));
  return all;
}

}  // namespace gssl
