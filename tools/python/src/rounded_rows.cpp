#include "rounded_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gssl::python {
namespace {

constexpr double rounding = 1e-12;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Calls visit(entry, entry of the other direction) once for each edge, whose smaller end has the first.
// Walking rows upward meets the entries of each later row in order: a cursor a row finds every mirror
// entry without a search. False where an entry has none.
template <class Visit>
bool visit_pairs(std::span<const EdgeIndex> offsets, std::span<const VertexId> neighbors,
                 Visit&& visit) {
  std::vector<EdgeIndex> cursor(offsets.begin(), offsets.end() - 1);
  const auto n = static_cast<VertexId>(cursor.size());
  for (VertexId u = 0; u < n; ++u) {
    // Entries before the diagonal were each met from the other end.
    if (cursor[index(u)] < offsets[index(u) + 1] && neighbors[index(cursor[index(u)])] <= u)
      return false;
    for (EdgeIndex e = cursor[index(u)]; e < offsets[index(u) + 1]; ++e) {
      EdgeIndex& mirror = cursor[index(neighbors[index(e)])];
      if (mirror == offsets[index(neighbors[index(e)]) + 1] || neighbors[index(mirror)] != u)
        return false;
      visit(index(e), index(mirror));
      ++mirror;
    }
  }
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
  found.neighbors.reserve(index(found.offsets.back()));
  found.weights.reserve(index(found.offsets.back()));
  for (VertexId u = 0; u < rows; ++u)
    for (VertexId v = 0; v < rows; ++v)
      if (const double w = row(u)[index(v)]; w != 0.0 && u != v) {
        found.neighbors.push_back(v);
        found.weights.push_back(w);
      }
  return found;
}

std::optional<std::int64_t> rounded_pairs(const WeightRows& rows) {
  if (rows.offsets.empty() || !in_order(rows)) return std::nullopt;
  std::int64_t differ = 0;
  double largest_difference = 0.0, largest = 0.0;
  const bool mirrored = visit_pairs(rows.offsets, rows.neighbors, [&](auto e, auto mirror) {
    const double difference = std::abs(rows.weights[e] - rows.weights[mirror]);
    if (difference > 0.0) ++differ;
    largest_difference = std::max(largest_difference, difference);
    largest = std::max({largest, rows.weights[e], rows.weights[mirror]});
  });
  if (!mirrored || largest_difference > rounding * largest) return std::nullopt;
  return differ;
}

void take_means(std::span<const EdgeIndex> offsets, std::span<const VertexId> neighbors,
                std::span<double> weights) {
  visit_pairs(offsets, neighbors, [&](auto e, auto mirror) {
    weights[e] = weights[mirror] = 0.5 * weights[e] + 0.5 * weights[mirror];
  });
}

}  // namespace gssl::python
