#pragma once
// From the lines of an edge list to edges between vertices: what Walker calls, for any builder that
// has add(u, v, weight).

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "edge_block.hpp"
#include "graph_formats.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::detail {

// Numbers vertices by first appearance and hands their edges to the builder, some lines at a time,
// so that the look-ups of their ids wait for memory together.
template <class Builder>
class Naming {
 public:
  Naming(VertexNames& names, Builder& builder) : names_(names), builder_(builder) {}

  void edge(std::uint64_t u, std::uint64_t v, double weight) { keep(integers_, u, v, weight); }
  void edge(std::string_view u, std::string_view v, double weight) {
    keep(words_, HashedName(u), HashedName(v), weight);
  }
  void passing_edge(std::string_view u, std::string_view v, double weight) {
    edge(u, v, weight);
    flush();
  }
  void vertex(std::string_view name) {
    flush();
    names_.insert(name);
  }

  // Many edges whose vertices are known.
  template <class Id>
  void edges(const IdBlock<Id>& block) {
    flush();
    if (std::ranges::find(block.weights, 0.0) != block.weights.end())
      add_without_zeros(block.vertices, block.weights);
    else
      builder_.add(block.vertices, block.weights);
  }

  // To be called after the last edge.
  void flush() {
    hand_over(integers_);
    hand_over(words_);
  }

  std::int64_t zeros() const { return zeros_; }

 private:
  static constexpr std::size_t batch = 64;
  template <class Id>
  struct Waiting {
    std::size_t edges = 0;
    std::array<Id, 2 * batch> ids;
    std::array<double, batch> weights;
  };

  template <class Id>
  void keep(Waiting<Id>& lines, Id u, Id v, double weight) {
    if (lines.edges == 0) flush();  // the others, which came first
    lines.ids[2 * lines.edges] = u;
    lines.ids[2 * lines.edges + 1] = v;
    lines.weights[lines.edges] = weight;
    if (++lines.edges == batch) hand_over(lines);
  }

  void add_without_zeros(std::span<const VertexId> ends, std::span<const double> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0)
        ++zeros_;
      else
        builder_.add(ends[2 * i], ends[2 * i + 1], weights[i]);
    }
  }

  template <class Id>
  void hand_over(Waiting<Id>& lines) {
    if (lines.edges == 0) return;
    std::array<VertexId, 2 * batch> vertices;
    names_.insert(std::span<const Id>(lines.ids).first(2 * lines.edges), vertices);
    for (std::size_t i = 0; i < lines.edges; ++i) {
      if (lines.weights[i] == 0) {
        ++zeros_;
      } else {
        builder_.add(vertices[2 * i], vertices[2 * i + 1], lines.weights[i]);
      }
    }
    lines.edges = 0;
  }

  VertexNames& names_;
  Builder& builder_;
  Waiting<std::uint64_t> integers_;
  Waiting<HashedName> words_;
  std::int64_t zeros_ = 0;
};

// Gives the two columns names of their own before they get to Naming.
template <class Builder>
class TwoKinds {
 public:
  explicit TwoKinds(Naming<Builder>& naming) : naming_(naming) {}

  void edge(std::uint64_t u, std::uint64_t v, double weight) {
    passing_edge(std::to_string(u), std::to_string(v), weight);
  }
  void edge(std::string_view u, std::string_view v, double weight) { passing_edge(u, v, weight); }
  void passing_edge(std::string_view u, std::string_view v, double weight) {
    left_.assign(left_prefix).append(u);
    right_.assign(right_prefix).append(v);
    naming_.passing_edge(left_, right_, weight);
  }
  void vertex(std::string_view name) { naming_.vertex(name); }

 private:
  Naming<Builder>& naming_;
  std::string left_;
  std::string right_;
};

}  // namespace gssl::detail
