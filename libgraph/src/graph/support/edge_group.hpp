#pragma once
// What is made of an edge that is given more than once; see DuplicatePolicy and OppositeArcs.
//
//   EdgeGroup group;
//   for (each entry of the pair {u, v}, sorted) group.add(is_reversed(entry), weight);
//   check_group(group, options, u, v);
//   group.weight(options);

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "gssl/graph/graph_builder.hpp"
#include "row_sort.hpp"

namespace gssl::detail {

// The entries of one row that share a neighbor, taken in order.
struct EdgeGroup {
  struct Direction {
    EdgeIndex given = 0;
    double sum = 0.0;
    double largest = 0.0;
    double first = 0.0;

    void add(double weight) {
      if (given++ == 0) first = weight;
      sum += weight;
      largest = std::max(largest, weight);
    }

    double weight(DuplicatePolicy policy) const {
      switch (policy) {
        case DuplicatePolicy::sum: return sum;
        case DuplicatePolicy::max: return largest;
        case DuplicatePolicy::first:
        case DuplicatePolicy::error: return first;
      }
      return first;
    }
  };
  Direction forward;
  Direction backward;
  double first = 0.0;
  bool differ = false;

  void add(bool reversed, double weight) {
    if (forward.given + backward.given == 0)
      first = weight;
    else
      differ = differ || weight != first;
    (reversed ? backward : forward).add(weight);
  }

  bool repeated() const { return forward.given > 1 || backward.given > 1; }
  // Entries that became one with another of their direction.
  std::int64_t merged() const { return forward.given + backward.given - (both() ? 2 : 1); }
  bool both() const { return forward.given > 0 && backward.given > 0; }

  bool opposite_differ(DuplicatePolicy policy) const {
    return both() && forward.weight(policy) != backward.weight(policy);
  }

  double weight(const GraphBuilderOptions& options) const {
    const double ahead = forward.weight(options.duplicates);
    const double back = backward.weight(options.duplicates);
    if (!both()) return forward.given > 0 ? ahead : back;
    switch (options.opposite) {
      case OppositeArcs::sum: return ahead + back;
      case OppositeArcs::mean: return 0.5 * ahead + 0.5 * back;
      case OppositeArcs::max:
      case OppositeArcs::error: return std::max(ahead, back);
      case OppositeArcs::automatic: break;
    }
    const bool whole_pair = options.duplicates == DuplicatePolicy::first ||
                            options.duplicates == DuplicatePolicy::error;
    return whole_pair ? first : std::max(ahead, back);
  }
};

// Throws EdgeError of what the policies do not allow.
inline void check_group(const EdgeGroup& group, const GraphBuilderOptions& options, VertexId u,
                        VertexId v) {
  const auto refuse = [&](const char* rule) { throw EdgeError(u, v, rule); };
  const bool strict = options.duplicates == DuplicatePolicy::error;
  if (strict && group.repeated())
    refuse("given more than once; remove the repetition, or merge by sum, max or first");
  if (strict && options.opposite == OppositeArcs::automatic && group.differ)
    refuse(
        "the weights of its two directions differ; make them equal, or merge by sum, max or first");
  if (options.opposite == OppositeArcs::error && group.opposite_differ(options.duplicates))
    refuse("the weights of its two directions differ; make them equal, or take sum, max or mean");
  if (!std::isfinite(group.weight(options)))
    refuse("the sum of its weights is not a finite number; scale the weights down");
}

// Whether a neighbor stands in a sorted row twice. Most rows need no merging, and go a short way.
inline bool has_repetition(std::span<const std::uint32_t> entries) {
  bool repeated = false;
  for (std::size_t i = 1; i < entries.size(); ++i)
    repeated |= neighbor_of(entries[i]) == neighbor_of(entries[i - 1]);
  return repeated;
}

// Calls once(neighbor, weight) for each neighbor that stands in a sorted row once, and
// visit(neighbor, group) for each other. `weights` may be null: all 1.
template <class Once, class Visit>
void visit_groups(std::span<const std::uint32_t> entries, const double* weights, Once&& once,
                  Visit&& visit) {
  for (std::size_t i = 0; i < entries.size();) {
    const VertexId v = neighbor_of(entries[i]);
    if (i + 1 == entries.size() || neighbor_of(entries[i + 1]) != v) {
      once(v, weights != nullptr ? weights[i] : 1.0);
      ++i;
      continue;
    }
    EdgeGroup group;
    do {
      group.add(is_reversed(entries[i]), weights != nullptr ? weights[i] : 1.0);
    } while (++i < entries.size() && neighbor_of(entries[i]) == v);
    visit(v, group);
  }
}

}  // namespace gssl::detail
