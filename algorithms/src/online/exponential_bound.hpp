#pragma once
// What is proved of a run of matrix exponentiated gradient, with any rate and any start; the
// theorem is in gssl/online/meg.hpp. Internal: not installed.
//
// For W₁ = (λ/size)·I on a space of `dimension` directions, cells x with ‖x‖² ≤ 1, and U ≥ 0 of
// trace D: Δ = tr(U ln U − U ln W₁ + W₁ − U) ≤ D ln(D size/λ) + λ dimension/size − D falls at an
// update by η y (xᵀUx − 1 − ȳ) − (e^η − 1 − η)(1 + γ) at least, with ȳ held in [−γ, γ] (S.
// Golden, C. Thompson; K. Tsuda, G. Rätsch, M. Warmuth 2005), and γ − yȳ is 2γ times the chance of
// a mistake.

#include <cstdint>
#include <string>

#include "gssl/learn/online.hpp"

namespace gssl::detail {

struct ExponentialRun {
  double margin = 0.5;  // γ
  double rate = 0.1;    // η
  double lambda = 1.0;  // λ
  double size = 2.0;
  double dimension = 2.0;
  bool conservative = false;
  std::int64_t updates = 0;
};

// U: its trace, and Σ max(0, γ − y(xᵀUx − 1))/2γ over the trials, which are its mistakes where all
// xᵀUx − 1 are ±γ.
struct ExponentialComparator {
  std::string name;
  double trace = 0.0;
  double errors = 0.0;
};

// Adds the bound against U where it is less than that of the report, or the first.
void prove_exponential(OnlineReport& report, const ExponentialRun& run,
                       const ExponentialComparator& u);

}  // namespace gssl::detail
