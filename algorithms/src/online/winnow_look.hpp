#pragma once
// The second looks of winnow and balanced-winnow; their theorems are in gssl/online/winnow.hpp.
// Internal: not installed.

#include <memory>
#include <vector>

#include "online/counted_look.hpp"

namespace gssl::detail {

struct WinnowRun {
  double alpha = 2.0;
  double threshold = 1.0;
  bool eliminates = false;
};

// Compared with `functions`, whose weights are ≥ 0, and with disjunctions of the columns where the
// first of them is largest. Bias is not looked at.
std::unique_ptr<SecondLook> winnow_look(const WinnowRun& run,
                                        std::vector<LinearComparator> functions);

struct BalancedWinnowRun {
  double alpha = 1.5;
  double threshold = 0.0;
  double weight_sum = 0.0;  // Φ, of both weights of all columns at the end
  double balance = 0.0;     // mistakes where the second class came, less the others
};

// Compared with `functions`, whose weights may have any sign. Beside the theorem of winnow.hpp, for
// the Φ that the run has come to: ln Φ ≥ η Σ y u·x + H(|u|), summed over the mistakes, so that for
// any level b
//   γ·mistakes ≤ Σ max(0, γ − y (u·x − b)) + (ln Φ − H(|u|))/η − b·balance.
std::unique_ptr<SecondLook> balanced_winnow_look(const BalancedWinnowRun& run,
                                                 std::vector<LinearComparator> functions);

}  // namespace gssl::detail
