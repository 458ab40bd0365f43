// Large arrays of this program lie on huge pages where the system grants them on request, as Ubuntu
// does: a first touch of 2 MB is one interrupt instead of 512, and a walk through a large graph
// misses the table of pages less often. Smaller arrays, and what C libraries allocate, are as before.
// Of the programs alone: a library has no business in the allocator of others. There
// GLIBC_TUNABLES=glibc.malloc.hugetlb=1 does the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

// AddressSanitizer checks by its own operators that new and delete match.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#include <sys/mman.h>

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t least_bytes = 2 * huge_page;  // at least one whole page lies within

// Only a hint: without it the array is as good, and slower to touch.
void ask_for_huge_pages(void* array, std::size_t bytes) {
  auto* const begin = static_cast<char*>(array);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % huge_page;
  madvise(begin + before, (bytes - before) / huge_page * huge_page, MADV_HUGEPAGE);
}

}  // namespace

void* operator new(std::size_t bytes) {
  for (;;) {
    void* const array = std::malloc(bytes > 0 ? bytes : 1);
    if (array != nullptr) {
      if (bytes >= least_bytes) ask_for_huge_pages(array, bytes);
      return array;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// Inlined, free() would seem to GCC not to fit the new of what it frees.
[[gnu::noinline]] void operator delete(void* array) noexcept { std::free(array); }
[[gnu::noinline]] void operator delete(void* array, std::size_t) noexcept { std::free(array); }

#endif
