#include "rounded_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gssl::python {
namespace {

constexpr double rounding = 1e-12;

// The rows of a graph as Graph has them, not yet known to be any graph's.
struct WeightRows {
  std::span<const EdgeIndex> offsets;
  std::span<const VertexId> neighbors;
  std::span<const double> weights;
};

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// The first entry of row u beyond the diagonal.
EdgeIndex beyond(const WeightRows& rows, VertexId u) {
  const auto row = rows.neighbors.subspan(
      index(rows.offsets[index(u)]), index(rows.offsets[index(u) + 1] - rows.offsets[index(u)]));
  return rows.offsets[index(u)] + (std::ranges::upper_bound(row, u) - row.begin());
}

// So many columns are walked at once that rows of all pairs stay in the cache, and few rows are met
// without a neighbor there.
VertexId columns_at_once(const WeightRows& rows) {
  const auto n = std::ssize(rows.offsets) - 1;
  const std::int64_t parts = std::max<std::int64_t>(1, std::ssize(rows.neighbors) / (n + 1) / 16);
  return static_cast<VertexId>(std::max<std::int64_t>(64, (n + parts - 1) / parts));
}

// Calls visit(entry, entry of the other direction) once for each edge, whose smaller end has the first.
// Rows ascend, so that a walk upward meets the entries of each later row in order: a cursor a row finds
// every mirror entry without a search. False where an entry has none.
template <class Visit>
bool visit_pairs(const WeightRows& rows, Visit&& visit) {
  const auto n = static_cast<VertexId>(rows.offsets.size() - 1);
  std::vector<EdgeIndex> ahead(index(n)), back(rows.offsets.begin(), rows.offsets.end() - 1);
  for (VertexId u = 0; u < n; ++u) ahead[index(u)] = beyond(rows, u);
  const VertexId step = columns_at_once(rows);
  for (std::int64_t left = 0; left < n; left += step) {
    const auto right = static_cast<VertexId>(std::min<std::int64_t>(n, left + step));
    for (VertexId u = 0; u < right; ++u) {
      EdgeIndex& e = ahead[index(u)];
      for (; e < rows.offsets[index(u) + 1] && rows.neighbors[index(e)] < right; ++e) {
        const VertexId v = rows.neighbors[index(e)];
        EdgeIndex& mirror = back[index(v)];
        if (mirror == rows.offsets[index(v) + 1] || rows.neighbors[index(mirror)] != u)
          return false;
        visit(index(e), index(mirror));
        ++mirror;
      }
    }
  }
  for (VertexId u = 0; u < n; ++u)
    if (back[index(u)] != beyond(rows, u)) return false;
  return true;
}

// Whether every row ascends within [0, n) and every weight is finite and > 0.
bool in_order(const WeightRows& rows) {
  const auto n = static_cast<VertexId>(rows.offsets.size() - 1);
  if (rows.offsets.front() != 0 || rows.offsets.back() != std::ssize(rows.neighbors) ||
      rows.weights.size() != rows.neighbors.size() || !std::ranges::is_sorted(rows.offsets))
    return false;
  for (VertexId u = 0; u < n; ++u) {
    VertexId previous = no_vertex;
    for (EdgeIndex e = rows.offsets[index(u)]; e < rows.offsets[index(u) + 1]; ++e) {
      const VertexId v = rows.neighbors[index(e)];
      if (v <= previous || v >= n) return false;
      previous = v;
    }
  }
  return std::ranges::all_of(rows.weights, [](double w) { return w > 0.0 && std::isfinite(w); });
}

}  // namespace

OwnRows rows_of_matrix(std::span<const double> values, VertexId rows) {
  OwnRows found;
  found.offsets.assign(index(rows) + 1, 0);
  const auto row = [&](VertexId u) {
    return values.subspan(index(std::int64_t{u} * rows), index(rows));
  };
  for (VertexId u = 0; u < rows; ++u) {
    const auto held = std::ranges::count_if(row(u), [](double w) { return w != 0.0; });
    const bool loop = row(u)[index(u)] != 0.0;
    found.loops += loop ? 1 : 0;
    found.offsets[index(u) + 1] = found.offsets[index(u)] + held - (loop ? 1 : 0);
  }
  found.neighbors.resize(index(found.offsets.back()));
  found.weights.resize(index(found.offsets.back()));
  std::size_t next = 0;
  for (VertexId u = 0; u < rows; ++u) {
    const double* const weights = row(u).data();
    for (VertexId v = 0; v < rows; ++v) {
      if (weights[v] == 0.0 || u == v) continue;
      found.neighbors[next] = v;
      found.weights[next++] = weights[v];
    }
  }
  return found;
}

std::optional<std::int64_t> take_means(std::span<const EdgeIndex> offsets,
                                       std::span<const VertexId> neighbors,
                                       std::span<double> weights) {
  const WeightRows rows{offsets, neighbors, weights};
  if (offsets.empty() || !in_order(rows)) return std::nullopt;
  std::int64_t differ = 0;
  double largest_difference = 0.0, largest = 0.0;
  const bool mirrored = visit_pairs(rows, [&](std::size_t e, std::size_t mirror) {
    const double one = weights[e], other = weights[mirror];
    largest = std::max(largest, std::max(one, other));
    if (one == other) return;
    ++differ;
    largest_difference = std::max(largest_difference, std::abs(one - other));
    weights[e] = weights[mirror] = 0.5 * one + 0.5 * other;
  });
  if (!mirrored || largest_difference > rounding * largest) return std::nullopt;
  return differ;
}

}  // namespace gssl::python
