#pragma once
// Work in two halves on a row of items: the first half of each on any thread, the second half one
// after another in the order of the items.
//
//   make_then_use<Block>(chunks.size(), threads,
//                        [&](std::int64_t i, Block& block) { parse(chunks[i], block); },
//                        [&](std::int64_t i, Block& block) { take(block); });
//
// So results do not depend on the number of threads. A thread whose block has to wait for its turn
// goes on with a later item; at most three blocks for each thread are held, and used again as they
// were left. Who has nothing to do sleeps. The first exception, in the order of the items, is
// thrown after the threads have stopped; no later item is used.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

namespace gssl::detail {

// The same for several rows of items, one after the other, whose blocks are used again.
template <class Block>
class OrderedWork {
 public:
  explicit OrderedWork(int threads)
      : threads_(threads), places_(threads > 1 ? 3 * static_cast<std::size_t>(threads) : 1) {}

  // Not again after an exception.
  template <class Make, class Use>
  void run(std::int64_t count, Make&& make, Use&& use) {
    if (threads_ <= 1 || count <= 1) {
      Block& block = places_.front().block;
      for (std::int64_t i = 0; i < count; ++i) {
        make(i, block);
        use(i, block);
      }
      return;
    }
    count_ = count;
    made_ = used_ = 0;
#pragma omp parallel num_threads(threads_)
    share(make, use);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Place {
    Block block;
    bool made = false;
    std::exception_ptr error;  // of either half
  };

  Place& place_of(std::int64_t item) {
    return places_[static_cast<std::size_t>(item) % places_.size()];
  }

  // What each thread does.
  template <class Make, class Use>
  void share(Make& make, Use& use) {
    std::unique_lock lock(mutex_);
    while (!error_ && used_ < count_) {
      Place& first = place_of(used_);
      if (first.made && !in_use_) {
        in_use_ = true;
        run_unlocked(lock, first, [&] { use(used_, first.block); });
        error_ = first.error;
        first.made = in_use_ = false;
        ++used_;
        changed_.notify_all();
      } else if (made_ < count_ && made_ - used_ < static_cast<std::int64_t>(places_.size())) {
        const std::int64_t item = made_++;
        Place& place = place_of(item);
        run_unlocked(lock, place, [&] { make(item, place.block); });
        place.made = true;
        changed_.notify_all();
      } else {
        changed_.wait(lock);
      }
    }
  }

  // Nothing, if the first half of the item has failed.
  template <class Work>
  static void run_unlocked(std::unique_lock<std::mutex>& lock, Place& place, Work&& work) {
    lock.unlock();
    try {
      if (!place.error) work();
    } catch (...) {
      place.error = std::current_exception();
    }
    lock.lock();
  }

  const int threads_;
  std::int64_t count_ = 0;
  std::vector<Place> places_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t made_ = 0;  // items whose first half was begun
  std::int64_t used_ = 0;  // items whose second half is over
  bool in_use_ = false;
  std::exception_ptr error_;
};

template <class Block, class Make, class Use>
void make_then_use(std::int64_t count, int threads, Make&& make, Use&& use) {
  OrderedWork<Block>(threads).run(count, make, use);
}

}  // namespace gssl::detail
