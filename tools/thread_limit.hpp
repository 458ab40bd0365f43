#pragma once
// Threads that the system will not start, for want of processes (ulimit -u, a container's limit) or
// of address space (ulimit -v).
//
// OpenMP ends the program by exit(1) where it cannot start a thread, and OpenBLAS then waits
// forever for its own. So the threads are tried out before the first parallel region, fewer are
// used where fewer start, and an exit() that is not ours becomes exit status 71 with nothing left
// behind.

namespace gssl::tool {

// How many of `wanted` ≥ 1 threads run at once, this one included: starts and ends them. OpenMP
// then starts as many and keeps them.
int start_threads(int wanted);

// Call once, early in main(), after what loads shared objects.
void guard_against_foreign_exit();

// Call before main() returns: its exit() is ours.
void allow_exit();

}  // namespace gssl::tool
