#include "read_ahead.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <new>
#include <system_error>
#include <utility>

namespace gssl::detail {
namespace {

// While one lives, threads that are started get only the signals that they cause themselves.
class NoProcessSignals {
 public:
  NoProcessSignals() {
    sigset_t others;
    sigfillset(&others);
    for (const int own : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&others, own);
    pthread_sigmask(SIG_BLOCK, &others, &before_);
  }
  ~NoProcessSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoProcessSignals(const NoProcessSignals&) = delete;
  NoProcessSignals& operator=(const NoProcessSignals&) = delete;

 private:
  sigset_t before_{};
};

// The stack and the heap of a thread take some 100 MB of addresses.
bool addresses_are_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

std::unique_ptr<ReadAhead> ReadAhead::start(Fill fill) {
  if (addresses_are_limited()) return nullptr;
  std::unique_ptr<char[]> room(new (std::nothrow) char[held_bytes]);
  if (!room) return nullptr;
  std::unique_ptr<ReadAhead> ahead(new ReadAhead(std::move(fill), std::move(room)));
  try {
    const NoProcessSignals inherited;
    ahead->thread_ = std::thread([made = ahead.get()] { made->run(); });
  } catch (const std::system_error&) {
    return nullptr;
  }
  return ahead;
}

ReadAhead::ReadAhead(Fill fill, std::unique_ptr<char[]> room)
    : fill_(std::move(fill)), room_(std::move(room)) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReadAhead::run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    changed_.wait(lock, [&] { return stop_ || made_ - used_ < blocks; });
    if (stop_) return;
    const std::size_t block = made_ % blocks;
    lock.unlock();
    const std::size_t got = fill_block({room_.get() + block * block_bytes, block_bytes});
    lock.lock();
    filled_[block] = got;
    ended_ = got < block_bytes;
    if (got > 0) ++made_;
    changed_.notify_all();
  }
}

// Fewer bytes than the room at the end, and before an error.
std::size_t ReadAhead::fill_block(std::span<char> room) {
  std::size_t filled = 0;
  try {
    while (filled < room.size() && !stop_) {
      const std::size_t got = fill_(room.subspan(filled));
      if (got == 0) break;
      filled += got;
    }
  } catch (...) {
    error_ = std::current_exception();  // read by the other thread once ended_ is set
  }
  return filled;
}

void ReadAhead::give_back() {
  if (!given_) return;
  given_ = false;
  ++used_;
  changed_.notify_all();
}

std::string_view ReadAhead::next() {
  std::unique_lock lock(mutex_);
  give_back();
  changed_.wait(lock, [&] { return made_ > used_ || ended_; });
  if (made_ == used_) {
    if (error_) std::rethrow_exception(error_);
    return {};
  }
  given_ = true;
  const std::size_t block = used_ % blocks;
  return {room_.get() + block * block_bytes, filled_[block]};
}

bool ReadAhead::ready() {
  const std::lock_guard lock(mutex_);
  return made_ - used_ > (given_ ? 1U : 0U);
}

}  // namespace gssl::detail
