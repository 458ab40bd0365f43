// Incremental breadth-first search. Two forests, one rooted at surplus and one at demand, hold each
// vertex at a label that is a lower bound of its distance from the roots, exact within the radius
// the tree has grown to. An arc with capacity left from the surplus tree to the demand tree closes
// a path; pushing along it saturates tree arcs, and the vertices below them look for a parent of
// the right label, from where they stopped the last time, or move further out, or are set free.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "residual_network.hpp"

namespace gssl::detail {

namespace {

constexpr int surplus_tree = 0;
constexpr int demand_tree = 1;

// +1 for the surplus tree, whose flow runs from parent to child; −1 for the other.
constexpr int sign_of(int tree) { return tree == surplus_tree ? 1 : -1; }

class IncrementalSearch {
 public:
  IncrementalSearch(ResidualNetwork& network, std::int64_t budget, const RunContext& run)
      : net_(network),
        budget_(budget),
        run_(run),
        nodes_(static_cast<std::size_t>(network.vertex_count())),
        marks_(static_cast<std::size_t>(network.vertex_count()), 0) {
    for (VertexId v = 0; v < net_.vertex_count(); ++v) {
      const double surplus = net_.surplus[index(v)];
      if (surplus == 0.0) continue;
      const int tree = surplus > 0.0 ? surplus_tree : demand_tree;
      nodes_[index(v)].label = sign_of(tree);
      ++roots_[tree];
    }
  }

  // False if the budget was spent before the flow was largest.
  bool solve() {
    for (;;) {
      const std::size_t surplus = frontier_size(surplus_tree);
      const std::size_t demand = frontier_size(demand_tree);
      if (surplus == 0 || demand == 0) return true;
      const bool grown = surplus <= demand ? grow<surplus_tree>() : grow<demand_tree>();
      if (is_spent()) return false;
      if (!grown) return true;
    }
  }

 private:
  struct Node {
    std::int32_t label = 0;  // sign of the tree times 1 + distance; 0: in no tree
    Arc parent = no_arc;     // arc to the parent, in the row of the child; none for roots
  };
  struct Orphan {
    VertexId vertex;
    Arc from;  // to the parent it had
  };

  static constexpr std::size_t keep = 256;  // entries

  std::vector<VertexId>& level(int tree, std::int32_t label) { return levels_[tree][label & 1]; }
  std::size_t frontier_size(int tree) {
    return radius_[tree] == 1 ? roots_[tree] : level(tree, radius_[tree]).size();
  }

  // Puts v on the list of its label, to be scanned when the tree grows from there. Roots, which may
  // be all vertices, are on none. Entries go stale when their vertex moves; the mark keeps a vertex
  // from being on one list twice.
  void list(int tree, VertexId v, std::int32_t label) {
    const auto mark = static_cast<unsigned char>(1U << (2 * tree + (label & 1)));
    if ((marks_[index(v)] & mark) != 0) return;
    marks_[index(v)] |= mark;
    level(tree, label).push_back(v);
  }

  // A list that was long once is not to hold its memory for good.
  template <class List>
  static void empty(List& list) {
    list.clear();
    if (list.capacity() > keep) list.shrink_to_fit();
  }

  bool is_spent() const { return work_ > budget_; }

  // Looks at the arcs of v, which is what the budget counts.
  Arc counted_row_end(VertexId v) {
    const Arc end = net_.row_end(v);
    work_ += 1 + (end - net_.row_begin(v));
    return end;
  }

  void check_stop() {
    if (++steps_ % 4096 == 0) check_flow_may_go_on(run_);
  }

  // Scans the frontier of a tree; false if nothing on it was still in the tree.
  template <int tree>
  bool grow() {
    constexpr int sign = sign_of(tree);
    const std::int32_t label = radius_[tree];
    growing_ = tree;
    bool any = false;
    const auto visit = [&](VertexId v) {
      if (nodes_[index(v)].label != sign * label) return;
      any = true;
      check_stop();
      scan<tree>(v, label);
    };
    if (label == 1) {
      for (VertexId v = 0; v < net_.vertex_count() && !is_spent(); ++v) visit(v);
      if (is_spent()) return true;
    } else {
      std::vector<VertexId>& list_now = level(tree, label);
      const auto mark = static_cast<unsigned char>(1U << (2 * tree + (label & 1)));
      for (std::size_t i = 0; i < list_now.size(); ++i) {
        marks_[index(list_now[i])] &= static_cast<unsigned char>(~mark);
        visit(list_now[i]);
        if (is_spent()) return true;
      }
      empty(list_now);
    }
    growing_ = -1;
    ++radius_[tree];
    return any;
  }

