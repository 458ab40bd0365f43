#include "distributed_components.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "graph/support/disjoint_sets.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

// Values that vertices anywhere have, asked of their owners: questions may repeat.
class Questions {
 public:
  Questions(const DistributedGraph& graph, const std::vector<std::int64_t>& vertices,
            const Communicator& ranks)
      : graph_(graph), ranks_(ranks) {
    std::vector<std::size_t> count(static_cast<std::size_t>(ranks.size()), 0);
    std::vector<int> owner;
    owner.reserve(vertices.size());
    for (const std::int64_t vertex : vertices) {
      owner.push_back(graph.owner_of(vertex));
      ++count[static_cast<std::size_t>(owner.back())];
    }
    Parcels<std::int64_t> out(count);
    out_begin_ = out.begin;
    std::vector<std::size_t> next = out.begin;
    place_.reserve(vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      place_.push_back(next[static_cast<std::size_t>(owner[i])]++);
      out.items[place_.back()] = vertices[i];
    }
    asked_ = ranks.exchange(out);
  }

  // value[v] of each vertex asked for, in the order of the questions.
  template <class T>
  std::vector<T> answer(const std::vector<T>& value) const {
    Parcels<T> out;
    out.begin = asked_.begin;
    out.items.reserve(asked_.items.size());
    for (const std::int64_t vertex : asked_.items) out.items.push_back(value[local(vertex)]);
    const Parcels<T> in = ranks_.exchange(out);
    std::vector<T> found;
    found.reserve(place_.size());
    for (const std::size_t at : place_) found.push_back(in.items[at]);
    return found;
  }

  // Calls take(own row, value) for the value that each question carries to its vertex.
  template <class T, class Take>
  void carry(const std::vector<T>& values, Take&& take) const {
    Parcels<T> out;
    out.begin = out_begin_;
    out.items.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) out.items[place_[i]] = values[i];
    const Parcels<T> in = ranks_.exchange(out);
    for (std::size_t i = 0; i < in.items.size(); ++i) take(local(asked_.items[i]), in.items[i]);
  }

 private:
  std::size_t local(std::int64_t vertex) const {
    return static_cast<std::size_t>(vertex - graph_.begin);
  }

  const DistributedGraph& graph_;
  const Communicator& ranks_;
  std::vector<std::size_t> out_begin_;
  std::vector<std::size_t> place_;
  Parcels<std::int64_t> asked_;
};

using Link = std::pair<std::int64_t, std::int64_t>;  // two parts, by their least own vertices

// Of each own row, the least own vertex that own arcs join it with; and the arcs to other ranks
// between such parts, each once on either side.
std::vector<std::int64_t> own_parts(const DistributedGraph& graph) {
  DisjointSets sets(graph.rows());
  for (VertexId v = 0; v < graph.rows(); ++v) {
    VertexId root = sets.find(v);
    for (EdgeIndex e = graph.offsets[static_cast<std::size_t>(v)];
         e < graph.offsets[static_cast<std::size_t>(v) + 1]; ++e) {
      const VertexId u = graph.neighbors[static_cast<std::size_t>(e)];
      if (u < v && sets.unite(u, root)) root = sets.find(v);
    }
  }
  std::vector<VertexId> least(static_cast<std::size_t>(graph.rows()), no_vertex);
  std::vector<std::int64_t> part(least.size());
  for (VertexId v = 0; v < graph.rows(); ++v) {
    VertexId& first = least[static_cast<std::size_t>(sets.find(v))];
    if (first == no_vertex) first = v;
    part[static_cast<std::size_t>(v)] = graph.begin + first;
  }
  return part;
}

void keep_distinct(std::vector<Link>& links) {
  std::erase_if(links, [](const Link& link) { return link.first == link.second; });
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

std::vector<Link> links_between(const DistributedGraph& graph,
                                const std::vector<std::int64_t>& part,
                                const std::vector<std::int64_t>& ghost_part) {
  std::vector<Link> links;
  for (VertexId v = 0; v < graph.rows(); ++v)
    for (EdgeIndex e = graph.offsets[static_cast<std::size_t>(v)];
         e < graph.offsets[static_cast<std::size_t>(v) + 1]; ++e) {
      const VertexId u = graph.neighbors[static_cast<std::size_t>(e)];
      if (u < graph.rows()) continue;
      const Link link{part[static_cast<std::size_t>(v)],
                      ghost_part[static_cast<std::size_t>(u - graph.rows())]};
      if (links.empty() || links.back() != link) links.push_back(link);
    }
  keep_distinct(links);
  return links;
}

std::vector<std::int64_t> seconds_of(const std::vector<Link>& links) {
  std::vector<std::int64_t> seconds;
  seconds.reserve(links.size());
  for (const Link& link : links) seconds.push_back(link.second);
  return seconds;
}

}  // namespace

