#pragma once
// One line on the terminal that is rewritten while the work goes on: what is done, its share, the
// seconds since the start, and about how many are left.
//
//   ProgressLine progress(enabled);
//   run.progress = progress.sink();
//   progress.clear();                 // before anything else is printed
//
// Shown only when standard error is a terminal, at most ten times a second; dim unless NO_COLOR is
// set.

#include <string>
#include <string_view>

#include "gssl/core/run_context.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::tool {

// The share of the present stage, and when it began. A share that falls a little stays where it
// was; one that falls to less than half of it is that of another round, which begins then.
class StageShare {
 public:
  // Seconds are counted from any one moment. What follows a comma in `stage` is a detail that
  // changes within it: "solve, residual 1e-5".
  void tell(std::string_view stage, double fraction, double seconds);
  // "solve 42%, 12 s, 17 s left, residual 1e-5"; without a share while none is known, and without what is left
  // while it is too early to say.
  std::string text(double seconds) const;

 private:
  std::string stage_;
  std::string detail_;
  double share_ = -1.0;  // none is known
  double begun_ = 0.0;
};

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Empty when nothing is to be shown. Must not outlive this object.
  RunContext::ProgressSink sink();
  void clear();

 private:
  void show(std::string_view stage, double fraction);

  bool enabled_ = false;
  bool color_ = false;
  bool shown_ = false;
  Stopwatch watch_;
  double next_ = 0.0;  // seconds of watch_ at which the line may change again
  StageShare share_;
};

}  // namespace gssl::tool
