#include "gssl/core/run_context.hpp"

#include <sched.h>

#include <algorithm>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl {

int RunContext::thread_count() const {
  if (threads > 0) return threads;
  if (threads < 0)
    throw Error(ErrorCode::usage, "threads " + std::to_string(threads) +
                                      ": must be >= 0; 0 is as many as the process may use");
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return 1;
}

void RunContext::throw_if_stopped(std::string_view work, std::string_view before) const {
  const std::optional<Outcome> why = stop();
  if (!why) return;
  const bool by_clock = *why == Outcome::time_limit;
  throw Error(by_clock ? ErrorCode::time_limit : ErrorCode::cancelled,
              std::string(work) + (by_clock ? ": the time limit ended it " : ": cancelled ") +
                  std::string(before));
}

std::optional<Outcome> stop_of(const Error& error) {
  if (error.code() == ErrorCode::cancelled) return Outcome::cancelled;
  if (error.code() == ErrorCode::time_limit) return Outcome::time_limit;
  return std::nullopt;
}

}  // namespace gssl
