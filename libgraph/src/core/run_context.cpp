#include "gssl/core/run_context.hpp"

#include <sched.h>

#include <algorithm>

namespace gssl {

int RunContext::thread_count() const {
  if (threads > 0) return threads;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return 1;
}

}  // namespace gssl
