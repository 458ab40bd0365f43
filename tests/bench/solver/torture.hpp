#pragma once
// Systems made to break a solver, many of each family, each solved in a child process: does the
// answer hold, is the report true, and how far is the slowest from the usual?
//
// A failure is a crash, an answer that is not finite, a reported residual that is not the
// recomputed one, or no convergence although rounding would allow it. Rounding allows a residual of
// ε‖|A||x| + |b|‖₂/‖b‖₂ and no less, where |x| ≤ 1 for the exact answer of every system here.
//
// Time is processor time for each non-zero of A. The sizes of chimeras differ by design, so each is
// compared with the median of those of its family within a factor of four in non-zeros. One that
// takes more than one and a half times that is run twice more, and the fastest run counts.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gssl/solve/linear_solver.hpp"

namespace gssl::bench {

// star, path, barbell (two cliques and a long path), tree (random); contrast: a grid with weights
// 1e-8 … 1e8; near-singular: a grid with one ground of 1e-12; pairs: isolated edges, half of them
// without ground; chimera: pieces of all these shapes and more, glued together
const std::vector<std::string>& family_names();

struct TortureOptions {
  std::vector<std::string> families = family_names();
  double tolerance = 1e-8;
  double time_limit = 60.0;  // of CPU time for each thread; wall four times that
  double gigabytes = 14.0;
  int threads = 2;
  std::uint64_t seeds = 20;
  double scale = 1.0;  // sizes in units of the full ones
};

// Prints a table, one line a family, then the failures. Returns the same as JSON: "families" and
// "failures", the second empty if all went well.
nlohmann::json torture(SolverKind kind, const TortureOptions& options);

}  // namespace gssl::bench
