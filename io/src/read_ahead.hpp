#pragma once
// A thread that fills a few blocks with the bytes that come next while the caller works on those
// that came before.
//
//   const auto ahead = ReadAhead::start([&](std::span<char> room) { return unpack(room); });
//   if (!ahead) …                                // no thread is to be had: in turns
//   for (std::string_view block = ahead->next(); !block.empty(); block = ahead->next()) …
//
// What the function throws, next() throws after all bytes that came before. The thread ends with
// the object, once the call that it is in returns: so the function must not wait for a pipe. It
// gets no signal that is meant for the process, so that a read which waits is broken by one.

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>

namespace gssl::detail {

class ReadAhead {
 public:
  // Writes to the front of its room and returns how many bytes; 0 at the end.
  using Fill = std::function<std::size_t(std::span<char>)>;

  static constexpr std::size_t block_bytes = std::size_t{1} << 20;
  static constexpr std::size_t blocks = 4;
  static constexpr std::size_t held_bytes = blocks * block_bytes;

  // nullptr where no thread, or no memory, is to be had, and where addresses are limited (ulimit -v),
  // of which a thread takes many.
  static std::unique_ptr<ReadAhead> start(Fill fill);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The bytes that come next, valid until the next call; waits for them; empty at the end.
  std::string_view next();
  // Whether next() returns bytes without waiting.
  bool ready();

 private:
  ReadAhead(Fill fill, std::unique_ptr<char[]> room);
  void run();
  std::size_t fill_block(std::span<char> room);
  void give_back();

  Fill fill_;
  std::unique_ptr<char[]> room_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::size_t, blocks> filled_{};  // bytes of each block
  std::size_t made_ = 0;                      // blocks, since the start
  std::size_t used_ = 0;
  bool given_ = false;  // the caller works on block `used_`
  bool ended_ = false;
  std::exception_ptr error_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace gssl::detail
