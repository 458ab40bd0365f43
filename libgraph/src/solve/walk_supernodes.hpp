#pragma once
// A walk over the supernodes of a factor: one thread for each subtree of
// NetworkStructure::subtrees; those above them in order, where a large block is shared by all
// threads.
//
//   walk_supernodes(structure, true, run, "factoring", [&](VertexId k, int threads) { … });

#include <cstdint>

#include "gssl/core/parallel.hpp"
#include "gssl/core/run_context.hpp"
#include "network_structure.hpp"

namespace gssl::solve {

// Calls body(supernode, threads) for all: children first (`up`) or parents first. False if the run
// was stopped.
template <class Body>
bool walk_supernodes(const NetworkStructure& s, bool up, const RunContext& run, const char* stage,
                     Body&& body) {
  // A block of fewer rows is not worth waking another thread for.
  constexpr std::int64_t shared_side = 512;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const int threads = run.thread_count();
  const auto in_order = [&](VertexId first, VertexId last, auto&& each) {
    for (VertexId i = 0; i <= last - first && !run.cancelled(); ++i)
      each(up ? first + i : last - i);
  };
  const auto subtrees = [&] {
    run.report_progress(stage);
    parallel_blocks(
        static_cast<std::int64_t>(s.subtrees.size()), threads,
        [&](std::int64_t begin, std::int64_t) {
          const VertexId root = s.subtrees[at(begin)];
          if (run.should_stop()) return;
          in_order(s.youngest[at(root)], root, [&](VertexId k) { body(k, 1); });
        },
        1);
  };
  if (up) subtrees();
  in_order(0, static_cast<VertexId>(s.top.size()) - 1, [&](VertexId i) {
    const VertexId k = s.top[at(i)];
    if (!run.should_stop()) body(k, s.side(k) < shared_side ? 1 : threads);
  });
  if (!up) subtrees();
  return !run.should_stop();
}

}  // namespace gssl::solve
