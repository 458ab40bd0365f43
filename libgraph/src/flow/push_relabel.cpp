// Push–relabel, first phase: surplus moves along arcs that lead one label down, towards demand. The
// label of a vertex is a lower bound of its distance to the nearest demand; a vertex that cannot
// reach any gets the label n and keeps its surplus, which is all that a minimum cut needs. Highest
// label first; labels are made exact by a search from the demand now and then, and a label that
// nobody has (a gap) sends everything above it to n.

#include <algorithm>
#include <cstdint>

#include "gssl/core/error.hpp"
#include "residual_network.hpp"

namespace gssl::detail {

namespace {

class PushRelabel {
 public:
  PushRelabel(ResidualNetwork& network, const RunContext& run)
      : net_(network), run_(run), n_(network.vertex_count()) {
    const auto n = static_cast<std::size_t>(n_);
    label_.resize(n);
    current_.resize(n);
    next_.resize(n);
    previous_.resize(n);
  }

  void solve() {
    for (VertexId v = 0; v < n_; ++v)
      if (net_.surplus[at(v)] == infinite) flood(v);
    relabel_globally();
    // As often as all arcs have been looked at about twice (Cherkassky and Goldberg).
    const std::int64_t enough =
        2 * (6 * std::int64_t{n_} + static_cast<std::int64_t>(net_.flow.size()));
    for (;;) {
      while (highest_ >= 0 && active_[at(highest_)] == no_vertex) --highest_;
      if (highest_ < 0) return;
      const VertexId v = active_[at(highest_)];
      active_[at(highest_)] = next_[at(v)];
      discharge(v);
      if (++steps_ % 4096 == 0) check_flow_may_go_on(run_);
      if (work_ > enough) relabel_globally();
    }
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static std::size_t at(VertexId v) { return static_cast<std::size_t>(v); }

  // A hard label gives all that its edges take, once.
  void flood(VertexId v) {
    for (Arc e = net_.row_begin(v); e < net_.row_end(v); ++e) {
      if (!net_.has_left(e)) continue;
      const double amount = net_.left(e);
      net_.surplus[at(net_.head[e])] += amount;
      net_.push(e, amount);
    }
  }

  bool is_active(VertexId v) const {
    return net_.surplus[at(v)] > 0.0 && net_.surplus[at(v)] != infinite;
  }

  // Labels = distances to demand; the lists are built anew.
  void relabel_globally() {
    work_ = 0;
    std::ranges::fill(label_, n_);
    std::ranges::fill(active_, no_vertex);
    std::ranges::fill(idle_, no_vertex);
    highest_ = top_ = -1;
    // The queue of the search is linked through current_, which its vertices do not use yet.
    Arc first = no_arc;
    Arc* link = &first;
    const auto append = [&](VertexId v, VertexId label) {
      label_[at(v)] = label;
      *link = static_cast<Arc>(v);
      link = &current_[at(v)];
      *link = no_arc;
    };
    for (VertexId v = 0; v < n_; ++v)
      if (net_.surplus[at(v)] < 0.0) append(v, 0);
    while (first != no_arc) {
      const auto v = static_cast<VertexId>(first);
      for (Arc e = net_.row_begin(v); e < net_.row_end(v); ++e) {
        const VertexId u = net_.head[e];
        if (label_[at(u)] == n_ && net_.has_left(e, -1.0)) append(u, label_[at(v)] + 1);
      }
      first = current_[at(v)];
      enlist(v);
    }
    check_flow_may_go_on(run_);
  }

  // Puts v, whose label is below n, on its list.
  void enlist(VertexId v) {
    current_[at(v)] = net_.row_begin(v);
    const VertexId label = label_[at(v)];
    if (at(label) >= active_.size()) {
      active_.resize(at(label) + 1, no_vertex);
      idle_.resize(at(label) + 1, no_vertex);
    }
    top_ = std::max(top_, label);
    if (is_active(v)) {
      activate(v);
    } else {
      add_idle(v);
    }
  }

  void activate(VertexId v) {
    const VertexId label = label_[at(v)];
    next_[at(v)] = active_[at(label)];
    active_[at(label)] = v;
    highest_ = std::max(highest_, label);
  }

  void add_idle(VertexId v) {
    const VertexId first = idle_[at(label_[at(v)])];
    next_[at(v)] = first;
    previous_[at(v)] = no_vertex;
    if (first != no_vertex) previous_[at(first)] = v;
    idle_[at(label_[at(v)])] = v;
  }

  void remove_idle(VertexId v) {
    const VertexId before = previous_[at(v)], after = next_[at(v)];
    if (before == no_vertex) {
      idle_[at(label_[at(v)])] = after;
    } else {
      next_[at(before)] = after;
    }
    if (after != no_vertex) previous_[at(after)] = before;
  }

  // v is on no list; afterwards it is, unless it cannot reach demand.
  void discharge(VertexId v) {
    for (;;) {
      const VertexId below = label_[at(v)] - 1;
      const Arc end = net_.row_end(v);
      for (Arc e = current_[at(v)]; e < end; ++e) {
        const VertexId u = net_.head[e];
        if (label_[at(u)] != below || !net_.has_left(e)) continue;
        if (push(v, e, u)) {
          current_[at(v)] = e;
          add_idle(v);
          return;
        }
      }
      if (!relabel(v)) return;
    }
  }

  // True if v is empty now.
  bool push(VertexId v, Arc e, VertexId u) {
    const double left = net_.left(e), have = net_.surplus[at(v)];
    const double amount = std::min(left, have);
    net_.push(e, amount);
    double& there = net_.surplus[at(u)];
    const bool was_idle = !(there > 0.0);
    there += amount;
    if (was_idle && there > 0.0) {
      remove_idle(u);
      activate(u);
    }
    net_.surplus[at(v)] = have - amount;
    return amount == have;
  }

  // Lifts v above its lowest neighbor with capacity left; false if it cannot reach demand. v is on
  // no list.
  bool relabel(VertexId v) {
    const VertexId old = label_[at(v)];
    const Arc begin = net_.row_begin(v), end = net_.row_end(v);
    work_ += 12 + (end - begin);
    if (active_[at(old)] == no_vertex && idle_[at(old)] == no_vertex) {
      close_gap(old);
      label_[at(v)] = n_;
      return false;
    }
    VertexId lowest = n_;
    for (Arc e = begin; e < end; ++e) {
      const VertexId label = label_[at(net_.head[e])];
      if (label < lowest && net_.has_left(e)) {
        lowest = label;
        current_[at(v)] = e;
      }
    }
    label_[at(v)] = std::min(n_, lowest + 1);
    if (label_[at(v)] == n_) return false;
    const std::size_t label = at(label_[at(v)]);
    if (label >= active_.size()) {
      active_.resize(label + 1, no_vertex);
      idle_.resize(label + 1, no_vertex);
    }
    top_ = std::max(top_, label_[at(v)]);
    return true;
  }

  // Nobody has `label`, and no active vertex is above it.
  void close_gap(VertexId label) {
    for (VertexId above = label + 1; above <= top_; ++above) {
      for (VertexId v = idle_[at(above)]; v != no_vertex; v = next_[at(v)]) label_[at(v)] = n_;
      idle_[at(above)] = no_vertex;
    }
    top_ = label - 1;
  }

  ResidualNetwork& net_;
  const RunContext& run_;
  VertexId n_;
  std::vector<VertexId> label_;
  std::vector<Arc> current_;               // no arc before it leads one label down
  std::vector<VertexId> next_, previous_;  // in the list of its label
  std::vector<VertexId> active_, idle_;    // first of each label: with surplus, without
  VertexId highest_ = -1;                  // no active vertex has a higher label
  VertexId top_ = -1;                      // no vertex on a list has a higher label
  std::int64_t work_ = 0;                  // since the last global relabeling
  std::int64_t steps_ = 0;
};

}  // namespace

void run_push_relabel(ResidualNetwork& network, const RunContext& run) {
  PushRelabel(network, run).solve();
}

}  // namespace gssl::detail
