#pragma once
// Gives the pages between two addresses back to the system; their content is lost, the addresses
// stay usable. free() may keep the pages of a large array, and the peak then stays high. Does
// nothing where the system cannot.

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace gssl::detail {

inline void release_pages([[maybe_unused]] void* begin, [[maybe_unused]] void* end) {
#ifdef __linux__
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
#endif
}

}  // namespace gssl::detail
