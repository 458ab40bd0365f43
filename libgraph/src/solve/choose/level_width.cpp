#include "level_width.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gssl::solve {

VertexId level_width(const Graph& graph) {
  std::vector<std::uint8_t> walks(static_cast<std::size_t>(graph.vertex_count()), 0);
  std::vector<VertexId> queue;
  // The widest level of the walk from `start` into vertices that had one walk less.
  const auto walk = [&](VertexId start) {
    const std::uint8_t before = walks[static_cast<std::size_t>(start)];
    std::size_t begin = 0, widest = 0;
    queue.assign(1, start);
    ++walks[static_cast<std::size_t>(start)];
    while (begin < queue.size()) {
      const std::size_t end = queue.size();
      widest = std::max(widest, end - begin);
      for (; begin < end; ++begin)
        graph.visit_row(queue[begin], [&](VertexId v, double) {
          std::uint8_t& count = walks[static_cast<std::size_t>(v)];
          if (count != before) return;
          ++count;
          queue.push_back(v);
        });
    }
    return static_cast<VertexId>(widest);
  };
  VertexId width = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    if (walks[static_cast<std::size_t>(v)] > 0) continue;
    walk(v);
    width = std::max(width, walk(queue.back()));
  }
  return width;
}

}  // namespace gssl::solve
