#include "evaluate/added_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace gssl::detail {
namespace {

// A line "NAME:   123 kB" of /proc/self/status in bytes; −1 where it is not there.
std::int64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != name + ":") continue;
    std::int64_t kilobytes = 0;
    if (status >> kilobytes) return 1024 * kilobytes;
  }
  return -1;
}

}  // namespace

AddedMemory::AddedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  // Linux: 5 resets the high-water mark (proc(5), clear_refs).
  std::ofstream reset("/proc/self/clear_refs");
  if (!(reset << 5 << std::flush)) return;
  before_ = status_bytes("VmRSS");
}

std::int64_t AddedMemory::bytes() const {
  const std::int64_t most = status_bytes("VmHWM");
  return before_ < 0 || most < 0 ? -1 : std::max<std::int64_t>(0, most - before_);
}

}  // namespace gssl::detail
