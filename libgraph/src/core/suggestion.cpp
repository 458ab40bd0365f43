#include "gssl/core/suggestion.hpp"

#include <algorithm>
#include <numeric>

namespace gssl {
namespace {

// Letters added, dropped or replaced, and neighbors swapped, each counted as one (optimal string
// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({replaced, row[j] + 1, next[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::string list(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t letters_per_slip = 3;
  std::size_t least = std::max<std::size_t>(1, word.size() / letters_per_slip);
  if (least >= word.size()) least = word.empty() ? 0 : word.size() - 1;  // something must be left
  for (const std::string& known : words) least = std::min(least, edit_distance(word, known));
  std::vector<std::string> near;
  for (const std::string& known : words) {
    const bool begins = !word.empty() && known.starts_with(word);
    if (begins || edit_distance(word, known) <= least) near.push_back(known);
  }
  const bool any = !word.empty() && !near.empty();
  return any ? "did you mean " + list(near, " or ") + "?" : std::string();
}

std::string suggestion(std::string_view word, const std::vector<std::string>& words) {
  std::string near = did_you_mean(word, words);
  if (!near.empty()) return near;
  return "there are " + (words.empty() ? "none" : list(words, ", "));
}

}  // namespace gssl
