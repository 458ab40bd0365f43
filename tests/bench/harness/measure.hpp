#pragma once
// Clocks, memory, and work in a forked child, where it can be killed and is measured.
//
//   ChildReport report = run_in_child({.cpu_seconds = 60}, [&] {
//     MemoryMeter memory;
//     Stopwatch watch;
//     work();
//     return std::to_string(watch.elapsed().wall);
//   });
//
// libgomp does not survive a fork: the parent must never open a parallel region of several threads.

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace gssl::bench {

struct Seconds {
  double wall = 0.0;
  double cpu = 0.0;  // user + system, of all threads of this process
};

class Stopwatch {
 public:
  Stopwatch();
  Seconds elapsed() const;

 private:
  std::chrono::steady_clock::time_point start_;
  double cpu_start_;
};

// Growth of the resident memory of this process since construction, which first returns freed
// pages to the system and resets the kernel's high-water mark (VmHWM).
class MemoryMeter {
 public:
  MemoryMeter();
  double peak_growth_bytes() const;

 private:
  double start_bytes_;
};

// CPU time is what a limit can be fair with on a busy machine; the wall is for what hangs.
struct ChildLimits {
  double cpu_seconds = 60.0;  // of all threads together; then it is killed
  double wall_seconds = 240.0;
  double gigabytes = 14.0;  // of address space; then allocations fail
};

enum class Fate { finished, timed_out, out_of_memory, failed };

struct ChildReport {
  Fate fate = Fate::finished;
  std::string text;  // what the body returned, or why it failed
};

ChildReport run_in_child(const ChildLimits& limits, const std::function<std::string()>& body);

// Runs a shell command; its time with that of all its children, or nothing if it failed.
std::optional<Seconds> run_command(const std::string& command);

// The same for a program with its arguments, with the most memory it held: measured by python3 as
// its parent, for the system counts what the parent held, too.
struct ProgramRun {
  Seconds seconds;
  double peak_bytes = 0.0;
};
std::optional<ProgramRun> run_program(const std::string& command);

// What a shell command wrote to standard output, or nothing if it failed.
std::optional<std::string> output_of(const std::string& command);

}  // namespace gssl::bench
