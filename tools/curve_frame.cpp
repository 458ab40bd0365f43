#include "curve_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report_html.hpp"

namespace gssl::tool {
namespace {

constexpr double left = 70.0, right = 620.0, top = 20.0, bottom = 350.0;
constexpr int most_ticks = 10;

}  // namespace

CurveFrame::CurveFrame(const std::string& title, double trials, double most)
    : trials_(std::max(1.0, trials)), most_(std::max(1e-12, most)), next_name_(top + 16.0) {
  svg_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" viewBox=\"0 0 640 "
      "400\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n"
      "<rect width=\"640\" height=\"400\" fill=\"white\"/>\n",
      html_text(title));
  axes();
}

double CurveFrame::x(double trials) const { return left + (right - left) * trials / trials_; }

double CurveFrame::y(double value) const {
  return bottom - (bottom - top) * std::min(value / most_, 1.0);
}

void CurveFrame::axes() {
  const double up = tick_step(0.0, most_, most_ticks);
  for (double value = 0.0; value <= most_ * (1.0 + 1e-9); value += up)
    svg_ += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        left, right, y(value), left - 8.0, y(value) + 4.0, value);
  const double along = std::max(1.0, tick_step(0.0, trials_, most_ticks));
  for (double trials = 0.0; trials <= trials_ * (1.0 + 1e-9); trials += along)
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n",
                        x(trials), bottom + 20.0, trials);
  svg_ += fmt::format(
      "<polyline points=\"{0:.1f},{1:.1f} {0:.1f},{2:.1f} {3:.1f},{2:.1f}\" fill=\"none\" "
      "stroke=\"#333\"/>\n<text x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"middle\">trials</text>\n",
      left, top, bottom, right, (left + right) / 2.0, bottom + 40.0);
}

void CurveFrame::line(const std::string& name, const char* color,
                      const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 2) return;
  std::string path;
  for (const auto& [trials, value] : points)
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x(trials), y(value));
  svg_ += fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n",
      path, color, left + 12.0, next_name_, color, html_text(name));
  next_name_ += 18.0;
}

}  // namespace gssl::tool
