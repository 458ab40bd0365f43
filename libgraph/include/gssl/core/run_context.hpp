#pragma once
// Everything about a run that is not the problem: seed, threads, memory, when to stop, whom to tell.
//
//   gssl::RunContext run;
//   run.threads = 2;
//   run.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
//
// A loop looks at the clock and the flag every few milliseconds of its work:
//
//   if (const auto why = run.stop()) {
//     report.outcome = *why;
//     break;
//   }

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "gssl/core/report.hpp"
#include "gssl/core/rng.hpp"

namespace gssl {

class Checkpoint;
class Error;

struct RunContext {
  using Clock = std::chrono::steady_clock;

  // What the work is doing and how far it is, in [0, 1]; negative when the end is not known.
  using ProgressSink = std::function<void(std::string_view stage, double fraction)>;

  std::uint64_t seed = 1;
  int threads = 0;  // 0: as many as the process may use
  const std::atomic<bool>* cancel =
      nullptr;  // not owned; raised from any thread or a signal handler
  std::optional<Clock::time_point> deadline;  // none: no limit
  // Bytes that the work may take beside what its arguments hold; 0: no limit. Where a way that fits
  // exists it is taken; where none does, ErrorCode::out_of_memory names the bytes needed.
  std::size_t memory_limit = 0;
  // Where long work keeps its state, to go on after it was ended; not owned; none: nowhere.
  Checkpoint* checkpoint = nullptr;
  ProgressSink progress;  // empty: silent; called from one thread at a time

  // The generator of work item `stream`; equal for equal (seed, stream).
  Rng rng(std::uint64_t stream = 0) const { return Rng(seed, stream); }

  // Threads to use, at least 1.
  int thread_count() const;

  bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  // Why the work is to end now: Outcome::cancelled, Outcome::time_limit, or nothing. Costs a load
  // and, with a deadline, a look at the clock (some 30 ns).
  std::optional<Outcome> stop() const {
    if (cancelled()) return Outcome::cancelled;
    if (deadline.has_value() && Clock::now() >= *deadline) return Outcome::time_limit;
    return std::nullopt;
  }
  bool should_stop() const { return stop().has_value(); }
  // Why work was ended that a look at stop() has ended already; a flag that has been lowered since
  // was a cancellation.
  Outcome stop_reason() const { return stop().value_or(Outcome::cancelled); }

  // Where half of the work answers nothing: throws ErrorCode::cancelled or ErrorCode::time_limit
  // if the work is to end now. throw_if_stopped("maximum flow", "before the flow was largest")
  // says "maximum flow: the time limit ended it before the flow was largest".
  void throw_if_stopped(std::string_view work, std::string_view before) const;

  void report_progress(std::string_view stage, double fraction = -1.0) const {
    if (progress) progress(stage, fraction);
  }
};

// The outcome of work that was ended by this error of throw_if_stopped(); none of another error.
std::optional<Outcome> stop_of(const Error& error);

}  // namespace gssl
