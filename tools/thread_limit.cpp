#include "thread_limit.hpp"

#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <latch>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl::tool {
namespace {

int startable(int wanted) {
  std::latch all_tried(1);
  std::vector<std::thread> started;
  started.reserve(static_cast<std::size_t>(wanted));
  try {
    while (static_cast<int>(started.size()) + 1 < wanted)
      started.emplace_back([&] { all_tried.wait(); });
  } catch (const std::system_error&) {
    // What runs by now is what there is.
  }
  all_tried.count_down();
  for (std::thread& thread : started) thread.join();
  return static_cast<int>(started.size()) + 1;
}

bool exit_allowed = false;

// Runs when anything but main() calls exit(): OpenMP does so, after a message of its own.
void end_foreign_exit() {
  if (exit_allowed) return;
  remove_temporary_outputs();
  constexpr std::string_view message =
      "gssl: ended before the work was done: a thread could not be started, as memory or processes "
      "are short; try --threads 1, or raise ulimit -v or -u\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(exit_status(ErrorCode::out_of_memory));
}

}  // namespace

int start_threads(int wanted) {
  const int count = startable(wanted);
  omp_set_num_threads(count);
  int joined = 0;
#pragma omp parallel num_threads(count) reduction(+ : joined)
  joined += 1;
  return joined;
}

void guard_against_foreign_exit() { std::atexit(end_foreign_exit); }

void allow_exit() { exit_allowed = true; }

}  // namespace gssl::tool
