#include "label_findings.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "explain_page.hpp"
#include "fit_report.hpp"
#include "gssl/evaluate/stray_shares.hpp"
#include "report_page.hpp"

namespace gssl::tool {
namespace {

// Precision and recall of each class, and how far confidence is from the share right.
void say_classes(Session& session, const Agreement& found) {
  constexpr int most_shown = 20;
  session.summary.set("balanced_accuracy", found.classes.balanced_accuracy());
  session.summary.set("f1_macro", found.classes.macro().f1);
  session.summary.set("calibration_error", found.calibration.expected_error);
  std::vector<double> precision, recall;
  for (int k = 0; k < found.classes.classes(); ++k) {
    const ClassMeasures one = found.classes.of_class(k);
    const std::string& name = found.class_names[static_cast<std::size_t>(k)];
    precision.push_back(one.precision);
    recall.push_back(one.recall);
    if (k < most_shown)
      session.say(fmt::format("  {}: precision {:.3f}, recall {:.3f} of {}", name, one.precision,
                              one.recall, one.support));
  }
  session.summary.set("truth_classes", found.class_names);
  session.summary.set("class_precision", precision);
  session.summary.set("class_recall", recall);
  if (found.reached > 0)
    session.say(fmt::format("confidence is off by {:.3f} on average (expected calibration error)",
                            found.calibration.expected_error));
}

void report_truth(Session& session, const LabelOptions& options, const LabelInput& problem,
                  const Fit& fit) {
  const Agreement found = compare_with_truth(fit, problem.labeled, *problem.truth);
  session.summary.set("measured", found.measured);
  if (options.regression) {
    session.summary.set("rmse", found.errors.rmse);
    session.summary.set("mae", found.errors.mae);
    session.summary.set("r2", found.errors.r2);
    session.say(fmt::format("root mean squared error {:.6g} on {} vertices not given",
                            found.errors.rmse, found.reached));
    return;
  }
  session.summary.set("accuracy", found.accuracy);
  session.summary.set("accuracy_reached", found.accuracy_reached);
  if (found.measured == 0) {
    session.say("accuracy: no vertex with a truth was left to infer");
    return;
  }
  std::string text = fmt::format("accuracy {:.2f}% on {} vertices not given",
                                 100.0 * found.accuracy, found.measured);
  if (found.reached > 0 && found.reached < found.measured) {
    text += fmt::format(" ({:.2f}% on the {} with an answer)", 100.0 * found.accuracy_reached,
                        found.reached);
  }
  session.say(text);
  say_classes(session, found);
}

// Inferred, and then without an answer for want of confidence.
std::int64_t count_uncertain(const Fit& fit) {
  std::int64_t found = 0;
  for (std::size_t v = 0; v < fit.decision.size(); ++v)
    if (fit.scores.status[v] == VertexStatus::inferred && fit.decision[v] == no_answer) ++found;
  return found;
}

}  // namespace

void warn_of_stray_shares(Session& session, const LabelOptions& options, const LabelInput& problem,
                          const MadeLearner& learner, const Fit& fit) {
  if (!options.priors.empty()) return;
  const std::optional<StrayShares> stray = find_stray_shares(fit, problem.labeled);
  if (!stray) return;
  const std::string cure =
      learner.entry->name == "auto"
          ? "label more vertices, or give the shares of the classes with --classes-prior"
          : "use --method auto, or give the shares of the classes with --classes-prior";
  session.warn(
      fmt::format("class '{}' has {:.3g}% of the labels and got {:.3g}% of the other "
                  "vertices, which often means that labels are too few for {}; {}",
                  problem.labeled.class_names()[static_cast<std::size_t>(stray->class_of)],
                  100.0 * stray->labeled, 100.0 * stray->decided, learner.entry->name, cure));
}

int tell_findings(Session& session, const LabelOptions& options, const LabelInput& problem,
                  const MadeLearner& learner, const Fit& fit) {
  auto [given, inferred, unreached, tied, unfinished] = count_status(fit);
  const std::int64_t uncertain = options.regression ? 0 : count_uncertain(fit);
  inferred -= uncertain;
  session.summary.set("given", given);
  session.summary.set("inferred", inferred);
  session.summary.set("unreached", unreached);
  if (tied > 0) session.summary.set("tied", tied);
  if (uncertain > 0) session.summary.set("uncertain", uncertain);
  if (unfinished > 0) session.summary.set("unfinished", unfinished);
  session.say(fmt::format("{}: {}", learner.entry->name, fit.report.sentence));
  std::string counts =
      fmt::format("{} given, {} inferred, {} unreached", given, inferred, unreached);
  if (tied > 0) counts += fmt::format(", {} tied", tied);
  if (uncertain > 0) counts += fmt::format(", {} uncertain", uncertain);
  if (unfinished > 0) counts += fmt::format(", {} unfinished", unfinished);
  if (!options.regression) counts += fmt::format("; {} classes", problem.labeled.class_count());
  session.say(counts);
  for (const std::string& warning : fit.report.warnings) session.warn(warning);
  if (problem.truth) report_truth(session, options, problem, fit);
  if (!fit.report.converged()) {
    std::string text =
        fmt::format("stopped before tolerance ({}): the labels written are not final",
                    to_string(fit.report.outcome));
    if (unfinished > 0)
      text += fmt::format("; {} vertices are unfinished: what was reached does not decide them",
                          unfinished);
    session.warn(text);
    return 1;
  }
  if (unreached > 0 && session.options().strict) {
    session.warn(fmt::format("--strict: {} vertices have no label in their component", unreached));
    return 1;
  }
  return 0;
}

void write_label_page(Session& session, const LabelOptions& options, const LabelInput& problem,
                      const MadeLearner& learner, const Fit& fit, OutputFile& out) {
  std::optional<Agreement> agreement;
  if (problem.truth) agreement = compare_with_truth(fit, problem.labeled, *problem.truth);
  Json page =
      fit_document(session, {.graph = problem.file.graph,
                             .names = problem.file.names,
                             .classes = problem.labeled.class_names(),
                             .labels = drawn_labels(fit),
                             .report = fit.report,
                             .method = learner.entry->name,
                             .data = options.points.empty() ? options.graph : options.points,
                             .agreement = std::move(agreement)});
  const Json suspects =
      found_suspects_table(problem.file.graph, problem.labeled, problem.file.names, session.run);
  if (!suspects.empty()) page["tables"].insert(page["tables"].begin(), suspects);
  out.write(report_page(page));
  out.commit();
}

}  // namespace gssl::tool
