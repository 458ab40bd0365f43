#include "merged_rows.hpp"

#include "gssl/core/index.hpp"

namespace gssl::flow {

MergedRows rows_of(const Graph& graph) {
  MergedRows rows;
  rows.size = graph.vertex_count();
  rows.offsets = graph.offset_array().data();
  rows.heads = graph.neighbor_array().data();
  if (!graph.has_unit_weights()) rows.weights = graph.weight_array().data();
  return rows;
}

MergedRows merged(const MergedRows& rows, DisjointSets& sets, std::vector<VertexId>& number) {
  number.assign(index(rows.size), no_vertex);
  VertexId count = 0;
  for (VertexId v = 0; v < rows.size; ++v) {
    VertexId& name = number[index(sets.find(v))];
    if (name == no_vertex) name = count++;
    number[index(v)] = name;
  }
  // Members of each set, one set behind the other.
  std::vector<VertexId> end(index(count) + 1, 0), members(index(rows.size));
  for (VertexId v = 0; v < rows.size; ++v) ++end[index(number[index(v)]) + 1];
  for (VertexId c = 0; c < count; ++c) end[index(c) + 1] += end[index(c)];
  std::vector<VertexId> cursor(end.begin(), end.end() - 1);
  for (VertexId v = 0; v < rows.size; ++v) members[index(cursor[index(number[index(v)])]++)] = v;

  MergedRows left;
  left.size = count;
  left.own_offsets.reserve(index(count) + 1);
  left.own_offsets.push_back(0);
  std::vector<EdgeIndex> slot(index(count), -1);  // where the row of the moment keeps each neighbor
  for (VertexId c = 0; c < count; ++c) {
    const EdgeIndex begin = left.own_offsets.back();
    for (VertexId i = end[index(c)]; i < end[index(c) + 1]; ++i) {
      rows.visit(members[index(i)], [&](VertexId u, double w) {
        const VertexId d = number[index(u)];
        if (d == c) return;
        if (slot[index(d)] >= begin) {
          left.own_weights[static_cast<std::size_t>(slot[index(d)])] += w;
          return;
        }
        slot[index(d)] = static_cast<EdgeIndex>(left.own_heads.size());
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
