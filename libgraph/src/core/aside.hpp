#pragma once
// A call that nothing can interrupt, for a run that may be stopped: it is made on a thread of its
// own, and a run that is stopped goes on without it.
//
//   const auto order = aside(run, [pattern = std::move(pattern)] { return amd(pattern); });
//   if (!order) return stopped;
//
// What is left behind goes on to its own end and drops what it found. So `work` owns all that it
// touches, and calls nothing that must not run while the process ends: no BLAS, whose library takes
// its memory back then. Where nobody can stop the run, or no thread is to be had, the caller makes
// the call itself. The run is looked at every 5 ms.

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "gssl/core/run_context.hpp"

namespace gssl {

// What work() returned, or nothing if the run was stopped before. Throws what work() threw.
template <class Work>
auto aside(const RunContext& run, Work work) -> std::optional<decltype(work())> {
  if (run.cancel == nullptr && !run.deadline) return work();
  const auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
  auto found = task->get_future();
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) {
    (*task)();
  }
  while (found.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
    if (run.should_stop()) return std::nullopt;
  return found.get();
}

}  // namespace gssl
