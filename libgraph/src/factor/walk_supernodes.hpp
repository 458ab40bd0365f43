#pragma once
// A walk over the supernodes of a factor: one thread for each subtree of
// NetworkStructure::subtrees; those above them in order, where a large block is shared by all
// threads.
//
//   walk_supernodes(structure, true, run, "factoring", [&](VertexId k, int threads) { … });

#include <atomic>
#include <cstdint>
#include <mutex>

#include "gssl/core/parallel.hpp"
#include "gssl/core/run_context.hpp"
#include "structure.hpp"

namespace gssl::solve {

// Tells how much of the work on all supernodes is done, every 1/500 of it.
class SupernodeProgress {
 public:
  SupernodeProgress(const NetworkStructure& s, const RunContext& run, const char* stage)
      : s_(s), run_(run), stage_(stage) {
    if (!run.progress) return;
    for (VertexId k = 0; k < s.count(); ++k) all_ += work(k);
    run.report_progress(stage, 0.0);
  }

  void add(VertexId k) {
    if (!run_.progress) return;
    const double now = done_.fetch_add(work(k)) + work(k);
    if (now < next_.load()) return;
    const std::unique_lock speaking(mutex_, std::try_to_lock);
    if (!speaking.owns_lock()) return;
    next_ = now + all_ / 500.0;
    run_.report_progress(stage_, now / all_);
  }

 private:
  // Of eliminating the columns of a dense block; the 1 is for what every supernode costs.
  double work(VertexId k) const {
    const auto side = static_cast<double>(s_.side(k));
    return 1.0 + side * side * static_cast<double>(s_.columns(k));
  }

  const NetworkStructure& s_;
  const RunContext& run_;
  const char* stage_;
  double all_ = 0.0;
  std::atomic<double> done_ = 0.0, next_ = 0.0;
  std::mutex mutex_;
};

// Calls body(supernode, threads) for all: children first (`up`) or parents first. False if the run
// was stopped; a body that takes long looks itself whether it is to stop.
template <class Body>
bool walk_supernodes(const NetworkStructure& s, bool up, const RunContext& run, const char* stage,
                     Body&& body) {
  // A block of fewer rows is not worth waking another thread for.
  constexpr std::int64_t shared_side = 512;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const int threads = run.thread_count();
  SupernodeProgress progress(s, run, stage);
  const auto call = [&](VertexId k, int with_threads) {
    body(k, with_threads);
    progress.add(k);
  };
  const auto in_order = [&](VertexId first, VertexId last, auto&& each) {
    for (VertexId i = 0; i <= last - first && !run.should_stop(); ++i)
      each(up ? first + i : last - i);
  };
  const auto subtrees = [&] {
    parallel_blocks(
        static_cast<std::int64_t>(s.subtrees.size()), threads,
        [&](std::int64_t begin, std::int64_t) {
          const VertexId root = s.subtrees[at(begin)];
          in_order(s.youngest[at(root)], root, [&](VertexId k) { call(k, 1); });
        },
        1);
  };
  if (up) subtrees();
  in_order(0, static_cast<VertexId>(s.top.size()) - 1, [&](VertexId i) {
    const VertexId k = s.top[at(i)];
    call(k, s.side(k) < shared_side ? 1 : threads);
  });
  if (!up) subtrees();
  return !run.should_stop();
}

}  // namespace gssl::solve
