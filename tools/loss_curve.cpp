#include "loss_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "curve_frame.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_points = 1024;

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
  // What was proved after the last trial belongs to its point.
  if (points_.back().trials == report.trials)
    points_.back() = point_of(report);
  else
    add(report);
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
  double most = 1e-12;
  for (const Point& p : points_) most = std::max({most, p.loss, p.comparator.value_or(0.0)});
  most = std::max(most, std::min(points_.back().bound.value_or(0.0), 2.0 * most));
  CurveFrame frame(title, static_cast<double>(points_.back().trials), most);
  const auto draw = [&](const std::string& name, const char* color, auto value_of) {
    std::vector<std::pair<double, double>> line;
    for (const Point& p : points_)
      if (const std::optional<double> value = value_of(p))
        line.emplace_back(static_cast<double>(p.trials), *value);
    frame.line(name, color, line);
  };
  draw("bound", "#999999", [](const Point& p) { return p.bound; });
  draw(loss_name_, "#1f5fa8", [](const Point& p) { return std::optional(p.loss); });
  draw(comparator_name_, "#d2691e", [](const Point& p) { return p.comparator; });
  return frame.svg();
}

Json LossCurve::json() const {
  Json trials = Json::array(), loss = trials, comparator = trials, bound = trials;
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  for (const Point& p : points_) {
    trials.push_back(p.trials);
    loss.push_back(p.loss);
    comparator.push_back(number(p.comparator));
    bound.push_back(number(p.bound));
  }
  return {{"loss_name", loss_name_},  {"comparator_name", comparator_name_},
          {"trials", trials},         {"loss", loss},
          {"comparator", comparator}, {"bound", bound}};
}

LossCurve LossCurve::from_json(const Json& json) {
  LossCurve curve;
  curve.points_.clear();
  curve.loss_name_ = json.at("loss_name").get<std::string>();
  curve.comparator_name_ = json.at("comparator_name").get<std::string>();
  const auto number = [&](const char* of, std::size_t i) {
    const Json& value = json.at(of).at(i);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
  };
  for (std::size_t i = 0; i < json.at("trials").size(); ++i)
    curve.points_.push_back({.trials = json["trials"][i].get<std::int64_t>(),
                             .loss = json.at("loss").at(i).get<double>(),
                             .comparator = number("comparator", i),
                             .bound = number("bound", i)});
  if (curve.points_.empty()) curve.points_.emplace_back();
  return curve;
}

}  // namespace gssl::tool
