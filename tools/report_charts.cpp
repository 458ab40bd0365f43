#include "report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gssl/evaluate/hypothesis_tests.hpp"
#include "report_html.hpp"

namespace gssl::tool {
namespace {

constexpr double left = 48, right = 344, top = 12, bottom = 226;
constexpr int most_series = 8;

double number(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

// From data to the box.
struct Axis {
  double low, high, from, to;
  double operator()(double value) const {
    return from + (to - from) * (value - low) / (high - low);
  }
};

// [low, high] rounded out to whole steps, within [0, 1] for shares.
Axis rounded_axis(double low, double high, bool share) {
  if (!(high > low)) {
    low -= 0.05;
    high += 0.05;
  }
  const double step = tick_step(low, high, 5);
  low = std::floor(low / step + 1e-9) * step;
  high = std::ceil(high / step - 1e-9) * step;
  if (share) {
    low = std::max(0.0, low);
    high = std::min(1.0, high);
  }
  return {low, high, bottom, top};
}

std::string horizontal_grid(const Axis& y, bool share) {
  std::string content;
  const double step = tick_step(y.low, y.high, 5);
  for (double v = y.low; v <= y.high + 1e-9; v += step) {
    content += svg_line(left, y(v), right, y(v), "grid");
    content += svg_text(
        left - 6, y(v) + 4, "end",
        share ? fmt::format("{:g}%", std::round(1000.0 * v) / 10.0) : fmt::format("{:.3g}", v));
  }
  return content;
}

struct CurvePlace {
  double x, mean, low, high;
};

struct Series {
  std::string name;
  std::vector<CurvePlace> points;
};

std::vector<Series> series_of(const Json& results) {
  std::vector<Series> all;
  for (const Json& c : results.at("comparisons")) {
    const double mean = number(c.at("mean"));
    if (!std::isfinite(mean)) continue;
    const std::string name = c.at("method").get<std::string>();
    auto at = std::ranges::find(all, name, &Series::name);
    if (at == all.end()) at = all.insert(all.end(), {name, {}});
    const Json& interval = c.at("mean_interval");
    const double low = number(interval.at(0)), high = number(interval.at(1));
    at->points.push_back({std::stod(c.at("group").get<std::string>()), mean,
                          std::isfinite(low) ? low : mean, std::isfinite(high) ? high : mean});
  }
  return all;
}

// Where names at the ends of lines go: at least 13 units apart, in order of the lines.
std::vector<double> label_places(const std::vector<double>& wanted) {
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  std::vector<double> places(wanted.size());
  double next = 0.0;
  for (const std::size_t i : order) {
    places[i] = std::max(wanted[i], next);
    next = places[i] + 13.0;
  }
  return places;
}

std::string series_drawing(const Series& one, int index, double dodge, const Axis& x,
                           const Axis& y) {
  std::string line, content;
  for (const CurvePlace& p : one.points) {
    const double px = x(p.x) + dodge;
    line += fmt::format("{:.1f},{:.1f} ", px, y(p.mean));
    content += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
        "style=\"stroke:var(--c{3})\"/>\n",
        px, y(std::clamp(p.low, y.low, y.high)), y(std::clamp(p.high, y.low, y.high)), index % 8);
    content += marker(index, px, y(p.mean), 4.5,
                      fmt::format("{}: {} at {:g}", one.name, percent(p.mean), p.x));
  }
  return fmt::format("<polyline class=\"line\" points=\"{}\" style=\"stroke:var(--c{})\"/>\n", line,
                     index % 8) +
         content;
}

std::string legend(const std::vector<Series>& all) {
  std::string html = "<ul class=\"legend\">";
  for (std::size_t i = 0; i < all.size(); ++i)
    html += fmt::format("<li><svg viewBox=\"0 0 14 14\" aria-hidden=\"true\">{}</svg>{}</li>",
                        marker(static_cast<int>(i), 7, 7, 4.5), html_text(all[i].name));
  return html + "</ul>\n";
}

std::string cell_color(double share) {
  static constexpr std::array<const char*, 9> blues = {"#f7fbff", "#deebf7", "#c6dbef",
                                                       "#9ecae1", "#6baed6", "#4292c6",
                                                       "#2171b5", "#08519c", "#08306b"};
  return blues[static_cast<std::size_t>(std::clamp(std::floor(share * 9.0), 0.0, 8.0))];
}

}  // namespace

std::string curves_chart(const Json& results) {
  std::vector<Series> all = series_of(results);
  if (all.empty() || all.front().points.size() < 2) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Series& one : all)
    for (const CurvePlace& p : one.points)
      rows.push_back({html_text(one.name), fmt::format("{:g}", p.x), percent(p.mean),
                      percent(p.low) + " to " + percent(p.high)});
  if (all.size() > most_series) all.resize(most_series);
  double low = 1, high = 0, first = 1e300, last = 0;
  for (const Series& one : all) {
    for (const CurvePlace& p : one.points) {
      low = std::min({low, p.low, p.mean});
      high = std::max({high, p.high, p.mean});
      first = std::min(first, p.x);
      last = std::max(last, p.x);
    }
  }
  const Axis y = rounded_axis(std::max(0.0, low), std::min(1.0, high), true);
  const bool logarithmic = last / first >= 8.0;
  const auto scaled = [&](double v) { return logarithmic ? std::log2(v) : v; };
  const Axis x{scaled(first), scaled(last), left + 16, right - 90};
  std::string content = horizontal_grid(y, true);
  for (const CurvePlace& p : all.front().points) {
    content += svg_line(x(scaled(p.x)), bottom, x(scaled(p.x)), bottom + 5, "axis");
    content += svg_text(x(scaled(p.x)), bottom + 18, "middle", fmt::format("{:g}", p.x));
  }
  content += svg_line(left, bottom, right, bottom, "axis");
  content += svg_text((left + right) / 2, bottom + 36, "middle",
                      logarithmic ? "labels a class (each step doubles)" : "labels a class");
  std::vector<double> ends;
  for (Series& one : all) {
    for (CurvePlace& p : one.points) p.x = scaled(p.x);
    ends.push_back(y(one.points.back().mean) + 4);
  }
  const std::vector<double> places = label_places(ends);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double dodge = 3.0 * (static_cast<double>(i) - 0.5 * static_cast<double>(all.size() - 1));
    content += series_drawing(all[i], static_cast<int>(i), dodge, x, y);
    const std::string& name = all[i].name;
    content += svg_text(right - 74, places[i], "start",
                        name.size() > 15 ? name.substr(0, 14) + "…" : name);
  }
  return figure(
      "Accuracy by labels",
      svg(360, 270, "Accuracy against labels a class for each method", content) + legend(all),
      "Mean over the trials; bars are 95 % intervals of the mean.",
      html_table({"method", "labels a class", "accuracy", "95 %"}, rows));
}

