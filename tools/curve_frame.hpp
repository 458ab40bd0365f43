#pragma once
// The frame of a picture of curves against trials: axes with ticks, and lines with their names.
//
//   CurveFrame frame("perceptron", 800, 52.5);
//   frame.line("mistakes", "#1f5fa8", {{1, 1}, {2, 1}, …});
//   out.write(frame.svg());

#include <string>
#include <utility>
#include <vector>

namespace gssl::tool {

class CurveFrame {
 public:
  // The largest trial and value; larger ones are drawn at the rim.
  CurveFrame(const std::string& title, double trials, double most);

  // Nothing for fewer than two points.
  void line(const std::string& name, const char* color,
            const std::vector<std::pair<double, double>>& points);

  // An SVG 1.1 document of 640×400.
  std::string svg() const { return svg_ + "</svg>\n"; }

 private:
  double x(double trials) const;
  double y(double value) const;
  void axes();

  double trials_, most_;
  double next_name_;
  std::string svg_;
};

}  // namespace gssl::tool
