#pragma once
// Loops over index ranges on several threads, with results that do not depend on how many.
//
// Work is cut into blocks whose borders depend on the length alone. A sum adds inside each block in
// order and then over the blocks in order, so one thread and sixteen give the same bytes. Of the
// exceptions that the body throws, that of the first block is carried out of the parallel region and
// rethrown; blocks after one that threw are left out if they were not begun by then.
//
// Each thread begins with a run of blocks that lie side by side, the same part of the range in every
// loop of the same length: what it wrote in one loop is in its own cache, and in the memory near it,
// in the next. A thread that is done with its run takes blocks from the runs of others. Blocks of one
// index are tasks, long and short ones: they are begun in ascending order.
//
//   parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) { ... });
//   double s = blocked_sum(n, threads, [&](auto begin, auto end) { ...; return partial; });

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

namespace gssl {

inline constexpr std::int64_t parallel_block = 4096;

namespace detail {

inline std::int64_t block_count(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

// Gives each block of a loop to one thread.
class BlockRuns {
 public:
  BlockRuns(std::int64_t blocks, std::int64_t runs) : runs_(static_cast<std::size_t>(runs)) {
    for (std::int64_t r = 0; r < runs; ++r) {
      Run& run = runs_[static_cast<std::size_t>(r)];
      run.next = blocks / runs * r + std::min(r, blocks % runs);
      run.end = run.next + blocks / runs + (r < blocks % runs ? 1 : 0);
    }
  }

  // Calls use(b) for each block that the thread gets, until that is false.
  template <class Use>
  void take(int thread, Use&& use) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Run& run = runs_[(static_cast<std::size_t>(thread) + i) % runs_.size()];
      while (run.next.load(std::memory_order_relaxed) < run.end) {
        const std::int64_t b = run.next.fetch_add(1, std::memory_order_relaxed);
        if (b < run.end && !use(b)) return;
      }
    }
  }

 private:
  struct alignas(128) Run {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };

  std::vector<Run> runs_;
};

}  // namespace detail

// Calls body(begin, end) once for each block of [0, length), in no particular order but that of
// tasks. Blocks must not write to the same places.
template <class Body>
void parallel_blocks(std::int64_t length, int threads, Body&& body,
                     std::int64_t block = parallel_block) {
  const std::int64_t blocks = detail::block_count(length, block);
  if (threads <= 1 || blocks <= 1) {
    for (std::int64_t b = 0; b < blocks; ++b) body(b * block, std::min(length, (b + 1) * block));
    return;
  }
  std::exception_ptr error;
  std::atomic<std::int64_t> failed{blocks};  // the first
  detail::BlockRuns runs(blocks, block == 1 ? 1 : std::min<std::int64_t>(blocks, threads));
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; ++t) {
    // A thread ends at a block that throws, or lies behind one that did: so does the rest of its
    // run, and earlier ones were handed out or are in the runs of others.
    runs.take(t, [&](std::int64_t b) {
      if (b > failed.load(std::memory_order_relaxed)) return false;
      try {
        body(b * block, std::min(length, (b + 1) * block));
        return true;
      } catch (...) {
#pragma omp critical(gssl_parallel_error)
        if (b < failed) {
          failed = b;
          error = std::current_exception();
        }
        return false;
      }
    });
  }
  if (error) std::rethrow_exception(error);
}

// Sum over blocks of body(begin, end), in block order. Sum needs a default value of zero and +=.
template <class Body>
auto blocked_sum(std::int64_t length, int threads, Body&& body,
                 std::int64_t block = parallel_block) {
  using Sum = decltype(body(std::int64_t{0}, std::int64_t{0}));
  std::vector<Sum> partial(static_cast<std::size_t>(detail::block_count(length, block)));
  parallel_blocks(
      length, threads,
      [&](std::int64_t begin, std::int64_t end) {
        partial[static_cast<std::size_t>(begin / block)] = body(begin, end);
      },
      block);
  Sum total{};
  for (const Sum& part : partial) total += part;
  return total;
}

}  // namespace gssl
