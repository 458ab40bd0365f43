#include "report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "report_charts.hpp"
#include "report_drawing.hpp"
#include "report_html.hpp"
#include "report_losses.hpp"

namespace gssl::tool {
namespace {

double number(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number() ? json[key].get<double>()
                                                     : std::numeric_limits<double>::quiet_NaN();
}

std::string text(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

std::string bidi(const std::string& name) { return "<bdi>" + html_text(name) + "</bdi>"; }

std::string plain(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "–";
}

// Mean seconds of a trial, and the memory that it added where that was measured.
std::string cost(const Json& comparison) {
  if (!std::isfinite(number(comparison, "seconds"))) return "–";
  const std::string seconds = plain(number(comparison, "seconds")) + " s";
  const double bytes = number(comparison, "memory");
  return std::isfinite(bytes) ? seconds + fmt::format(", {:.1f} MB", 1e-6 * bytes) : seconds;
}

std::string verdict_words(const std::string& verdict) {
  if (verdict == "same") return "= not distinguishable";
  if (verdict == "unknown") return "too few trials to tell";
  return verdict == "best" ? "<b>best</b>" : html_text(verdict);
}

std::string tiles(const Json& results) {
  std::string html = "<div class=\"tiles\">";
  const auto tile = [&](const std::string& value, const char* name) {
    if (!value.empty()) html += "<div><b>" + html_text(value) + "</b>" + name + "</div>";
  };
  for (const Json& one : results.value("tiles", Json::array()))
    tile(one.at(0).get<std::string>(), html_text(one.at(1).get<std::string>()).c_str());
  if (results.contains("rows"))
    tile(std::to_string(results["rows"].get<std::int64_t>()), "rows with a truth");
  if (number(results, "edges") > 0) tile(fmt::format("{:.0f}", number(results, "edges")), "edges");
  if (results.contains("classes") && !results["classes"].empty())
    tile(std::to_string(results["classes"].size()), "classes");
  if (std::isfinite(number(results, "seconds")))
    tile(fmt::format("{:.3g} s", number(results, "seconds")), "in all");
  return html + "</div>\n";
}

// Against the best; how many trials failed, if any, and why.
std::string verdict(const Json& comparison) {
  const double failed = number(comparison, "failed"), done = number(comparison, "trials");
  std::string words = verdict_words(text(comparison, "verdict"));
  if (comparison.contains("against_second"))
    words += fmt::format(" (p = {:.2g} against the second, binomial)",
                         number(comparison["against_second"], "p"));
  if (comparison.contains("p_adjusted"))
    words += fmt::format(" (p = {:.2g})", number(comparison, "p_adjusted"));
  if (!(failed > 0.0)) return words;
  return (done > 0.0 ? words + "; " : "") +
         fmt::format("{:.0f} of {:.0f} trials failed: ", failed, done + failed) +
         html_text(text(comparison, "error"));
}

bool has_mean_interval(const Json& comparison) {
  const Json interval = comparison.value("mean_interval", Json::array());
  return interval.size() == 2 && interval[0].is_number() && interval[1].is_number();
}

// The measure, and how sure it is: its deviation over the trials, or its interval where the rows of
// all of them were measured together.
std::string measured(const Json& comparison, bool share) {
  const double mean = number(comparison, "mean"), sd = number(comparison, "sd");
  std::string value = share ? percent(mean) : plain(mean);
  if (std::isfinite(sd))
    return value + " ± " + (share ? fmt::format("{:.2f}", 100 * sd) : plain(sd));
  if (!has_mean_interval(comparison)) return value;
  const Json& interval = comparison["mean_interval"];
  return value + " (" + percent(interval[0].get<double>()) + " to " +
         percent(interval[1].get<double>()) + ")";
}

// How to read the column of the measure.
std::string measured_note(const Json& results) {
  const Json& all = results.at("comparisons");
  std::string note = "Mean ± standard deviation over the trials";
  if (std::ranges::none_of(all, [](const Json& c) { return std::isfinite(number(c, "sd")); })) {
    const bool pooled =
        std::ranges::any_of(all, [](const Json& c) { return c.value("pooled", false); });
    note = pooled ? "Of the rows of all trials together" : "Of one trial";
    if (std::ranges::any_of(all, has_mean_interval)) note += ", with the exact 95 % interval";
  }
  const std::string test = text(results, "test");
  return html_text(note + (test.empty() ? "" : "; " + test + ", p raised by Holm's rule")) + ". ";
}

bool any_of(const Json& all, bool (*holds)(const Json& comparison)) {
  return std::ranges::any_of(all, holds);
}

bool has_gaps(const Json& comparison) { return number(comparison, "unanswered") > 0.0; }
bool is_of_clusters(const Json& comparison) { return comparison.contains("nmi"); }
bool has_choice(const Json& comparison) {
  return comparison.contains("choices") &&
         (comparison["choices"].size() > 1 ||
          text(comparison, "method").find('|') != std::string::npos);
}

// What rows without an answer count as, where there are any.
std::string gaps_note(const Json& results, bool share) {
  if (!any_of(results.at("comparisons"), has_gaps)) return {};
  return share ? "Rows without an answer are wrong; calibration errors are of the others. "
               : "Errors are of the rows that a method answers; it is compared with the best on "
                 "those that both answer, counted in the last column. ";
}

std::string cost_note(const Json& results) {
  std::string note =
      "Seconds are the mean of a trial, memory is what the first one of each kind added to what "
      "all share.";
  const double shared = number(results, "shared_seconds");
  if (std::isfinite(shared)) note += fmt::format(" What all share took {:.3g} s, once.", shared);
  return note;
}

std::string comparison_table(const Json& results) {
  const bool share = text(results, "measure") == "accuracy";
  const Json& all = results.at("comparisons");
  const bool gaps = any_of(all, has_gaps);
  std::vector<std::string> heads = {
      "method",           "trials of",          share ? "accuracy" : "rmse",
      "against the best", share ? "F1" : "MAE", share ? "calibration error" : "R²",
      "time and memory"};
  if (gaps) heads.insert(heads.end(), {"without an answer", "answered by the best, too"});
  std::vector<std::vector<std::string>> rows;
  for (const Json& c : all) {
    rows.push_back({bidi(text(c, "method")), html_text(text(c, "group")), measured(c, share),
                    verdict(c), share ? plain(number(c, "f1_macro")) : plain(number(c, "mae")),
                    share ? plain(number(c, "ece")) : plain(number(c, "r2")), cost(c)});
    if (!gaps) continue;
    rows.back().push_back(fmt::format("{:.0f}", number(c, "unanswered")));
    rows.back().push_back(c.contains("common") ? fmt::format("{:.0f}", number(c["common"], "rows"))
                                               : "–");
  }
  return "<h2>Methods</h2>\n" + html_table(heads, rows) + "<p class=\"small\">" +
         measured_note(results) + gaps_note(results, share) + cost_note(results) + "</p>\n";
}

// Which options won, and how often.
std::string choices_table(const Json& results) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& c : results.at("comparisons")) {
    if (!has_choice(c)) continue;
    for (const Json& choice : c["choices"])
      rows.push_back({bidi(text(c, "method")), html_text(text(c, "group")),
                      bidi(choice.at(0).get<std::string>()),
                      fmt::format("{} of {:.0f}", choice.at(1).get<int>(), number(c, "trials"))});
  }
  if (rows.empty()) return {};
  return "<h2>Choices</h2>\n" + html_table({"method", "trials of", "options", "chosen in"}, rows);
}

std::string clusters_table(const Json& results) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& c : results.at("comparisons")) {
    if (!is_of_clusters(c)) continue;
    rows.push_back({bidi(text(c, "method")), html_text(text(c, "group"))});
    for (const char* measure : {"nmi", "ari", "cut", "modularity"})
      rows.back().push_back(plain(number(c, measure)));
  }
  if (rows.empty()) return {};
  return "<h2>Clusters</h2>\n" +
         html_table({"method", "trials of", "NMI", "ARI", "cut", "modularity"}, rows);
}

