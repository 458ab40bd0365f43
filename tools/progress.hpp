#pragma once
// One line on the terminal that is rewritten while the work goes on.
//
//   ProgressLine progress(enabled);
//   run.progress = progress.sink();
//   progress.clear();                 // before anything else is printed
//
// Shown only when standard error is a terminal, at most ten times a second; dim unless NO_COLOR is
// set.

#include <chrono>
#include <string_view>

#include "gssl/core/run_context.hpp"

namespace gssl::tool {

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
  std::chrono::steady_clock::time_point next_;
};

}  // namespace gssl::tool
