// Push–relabel, first phase: surplus moves along arcs that lead one label down, towards demand. The
// label of a vertex is a lower bound of its distance to the nearest demand; a vertex that cannot
// reach any gets the label n and keeps its surplus, which is all that a minimum cut needs. Highest
// label first; labels are made exact by a search from the demand now and then, and a label that
// nobody has (a gap) sends everything above it to n.

#include <algorithm>
#include <cstdint>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
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
      if (net_.surplus[index(v)] == infinite) flood(v);
    relabel_globally();
    // As often as all arcs have been looked at about twice (Cherkassky and Goldberg).
    const std::int64_t enough =
        2 * (6 * std::int64_t{n_} + static_cast<std::int64_t>(net_.flow.size()));
    for (;;) {
      while (highest_ >= 0 && active_[index(highest_)] == no_vertex) --highest_;
      if (highest_ < 0) return;
      const VertexId v = active_[index(highest_)];
      active_[index(highest_)] = next_[index(v)];
      discharge(v);
      if (++steps_ % 4096 == 0) check_flow_may_go_on(run_);
      if (work_ > enough) relabel_globally();
    }
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  // A hard label gives all that its edges take, once.
  void flood(VertexId v) {
    for (Arc e = net_.row_begin(v); e < net_.row_end(v); ++e) {
      if (!net_.has_left(e)) continue;
      const double amount = net_.left(e);
      net_.surplus[index(net_.head[e])] += amount;
      net_.push(e, amount);
    }
  }

  bool is_active(VertexId v) const {
    return net_.surplus[index(v)] > 0.0 && net_.surplus[index(v)] != infinite;
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
      label_[index(v)] = label;
      *link = static_cast<Arc>(v);
      link = &current_[index(v)];
      *link = no_arc;
    };
    for (VertexId v = 0; v < n_; ++v)
      if (net_.surplus[index(v)] < 0.0) append(v, 0);
    while (first != no_arc) {
      const auto v = static_cast<VertexId>(first);
      for (Arc e = net_.row_begin(v); e < net_.row_end(v); ++e) {
        const VertexId u = net_.head[e];
        if (label_[index(u)] == n_ && net_.has_left(e, -1.0)) append(u, label_[index(v)] + 1);
      }
      first = current_[index(v)];
      enlist(v);
    }
    check_flow_may_go_on(run_);
  }

  // Puts v, whose label is below n, on its list.
  void enlist(VertexId v) {
    current_[index(v)] = net_.row_begin(v);
    const VertexId label = label_[index(v)];
    if (index(label) >= active_.size()) {
      active_.resize(index(label) + 1, no_vertex);
      idle_.resize(index(label) + 1, no_vertex);
    }
    top_ = std::max(top_, label);
    if (is_active(v)) {
      activate(v);
    } else {
      add_idle(v);
    }
  }

  void activate(VertexId v) {
    const VertexId label = label_[index(v)];
    next_[index(v)] = active_[index(label)];
    active_[index(label)] = v;
    highest_ = std::max(highest_, label);
  }

  void add_idle(VertexId v) {
    const VertexId first = idle_[index(label_[index(v)])];
    next_[index(v)] = first;
    previous_[index(v)] = no_vertex;
    if (first != no_vertex) previous_[index(first)] = v;
    idle_[index(label_[index(v)])] = v;
  }

  void remove_idle(VertexId v) {
    const VertexId before = previous_[index(v)], after = next_[index(v)];
    if (before == no_vertex) {
      idle_[index(label_[index(v)])] = after;
    } else {
      next_[index(before)] = after;
    }
    if (after != no_vertex) previous_[index(after)] = before;
  }

  // v is on no list; afterwards it is, unless it cannot reach demand.
  void discharge(VertexId v) {
    for (;;) {
      const VertexId below = label_[index(v)] - 1;
      const Arc end = net_.row_end(v);
      for (Arc e = current_[index(v)]; e < end; ++e) {
        const VertexId u = net_.head[e];
        if (label_[index(u)] != below || !net_.has_left(e)) continue;
        if (push(v, e, u)) {
          current_[index(v)] = e;
          add_idle(v);
          return;
        }
      }
      if (!relabel(v)) return;
    }
  }

  // True if v is empty now.
  bool push(VertexId v, Arc e, VertexId u) {
    const double left = net_.left(e), have = net_.surplus[index(v)];
    const double amount = std::min(left, have);
    net_.push(e, amount);
    double& there = net_.surplus[index(u)];
    const bool was_idle = !(there > 0.0);
    there += amount;
    if (was_idle && there > 0.0) {
      remove_idle(u);
      activate(u);
    }
    net_.surplus[index(v)] = have - amount;
    return amount == have;
  }

  // Lifts v above its lowest neighbor with capacity left; false if it cannot reach demand. v is on
  // no list.
  bool relabel(VertexId v) {
    const VertexId old = label_[index(v)];
    const Arc begin = net_.row_begin(v), end = net_.row_end(v);
    work_ += 12 + (end - begin);
    if (active_[index(old)] == no_vertex && idle_[index(old)] == no_vertex) {
      close_gap(old);
      label_[index(v)] = n_;
      return false;
    }
    VertexId lowest = n_;
    for (Arc e = begin; e < end; ++e) {
      const VertexId label = label_[index(net_.head[e])];
      if (label < lowest && net_.has_left(e)) {
        lowest = label;
        current_[index(v)] = e;
      }
    }
    label_[index(v)] = std::min(n_, lowest + 1);
    if (label_[index(v)] == n_) return false;
    const std::size_t label = index(label_[index(v)]);
    if (label >= active_.size()) {
      active_.resize(label + 1, no_vertex);
      idle_.resize(label + 1, no_vertex);
    }
    top_ = std::max(top_, label_[index(v)]);
    return true;
  }

  // Nobody has `label`, and no active vertex is above it.
  void close_gap(VertexId label) {
    for (VertexId above = label + 1; above <= top_; ++above) {
      for (VertexId v = idle_[index(above)]; v != no_vertex; v = next_[index(v)])
        label_[index(v)] = n_;
      idle_[index(above)] = no_vertex;
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
