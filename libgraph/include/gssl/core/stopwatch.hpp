#pragma once
// Seconds since it was made, of the clock on the wall.
//
//   const gssl::Stopwatch watch;
//   work();
//   report.solve_seconds = watch.seconds();

#include <chrono>

namespace gssl {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gssl
