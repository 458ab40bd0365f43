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

// Compared with `functions`, whose weights may have any sign.
std::unique_ptr<SecondLook> balanced_winnow_look(double alpha, double threshold,
                                                 std::vector<LinearComparator> functions);

}  // namespace gssl::detail
