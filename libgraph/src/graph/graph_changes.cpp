#include "gssl/graph/graph_changes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/trusted_graph.hpp"

namespace gssl {
namespace {

// One of the two entries of a change.
struct Entry {
  VertexId row, column;
  double weight;
};

std::string name(const EdgeChange& change) {
  return "change of edge " + std::to_string(change.u) + "-" + std::to_string(change.v);
}

void check(const EdgeChange& change, VertexId vertex_count) {
  const auto known = [&](VertexId v) { return v >= 0 && v < vertex_count; };
  if (!known(change.u) || !known(change.v))
    throw Error(ErrorCode::bad_data,
                name(change) + ": vertices must be in [0, " + std::to_string(vertex_count) + ")");
  if (change.u == change.v)
    throw Error(ErrorCode::bad_data, name(change) + ": must join two vertices");
  if (!std::isfinite(change.weight) || change.weight < 0.0)
    throw Error(ErrorCode::bad_data,
                name(change) + ": weight " + to_text(change.weight) + ": must be finite and >= 0");
}

// Both entries of each change, by row and column.
std::vector<Entry> entries_of(std::span<const EdgeChange> changes, VertexId vertex_count) {
  std::vector<Entry> entries;
  entries.reserve(2 * changes.size());
  for (const EdgeChange& change : changes) {
    check(change, vertex_count);
    entries.push_back({change.u, change.v, change.weight});
    entries.push_back({change.v, change.u, change.weight});
  }
  const auto place = [](const Entry& entry) { return std::pair(entry.row, entry.column); };
  std::ranges::sort(entries, {}, place);
  const auto twice = std::ranges::adjacent_find(entries, {}, place);
  if (twice != entries.end())
    throw Error(ErrorCode::bad_data, name({twice->row, twice->column, 0.0}) + ": is there twice");
  return entries;
}

class ChangedRows {
 public:
  ChangedRows(const Graph& graph, VertexId vertex_count, std::vector<Entry> entries)
      : graph_(graph), entries_(std::move(entries)) {
    offsets_.reserve(static_cast<std::size_t>(vertex_count) + 1);
    offsets_.push_back(0);
    const std::size_t most = graph.neighbor_array().size() + entries_.size();
    neighbors_.reserve(most);
    weighted_ = !graph.has_unit_weights() ||
                std::ranges::any_of(
                    entries_, [](double w) { return w != 0.0 && w != 1.0; }, &Entry::weight);
    if (weighted_) weights_.reserve(most);
    VertexId v = 0;
    for (auto next = entries_.begin(); next != entries_.end(); ++v) {
      copy_rows(v, next->row);
      v = next->row;
      const auto begin = next;
      while (next != entries_.end() && next->row == v) ++next;
      merge_row(v, begin, next);
      offsets_.push_back(std::ssize(neighbors_));
    }
    copy_rows(v, vertex_count);
  }

  Graph graph() && {
    if (std::ranges::all_of(weights_, [](double w) { return w == 1.0; })) weights_.clear();
    return TrustedGraph::make(std::move(offsets_), std::move(neighbors_), std::move(weights_));
  }

 private:
  using Place = std::vector<Entry>::const_iterator;

  void put(VertexId column, double weight) {
    neighbors_.push_back(column);
    if (weighted_) weights_.push_back(weight);
  }

  // Rows [first, end), which do not change; those that the graph does not have are empty.
  void copy_rows(VertexId first, VertexId end) {
    const VertexId old_end = std::min(end, graph_.vertex_count());
    if (first < old_end) {
      const EdgeIndex begin = graph_.row_begin(first), past = graph_.row_end(old_end - 1);
      const EdgeIndex moved = std::ssize(neighbors_) - begin;
      const auto old = graph_.neighbor_array();
      neighbors_.insert(neighbors_.end(), old.begin() + begin, old.begin() + past);
      if (weighted_ && graph_.has_unit_weights())
        weights_.insert(weights_.end(), static_cast<std::size_t>(past - begin), 1.0);
      else if (weighted_)
        weights_.insert(weights_.end(), graph_.weight_array().begin() + begin,
                        graph_.weight_array().begin() + past);
      for (; first < old_end; ++first) offsets_.push_back(graph_.row_end(first) + moved);
    }
    if (first < end)
      offsets_.insert(offsets_.end(), static_cast<std::size_t>(end - first),
                      std::ssize(neighbors_));
  }

  void merge_row(VertexId v, Place change, Place end) {
    const bool old = v < graph_.vertex_count();
    EdgeIndex e = old ? graph_.row_begin(v) : 0;
    const EdgeIndex last = old ? graph_.row_end(v) : 0;
    while (e < last || change != end) {
      if (change == end || (e < last && graph_.neighbor_at(e) < change->column)) {
        put(graph_.neighbor_at(e), graph_.weight_at(e));
        ++e;
        continue;
      }
      if (e < last && graph_.neighbor_at(e) == change->column) ++e;
      if (change->weight > 0.0) put(change->column, change->weight);
      ++change;
    }
  }

  const Graph& graph_;
  std::vector<Entry> entries_;
  bool weighted_ = false;
  std::vector<EdgeIndex> offsets_;
  std::vector<VertexId> neighbors_;
  std::vector<double> weights_;
};

}  // namespace

Graph with_changes(const Graph& graph, VertexId vertex_count, std::span<const EdgeChange> changes) {
  if (vertex_count < graph.vertex_count())
    throw Error(ErrorCode::usage, "changes of a graph: " + std::to_string(vertex_count) +
                                      " vertices: must be at least the " +
                                      std::to_string(graph.vertex_count()) + " it has");
  return ChangedRows(graph, vertex_count, entries_of(changes, vertex_count)).graph();
}

}  // namespace gssl
