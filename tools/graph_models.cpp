#include "graph_models.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/record_file.hpp"
#include "gssl/io/vertex_list.hpp"
#include "label_tables.hpp"
#include "property_table.hpp"
#include "truth.hpp"

namespace gssl::tool {
namespace {

// The vertices that are asked for, with the answers that the model has for them.
struct Asked {
  VertexNames names;
  Fit fit;
};

// The classes without a vertex.
LabeledSet answers_of(const GraphModel& model) {
  return model.regression ? LabeledSet::targets({}, {})
                          : LabeledSet::classes({}, std::vector<int>{}, model.class_names);
}

Asked asked_for(Session& session, const GraphModel& model, const std::string& nodes) {
  if (nodes.empty()) return {model.names, model.fit};
  const VertexListFile list = session.timed(
      "read", [&] { return read_vertex_list(nodes, model.names, session.run.memory_limit); });
  session.summary.add_input(list.stats);
  Asked asked;
  for (const VertexId v : list.vertices) asked.names.insert(std::string_view(model.names.name(v)));
  asked.fit = model.answers(list.vertices);
  return asked;
}

// Given vertices are not counted: the model was told them.
void report_truth(Session& session, const Fit& fit, const LabeledSet& answers,
                  const LabelFile& truth) {
  const Agreement found = compare_with_truth(fit, answers, truth);
  session.summary.set("measured", found.measured);
  if (found.measured == 0) {
    session.say("accuracy: no vertex with a truth was left to infer");
  } else if (answers.is_regression()) {
    session.summary.set("rmse", found.errors.rmse);
    session.say(fmt::format("root mean squared error {:.6g} on {} vertices not given",
                            found.errors.rmse, found.measured));
  } else {
    session.summary.set("accuracy", found.accuracy);
    session.say(fmt::format("accuracy {:.2f}% on {} vertices not given", 100.0 * found.accuracy,
                            found.measured));
  }
}

}  // namespace

int fit_on_graph(Session& session, const GraphFitOptions& options) {
  session.prepare({options.graph, options.labels}, {session.options().output});
  const MadeLearner learner = session.registry.make(options.method);
  learner.transductive();
  OutputFile out(session.options().output);
  GraphFile file = read_graph_file(session, options.graph);
  const LabeledSet labeled = session.timed(
      "read", [&] { return read_given_labels(session, options.labels, options.regression, file); });
  session.summary.set("method", learner.spec);
  if (const auto status = estimated(
          session, file.graph, label_work(session, learner, file.graph, labeled, true, 0),
          [&](const RunContext& run) { learner.transductive().fit(file.graph, labeled, run); }))
    return *status;
  const GraphModel model =
      train_on_graph(learner, file.graph, std::move(file.names), labeled, session.run);
  session.record_report(model.fit.report);
  session.say(fmt::format("{}: {}", model.learner, model.fit.report.sentence));
  for (const std::string& warning : model.fit.report.warnings) session.warn(warning);
  session.timed("write", [&] { write_record(out, graph_model_kind, model.to_record()); });
  session.say_time();
  if (model.fit.report.converged()) return 0;
  session.warn(fmt::format("stopped before tolerance ({}): the model written is what there was",
                           to_string(model.fit.report.outcome)));
  return 1;
}

GraphModel graph_model_of(const Record& record, const std::string& path) {
  try {
    return GraphModel::from_record(record);
  } catch (const Error& error) {
    throw error.with_message(path + ": " + error.what());
  }
}

int predict_vertices(Session& session, const VertexPredictOptions& options) {
  session.prepare({options.model, options.nodes, options.truth},
                  {session.options().output, options.scores});
  OutputFile out(session.options().output);
  std::optional<OutputFile> scores_out;
  if (!options.scores.empty()) scores_out.emplace(options.scores);
  session.check_inputs();
  const GraphModel model = session.timed("read", [&] {
    return graph_model_of(
        read_record(options.model, graph_model_kind, session.run.memory_limit).record,
        options.model);
  });
  session.summary.set("method", model.spec);
  session.say(fmt::format("{}: {}, learned from {} labels on a graph of {} vertices", options.model,
                          model.spec, model.given, model.names.size()));
  Asked asked = asked_for(session, model, options.nodes);
  const LabeledSet answers = answers_of(model);
  session.summary.set("rows", static_cast<std::int64_t>(asked.names.size()));
  const Work work = table_work(asked.names.size(), answers.class_count(), false);
  if (const auto status = estimated(session, work, {})) return *status;
  std::optional<LabelFile> truth;
  if (!options.truth.empty())
    truth = read_truth(session, options.truth, asked.names, missing_marks(session, answers));
  session.timed("write", [&] {
    const TableFormat format = session.options().table_format();
    TableWriter labels(out, format, {"node", "label", "confidence", "status"});
    write_labels(labels, asked.names, answers, asked.fit, session.run);
    if (scores_out) {
      TableWriter scores(*scores_out, format, score_columns(answers));
      write_scores(scores, asked.names, asked.fit, session.run);
      scores_out->commit();
    }
    out.commit();
  });
  if (truth) report_truth(session, asked.fit, answers, *truth);
  session.say_time();
  return 0;
}

void write_graph_model_info(PropertyTable& table, const GraphModel& model) {
  table.row("learner", model.learner);
  table.row("method", model.spec);
  table.row("task", std::string_view(model.regression ? "regression" : "classification"));
  table.row("vertices", static_cast<std::int64_t>(model.names.size()));
  table.row("edges", model.edges);
  table.row("given", model.given);
  if (!model.regression) {
    table.row("classes", static_cast<std::int64_t>(model.class_names.size()));
    table.row("class_names", fmt::format("{}", fmt::join(model.class_names, ", ")));
  }
  table.row("seed", static_cast<std::int64_t>(model.seed));
  table.row("outcome", to_string(model.fit.report.outcome));
  table.row("report", model.fit.report.sentence);
  for (const Certificate& certificate : model.fit.report.certificates) {
    std::string values;
    for (const double value : certificate.values)
      values += (values.empty() ? "" : ", ") + to_text(value);
    table.row(certificate.name, values);
  }
  for (const std::string& warning : model.fit.report.warnings) table.row("warning", warning);
}

}  // namespace gssl::tool
