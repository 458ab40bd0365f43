#include "explain_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fit_report.hpp"
#include "report_page.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_rows = 50, shares_of_vertex = 8, most_left_out = 2000;

Json table(const char* title, Json heads, Json rows, const std::string& note) {
  return {{"title", title}, {"heads", std::move(heads)}, {"rows", std::move(rows)}, {"note", note}};
}

std::string class_of(const LabeledSet& labeled, std::size_t label) {
  return labeled.class_names()[static_cast<std::size_t>(labeled.class_of()[label])];
}

// Labels of a class that were checked, and those of them that the others outvote.
struct Votes {
  std::int64_t checked = 0, outvoted = 0;
};

}  // namespace

std::string outvoted_classes(const std::vector<Suspect>& suspects, const LabeledSet& labeled) {
  constexpr std::int64_t least_labels = 3;
  std::vector<Votes> votes(static_cast<std::size_t>(labeled.class_count()));
  for (const Suspect& s : suspects) {
    if (s.status != SuspectStatus::checked) continue;
    Votes& own = votes[static_cast<std::size_t>(labeled.class_of()[s.label])];
    ++own.checked;
    own.outvoted += s.suspicion > 0.0 ? 1 : 0;
  }
  std::vector<std::string> whole;
  for (std::size_t k = 0; k < votes.size(); ++k)
    if (votes[k].checked >= least_labels && votes[k].outvoted == votes[k].checked)
      whole.push_back(labeled.class_names()[k]);
  if (whole.empty()) return {};
  return fmt::format(
      "every label of {} is outvoted: where labels are few, harmonic scores lean to one class "
      "everywhere; compare suspicions within a class, not with 0",
      whole.size() == 1 ? "class '" + whole.front() + "'"
                        : fmt::format("{} classes", whole.size()));
}

Json suspects_table(const std::vector<Suspect>& suspects, const LabeledSet& labeled,
                    const VertexNames& names) {
  Json rows = Json::array();
  std::int64_t outvoted = 0;
  for (const Suspect& s : suspects) {
    if (s.status != SuspectStatus::checked || s.suspicion <= 0.0) continue;
    if (++outvoted > static_cast<std::int64_t>(most_rows)) continue;
    const auto label = static_cast<std::size_t>(s.label);
    rows.push_back({names.name(labeled.vertices()[label]), class_of(labeled, label),
                    labeled.class_names()[static_cast<std::size_t>(s.best)], s.suspicion});
  }
  if (rows.empty()) return Json::object();
  std::string note =
      fmt::format("{} of {} given labels are outvoted by the others", outvoted, labeled.size());
  if (const std::string whole = outvoted_classes(suspects, labeled); !whole.empty())
    note += "; " + whole;
  return table("Suspicious labels", {"vertex", "given", "others say", "suspicion"}, std::move(rows),
               note);
}

Json found_suspects_table(const Graph& graph, const LabeledSet& labeled, const VertexNames& names,
                          const RunContext& run) {
  if (labeled.is_regression() || labeled.size() > most_left_out || run.should_stop())
    return Json::object();
  const LeaveOneOut found = leave_one_out(graph, labeled, {}, run);
  if (!found.report.converged()) return Json::object();
  return suspects_table(rank_suspects(labeled, found), labeled, names);
}

Json shares_table(const Explanations& found, const LabeledSet& labeled, const VertexNames& names) {
  Json rows = Json::array();
  for (const Explanation& one : found.of)
    for (std::size_t i = 0; i < std::min(shares_of_vertex, one.shares.size()); ++i) {
      const auto label = static_cast<std::size_t>(one.shares[i].label);
      rows.push_back({names.name(one.vertex), names.name(labeled.vertices()[label]),
                      class_of(labeled, label), one.shares[i].share});
    }
  return table("Shares of given labels", {"vertex", "given vertex", "label", "share"},
               std::move(rows), fmt::format("the {} largest of each", shares_of_vertex));
}

std::string explain_page(Session& session, const GraphFile& file, const LabeledSet& labeled,
                         const MadeLearner& learner, const std::string& path, Json first) {
  const Fit fit = session.timed(
      "solve", [&] { return learner.transductive().fit(file.graph, labeled, session.run); });
  Json json = fit_document(session, {.graph = file.graph,
                                     .names = file.names,
                                     .classes = labeled.class_names(),
                                     .labels = drawn_labels(fit),
                                     .report = fit.report,
                                     .method = learner.entry->name,
                                     .data = path});
  if (!first.empty()) json["tables"].insert(json["tables"].begin(), std::move(first));
  return report_page(json);
}

}  // namespace gssl::tool
