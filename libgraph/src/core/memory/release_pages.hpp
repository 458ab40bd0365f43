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
  auto* const from = static_cast<char*>(begin);
  const std::uintptr_t ahead = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  const std::uintptr_t size = static_cast<std::uintptr_t>(static_cast<char*>(end) - from);
  if (ahead < size) madvise(from + ahead, (size - ahead) / page * page, MADV_DONTNEED);
#endif
}

}  // namespace gssl::detail
