#pragma once
// The edges of a few lines of text, parsed and not yet in the graph: what one thread makes while
// another numbers the new ids of the lines before.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "distinct_ids.hpp"
#include "gssl/core/types.hpp"
#include "gssl/graph/name_hash.hpp"

namespace gssl::detail {

// Edges in the order of their lines; two ids of each, and their vertices once they are looked up.
template <class Id>
struct IdBlock {
  std::vector<Id> ids;
  std::vector<double> weights;  // none where all are 1
  std::vector<VertexId> vertices;
  // What is looked up: the ids as they stand, or each once.
  bool each_once = false;
  DistinctIds<Id> distinct;
  std::vector<VertexId> vertices_of_distinct;
  std::vector<std::uint32_t> unknown;  // places in asked() of those that were found nowhere

  void clear() {
    ids.clear();
    weights.clear();
    vertices.clear();
    each_once = false;
    unknown.clear();
  }

  void ask_each_once() {
    each_once = true;
    distinct.take(ids);
    vertices_of_distinct.resize(distinct.ids.size());
  }
  std::span<const Id> asked() const { return each_once ? distinct.ids : ids; }
  std::span<VertexId> answers() { return each_once ? vertices_of_distinct : vertices; }
  // To be called when all answers are there.
  void give_out_answers() {
    if (!each_once) return;
    for (std::size_t i = 0; i < ids.size(); ++i)
      vertices[i] = vertices_of_distinct[distinct.which[i]];
  }

  void edge(Id u, Id v, double weight) {
    if (weight != 1.0 && weights.empty()) weights.assign(ids.size() / 2, 1.0);
    if (weight != 1.0 || !weights.empty()) weights.push_back(weight);
    ids.push_back(u);
    ids.push_back(v);
  }
};

// What Walker::walk_fast() calls. Edges whose ids are words come after those whose ids are
// integers.
struct EdgeBlock {
  IdBlock<std::uint64_t> integers;
  IdBlock<HashedName> words;
  std::string_view text;
  std::int64_t lines = 0;  // that were parsed
  std::string_view rest;   // from the first line on that goes no fast way

  void clear() {
    integers.clear();
    words.clear();
    text = rest = {};
    lines = 0;
  }

  void edge(std::uint64_t u, std::uint64_t v, double weight) { integers.edge(u, v, weight); }
  void edge(std::string_view u, std::string_view v, double weight) {
    words.edge(HashedName(u), HashedName(v), weight);
  }
};

}  // namespace gssl::detail
