// Shortens a file to 4000 bytes once the process it is loaded into (LD_PRELOAD) has mapped it:
//
//   GSSL_SHORTEN=/tmp/graph     the file, by its full path

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr off_t what_is_left = 4000;

bool is_file_to_shorten(int descriptor) {
  const char* const wanted = std::getenv("GSSL_SHORTEN");
  if (wanted == nullptr || descriptor < 0) return false;
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return std::strcmp(path, wanted) == 0;
}

void* map_and_shorten(const char* call, void* address, size_t length, int protection, int flags,
                      int descriptor, off_t offset) {
  using Map = void* (*)(void*, size_t, int, int, int, off_t);
  const auto real = reinterpret_cast<Map>(::dlsym(RTLD_NEXT, call));
  void* const mapped = real(address, length, protection, flags, descriptor, offset);
  if (mapped != MAP_FAILED && is_file_to_shorten(descriptor) &&
      ::truncate(std::getenv("GSSL_SHORTEN"), what_is_left) != 0)
    std::abort();
  return mapped;
}

}  // namespace

extern "C" {

void* mmap(void* address, size_t length, int protection, int flags, int descriptor,
           off_t offset) noexcept {
  return map_and_shorten("mmap", address, length, protection, flags, descriptor, offset);
}

void* mmap64(void* address, size_t length, int protection, int flags, int descriptor,
             off_t offset) noexcept {
  return map_and_shorten("mmap64", address, length, protection, flags, descriptor, offset);
}

}  // extern "C"
