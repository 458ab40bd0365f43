#include "merged_rows.hpp"

namespace gssl::flow {

namespace {

std::size_t at(VertexId v) { return static_cast<std::size_t>(v); }

}  // namespace

MergedRows rows_of(const Graph& graph) {
  MergedRows rows;
  rows.size = graph.vertex_count();
  rows.offsets = graph.offset_array().data();
  rows.heads = graph.neighbor_array().data();
  if (!graph.has_unit_weights()) rows.weights = graph.weight_array().data();
  return rows;
}

MergedRows merged(const MergedRows& rows, DisjointSets& sets, std::vector<VertexId>& number) {
  number.assign(at(rows.size), no_vertex);
  VertexId count = 0;
  for (VertexId v = 0; v < rows.size; ++v) {
    VertexId& name = number[at(sets.find(v))];
    if (name == no_vertex) name = count++;
    number[at(v)] = name;
  }
  // Members of each set, one set behind the other.
  std::vector<VertexId> end(at(count) + 1, 0), members(at(rows.size));
  for (VertexId v = 0; v < rows.size; ++v) ++end[at(number[at(v)]) + 1];
  for (VertexId c = 0; c < count; ++c) end[at(c) + 1] += end[at(c)];
  std::vector<VertexId> cursor(end.begin(), end.end() - 1);
  for (VertexId v = 0; v < rows.size; ++v) members[at(cursor[at(number[at(v)])]++)] = v;

  MergedRows left;
  left.size = count;
  left.own_offsets.reserve(at(count) + 1);
  left.own_offsets.push_back(0);
  std::vector<EdgeIndex> slot(at(count), -1);  // where the row of the moment keeps each neighbor
  for (VertexId c = 0; c < count; ++c) {
    const EdgeIndex begin = left.own_offsets.back();
    for (VertexId i = end[at(c)]; i < end[at(c) + 1]; ++i) {
      rows.visit(members[at(i)], [&](VertexId u, double w) {
        const VertexId d = number[at(u)];
        if (d == c) return;
        if (slot[at(d)] >= begin) {
          left.own_weights[static_cast<std::size_t>(slot[at(d)])] += w;
          return;
        }
        slot[at(d)] = static_cast<EdgeIndex>(left.own_heads.size());
        left.own_heads.push_back(d);
        left.own_weights.push_back(w);
      });
    }
    left.own_offsets.push_back(static_cast<EdgeIndex>(left.own_heads.size()));
  }
  left.offsets = left.own_offsets.data();
  left.heads = left.own_heads.data();
  left.weights = left.own_weights.data();
  return left;
}

}  // namespace gssl::flow