std::string best_figures(const Json& results) {
  const Json& all = results.at("comparisons");
  if (all.empty()) return {};
  const std::string group = text(all.back(), "group");
  std::string html = "<h2>Figures</h2>\n<div class=\"figures\">\n";
  if (results.value("curve", false)) html += curves_chart(results);
  html += differences_chart(results, group);
  for (const Json& c : all) {
    if (text(c, "group") != group || text(c, "verdict") != "best" || !c.contains("counts"))
      continue;
    const std::string of = text(c, "method");
    html += confusion_chart(c["counts"], results.at("classes"), of);
    html += reliability_chart(c["reliability"], number(c, "ece"), of);
  }
  return html + "</div>\n";
}

// Of label, cluster and explain: what is measured against a truth.
std::string measured_figures(const Json& results) {
  if (!results.contains("counts")) return {};
  std::string html = "<h2>Against the truth</h2>\n<div class=\"figures\">\n";
  html += confusion_chart(results["counts"], results.at("truth_classes"), text(results, "method"));
  html +=
      reliability_chart(results["reliability"], number(results, "ece"), text(results, "method"));
  return html + "</div>\n";
}

// A table that the results hold as it is: {"title", "heads", "rows", "note"}.
std::string stored_table(const Json& table) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& row : table.at("rows")) {
    rows.emplace_back();
    for (const Json& cell : row)
      rows.back().push_back(cell.is_string() ? bidi(cell.get<std::string>())
                            : cell.is_number_integer()
                                ? std::to_string(cell.get<std::int64_t>())
                                : plain(cell.is_number() ? cell.get<double>() : std::nan("")));
  }
  if (rows.empty()) return {};
  std::string html = "<section><h3>" + html_text(text(table, "title")) + "</h3>\n" +
                     html_table(table.at("heads").get<std::vector<std::string>>(), rows);
  if (!text(table, "note").empty())
    html += "<p class=\"small\">" + html_text(text(table, "note")) + "</p>\n";
  return html + "</section>\n";
}

