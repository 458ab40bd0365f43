#include "vertex_status.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

std::vector<VertexId> unreached_vertices(const Components& components, const LabeledSet& labeled) {
  std::vector<bool> has_label(static_cast<std::size_t>(components.count), false);
  for (const VertexId v : labeled.vertices())
    has_label[static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)])] = true;
  std::vector<VertexId> unreached;
  for (std::size_t v = 0; v < components.of.size(); ++v)
    if (!has_label[static_cast<std::size_t>(components.of[v])])
      unreached.push_back(static_cast<VertexId>(v));
  return unreached;
}

std::vector<VertexStatus> vertex_status(VertexId vertex_count, const LabeledSet& labeled,
                                        const std::vector<VertexId>& unreached) {
  std::vector<VertexStatus> status(static_cast<std::size_t>(vertex_count), VertexStatus::inferred);
  for (const VertexId v : unreached) status[static_cast<std::size_t>(v)] = VertexStatus::unreached;
  for (const VertexId v : labeled.vertices())
    status[static_cast<std::size_t>(v)] = VertexStatus::given;
  return status;
}

void mark_tie(VertexStatus& status, std::span<const double> row) {
  if (status != VertexStatus::inferred || row.size() < 2) return;
  if (std::ranges::count(row, std::ranges::max(row)) > 1) status = VertexStatus::tied;
}

void mark_ties(Scores& scores, int threads) {
  parallel_blocks(std::ssize(scores.status), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      mark_tie(scores.status[index(v)], std::as_const(scores.values).row(v));
  });
}

}  // namespace gssl::detail
