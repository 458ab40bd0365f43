#pragma once
// The edges of a few lines of text, parsed and not yet named: what one thread makes while another
// numbers the ids of the lines before.

#include <cstdint>
#include <string_view>
#include <vector>

namespace gssl::detail {

// What Walker::walk_fast() calls. Edges whose ids are words come after those whose ids are
// integers.
struct EdgeBlock {
  std::vector<std::uint64_t> integers;  // two of each edge
  std::vector<std::string_view> words;  // two of each edge
  std::vector<double> integer_weights;  // none where all are 1
  std::vector<double> word_weights;     // none where all are 1
  std::int64_t lines = 0;               // that were parsed
  std::string_view rest;                // from the first line on that goes no fast way

  void clear() {
    integers.clear();
    words.clear();
    integer_weights.clear();
    word_weights.clear();
  }

  void edge(std::uint64_t u, std::uint64_t v, double weight) {
    keep(integers, integer_weights, u, v, weight);
  }
  void edge(std::string_view u, std::string_view v, double weight) {
    keep(words, word_weights, u, v, weight);
  }

 private:
  template <class Id>
  static void keep(std::vector<Id>& ids, std::vector<double>& weights, Id u, Id v, double weight) {
    if (weight != 1.0 && weights.empty()) weights.assign(ids.size() / 2, 1.0);
    if (weight != 1.0 || !weights.empty()) weights.push_back(weight);
    ids.push_back(u);
    ids.push_back(v);
  }
};

}  // namespace gssl::detail