  template <int tree>
  void scan(VertexId v, std::int32_t label) {
    constexpr int sign = sign_of(tree);
    const Arc end = counted_row_end(v);
    for (Arc e = net_.row_begin(v); e < end; ++e) {
      while (net_.has_left(e, sign)) {
        const VertexId u = net_.head[e];
        Node& other = nodes_[index(u)];
        if (other.label == 0) {
          other = {sign * (label + 1), net_.mirror[e]};
          marks_[index(u)] &= static_cast<unsigned char>(~parent_is_first);
          list(tree, u, label + 1);
          break;
        }
        if ((other.label > 0) == (sign > 0)) break;
        augment(tree == surplus_tree ? e : net_.mirror[e]);
        if (nodes_[index(v)].label != sign * label || is_spent()) return;
      }
    }
  }

  // Sends what the path through `bridge`, from the surplus tree to the demand tree, can take.
  void augment(Arc bridge) {
    check_stop();
    const VertexId tail = net_.head[net_.mirror[bridge]];
    double amount = net_.left(bridge);
    VertexId v = tail;
    for (Arc e; (e = nodes_[index(v)].parent) != no_arc; v = net_.head[e])
      amount = std::min(amount, net_.left(e, -1.0));
    amount = std::min(amount, net_.surplus[index(v)]);
    v = net_.head[bridge];
    for (Arc e; (e = nodes_[index(v)].parent) != no_arc; v = net_.head[e])
      amount = std::min(amount, net_.left(e));
    amount = std::min(amount, -net_.surplus[index(v)]);

    net_.push(bridge, amount);
    for (v = tail; nodes_[index(v)].parent != no_arc;) {
      const Arc e = nodes_[index(v)].parent;
      const VertexId parent = net_.head[e];
      if (net_.push(net_.mirror[e], amount)) orphan(v, e);
      v = parent;
    }
    net_.surplus[index(v)] -= amount;
    if (net_.surplus[index(v)] == 0.0) orphan(v, net_.row_end(v));
    // Nearest to the root first: those below may then keep their place.
    std::reverse(orphans_.begin(), orphans_.end());
    adopt_all<surplus_tree>();

    for (v = net_.head[bridge]; nodes_[index(v)].parent != no_arc;) {
      const Arc e = nodes_[index(v)].parent;
      const VertexId parent = net_.head[e];
      if (net_.push(e, amount)) orphan(v, e);
      v = parent;
    }
    net_.surplus[index(v)] += amount;
    if (net_.surplus[index(v)] == 0.0) orphan(v, net_.row_end(v));
    std::reverse(orphans_.begin(), orphans_.end());
    adopt_all<demand_tree>();
  }

  void orphan(VertexId v, Arc from) {
    nodes_[index(v)].parent = no_arc;
    orphans_.push_back({v, from});
  }

