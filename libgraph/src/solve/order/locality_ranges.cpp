#include "locality_ranges.hpp"

#include <algorithm>
#include <cstdint>

namespace gssl::solve {
namespace {

// Starting threads takes as long as a few thousand rows.
constexpr double least_size = 200'000.0;  // rows and entries
// Of a range whose elimination stays in the cache.
constexpr double cached_size = 400'000.0;
// What lies on a border is left to one thread.
constexpr double most_on_border = 0.05;

}  // namespace

LocalityRanges::LocalityRanges(const Graph& graph) {
  const double size = graph.vertex_count() + 2.0 * static_cast<double>(graph.edge_count());
  auto ranges = std::max(least_ranges, static_cast<std::int64_t>(size / cached_size));
  for (; size >= least_size && ranges > 1; ranges /= 2)
    if (cut(graph, ranges)) return;
  start_ = {0, graph.vertex_count()};
}

// Whether few vertices lie on a border.
bool LocalityRanges::cut(const Graph& graph, std::int64_t ranges) {
  const VertexId n = graph.vertex_count();
  const EdgeIndex size = n + graph.row_end(n - 1);
  start_ = {0};
  for (VertexId v = 0; v < n; ++v)
    if ((v + graph.row_begin(v)) * ranges >= size * static_cast<EdgeIndex>(start_.size()))
      start_.push_back(v);
  start_.push_back(n);
  const double most = most_on_border * n;
  double found = 0.0;
  for (std::size_t r = 0; r < count(); ++r)
    for (VertexId v = begin(r); v < end(r); ++v)
      if (on_border(graph, v, r) && ++found > most) return false;
  return count() > 1;
}

}  // namespace gssl::solve