// parent[v] is a vertex of the component of part v, no larger than v; parts that hold other parts'
// labels are hooked below smaller ones until every parent is its own.
DistributedComponents connected_components(const DistributedGraph& graph,
                                           const Communicator& ranks) {
  std::vector<std::int64_t> part;
  together(ranks, [&] { part = own_parts(graph); });
  const std::vector<std::int64_t> ghost_part = graph.fetch(part, ranks);
  std::vector<Link> links;
  std::vector<std::int64_t> parent;  // of the parts; of other rows never asked for
  together(ranks, [&] {
    links = links_between(graph, part, ghost_part);
    parent = part;
  });
  const auto local = [&](std::int64_t vertex) {
    return static_cast<std::size_t>(vertex - graph.begin);
  };
  std::vector<std::int64_t> own;  // parts with a link, each once
  for (const Link& link : links)
    if (own.empty() || own.back() != link.first) own.push_back(link.first);
  const auto parents_of_own = [&] {
    std::vector<std::int64_t> parents;
    parents.reserve(own.size());
    for (const std::int64_t v : own) parents.push_back(parent[local(v)]);
    return parents;
  };
  for (bool changed = true; changed;) {
    // Grandparents of own parts and of the parts at the other end.
    const std::vector<std::int64_t> parents = parents_of_own();
    const Questions to_parents(graph, parents, ranks);
    const std::vector<std::int64_t> grand = to_parents.answer(parent);
    std::vector<std::int64_t> grand_of(parent.size());
    for (std::size_t i = 0; i < own.size(); ++i) grand_of[local(own[i])] = grand[i];
    const Questions to_others(graph, seconds_of(links), ranks);
    const std::vector<std::int64_t> others = to_others.answer(grand_of);
    // The least of them hooks the parent, and the part itself.
    std::vector<std::int64_t> least = grand;
    std::size_t at = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      while (own[at] != links[i].first) ++at;
      least[at] = std::min(least[at], others[i]);
    }
    bool here = false;
    const auto lower = [&](std::size_t row, std::int64_t label) {
      if (label >= parent[row]) return;
      parent[row] = label;
      here = true;
    };
    to_parents.carry(least, lower);
    for (std::size_t i = 0; i < own.size(); ++i) lower(local(own[i]), least[i]);
    changed = ranks.any(here);
  }
  // Rows take the label of their part, whose parent is a root by now.
  DistributedComponents found;
  found.root_of.resize(part.size());
  std::int64_t roots = 0;
  for (std::size_t v = 0; v < part.size(); ++v) {
    found.root_of[v] = parent[local(part[v])];
    if (found.root_of[v] == graph.begin + static_cast<std::int64_t>(v)) ++roots;
  }
  found.count = ranks.sum(roots);
  return found;
}

std::vector<char> spread_marks(const DistributedGraph& graph,
                               const DistributedComponents& components,
                               const std::vector<VertexId>& marked, const Communicator& ranks) {
  std::vector<std::int64_t> roots;
  roots.reserve(marked.size());
  for (const VertexId v : marked) roots.push_back(components.root_of[static_cast<std::size_t>(v)]);
  std::ranges::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  std::vector<char> root_marked(components.root_of.size(), 0);
  Questions(graph, roots, ranks)
      .carry(std::vector<char>(roots.size(), 1),
             [&](std::size_t row, char) { root_marked[row] = 1; });
  std::vector<std::int64_t> distinct;
  std::ranges::unique_copy(components.root_of, std::back_inserter(distinct));
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::vector<char> answers = Questions(graph, distinct, ranks).answer(root_marked);
  std::vector<char> found;
  found.reserve(components.root_of.size());
  for (const std::int64_t root : components.root_of)
    found.push_back(answers[static_cast<std::size_t>(std::ranges::lower_bound(distinct, root) -
                                                     distinct.begin())]);
  return found;
}

}  // namespace gssl::mpi