std::string differences_chart(const Json& results, const std::string& group) {
  struct Row {
    std::string name, verdict;
    double difference, low, high;
    bool has_interval;
  };
  std::vector<Row> rows;
  double least = 0, most = 0;
  const bool share = results.at("measure") == "accuracy";
  for (const Json& c : results.at("comparisons")) {
    if (c.at("group") != group || !c.contains("difference")) continue;
    const double d = number(c["difference"]);
    double low = number(c["difference_interval"].at(0));
    double high = number(c["difference_interval"].at(1));
    const bool has_interval = std::isfinite(low) && std::isfinite(high);
    if (!has_interval) low = high = d;
    rows.push_back({c.at("method").get<std::string>(), c.at("verdict").get<std::string>(), d, low,
                    high, has_interval});
    least = std::min(least, low);
    most = std::max(most, high);
  }
  if (rows.empty()) return {};
  const double step = tick_step(least, most, 4);
  const int height = static_cast<int>(30 * rows.size()) + 44;
  const Axis x{std::floor(least / step) * step, std::ceil(most / step + 1e-9) * step, 20, 340};
  std::string content;
  for (double v = x.low; v <= x.high + step * 1e-6; v += step) {
    content += svg_line(x(v), 4, x(v), height - 36, std::abs(v) < step * 1e-6 ? "axis" : "grid");
    content += svg_text(
        x(v), height - 20, "middle",
        share ? fmt::format("{:g}", std::round(1e4 * v) / 100 + 0.0) : fmt::format("{:.3g}", v));
  }
  content += svg_text(180, height - 4, "middle",
                      share ? "points of accuracy that it differs from the best" : "difference");
  std::vector<std::vector<std::string>> numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    const double y = 30.0 * static_cast<double>(i) + 24;
    content += svg_text(20, y - 8, "start", r.name + " · " + r.verdict);
    content += fmt::format(
        "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" "
        "style=\"stroke:var(--c0);stroke-width:2\"/>\n",
        x(r.low), x(r.high), y, y);
    content += marker(0, x(r.difference), y, 4);
    numbers.push_back({html_text(r.name), fmt::format("{:.4g}", r.difference),
                       r.has_interval ? fmt::format("{:.4g} to {:.4g}", r.low, r.high) : "–",
                       r.verdict});
  }
  const bool intervals = std::ranges::any_of(rows, &Row::has_interval);
  return figure("Behind the best",
                svg(360, height, "Difference of each method from the best", content),
                intervals ? "Mean difference and its 95 % interval; one that holds 0 is not "
                            "distinguishable."
                          : "Difference over one trial.",
                html_table({"method", "difference", "95 %", "verdict"}, numbers));
}

