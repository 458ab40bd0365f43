#pragma once
// Vectors of many megabytes, whose pages come from all threads: a page costs more to get than to
// fill, and resize() gets them one by one on one thread. (Large pages would cost less still, but
// not on virtual machines, where the host may have taken them back.) Where the system cannot,
// nothing but the speed differs.

#include <cstdint>
#include <vector>

#include "gssl/core/parallel.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace gssl::detail {

// values.resize(size) for an empty vector.
template <class Value>
void resize_large(std::vector<Value>& values, std::size_t size, [[maybe_unused]] int threads) {
  values.reserve(size);
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t ahead = (page - reinterpret_cast<std::uintptr_t>(values.data()) % page) % page;
  const std::size_t bytes = values.capacity() * sizeof(Value);
  constexpr std::size_t worth_it = std::size_t{1} << 22;
  if (threads > 1 && bytes > ahead + worth_it) {
    char* const begin = reinterpret_cast<char*>(values.data()) + ahead;
    parallel_blocks(
        static_cast<std::int64_t>((bytes - ahead) / page), threads,
        [&](std::int64_t first, std::int64_t last) {
          madvise(begin + static_cast<std::size_t>(first) * page,
                  static_cast<std::size_t>(last - first) * page, MADV_POPULATE_WRITE);
        },
        1024);
  }
#endif
  values.resize(size);
}

}  // namespace gssl::detail
