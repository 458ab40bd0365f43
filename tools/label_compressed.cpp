#include "label_compressed.hpp"

#include <fmt/format.h>

#include <optional>

#include "gssl/io/binary_graph.hpp"
#include "gssl/transductive/compressed_propagation.hpp"

namespace gssl::tool {
namespace {

int report_outcome(Session& session, const Fit& fit) {
  const auto [given, inferred, unreached, tied, unfinished] = count_status(fit);
  session.summary.set("given", given);
  session.summary.set("inferred", inferred);
  session.summary.set("unreached", unreached);
  if (unfinished > 0) session.summary.set("unfinished", unfinished);
  session.say(fmt::format("label-propagation: {}", fit.report.sentence));
  session.say(fmt::format("{} given, {} inferred, {} unreached", given, inferred, unreached));
  for (const std::string& warning : fit.report.warnings) session.warn(warning);
  if (!fit.report.converged()) {
    session.warn(fmt::format("stopped before tolerance ({}): the labels written are not final",
                             to_string(fit.report.outcome)));
    return 1;
  }
  if (unreached == 0 || !session.options().strict) return 0;
  session.warn(fmt::format("--strict: {} vertices have no label in their component", unreached));
  return 1;
}

}  // namespace

bool sweeps_compressed(const LabelOptions& options, const Session& session,
                       const MadeLearner& learner) {
  const bool plain = options.points.empty() && options.truth.empty() && options.priors.empty() &&
                     options.report.empty() && options.calibrate.empty() &&
                     options.checkpoint.file.empty() && options.warm.changes.empty() &&
                     options.min_confidence == 0.0 && session.options().unknown_labels != "add";
  return plain && learner.as<LabelPropagationLearner>() != nullptr &&
         is_binary_graph(options.graph, session.options().read_options()) &&
         BinaryGraph::open(options.graph).facts().compressed;
}

int label_compressed(Session& session, const LabelOptions& options, const MadeLearner& learner) {
  OutputFile out(session.options().output);
  std::optional<OutputFile> scores_out;
  if (!options.scores.empty()) scores_out.emplace(options.scores);
  session.check_inputs();
  const BinaryGraph file = BinaryGraph::open(options.graph);
  const CompressedGraph graph =
      session.timed("read", [&] { return *file.compressed(session.run); });
  session.summary.add_input(file.stats());
  const std::string sizes =
      session.record_sizes(file.stats(), graph.vertex_count(), graph.edge_count());
  session.say(fmt::format("gssl label: {}: {}; compressed", options.graph, sizes));
  if (!file.stats().names_given) session.unnamed_graph = options.graph;
  GraphFile named;
  named.names = file.names();
  named.stats = file.stats();
  const LabeledSet labeled = session.timed("read", [&] {
    return read_labels_by_name(session, options.labels, options.regression, named);
  });
  session.summary.set("method", learner.spec);
  const Fit fit = propagate_labels(graph, labeled, learner.as<LabelPropagationLearner>()->options(),
                                   session.run);
  session.record_report(fit.report);
  session.timed("write", [&] {
    const TableFormat format = session.options().table_format();
    TableWriter labels(out, format, {"node", "label", "confidence", "status"});
    write_labels(labels, named.names, labeled, fit, session.run);
    if (scores_out) {
      TableWriter scores(*scores_out, format, score_columns(labeled));
      write_scores(scores, named.names, fit, session.run);
      scores_out->commit();
    }
    out.commit();
  });
  const int status = report_outcome(session, fit);
  session.say_time();
  return status;
}

}  // namespace gssl::tool