std::string confusion_chart(const Json& counts, const Json& classes, const std::string& of) {
  const auto k = classes.size();
  if (k == 0 || k > 40 || counts.size() != k) return {};
  const double cell = 288.0 / static_cast<double>(k + 1);
  std::string content;
  std::vector<std::vector<std::string>> numbers;
  for (std::size_t t = 0; t < k; ++t) {
    double total = 0;
    for (const Json& n : counts[t]) total += n.get<double>();
    std::vector<std::string> row = {html_text(classes[t].get<std::string>())};
    for (std::size_t a = 0; a <= k; ++a) {
      const double n = counts[t][a].get<double>(), share = total > 0 ? n / total : 0;
      const double x = 60 + cell * static_cast<double>(a), y = 8 + cell * static_cast<double>(t);
      const std::string answer = a == k ? "no answer" : classes[a].get<std::string>();
      content += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "style=\"fill:{};stroke:{};stroke-width:{}\"><title>{} answered {}: {:g} of {:g}</title>"
          "</rect>\n",
          x + 1, y + 1, cell - 2, cell - 2, cell_color(share), t == a ? "var(--text)" : "none",
          t == a ? 1.5 : 0, html_text(classes[t].get<std::string>()), html_text(answer), n, total);
      if (k <= 12 && n > 0)
        content +=
            svg_text(x + cell / 2, y + cell / 2 + 4, "middle", fmt::format("{:.0f}", 100 * share),
                     share * 9 >= 6 ? " class=\"white\"" : " class=\"dark\"");
      row.push_back(fmt::format("{:g}", n));
    }
    numbers.push_back(std::move(row));
    const std::string name = classes[t].get<std::string>();
    if (k <= 20)
      content += svg_text(56, 8 + cell * (static_cast<double>(t) + 0.5) + 4, "end",
                          name.size() > 7 ? name.substr(0, 6) + "…" : name);
  }
  content += svg_text(60 + cell * (static_cast<double>(k) + 0.5),
                      8 + cell * static_cast<double>(k) + 14, "middle", "?");
  const int height = static_cast<int>(8 + cell * static_cast<double>(k)) + 38;
  content += svg_text(60, height - 8, "start", "answer, in the order of the rows; ? none");
  std::vector<std::string> heads = {"truth"};
  for (const Json& name : classes) heads.push_back(name.get<std::string>());
  heads.emplace_back("?");
  return figure("Confusion",
                svg(360, height, "Share of each class answered with each class", content),
                "Rows are the truth of " + of + ", percent of the row; outlined cells are right.",
                k <= 6 ? html_table(heads, numbers) : "");
}

std::string reliability_chart(const Json& bins, double ece, const std::string& of) {
  if (bins.empty()) return {};
  const Axis x{0, 1, 48, 288}, y{0, 1, 260, 8};
  std::string content;
  for (const double v : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    content += svg_line(x(0), y(v), x(1), y(v), "grid");
    content += svg_text(42, y(v) + 4, "end", fmt::format("{:g}%", 100 * v));
    content += svg_text(x(v), 276, "middle", fmt::format("{:g}%", 100 * v));
  }
  content += "<line class=\"axis\" stroke-dasharray=\"4 4\" " +
             fmt::format("x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", x(0), y(0), x(1), y(1));
  double most = 1;
  for (const Json& bin : bins) most = std::max(most, bin.at(2).get<double>());
  std::vector<std::vector<std::string>> numbers;
  for (const Json& bin : bins) {
    const double confidence = bin.at(0).get<double>(), share = bin.at(1).get<double>();
    const auto count = bin.at(2).get<std::int64_t>();
    const auto right_count =
        static_cast<std::int64_t>(std::llround(share * static_cast<double>(count)));
    const Interval wilson = wilson_interval(std::clamp<std::int64_t>(right_count, 0, count), count);
    content += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
        "style=\"stroke:var(--c0)\"/>\n",
        x(confidence), y(wilson.low), y(wilson.high));
    content += marker(count < 10 ? 4 : 0, x(confidence), y(share), 4.5,
                      fmt::format("{} rows: confidence {}, right {}", count, percent(confidence),
                                  percent(share)));
    const double bar = 40.0 * static_cast<double>(count) / most;
    content += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"{:.1f}\" "
        "style=\"fill:var(--axis)\"/>\n",
        x(confidence) - 4, 340 - bar, bar);
    numbers.push_back({percent(confidence), percent(share), std::to_string(count)});
  }
  content += svg_text(174, 292, "middle", "confidence; below: how many rows");
  return figure(
      "Reliability", svg(312, 344, "Share right against confidence", content),
      fmt::format("{}: {}. On the dashed line confidence is the share right; bars are 95 % "
                  "intervals; rings are under 10 rows.",
                  of,
                  std::isfinite(ece) ? fmt::format("expected calibration error {:.3f}", ece)
                                     : "its confidence is no probability"),
      html_table({"confidence", "share right", "rows"}, numbers));
}

}  // namespace gssl::tool
