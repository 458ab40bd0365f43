#include "signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "gssl/core/error.hpp"
#include "gssl/io/input_file.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl::tool {
namespace {

std::atomic<bool> cancel{false};
std::atomic<int> stopped_by{0};
std::atomic<int> pipe_closed{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "only lock-free atomics may be used in a signal handler");

// A read that waits for standard input is retried when a signal breaks it; it then meets the end.
void end_standard_input() {
  const int saved_errno = errno;
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    if (nothing != STDIN_FILENO) ::close(nothing);
  }
  errno = saved_errno;
}

void on_stop(int signal) {
  int none = 0;
  if (stopped_by.compare_exchange_strong(none, signal)) {
    cancel.store(true);
    end_standard_input();
    return;
  }
  remove_temporary_outputs();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // blocked while its handler runs, so delivered on return
}

void on_pipe(int signal) { pipe_closed.store(signal); }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read that waits for input returns instead of waiting on.
  sigaction(signal, &action, nullptr);
}

// An input that became shorter is an error of its reader; any other bus error is a bug.
void on_bus_error(int, siginfo_t* info, void*) {
  if (replace_lost_input(info->si_addr)) return;
  remove_temporary_outputs();
  if (is_input_in_use(info->si_addr)) {
    constexpr std::string_view message =
        "gssl: an input file became shorter while it was in use; run again when it is written\n";
    static_cast<void>(!::write(STDERR_FILENO, message.data(), message.size()));
    ::_exit(exit_status(ErrorCode::io_failure));
  }
  ::signal(SIGBUS, SIG_DFL);  // the access is repeated on return
}

// `nohup` and shells that start a background job ignore SIGINT on purpose; that is respected.
bool is_ignored(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

}  // namespace

void install_signal_handlers() {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (!is_ignored(signal)) handle(signal, on_stop);
  }
  handle(SIGPIPE, on_pipe);
  ::signal(SIGXFSZ, SIG_IGN);  // a write beyond ulimit -f then fails as on a full disk
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

const std::atomic<bool>& cancel_flag() { return cancel; }
int stop_signal() { return stopped_by.load(); }
int pipe_signal() { return pipe_closed.load(); }

void die_by_signal(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);  // not reached: the default action of these signals ends the process
}

}  // namespace gssl::tool
