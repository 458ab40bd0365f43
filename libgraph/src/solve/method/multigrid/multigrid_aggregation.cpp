#include "multigrid_aggregation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gssl/core/index.hpp"

namespace gssl::solve {
namespace {

constexpr double least_strength = 0.25;
constexpr VertexId most_members = 8;
// A vertex whose ground is more than this part of its diagonal is held by it: an aggregate would
// pass the others' value on to it.
constexpr double held_share = 0.5;

bool is_held(const MultigridMatrix& a, VertexId v) {
  return a.ground[index(v)] > held_share * a.diagonal[index(v)];
}

Aggregates with_members(std::vector<VertexId> of, VertexId count) {
  Aggregates a{.count = count, .of = std::move(of), .member_begin = {}, .member = {}};
  a.member_begin.assign(index(count) + 1, 0);
  for (const VertexId k : a.of)
    if (k != no_vertex) ++a.member_begin[index(k) + 1];
  std::partial_sum(a.member_begin.begin(), a.member_begin.end(), a.member_begin.begin());
  a.member.resize(index(a.member_begin.back()));
  std::vector<EdgeIndex> next = a.member_begin;
  for (VertexId v = 0; v < static_cast<VertexId>(a.of.size()); ++v)
    if (const VertexId k = a.of[index(v)]; k != no_vertex) a.member[index(next[index(k)]++)] = v;
  return a;
}

// Root of the tree of v, halving the path to it.
VertexId find_root(std::vector<VertexId>& parent, VertexId v) {
  while (parent[index(v)] != v) v = parent[index(v)] = parent[index(parent[index(v)])];
  return v;
}

}  // namespace

Aggregates aggregate_neighborhoods(const MultigridMatrix& a) {
  std::vector<double> heaviest(index(a.size), 0.0);
  for (VertexId v = 0; v < a.size; ++v)
    for (EdgeIndex e = a.begin(v); e < a.end(v); ++e)
      heaviest[index(v)] = std::max(heaviest[index(v)], a.weight(e));
  const auto strong = [&](VertexId v, EdgeIndex e) {
    const double w = a.weight(e);
    if (is_held(a, v) || is_held(a, a.neighbor(e))) return false;
    return w > 0.0 && w * w >= least_strength * least_strength * heaviest[index(v)] *
                                   heaviest[index(a.neighbor(e))];
  };

  std::vector<VertexId> of(index(a.size), no_vertex);
  VertexId count = 0;
  for (VertexId v = 0; v < a.size; ++v) {
    bool free = of[index(v)] == no_vertex, any = false;
    for (EdgeIndex e = a.begin(v); e < a.end(v) && free; ++e) {
      if (!strong(v, e)) continue;
      any = true;
      free = of[index(a.neighbor(e))] == no_vertex;
    }
    if (!free || !any) continue;
    for (EdgeIndex e = a.begin(v); e < a.end(v); ++e)
      if (strong(v, e)) of[index(a.neighbor(e))] = count;
    of[index(v)] = count++;
  }

  const std::vector<VertexId> first = of;
  for (VertexId v = 0; v < a.size; ++v) {
    double most = 0.0;
    for (EdgeIndex e = a.begin(v); e < a.end(v) && first[index(v)] == no_vertex; ++e) {
      const VertexId joined = first[index(a.neighbor(e))];
      if (joined == no_vertex || a.weight(e) <= most || !strong(v, e)) continue;
      most = a.weight(e);
      of[index(v)] = joined;
    }
  }

  for (VertexId v = 0; v < a.size; ++v) {
    bool any = false;
    if (of[index(v)] != no_vertex) continue;
    for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) {
      if (of[index(a.neighbor(e))] != no_vertex || !strong(v, e)) continue;
      of[index(a.neighbor(e))] = count;
      any = true;
    }
    if (any) of[index(v)] = count++;
  }
  return with_members(std::move(of), count);
}

Aggregates aggregate_heaviest(const MultigridMatrix& a) {
  const auto held = [&](VertexId v) { return a.begin(v) == a.end(v) || is_held(a, v); };
  std::vector<VertexId> parent(index(a.size)), members(index(a.size), 1);
  std::iota(parent.begin(), parent.end(), 0);
  for (VertexId v = 0; v < a.size; ++v) {
    if (held(v)) continue;
    VertexId heaviest = no_vertex;
    double most = 0.0;
    for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) {
      if (a.weight(e) <= most) continue;
      most = a.weight(e);
      heaviest = a.neighbor(e);
    }
    if (heaviest == no_vertex || held(heaviest)) continue;
    const VertexId root = find_root(parent, heaviest), own = find_root(parent, v);
    if (root == own || members[index(root)] + members[index(own)] > most_members) continue;
    parent[index(own)] = root;
    members[index(root)] += members[index(own)];
  }
  std::vector<VertexId> of(index(a.size), no_vertex);
  VertexId count = 0;
  for (VertexId v = 0; v < a.size; ++v) {
    if (held(v)) continue;
    VertexId& k = of[index(find_root(parent, v))];
    if (k == no_vertex) k = count++;
    of[index(v)] = k;
  }
  return with_members(std::move(of), count);
}

}  // namespace gssl::solve
