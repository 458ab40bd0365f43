#include "measure.hpp"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <sstream>
#include <stdexcept>

#include "gssl/core/peak_memory.hpp"

namespace gssl::bench {
namespace {

double cpu_seconds(int whose = RUSAGE_SELF) {
  rusage usage{};
  getrusage(whose, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

// The first letter tells the parent how it went.
[[noreturn]] void be_child(int file, const ChildLimits& limits,
                           const std::function<std::string()>& body) {
  const auto limit = [](auto what, double value) {
    const rlimit both{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
    setrlimit(what, &both);
  };
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_AS, 1e9 * limits.gigabytes);
  limit(RLIMIT_CPU, 1.0 + limits.cpu_seconds);
  limit(RLIMIT_CORE, 0.0);
  try {
    write_all(file, "+" + body());
  } catch (const std::bad_alloc&) {
    write_all(file, "m");
  } catch (const std::exception& error) {
    write_all(file, std::string("-") + error.what());
  }
  _exit(0);
}

// Reads to the end of the pipe; false when time is up first.
bool read_all(int file, double seconds, std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    pollfd waiting{file, POLLIN, 0};
    const int ready = left > 0.0 ? poll(&waiting, 1, static_cast<int>(1000.0 * left) + 1) : 0;
    if (ready == 0) return false;
    if (ready < 0) continue;
    char buffer[4096];
    const ssize_t count = read(file, buffer, sizeof buffer);
    if (count == 0) return true;
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

Stopwatch::Stopwatch() : start_(std::chrono::steady_clock::now()), cpu_start_(cpu_seconds()) {}

Seconds Stopwatch::elapsed() const {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(),
          cpu_seconds() - cpu_start_};
}

MemoryMeter::MemoryMeter() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  start_bytes_ = static_cast<double>(peak_memory_bytes());
}

double MemoryMeter::peak_growth_bytes() const {
  return static_cast<double>(peak_memory_bytes()) - start_bytes_;
}

ChildReport run_in_child(const ChildLimits& limits, const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], limits, body);
  }
  close(ends[1]);
  std::string text;
  const bool in_time = read_all(ends[0], limits.wall_seconds, text);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (text.starts_with('+')) return {Fate::finished, text.substr(1)};
  if (text.starts_with('-')) return {Fate::failed, text.substr(1)};
  if (text.starts_with('m')) return {Fate::out_of_memory, "out of memory"};
  // The hard limit of CPU time ends with SIGKILL, as the wall does.
  if (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
    return {Fate::timed_out, "killed after the time limit"};
  if (WIFSIGNALED(status))
    return {Fate::failed, std::string("died of ") + strsignal(WTERMSIG(status))};
  return {Fate::failed, "ended without an answer"};
}

std::optional<Seconds> run_command(const std::string& command) {
  const Stopwatch watch;
  const double before = cpu_seconds(RUSAGE_CHILDREN);
  if (std::system(command.c_str()) != 0) return std::nullopt;
  return Seconds{watch.elapsed().wall, cpu_seconds(RUSAGE_CHILDREN) - before};
}

std::optional<ProgramRun> run_program(const std::string& command) {
  const auto said = output_of(
      "/usr/bin/python3 -c \"import resource, subprocess, sys, time; t = time.time(); "
      "s = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode; "
      "u = resource.getrusage(resource.RUSAGE_CHILDREN); "
      "print(time.time() - t, u.ru_utime + u.ru_stime, u.ru_maxrss * 1024.0); sys.exit(s != 0)\" " +
      command);
  if (!said) return std::nullopt;
  ProgramRun run;
  std::istringstream(*said) >> run.seconds.wall >> run.seconds.cpu >> run.peak_bytes;
  return run;
}

std::optional<std::string> output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  char part[4096];
  while (const std::size_t count = fread(part, 1, sizeof part, pipe)) text.append(part, count);
  return pclose(pipe) == 0 ? std::optional(text) : std::nullopt;
}

}  // namespace gssl::bench
