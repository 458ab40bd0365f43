#pragma once
// The systems of torture_families.hpp, each solved in a child process: does the answer hold, is the
// report true, and how far is the slowest from the usual?
//
// A failure is a crash, an answer that is not finite, a reported residual that is not the
// recomputed one, or no convergence although rounding would allow it. Rounding allows a residual of
// ε‖|A||x| + |b|‖₂/‖b‖₂ and no less, where |x| ≤ 1 for the exact answer of every system here.
//
// Time is processor time for each non-zero of A. The sizes of chimeras differ by design, so each is
// compared with the median of those of its family within a factor of four in non-zeros. One that
// takes more than one and a half times that is run twice more, and the fastest run counts.

#include <cstdint>

#include "../harness/program.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "torture_families.hpp"

namespace gssl::bench {

struct TortureOptions {
  double tolerance = 1e-8;
  double time_limit = 60.0;  // of CPU time for each thread; wall four times that
  double gigabytes = 14.0;
  int threads = 2;
  std::uint64_t seeds = 20;
  double scale = 1.0;  // sizes in units of the full ones
};

// Prints what became of one family, the failures too. False if there is one.
bool torture(Results& results, const Family& family, SolverKind kind,
             const TortureOptions& options);

}  // namespace gssl::bench
