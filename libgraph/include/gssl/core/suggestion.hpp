#pragma once
// What was meant by a word that is not among those expected.
//
//   "no verb 'lable': " + suggestion("lable", verbs)    // "did you mean label?"

#include <string>
#include <string_view>
#include <vector>

namespace gssl {

// "did you mean a or b?" where some of `words` start with `word` or differ from it in a few
// letters; else "there are a, b, c", or "there are none". O(|word| · Σ|words|).
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

// The first half of it: "" where no word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

}  // namespace gssl
