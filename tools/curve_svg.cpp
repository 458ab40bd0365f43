#include "curve_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gssl::tool {
namespace {

constexpr double left = 60.0;
constexpr double right = 620.0;
constexpr double top = 20.0;
constexpr double bottom = 350.0;
constexpr std::array colors = {"#1f5fa8", "#d2691e"};

// The window of the data: questions from 0, accuracies in whole steps of a tenth.
struct Window {
  double most_asked = 1.0;
  double low = 1.0;
  double high = 0.0;

  double x(double asked) const { return left + (right - left) * asked / most_asked; }
  double y(double accuracy) const {
    return bottom - (bottom - top) * (accuracy - low) / (high - low);
  }
};

double below(const CurvePoint& p) { return std::max(0.0, p.mean - p.sd); }
double above(const CurvePoint& p) { return std::min(1.0, p.mean + p.sd); }

Window window_of(const std::vector<NamedCurve>& curves) {
  Window window;
  for (const NamedCurve& one : curves) {
    for (const CurvePoint& p : one.curve.points) {
      window.most_asked = std::max(window.most_asked, static_cast<double>(p.asked));
      window.low = std::min(window.low, below(p));
      window.high = std::max(window.high, above(p));
    }
  }
  window.low = std::floor(window.low * 10.0 + 1e-9) / 10.0;
  window.high = std::ceil(window.high * 10.0 - 1e-9) / 10.0;
  if (window.high <= window.low) {
    window.low = std::max(0.0, window.low - 0.1);
    window.high = window.low + 0.2;
  }
  return window;
}

// A step of 1, 2 or 5 times a power of ten that gives at most ten ticks.
int tick_step(double most) {
  int step = 1;
  for (int factor = 0; most / step > 10.0; ++factor)
    step = factor % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

std::string axes(const Window& window) {
  std::string svg;
  const auto text = [&](double x, double y, const char* anchor, const std::string& what) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, what);
  };
  const auto line = [&](double x1, double y1, double x2, double y2, const char* color) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
        x2, y2, color);
  };
  const int tenths = static_cast<int>(std::lround((window.high - window.low) * 10.0));
  for (int i = 0; i <= tenths; ++i) {
    const double accuracy = window.low + i / 10.0;
    line(left, window.y(accuracy), right, window.y(accuracy), "#ddd");
    text(left - 8.0, window.y(accuracy) + 4.0, "end", fmt::format("{:.0f}%", 100.0 * accuracy));
  }
  const int step = tick_step(window.most_asked);
  for (int asked = 0; asked <= static_cast<int>(window.most_asked); asked += step) {
    line(window.x(asked), bottom, window.x(asked), bottom + 5.0, "#333");
    text(window.x(asked), bottom + 20.0, "middle", fmt::format("{}", asked));
  }
  line(left, bottom, right, bottom, "#333");
  line(left, top, left, bottom, "#333");
  text((left + right) / 2.0, bottom + 40.0, "middle", "questions asked");
  return svg;
}

std::string drawing(const NamedCurve& one, const Window& window, const char* color, double row) {
  std::string band;
  std::string mean;
  const auto& points = one.curve.points;
  const auto append = [&](std::string& path, const CurvePoint& p, double accuracy) {
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", window.x(p.asked),
                        window.y(accuracy));
  };
  for (const CurvePoint& p : points) append(band, p, above(p));
  for (auto p = points.rbegin(); p != points.rend(); ++p) append(band, *p, below(*p));
  for (const CurvePoint& p : points) append(mean, p, p.mean);
  return fmt::format(
      "<polygon points=\"{0}\" fill=\"{2}\" fill-opacity=\"0.15\"/>\n"
      "<polyline points=\"{1}\" fill=\"none\" stroke=\"{2}\" stroke-width=\"2\"/>\n"
      "<line x1=\"{3:.1f}\" y1=\"{4:.1f}\" x2=\"{5:.1f}\" y2=\"{4:.1f}\" stroke=\"{2}\" "
      "stroke-width=\"2\"/>\n"
      "<text x=\"{6:.1f}\" y=\"{7:.1f}\">{8}</text>\n",
      band, mean, color, right - 180.0, row, right - 155.0, right - 148.0, row + 4.0, one.name);
}

}  // namespace

std::string curve_svg(const std::vector<NamedCurve>& curves) {
  const Window window = window_of(curves);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" viewBox=\"0 0 640 "
      "400\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>Accuracy against questions asked</title>\n"
      "<rect width=\"640\" height=\"400\" fill=\"white\"/>\n";
  svg += axes(window);
  double row = bottom - 20.0;
  std::size_t color = 0;
  for (const NamedCurve& one : curves) {
    if (one.curve.points.empty()) continue;
    svg += drawing(one, window, colors[color++ % colors.size()], row);
    row -= 18.0;
  }
  return svg + "</svg>\n";
}

}  // namespace gssl::tool
