#pragma once
// What the gssl command does when it is told to stop.
//
// The first SIGINT or SIGTERM raises cancel_flag(), so that the work ends in order: nothing is
// written but the summary, and the signal is raised again so that the shell sees it. A second one
// ends the process at once, after removing half-written outputs. SIGPIPE only leaves a mark: the
// write that met the closed pipe fails with EPIPE, and the mark tells that failure from others. An
// output beyond `ulimit -f` and an input that becomes shorter (SIGBUS) are errors like others.

#include <atomic>

namespace gssl::tool {

void install_signal_handlers();

// Raised by the first SIGINT or SIGTERM.
const std::atomic<bool>& cancel_flag();

// The signal that asked us to stop (SIGINT, SIGTERM), or SIGPIPE once a reader has gone; 0 if none.
int stop_signal();
int pipe_signal();

// Ends the process by `signal` with its default action.
[[noreturn]] void die_by_signal(int signal);

}  // namespace gssl::tool
