#include "gssl/core/peak_memory.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace gssl {

std::int64_t peak_memory_bytes() {
  constexpr std::int64_t kilobyte = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * kilobyte;
  }
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * kilobyte;
}

}  // namespace gssl
