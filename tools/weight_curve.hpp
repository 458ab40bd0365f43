#pragma once
// The weights of experts, or of actions, against the trials, in memory that does not grow with them:
// of 1 to 1024 points, every second is dropped when there are too many.
//
//   WeightCurve curve;
//   if (curve.due(trials)) curve.add(trials, weights);
//   out.write(curve.svg("fixed-share"));

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gssl::tool {

class WeightCurve {
 public:
  bool due(std::int64_t trials) const { return trials % stride_ == 0; }
  // Of sum 1, as many each time.
  void add(std::int64_t trials, std::span<const double> weights);

  std::string csv() const;  // trials,1,2,…
  // The up to eight that were largest at a time and had more than a tenth.
  std::string svg(const std::string& title) const;

 private:
  struct Point {
    std::int64_t trials = 0;
    std::vector<double> weights;
  };
  std::vector<Point> points_;
  std::int64_t stride_ = 1;
};

}  // namespace gssl::tool
