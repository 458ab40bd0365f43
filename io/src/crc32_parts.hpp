#pragma once
// CRC-32 of bytes of which parts are summed while they are read for something else, in any order
// and on any thread; what nobody took is read at the end.
//
//   Crc32Parts sum(bytes, threads);
//   sum.take(bytes.substr(1000, 1000));
//   sum.whole();                         // of all bytes

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

#include "crc32.hpp"

namespace gssl::detail {

class Crc32Parts {
 public:
  // `bytes` are there until the last call.
  explicit Crc32Parts(std::string_view bytes, int threads = 1) : bytes_(bytes), threads_(threads) {}

  // Parts are the same ones again, or lie apart.
  void take(std::string_view part);

  // Calls after(piece) for each piece that had to be read. No part is taken meanwhile.
  std::uint32_t whole(const std::function<void(std::string_view)>& after = {});

 private:
  struct Part {
    std::size_t begin = 0;
    SummedBytes sum;
  };

  std::string_view bytes_;
  int threads_;
  std::mutex mutex_;
  std::vector<Part> parts_;
};

}  // namespace gssl::detail
