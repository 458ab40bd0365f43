#pragma once
// Public libraries for the same tasks; nothing where one is not installed.

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <vector>

// Wall time, and processor time of all threads.
struct Seconds {
  double wall = 0.0;
  double processor = 0.0;
};

class Watch {
 public:
  Seconds read() const {
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(),
            static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC};
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t clock_ = std::clock();
};

// x: row-major. Those of 3, 8 and 20 columns.
std::optional<Seconds> nanoflann_lists(const std::vector<float>& x, int d, int k, int threads);
std::optional<Seconds> nanoflann_ball(const std::vector<float>& x, int d, double epsilon,
                                      int threads);  // 3 columns
std::optional<Seconds> faiss_lists(const std::vector<float>& x, int d, int k, int threads);
// `found`: k rows a point, in no order.
std::optional<Seconds> hnswlib_lists(const std::vector<float>& x, int d, int k, int ef, int threads,
                                     std::vector<std::uint32_t>& found);
