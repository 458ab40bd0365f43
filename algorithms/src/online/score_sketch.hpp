#pragma once
// Scores of a fixed comparator over a stream, in memory that does not grow: how many lie between
// 2^(k/8) and 2^((k+1)/8), for every k, and their sum. At these edges it gives hinge losses at any
// scale of the comparator exactly. Internal: not installed.
//
//   ScoreSketch margins;
//   margins.add(y * score - slack, times);
//   margins.hinge_losses();     // Σ max(0, 1 − scale·margin), at many scales

#include <limits>
#include <map>
#include <vector>

#include "online/compensated_sum.hpp"

namespace gssl::detail {

class ScoreSketch {
 public:
  struct HingeLoss {
    double scale = 0.0;  // c
    double loss = 0.0;   // Σ max(0, 1 − c·score)
  };
  struct Excess {
    double edge = 0.0;  // b
    double loss = 0.0;  // Σ max(0, score − b)
  };

  void add(double score, double times);

  // At the scales where the loss bends, as far as edges tell, and some further ones towards 0; the
  // first is that of the least score above 0. Never empty.
  std::vector<HingeLoss> hinge_losses() const;
  // At b = 0 and at the edges up to the largest score.
  std::vector<Excess> excesses() const;

 private:
  struct Part {
    double count = 0.0;
    CompensatedSum sum;
  };
  bool overflowed_ = false;  // some score is not finite: then no loss is
  Part none_;                // scores ≤ 0
  std::map<int, Part> parts_;
  double least_ = std::numeric_limits<double>::infinity();  // score above 0
};

}  // namespace gssl::detail
