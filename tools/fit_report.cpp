#include "fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/evaluate/metrics.hpp"
#include "gssl/graph/components.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_listed = 50;

// Cells that are too many are counted in the note.
Json table(const std::string& title, Json heads, Json rows, const std::string& note) {
  return {{"title", title}, {"heads", std::move(heads)}, {"rows", std::move(rows)}, {"note", note}};
}

Json uncertain_table(const FittedGraph& fitted) {
  std::vector<VertexId> order = least_certain(fitted.labels);
  const std::size_t all = order.size();
  order.resize(std::min(all, most_listed));
  Json rows = Json::array();
  for (const VertexId v : order) {
    const auto at = static_cast<std::size_t>(v);
    const int answer = fitted.labels.answer[at];
    rows.push_back({fitted.names.name(v),
                    answer < 0 ? "?" : fitted.classes[static_cast<std::size_t>(answer)],
                    fitted.labels.confidence[at]});
  }
  return table("Least certain vertices", {"vertex", "label", "confidence"}, std::move(rows),
               fmt::format("{} of {}; ?: tied, or below --min-confidence", order.size(), all));
}

Json class_table(const FittedGraph& fitted) {
  std::vector<std::int64_t> given(fitted.classes.size(), 0), found(fitted.classes.size(), 0);
  for (std::size_t v = 0; v < fitted.labels.answer.size(); ++v) {
    if (fitted.labels.answer[v] < 0) continue;
    const auto k = static_cast<std::size_t>(fitted.labels.answer[v]);
    ++(fitted.labels.given[v] != 0 ? given : found)[k];
  }
  const bool clusters = std::ranges::none_of(fitted.labels.given, [](auto is) { return is != 0; });
  Json rows = Json::array();
  for (std::size_t k = 0; k < fitted.classes.size() && k < most_listed; ++k)
    clusters ? rows.push_back({fitted.classes[k], found[k]})
             : rows.push_back({fitted.classes[k], given[k], found[k]});
  if (clusters) return table("Clusters", {"cluster", "vertices"}, std::move(rows), "");
  return table("Classes", {"class", "given", "found"}, std::move(rows), "");
}

Json component_table(const Graph& graph) {
  const Components components = connected_components(graph);
  std::vector<VertexId> sizes = components.sizes;
  std::ranges::sort(sizes, std::ranges::greater{});
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min<std::size_t>(10, sizes.size()); ++k)
    rows.push_back({static_cast<std::int64_t>(k + 1), sizes[k]});
  const std::string note = fmt::format("{} of {}", rows.size(), components.count);
  return table("Components", {"component", "vertices"}, std::move(rows), note);
}

Json certificate_table(const Report& report) {
  Json rows = Json::array();
  rows.push_back({"outcome", std::string(to_string(report.outcome))});
  if (const auto residual = report.relative_residual())
    rows.push_back({"relative residual", *residual});
  for (const Certificate& one : report.certificates)
    if (!one.values.empty()) rows.push_back({one.name, *std::ranges::max_element(one.values)});
  return table("What proves it", {"certificate", "value"}, std::move(rows),
               "The largest where there are several.");
}

void add_agreement(const Agreement& agreement, Json& json) {
  if (agreement.class_names.empty() || agreement.measured == 0) return;
  json["truth_classes"] = agreement.class_names;
  json["counts"] = to_json(agreement.classes);
  json["ece"] = number_or_null(agreement.calibration.expected_error);
  json["reliability"] = Json::array();
  for (const ReliabilityBin& bin : agreement.calibration.bins)
    json["reliability"].push_back({bin.confidence, bin.accuracy, bin.count});
  json["tiles"].push_back({fmt::format("{:.2f} %", 100.0 * agreement.accuracy),
                           fmt::format("accuracy on {} vertices not given", agreement.measured)});
}

}  // namespace

DrawnLabels drawn_labels(const Fit& fit) {
  DrawnLabels labels{.answer = {}, .confidence = fit.confidence, .given = {}};
  for (VertexId v = 0; v < static_cast<VertexId>(fit.decision.size()); ++v) {
    labels.answer.push_back(answer_of(fit, v));
    labels.given.push_back(
        fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::given ? 1 : 0);
  }
  return labels;
}

Json fit_document(const Session& session, const FittedGraph& fitted) {
  const auto given = std::ranges::count(fitted.labels.given, 1);
  const auto without = std::ranges::count(fitted.labels.answer, no_answer);
  std::string title = fmt::format("{}: {} vertices", fitted.method, fitted.graph.vertex_count());
  if (given > 0) title += fmt::format(", {} labels given", given);
  title += fmt::format(", {} classes", fitted.classes.size());
  if (without > 0) title += fmt::format("; {} without an answer", without);
  Json json = {{"schema", "gssl-results/1"},
               {"verb", session.command()},
               {"version", GSSL_VERSION},
               {"title", title},
               {"data", fitted.data},
               {"method", fitted.method},
               {"seed", static_cast<std::int64_t>(session.run.seed)},
               {"edges", static_cast<std::int64_t>(fitted.graph.edge_count())},
               {"classes", fitted.classes},
               {"warnings", fitted.report.warnings},
               {"tiles", Json::array()}};
  json["tiles"].push_back({std::to_string(fitted.graph.vertex_count()), "vertices"});
  if (fitted.agreement) add_agreement(*fitted.agreement, json);
  json["drawing"] = drawing_of(fitted.graph, fitted.names, fitted.labels, session.run);
  json["tables"] = {class_table(fitted), component_table(fitted.graph),
                    certificate_table(fitted.report)};
  // Clusters are as sure as each other.
  const bool doubtful =
      std::ranges::any_of(fitted.labels.confidence, [](double c) { return c < 1.0; });
  if (doubtful) json["tables"].insert(json["tables"].begin(), uncertain_table(fitted));
  json["sentences"] = {fitted.report.sentence};
  return json;
}

}  // namespace gssl::tool
