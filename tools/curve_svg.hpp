#pragma once
// A learning curve as a picture: mean accuracy against questions, with one standard deviation
// shaded, one color for each curve.
//
//   out.write(curve_svg({{"v-opt", found.chosen}, {"random", found.random}}));

#include <string>
#include <vector>

#include "gssl/evaluate/learning_curve.hpp"

namespace gssl::tool {

struct NamedCurve {
  std::string name;  // letters, digits and '-'
  const LearningCurve& curve;
};

// An SVG 1.1 document of 640×400. Curves without points are left out.
std::string curve_svg(const std::vector<NamedCurve>& curves);

}  // namespace gssl::tool
