#include "eliminate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "gssl/core/index.hpp"
#include "walk_supernodes.hpp"

namespace gssl::solve {
namespace {

using Dense = std::vector<double>;

// Conductances between so many rows, each pair once.
std::size_t pairs(std::int64_t rows) { return index(rows * (rows - 1) / 2); }

class SupernodeElimination {
 public:
  SupernodeElimination(const Graph& graph, const NetworkStructure& s)
      : graph_(graph),
        s_(s),
        scale_(std::ldexp(1.0, -weight_exponent(graph))),
        stacks_(s.subtrees.size() + s.top.size()) {
    // Here, by one thread: what another one frees in the heap of its own stays there.
    for (std::size_t i = 0; i < s.subtrees.size(); ++i)
      stacks_[i].reserve(stack_size(s.youngest[index(s.subtrees[i])]));
  }

  // The block of k, its own columns eliminated; false if one had no conductance.
  template <class Store>
  bool eliminate(VertexId k, int threads, const RunContext& run, Store&& store) {
    const std::int64_t columns = s_.columns(k), side = s_.side(k), stride = s_.stride(k);
    Dense front(index(stride * side), 0.0), panel(index(stride * columns), 0.0),
        resistance(index(columns));
    add_edges(k, front);
    Dense& stack = stacks_[stack_of(k)];
    // Children come before k, the last of them right before it, each behind the subtree of the
    // next; the last is on top of the stack.
    for (VertexId child = k - 1; child >= s_.youngest[index(k)];
         child = s_.youngest[index(child)] - 1) {
      Dense& from = stacks_[stack_of(child)];
      const std::size_t left = from.size() - pairs(below(child));
      add_child(child, from.data() + left, front);
      if (&from == &stack)
        from.resize(left);
      else
        Dense().swap(from);
    }
    eliminate_block({columns, side, stride}, front.data(), panel.data(), resistance.data(), threads,
                    run);
    store(k, panel.data(), resistance.data());
    if (stack.capacity() == 0) stack.reserve(stack_size(k));
    for (std::int64_t j = columns; j < side; ++j) {
      const double* column = front.data() + j * stride;
      stack.insert(stack.end(), column + j + 1, column + side);
    }
    return std::ranges::all_of(resistance, [](double r) { return std::isfinite(r); });
  }

 private:
  std::int64_t below(VertexId k) const { return s_.side(k) - s_.columns(k); }

  // One for each subtree that is a task, and for each supernode above them.
  std::size_t stack_of(VertexId k) const {
    const auto top = std::lower_bound(s_.top.begin(), s_.top.end(), k);
    if (top != s_.top.end() && *top == k)
      return s_.subtrees.size() + static_cast<std::size_t>(top - s_.top.begin());
    return static_cast<std::size_t>(std::lower_bound(s_.subtrees.begin(), s_.subtrees.end(), k) -
                                    s_.subtrees.begin());
  }

  // The most that the stack of k, the first to use it, will hold.
  std::size_t stack_size(VertexId k) const {
    const std::size_t stack = stack_of(k);
    if (stack >= s_.subtrees.size()) return pairs(below(k));
    std::size_t now = 0, most = 0;
    for (; k <= s_.subtrees[stack]; ++k) {
      for (VertexId c = k - 1; c >= s_.youngest[index(k)]; c = s_.youngest[index(c)] - 1)
        now -= pairs(below(c));
      now += pairs(below(k));
      most = std::max(most, now);
    }
    return most;
  }

  void add_edges(VertexId k, Dense& front) const {
    const VertexId begin = s_.first[index(k)];
    for (VertexId c = 0; c < s_.columns(k); ++c) {
      graph_.visit_row(s_.order[index(begin + c)], [&](VertexId u, double w) {
        const VertexId row = s_.position[index(u)];
        if (row > begin + c) front[index(c * s_.stride(k) + s_.place(k, row))] = w * scale_;
      });
    }
  }

  // `update`: the pairs (j, i), j < i, of the rows below the child, j by j.
  void add_child(VertexId child, const double* update, Dense& front) const {
    const VertexId p = s_.parent[index(child)];
    const std::vector<std::int64_t> places = s_.places_in_parent(child);
    const std::int64_t to = s_.stride(p), rows = below(child);
    for (std::int64_t j = 0; j < rows; ++j) {
      double* column = front.data() + places[index(j)] * to;
      for (std::int64_t i = j + 1; i < rows; ++i) column[places[index(i)]] += *update++;
    }
  }

  const Graph& graph_;
  const NetworkStructure& s_;
  double scale_;
  std::vector<Dense> stacks_;
};

}  // namespace

int weight_exponent(const Graph& graph) {
  double largest = graph.has_unit_weights() ? 1.0 : 0.0;
  for (const double w : graph.weight_array()) largest = std::max(largest, w);
  int exponent = 0;
  std::frexp(largest, &exponent);
  return exponent;
}

bool factor_network(
    const Graph& graph, const NetworkStructure& s, const RunContext& run,
    const std::function<void(VertexId k, const double* panel, const double* resistance)>& store) {
  SupernodeElimination elimination(graph, s);
  std::atomic<bool> conducting = true;
  const bool done = walk_supernodes(s, true, run, "factoring", [&](VertexId k, int threads) {
    if (!elimination.eliminate(k, threads, run, store)) conducting = false;
  });
  return done && conducting;
}

}  // namespace gssl::solve
