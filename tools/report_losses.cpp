#include "report_losses.hpp"

#include <algorithm>

#include "gssl/core/number_text.hpp"
#include "loss_curve.hpp"
#include "report_html.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_loss_rows = 20;

std::string cell(const Json& value) {
  return value.is_number() ? to_brief_text(value.get<double>()) : "–";
}

// Some points, evenly, and the last.
std::string numbers(const Json& curve) {
  const std::size_t count = curve.at("trials").size();
  const std::size_t step = std::max<std::size_t>(1, count / most_loss_rows);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < count;
       i += (i + step < count || i + 1 == count) ? step : count - 1 - i)
    rows.push_back({cell(curve["trials"][i]), cell(curve.at("loss").at(i)),
                    cell(curve.at("comparator").at(i)), cell(curve.at("bound").at(i))});
  return html_table(
      {"trials", html_text(curve.at("loss_name").get<std::string>()), "comparator", "bound"}, rows);
}

}  // namespace

std::string loss_figure(const Json& results) {
  if (!results.contains("loss_curve")) return {};
  const Json& curve = results["loss_curve"];
  const std::string title = results.value("method", "");
  return "<h2>Loss</h2>\n<div class=\"figures\">\n" +
         figure("Cumulative loss by trials", LossCurve::from_json(curve).svg(title),
                "beside the comparator and the bound of the run so far", numbers(curve)) +
         "</div>\n";
}

}  // namespace gssl::tool
