#pragma once
// What to do about components without ground. Their columns can be met only when they add up to
// zero, and the answer is known up to a constant: take the part that can be met, hold one vertex of
// each such component to earth, solve, and take the answer of mean zero, which is L⁺b.
//
//   SingularPart part(system);
//   … solve part.pinned() with part.project(b) …
//   part.project(x);

#include <vector>

#include "gssl/core/block.hpp"
#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

class SingularPart {
 public:
  explicit SingularPart(SharedSystem system);

  // `system` itself when nothing is singular. The ground at a pin is the diagonal there.
  const SharedSystem& pinned() const { return pinned_; }
  // Rows of the largest component without ground, 0 if there is none. The residual of the pinned
  // system may understate that of the whole one by 1 + √ of this.
  VertexId largest() const { return largest_; }

  // Takes the mean of every column of every singular component away.
  void project(Block& b) const;
  // Shifts x on each singular component so that it is 0 at the pin, as the pinned answer is.
  void shift_to_pin(Block& x) const;

 private:
  // Subtracts from each singular component k the row `offset.row(k)`.
  void subtract(Block& b, const Block& offset) const;

  SharedSystem system_;
  SharedSystem pinned_;
  std::vector<VertexId> pin_;  // of each component, no_vertex where it has a ground
  VertexId largest_ = 0;
};

}  // namespace gssl::solve