std::string stored_tables(const Json& results) {
  std::string html;
  for (const Json& table : results.value("tables", Json::array())) html += stored_table(table);
  return html.empty() ? html : "<h2>Details</h2>\n<div class=\"figures\">\n" + html + "</div>\n";
}

// Of the best method where most is known; null where classes were not measured.
Json measures_of_classes(const Json& results) {
  const Json all = results.value("comparisons", Json::array());
  for (const Json& c : all)
    if (text(c, "group") == text(all.back(), "group") && text(c, "verdict") == "best" &&
        c.contains("per_class"))
      return c;
  return {};
}

std::string class_table(const Json& results) {
  if (!results.contains("class_sizes") || results["class_sizes"].empty()) return {};
  const Json best = measures_of_classes(results);
  std::vector<std::string> heads = {"class", "rows"};
  if (!best.is_null()) heads.insert(heads.end(), {"precision", "recall", "F1"});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < results["class_sizes"].size() && k < 50; ++k) {
    rows.push_back({bidi(results.at("classes").at(k).get<std::string>()),
                    std::to_string(results["class_sizes"][k].get<std::int64_t>())});
    if (best.is_null()) continue;
    for (const char* measure : {"precision", "recall", "f1"})
      rows.back().push_back(plain(number(best.at("per_class").at(k), measure)));
  }
  std::string html = "<h2>Classes</h2>\n" + html_table(heads, rows);
  if (!best.is_null())
    html += "<p class=\"small\">Of " + bidi(text(best, "method")) + ", over all trials of " +
            html_text(text(best, "group")) + ".</p>\n";
  return html;
}

std::string provenance(const Json& results) {
  std::string html = "<h2>How it was made</h2>\n<p class=\"small\">";
  html += html_text(fmt::format("gssl {} {}", text(results, "version"), text(results, "verb")));
  if (!text(results, "data").empty())
    html += " of <bdi>" + html_text(text(results, "data")) + "</bdi>";
  if (!text(results, "protocol").empty()) html += "; " + html_text(text(results, "protocol"));
  if (results.contains("seed"))
    html += fmt::format("; seed {}", results["seed"].get<std::int64_t>());
  html += ".</p>\n";
  for (const Json& line : results.value("sentences", Json::array()))
    html += "<p class=\"small\">" + html_text(line.get<std::string>()) + "</p>\n";
  return html;
}

std::string warnings(const Json& results) {
  std::string html;
  for (const Json& line : results.value("warnings", Json::array()))
    html += "<p class=\"warning\">Warning: " + html_text(line.get<std::string>()) + "</p>\n";
  if (!results.value("complete", true))
    html +=
        "<p class=\"warning\">Warning: the run was stopped; these are the trials that were "
        "whole.</p>\n";
  return html;
}

std::string body(const Json& results) {
  std::string html =
      "<h1>" + html_text(text(results, "title")) + "</h1>\n" + warnings(results) + tiles(results);
  if (results.contains("comparisons"))
    html += comparison_table(results) + choices_table(results) + clusters_table(results) +
            best_figures(results);
  html += loss_figure(results);
  html += measured_figures(results);
  if (results.contains("drawing"))
    html += drawing_figure(results["drawing"], results.at("classes"));
  return html + stored_tables(results) + class_table(results) + provenance(results);
}

}  // namespace

std::string report_page(const Json& results) {
  if (!results.is_object() || text(results, "schema") != "gssl-results/1")
    throw Error(ErrorCode::bad_data,
                "no results of gssl (schema gssl-results/1); write them with --results");
  try {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<title>gssl " +
           html_text(text(results, "verb")) + "</title>\n<style>" + report_style +
           "</style></head>\n<body>\n" + body(results) + "</body></html>\n";
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::bad_data, std::string("damaged results: ") + error.what());
  }
}

}  // namespace gssl::tool
