#include "library_start.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

namespace gssl::tool {
namespace {

struct sigaction before = {};
volatile sig_atomic_t thread_refused = 0;

void on_interrupt(int signal, siginfo_t* info, void*) {
  if (info->si_code == SI_TKILL && info->si_pid == ::getpid()) {
    thread_refused = 1;
    return;
  }
  if (before.sa_handler == SIG_IGN) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when this handler returns
}

// Nothing of the C library but system calls may be used this early.
void take_interrupt(int, char**, char**) {
  struct sigaction action = {};
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGINT, &action, &before);
}

// Of OpenBLAS; null where the BLAS is another.
template <class Function>
Function* function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const hook)(int, char**,
                                                                 char**) = take_interrupt;

}  // namespace

void end_of_library_start() {
  ::sigaction(SIGINT, &before, nullptr);
  if (auto* set_threads = function<void(int)>("openblas_set_num_threads")) set_threads(1);
  if (auto* end_threads = function<int()>("blas_thread_shutdown_"); end_threads && !thread_refused)
    end_threads();
}

}  // namespace gssl::tool
