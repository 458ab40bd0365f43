#pragma once
// Work in two halves on a row of items: the first half of each on any thread, the second half one
// after another in the order of the items, each on the thread that did its first half.
//
//   make_then_use<Block>(chunks.size(), threads,
//                        [&](std::int64_t i, Block& block) { parse(chunks[i], block); },
//                        [&](std::int64_t i, Block& block) { take(block); });
//
// So results do not depend on the number of threads, and no more blocks are held than there are
// threads. Each thread uses its block again, as it was left. The first exception, in the order of
// the items, is thrown after the threads have stopped; no later item is used.

#include <atomic>
#include <cstdint>
#include <exception>

namespace gssl::detail {

template <class Block, class Make, class Use>
void make_then_use(std::int64_t count, int threads, Make&& make, Use&& use) {
  if (threads <= 1 || count <= 1) {
    Block block;
    for (std::int64_t i = 0; i < count; ++i) {
      make(i, block);
      use(i, block);
    }
    return;
  }
  std::exception_ptr error;  // looked at and set in the ordered part alone
  std::atomic<bool> failed{false};
#pragma omp parallel num_threads(threads)
  {
    Block block;
#pragma omp for ordered schedule(static, 1)
    for (std::int64_t i = 0; i < count; ++i) {
      std::exception_ptr own;
      try {
        if (!failed.load(std::memory_order_relaxed)) make(i, block);
      } catch (...) {
        own = std::current_exception();
      }
#pragma omp ordered
      {
        if (!error && own) error = own;
        if (!error) {
          try {
            use(i, block);
          } catch (...) {
            error = std::current_exception();
          }
        }
        if (error) failed.store(true, std::memory_order_relaxed);
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace gssl::detail
