#pragma once
// The supernodes of a factor in two groups: subtrees that one thread takes each, and what is above
// them, done in order, where a large block is shared by all threads.
//
//   SupernodeTasks tasks(structure);
//   tasks.walk(true, run, "factoring", [&](VertexId k, int threads) { … });   // children first

#include <cstdint>
#include <vector>

#include "gssl/core/parallel.hpp"
#include "gssl/core/run_context.hpp"
#include "network_structure.hpp"

namespace gssl::solve {

class SupernodeTasks {
 public:
  // `structure` must outlive it.
  explicit SupernodeTasks(const NetworkStructure& structure) : s_(structure) {
    const double most = subtree_share * s_.size.flops;
    for (VertexId k = 0; k < s_.count(); ++k) {
      const VertexId p = s_.parent[at(k)];
      if (s_.subtree_flops[at(k)] > most) {
        top_.push_back(k);
      } else if (p == no_vertex || s_.subtree_flops[at(p)] > most) {
        subtrees_.push_back(k);
      }
    }
  }

  // Calls body(supernode, threads) for all: children first (`up`) or parents first. False if the
  // run was stopped.
  template <class Body>
  bool walk(bool up, const RunContext& run, const char* stage, Body&& body) const {
    const int threads = run.thread_count();
    const auto in_order = [&](VertexId first, VertexId last, auto&& each) {
      for (VertexId i = 0; i <= last - first && !run.cancelled(); ++i)
        each(up ? first + i : last - i);
    };
    const auto subtrees = [&] {
      run.report_progress(stage);
      parallel_blocks(
          static_cast<std::int64_t>(subtrees_.size()), threads,
          [&](std::int64_t begin, std::int64_t) {
            const VertexId root = subtrees_[at(begin)];
            if (run.should_stop()) return;
            in_order(s_.youngest[at(root)], root, [&](VertexId k) { body(k, 1); });
          },
          1);
    };
    if (up) subtrees();
    in_order(0, static_cast<VertexId>(top_.size()) - 1, [&](VertexId i) {
      const VertexId k = top_[at(i)];
      if (!run.should_stop()) body(k, s_.side(k) < shared_side ? 1 : threads);
    });
    if (!up) subtrees();
    return !run.should_stop();
  }

 private:
  // Subtrees with at most this share of the work go to one thread each.
  static constexpr double subtree_share = 1.0 / 16.0;
  // A block of fewer rows is not worth waking another thread for.
  static constexpr std::int64_t shared_side = 512;

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  const NetworkStructure& s_;
  std::vector<VertexId> subtrees_;  // supernodes whose subtrees are tasks of their own
  std::vector<VertexId> top_;       // supernodes above them, ascending
};

}  // namespace gssl::solve
