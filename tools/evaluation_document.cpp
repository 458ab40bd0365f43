#include "evaluation_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace gssl::tool {
namespace {

std::string accuracy_text(const Comparison& best) {
  const std::string share = fmt::format("accuracy {:.2f} %", 100.0 * best.value.mean);
  if (!std::isnan(best.value.sd))
    return share + fmt::format(" ± {:.2f} over {} trials", 100.0 * best.value.sd, best.trials);
  if (!best.interval) return share + fmt::format(" over {} trials", best.trials);
  return share + fmt::format(" ({:.2f} to {:.2f}) of {} rows", 100.0 * best.interval->low,
                             100.0 * best.interval->high, best.counts.total());
}

// One sentence: who is best where most is known, and what the second is worth.
std::string headline(const std::vector<Comparison>& all, const std::vector<std::string>& names,
                     const TrialPlan& plan) {
  if (all.empty()) return "no trial was finished";
  const std::string group = all.back().group;
  const Comparison* best = nullptr;
  int same = 0, others = 0;
  for (const Comparison& c : all) {
    if (c.group != group) continue;
    ++others;
    if (c.verdict == Verdict::best) best = &c;
    if (c.verdict == Verdict::same) ++same;
  }
  if (best == nullptr) return "every trial failed";
  std::string text =
      names[static_cast<std::size_t>(best->method)] + ": " +
      (plan.regression ? fmt::format("root mean squared error {:.4g}", best->value.mean)
                       : accuracy_text(*best));
  if (!plan.labels_per_class.empty()) text += ", " + group + " labels a class";
  if (same > 0)
    text += fmt::format("; not distinguishable from it: {} of {} others", same, others - 1);
  return text;
}

// What the differences were tested with; null where nothing was compared.
Json tests_of(const Json& comparisons) {
  std::vector<std::string> used;
  for (const Json& c : comparisons) {
    if (!c.contains("test")) continue;
    const std::string name = c["test"].get<std::string>();
    const bool of_rows = name == "mcnemar" || c["pooled"].get<bool>();
    std::string text = name == "mcnemar" ? "McNemar's test" : name;
    text += of_rows ? " over rows" : " over trials";
    if (std::ranges::find(used, text) == used.end()) used.push_back(std::move(text));
  }
  return used.empty() ? Json(nullptr) : Json(fmt::format("{}", fmt::join(used, ", ")));
}

}  // namespace

Json evaluation_document(const Evaluated& evaluated, const std::vector<Trial>& trials,
                         const std::vector<TrialResult>& results,
                         const std::vector<Comparison>& all) {
  const auto& [data, plan, names, problem, seed, seconds, shared_seconds] = evaluated;
  const VertexId vertices = problem.graph != nullptr ? problem.graph->vertex_count()
                            : problem.table != nullptr
                                ? static_cast<VertexId>(problem.table->row_count())
                                : problem.points->rows();
  const EdgeIndex edges = problem.graph != nullptr ? problem.graph->edge_count() : 0;
  Json json = {{"schema", "gssl-results/1"},
               {"verb", "evaluate"},
               {"version", GSSL_VERSION},
               {"title", headline(all, names, plan)},
               {"data", data},
               {"protocol", plan.protocol_text()},
               {"test", nullptr},
               {"measure", plan.regression ? "rmse" : "accuracy"},
               {"seed", static_cast<std::int64_t>(seed)},
               {"rows", static_cast<std::int64_t>(problem.truth.size())},
               {"vertices", static_cast<std::int64_t>(vertices)},
               {"edges", static_cast<std::int64_t>(edges)},
               {"classes", problem.truth.class_names()},
               {"class_sizes", Json::array()},
               {"methods", names},
               {"complete", results.size() == trials.size() * names.size()},
               {"curve", plan.labels_per_class.size() > 1},
               {"seconds", seconds},
               {"shared_seconds", shared_seconds},
               {"comparisons", Json::array()},
               {"trials", Json::array()}};
  if (!plan.regression)
    for (const std::int64_t size : problem.truth.class_sizes()) json["class_sizes"].push_back(size);
  for (const Comparison& c : all) json["comparisons"].push_back(to_json(c, names));
  json["test"] = tests_of(json["comparisons"]);
  std::map<std::string, int> trials_of;
  for (const Trial& trial : trials) ++trials_of[trial.group];
  for (const TrialResult& result : results) {
    const std::string& group = trials[static_cast<std::size_t>(result.trial)].group;
    Json one = to_json(result);
    // Row by row where the trial is alone in its group; of more it would be most of the file.
    if (trials_of[group] > 1) {
      one["right"] = "";
      one["residuals"] = Json::array();
    }
    one["group"] = group;
    json["trials"].push_back(std::move(one));
  }
  return json;
}

}  // namespace gssl::tool
