#pragma once
// Inputs that become shorter while they are read.
//
// Plain files are read through memory maps, and a page whose file is gone raises SIGBUS when it is
// touched. The library installs no signal handler; a program whose handler does this
//
//   void on_bus_error(int, siginfo_t* info, void*) {
//     if (!gssl::replace_lost_input(info->si_addr)) std::signal(SIGBUS, SIG_DFL);
//   }
//
// gets ErrorCode::io_failure from the reader instead of being ended. A binary graph and the scores of
// a checkpoint are used as they are mapped long after they were read, where zeros would be a wrong
// answer: then the program must end.

namespace gssl {

// Puts zeros in place of the lost end of the input mapped at `address`, and marks that input. False
// if no input is mapped there. Async-signal-safe.
bool replace_lost_input(void* address) noexcept;

// Whether an input that was checked and is in use is mapped at `address`. Async-signal-safe.
bool is_input_in_use(const void* address) noexcept;

}  // namespace gssl
