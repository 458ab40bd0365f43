#include "loss_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_points = 1024;
constexpr double left = 70.0, right = 620.0, top = 20.0, bottom = 350.0;

// A step of 1, 2 or 5 times a power of ten that gives at most ten ticks up to `most`.
double tick_step(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most / 10.0)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (most / (factor * power) <= 10.0) return factor * power;
  return 10.0 * power;
}

struct Window {
  double trials = 1.0;
  double loss = 1.0;
  double x(double value) const { return left + (right - left) * value / trials; }
  double y(double value) const { return bottom - (bottom - top) * std::min(value / loss, 1.0); }
};

std::string axes(const Window& window) {
  std::string svg;
  const double up = tick_step(window.loss);
  for (double loss = 0.0; loss <= window.loss * (1.0 + 1e-9); loss += up) {
    const double y = window.y(loss);
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        left, right, y, left - 8.0, y + 4.0, loss);
  }
  const double along = std::max(1.0, tick_step(window.trials));
  for (double trials = 0.0; trials <= window.trials * (1.0 + 1e-9); trials += along)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n",
                       window.x(trials), bottom + 20.0, trials);
  svg += fmt::format(
      "<polyline points=\"{0:.1f},{1:.1f} {0:.1f},{2:.1f} {3:.1f},{2:.1f}\" fill=\"none\" "
      "stroke=\"#333\"/>\n<text x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"middle\">trials</text>\n",
      left, top, bottom, right, (left + right) / 2.0, bottom + 40.0);
  return svg;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

}  // namespace

LossCurve::Point LossCurve::point_of(const OnlineReport& report) {
  return {report.trials, report.loss, report.comparator, report.bound};
}

void LossCurve::add(const OnlineReport& report) {
  points_.push_back(point_of(report));
  loss_name_ = report.loss_name;
  comparator_name_ = report.comparator_name;
  if (points_.size() <= most_points) return;
  stride_ *= 2;
  std::erase_if(points_, [&](const Point& p) { return p.trials % stride_ != 0; });
}

void LossCurve::finish(const OnlineReport& report) {
  if (points_.back().trials != report.trials) add(report);
}

std::string LossCurve::csv() const {
  std::string text = "trials,loss,comparator,bound\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? to_text(*value) : std::string();
  };
  for (const Point& p : points_)
    text += fmt::format("{},{},{},{}\n", p.trials, to_text(p.loss), number(p.comparator),
                        number(p.bound));
  return text;
}

std::string LossCurve::svg(const std::string& title) const {
  Window window;
  window.trials = std::max<double>(1.0, static_cast<double>(points_.back().trials));
  window.loss = 1e-12;
  for (const Point& p : points_)
    window.loss = std::max({window.loss, p.loss, p.comparator.value_or(0.0)});
  window.loss =
      std::max(window.loss, std::min(points_.back().bound.value_or(0.0), 2 * window.loss));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" viewBox=\"0 0 640 "
      "400\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n"
      "<rect width=\"640\" height=\"400\" fill=\"white\"/>\n",
      escaped(title));
  svg += axes(window);
  double row = top + 16.0;
  const auto draw = [&](const std::string& name, const char* color, auto value_of) {
    std::string path;
    for (const Point& p : points_)
      if (const std::optional<double> value = value_of(p))
        path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ",
                            window.x(static_cast<double>(p.trials)), window.y(*value));
    if (path.find(' ') == std::string::npos) return;
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n",
        path, color, left + 12.0, row, color, escaped(name));
    row += 18.0;
  };
  draw("bound", "#999999", [](const Point& p) { return p.bound; });
  draw(loss_name_, "#1f5fa8", [](const Point& p) { return std::optional(p.loss); });
  draw(comparator_name_, "#d2691e", [](const Point& p) { return p.comparator; });
  return svg + "</svg>\n";
}

}  // namespace gssl::tool
