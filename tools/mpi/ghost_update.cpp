#include "ghost_update.hpp"

namespace gssl::mpi {

GhostUpdate::GhostUpdate(const DistributedGraph& graph, const std::vector<char>& marked,
                         const Communicator& ranks)
    : ranks_(ranks) {
  const std::vector<char> ghost_marked = graph.fetch(marked, ranks);
  out_.begin.assign(1, 0);
  in_.begin.assign(1, 0);
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks.size()); ++r) {
    for (std::size_t i = graph.asked_begin[r]; i < graph.asked_begin[r + 1]; ++i)
      if (marked[static_cast<std::size_t>(graph.asked_for[i])] != 0)
        from_.push_back(graph.asked_for[i]);
    for (std::size_t g = graph.ghost_begin[r]; g < graph.ghost_begin[r + 1]; ++g)
      if (ghost_marked[g] != 0) to_.push_back(graph.rows() + static_cast<VertexId>(g));
    out_.begin.push_back(from_.size());
    in_.begin.push_back(to_.size());
  }
  out_.items.resize(from_.size());
  in_.items.resize(to_.size());
}

void GhostUpdate::move(std::span<const VertexId> place) {
  for (VertexId& v : from_) v = place[static_cast<std::size_t>(v)];
  for (VertexId& v : to_) v = place[static_cast<std::size_t>(v)];
}

void GhostUpdate::run(std::vector<double>& values) {
  for (std::size_t i = 0; i < from_.size(); ++i)
    out_.items[i] = values[static_cast<std::size_t>(from_[i])];
  ranks_.exchange(out_, in_.items.data(), in_.begin);
  for (std::size_t i = 0; i < to_.size(); ++i)
    values[static_cast<std::size_t>(to_[i])] = in_.items[i];
}

}  // namespace gssl::mpi
