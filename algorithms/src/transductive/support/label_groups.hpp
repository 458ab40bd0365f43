#pragma once
// The components that hold labels ("groups"), and what learners at low label rates need of each:
// its vertices, its labels of each class, its mean degree. Everything such a learner sums or
// normalizes is taken group by group, so that no component influences another. Internal: not
// installed.
//
//   const LabelGroups groups(graph, labeled, threads);
//   for (VertexId v : groups.members(g)) ...
//   groups.has_class(g, k)
//
// A group whose labels are all of one class belongs to that class: positive_shares() and the
// partitions see to it. O(n + m) time; O(n) memory and K numbers for each group.

#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl::detail {

class LabelGroups {
 public:
  LabelGroups(const Graph& graph, const LabeledSet& labeled, int threads);

  int count() const { return static_cast<int>(offset_.size()) - 1; }
  // Group of a vertex, −1 where its component has no label.
  int of(VertexId v) const { return of_[static_cast<std::size_t>(v)]; }
  std::span<const VertexId> members(int g) const {  // ascending
    return {member_.data() + offset_[index(g)], offset_[index(g) + 1] - offset_[index(g)]};
  }
  const std::vector<VertexId>& unreached() const { return unreached_; }

  // Labels of class k in group g, of any class, and whether there is one. A regression has no
  // classes.
  double label_count(int g, int k) const { return labels_(g, k); }
  double label_count(int g) const { return label_total_[index(g)]; }
  bool has_class(int g, int k) const { return labels_(g, k) > 0.0; }

  const std::vector<double>& degrees() const { return degree_; }  // weighted, of every vertex
  // Σ degrees / vertices of the group; 1 for a single vertex, which has no edge.
  double mean_degree(int g) const { return mean_degree_[index(g)]; }
  double largest_degree(int g) const { return largest_degree_[index(g)]; }  // 1 likewise

  // groups × classes: class proportions that sum to one over the classes that have a label in the
  // group, 0 for the others. Not for MassRule::none. Where the priors of all of them are 0, their
  // label frequencies stand in.
  Block proportions(MassRule mass, const std::vector<double>& priors) const;

  // Calls body(v) for the members of every group, on several threads.
  template <class Body>
  void for_members(int threads, Body&& body) const {
    parallel_blocks(static_cast<std::int64_t>(member_.size()), threads,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i)
                        body(member_[static_cast<std::size_t>(i)]);
                    });
  }
  // Sum of body(v) over the members of g, in an order that does not depend on the threads.
  template <class Body>
  auto sum_over(int g, int threads, Body&& body) const {
    const std::span<const VertexId> list = members(g);
    using Sum = decltype(body(VertexId{0}));
    return blocked_sum(static_cast<std::int64_t>(list.size()), threads,
                       [&](std::int64_t begin, std::int64_t end) {
                         Sum sum{};
                         for (std::int64_t i = begin; i < end; ++i)
                           sum += body(list[static_cast<std::size_t>(i)]);
                         return sum;
                       });
  }

 private:
  std::vector<int> of_;
  std::vector<std::size_t> offset_;
  std::vector<VertexId> member_;
  std::vector<VertexId> unreached_;
  Block labels_;
  std::vector<double> label_total_;
  std::vector<double> degree_;
  std::vector<double> mean_degree_;
  std::vector<double> largest_degree_;
};

// Signed potentials become scores: the shares of the classes in the positive part of their row,
// among the classes that have a label in the group. The largest potential keeps the largest score.
// Potentials below 1e-9 of the largest of the group count as 0; a row that has none above shares
// alike, and how many those are is returned.
std::int64_t positive_shares(const LabelGroups& groups, Block& potentials, int threads);

}  // namespace gssl::detail
