#include "gssl/core/huge_array.hpp"

#include <algorithm>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gssl::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

#ifdef __linux__
constexpr std::size_t small_page = std::size_t{1} << 16;  // the largest that any system has

// A last page that would be less than half full is left small.
std::size_t huge_length(std::size_t bytes) {
  const std::size_t pages = (bytes + huge_page / 2) / huge_page;
  return std::max((bytes + small_page - 1) / small_page * small_page, pages * huge_page);
}
#endif

}  // namespace

// From the system itself and not by way of the heap, where what lies between two borders of huge
// pages is lost once arrays of several sizes come and go.
void* new_huge(std::size_t bytes) {
  if (bytes < huge_page) return ::operator new(bytes);
#ifdef __linux__
  const std::size_t length = huge_length(bytes);
  void* const mapped =
      mmap(nullptr, length + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<char*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % huge_page;
  if (before > 0) munmap(begin, before);
  if (before < huge_page) munmap(begin + before + length, huge_page - before);
  // Only a hint: without it the array is as good, and slower to touch.
  madvise(begin + before, length / huge_page * huge_page, MADV_HUGEPAGE);
  return begin + before;
#else
  return ::operator new(bytes);
#endif
}

void delete_huge(void* array, std::size_t bytes) {
#ifdef __linux__
  if (bytes >= huge_page) {
    munmap(array, huge_length(bytes));
    return;
  }
#endif
  ::operator delete(array);
}

}  // namespace gssl::detail