  // Orphans that find no parent at their label lose it, with all that hangs on them. Then the lost
  // ones are reached again from the rest of the tree, nearest first, so that each gets its new
  // label once; taking the best neighbor at once would let them climb on each other step by step.
  template <int tree>
  void adopt_all() {
    for (std::size_t i = 0; i < orphans_.size(); ++i) {
      const Orphan one = orphans_[i];
      if (!keeps_label<tree>(one)) lose<tree>(one.vertex);
      if (i < keep || 2 * i < orphans_.size()) continue;
      orphans_.erase(orphans_.begin(), orphans_.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
    empty(orphans_);
    if (lost_.empty()) return;
    const std::int32_t limit = radius_[tree] + (growing_ == tree ? 1 : 0);
    if (offers_.size() <= index(limit)) offers_.resize(index(limit) + 1);
    std::int32_t label = limit + 1;
    for (const VertexId v : lost_) {
      const std::int32_t best = nearest_label<tree>(v, limit);
      if (best >= limit) continue;
      offer(v, best + 1);
      label = std::min(label, best + 1);
    }
    lost_.clear();
    for (; offered_ > 0; ++label) {
      auto& candidates = offers_[index(label)];
      for (const VertexId v : candidates)
        if (nodes_[index(v)].label == 0) settle<tree>(v, label, limit);
      offered_ -= candidates.size();
      empty(candidates);
    }
  }

  template <int tree>
  bool keeps_label(Orphan orphan) {
    constexpr int sign = sign_of(tree);
    const VertexId v = orphan.vertex;
    const std::int32_t wanted = nodes_[index(v)].label - sign;
    if (wanted == 0) return false;
    const bool resume = (marks_[index(v)] & parent_is_first) != 0;
    const Arc end = counted_row_end(v);
    for (Arc e = resume ? orphan.from : net_.row_begin(v); e < end; ++e) {
      if (nodes_[index(net_.head[e])].label != wanted || !net_.has_left(e, -sign)) continue;
      nodes_[index(v)].parent = e;
      marks_[index(v)] |= parent_is_first;
      return true;
    }
    return false;
  }

  template <int tree>
  void lose(VertexId v) {
    nodes_[index(v)] = {};
    lost_.push_back(v);
    const Arc end = counted_row_end(v);
    for (Arc e = net_.row_begin(v); e < end; ++e) {
      const VertexId u = net_.head[e];
      if (nodes_[index(u)].parent == net_.mirror[e]) orphan(u, net_.mirror[e]);
    }
  }

  // Smallest label of a neighbor that v could hang on, or `limit`.
  template <int tree>
  std::int32_t nearest_label(VertexId v, std::int32_t limit) {
    constexpr int sign = sign_of(tree);
    const Arc end = counted_row_end(v);
    for (Arc e = net_.row_begin(v); e < end; ++e) {
      const std::int32_t label = sign * nodes_[index(net_.head[e])].label;
      if (label > 0 && label < limit && net_.has_left(e, -sign)) limit = label;
    }
    return limit;
  }

  void offer(VertexId v, std::int32_t label) {
    offers_[index(label)].push_back(v);
    ++offered_;
  }

  // Some neighbor of v has the label before this one.
  template <int tree>
  void settle(VertexId v, std::int32_t label, std::int32_t limit) {
    constexpr int sign = sign_of(tree);
    Node& node = nodes_[index(v)];
    node.label = sign * label;
    marks_[index(v)] |= parent_is_first;
    if (label >= radius_[tree]) list(tree, v, label);
    const Arc end = counted_row_end(v);
    for (Arc e = net_.row_begin(v); e < end; ++e) {
      const VertexId u = net_.head[e];
      const std::int32_t other = nodes_[index(u)].label;
      if (other == 0) {
        if (label < limit && net_.has_left(e, sign)) offer(u, label + 1);
      } else if (node.parent == no_arc && other == sign * (label - 1) && net_.has_left(e, -sign)) {
        node.parent = e;
      }
    }
  }

  ResidualNetwork& net_;
  std::int64_t budget_;
  const RunContext& run_;
  std::vector<Node> nodes_;
  // Bit 2·tree + (label mod 2): on that list. Bit 4: no arc before the one to the parent leads to
  // another parent, now or until the label changes.
  static constexpr unsigned char parent_is_first = 16;
  std::vector<unsigned char> marks_;
  std::array<std::array<std::vector<VertexId>, 2>, 2> levels_;
  std::array<std::size_t, 2> roots_{};
  std::array<std::int32_t, 2> radius_{1, 1};  // frontier of each tree
  int growing_ = -1;
  std::vector<Orphan> orphans_;
  std::deque<VertexId> lost_;  // may be all of a tree: no room for a vector that grows by doubling
  std::vector<std::vector<VertexId>> offers_;  // by label; empty between adoptions
  std::size_t offered_ = 0;
  std::int64_t work_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace

bool run_incremental_search(ResidualNetwork& network, std::int64_t budget, const RunContext& run) {
  return IncrementalSearch(network, budget, run).solve();
}

}  // namespace gssl::detail
