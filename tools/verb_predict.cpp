// gssl predict: a model and a table in, an answer for every row out.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "estimate.hpp"
#include "feature_input.hpp"
#include "graph_input.hpp"
#include "graph_models.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/record_file.hpp"
#include "label_tables.hpp"
#include "model_file.hpp"
#include "trained_columns.hpp"
#include "truth.hpp"

namespace gssl::tool {
namespace {

struct PredictOptions {
  std::string model;
  std::string points;
  FeatureOptions input;
  std::string scores;
  std::string truth;
};

std::string_view score_word(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::decision: return "decision";
    case ScoreKind::shares: return "shares";
    case ScoreKind::probability: return "probability";
    case ScoreKind::value: return "value";
  }
  return "decision";
}

// The training file tells what this one does not: its label column, its ids, and which columns are
// of words.
FeatureReadOptions reading(const Session& session, const PredictOptions& options,
                           const TrainedModel& model, TrainedColumns& columns) {
  FeatureReadOptions read = feature_read_options(session, options.input, model.regression);
  columns.watch(read);
  const std::vector<std::int64_t> words = model.encoding.word_columns();
  const std::vector<std::string>& names = model.encoding.input_names();
  if (words.empty()) return read;
  for (const std::int64_t c : words) {
    if (names.empty() || read.points.header == TableHeader::no)
      read.word_places.push_back(c);
    else
      read.word_columns.push_back(names[static_cast<std::size_t>(c)]);
  }
  if (read.points.header == TableHeader::automatic)
    read.points.header = names.empty() ? TableHeader::no : TableHeader::yes;
  return read;
}

void report_counts(Session& session, const EncodingCounts& counts) {
  session.summary.set("cells_filled", counts.missing);
  session.summary.set("words_unseen", counts.unseen);
  session.summary.set("values_beyond", counts.beyond);
  if (counts.unseen > 0)
    session.warn(
        fmt::format("{} cells hold a word that the model has not seen, the first in {}: "
                    "they count as none of its words",
                    counts.unseen, counts.first_unseen));
  if (counts.beyond > 0)
    session.warn(fmt::format(
        "{} values are in columns that no row of training has: they are left out", counts.beyond));
}

// As the other verbs hold answers: a status for each row.
Fit as_fit(const Prediction& p) {
  Fit fit;
  fit.scores.values = p.scores;
  fit.decision = p.decision;
  fit.confidence = p.confidence;
  for (const bool tied : p.tied)
    fit.scores.status.push_back(tied ? VertexStatus::tied : VertexStatus::inferred);
  return fit;
}

// The classes without a row.
LabeledSet answers_of(const TrainedModel& model) {
  return model.regression ? LabeledSet::targets({}, {})
                          : LabeledSet::classes({}, std::vector<int>{}, model.class_names);
}

std::optional<LabelFile> truth_of(Session& session, const PredictOptions& options,
                                  const LabeledSet& answers, FeaturesFile& file) {
  if (!options.truth.empty())
    return read_truth(session, options.truth, file.names, missing_marks(session, answers),
                      static_cast<std::int64_t>(file.table.row_count()));
  if (file.labels.empty()) return std::nullopt;
  return labels_of_rows(file.labels, file.missing, file.stats);
}

void report_truth(Session& session, const Fit& fit, const LabeledSet& answers,
                  const LabelFile& truth) {
  const Agreement found = compare_with_truth(fit, answers, truth);
  session.summary.set("measured", found.measured);
  if (found.measured == 0) {
    session.say("accuracy: no row has a truth");
  } else if (answers.is_regression()) {
    session.summary.set("rmse", found.errors.rmse);
    session.say(fmt::format("root mean squared error {:.6g} on {} rows", found.errors.rmse,
                            found.measured));
  } else {
    session.summary.set("accuracy", found.accuracy);
    session.say(fmt::format("accuracy {:.2f}% on {} rows", 100.0 * found.accuracy, found.measured));
  }
}

// A margin m of two classes is m in the column of one and -m in that of the other.
void report_margin(Session& session, const Prediction& p, const TrainedModel& model) {
  if (p.kind != ScoreKind::decision || p.scores.columns() != 2) return;
  for (std::int64_t r = 0; r < p.scores.rows(); ++r)
    if (p.scores(r, 0) != -p.scores(r, 1)) return;
  const std::string& positive = model.class_names[1];
  session.summary.set("positive_class", positive);
  session.say(
      fmt::format("the decision value is > 0 for class '{}', the positive one; '{}' has "
                  "its negative",
                  positive, model.class_names[0]));
}

Work answering_work(const FeatureTable& table) {
  return table_work(static_cast<double>(table.row_count()),
                    static_cast<double>(table.column_count()), false);
}

int predict(Session& session, const PredictOptions& options) {
  if (record_kind(options.model) == graph_model_kind)
    return predict_vertices(session, {.model = options.model,
                                      .nodes = options.points,
                                      .scores = options.scores,
                                      .truth = options.truth});
  if (options.points.empty()) throw Error(ErrorCode::usage, "POINTS is required");
  session.prepare({options.model, options.points, points_file_path(options.truth)},
                  {session.options().output, options.scores});
  OutputFile out(session.options().output);
  std::optional<OutputFile> scores_out;
  if (!options.scores.empty()) scores_out.emplace(options.scores);
  session.check_inputs();
  const TrainedModel model =
      session.timed("read", [&] { return read_model(session, options.model); });
  session.summary.set("method", model.spec);
  session.say(
      fmt::format("{}: {}, learned from {} rows", options.model, model.spec, model.training_rows));
  if (!model.finished())
    session.warn(fmt::format("{}: its training was stopped before tolerance ({})", options.model,
                             to_string(model.outcome)));

  TrainedColumns columns(options.input, model);
  FeaturesFile file =
      read_features_file(session, options.points, reading(session, options, model, columns));
  columns.drop_weights(file);
  if (const std::string missing = columns.missing_by_number(); !missing.empty())
    session.say(fmt::format("{}: {}", options.points, missing));
  const LabeledSet answers = answers_of(model);
  const std::optional<LabelFile> truth = truth_of(session, options, answers, file);
  const auto predicted = [&](const RunContext& run) {
    try {
      return model.predict(file.table, run);
    } catch (const Error& error) {
      throw error.with_message(options.points + ": " + error.what());
    }
  };
  if (const auto status = estimated(session, answering_work(file.table), predicted)) return *status;
  const Prediction prediction = session.timed("solve", [&] { return predicted(session.run); });
  session.check_cancelled();
  report_counts(session, prediction.counts);
  session.summary.set("score_kind", score_word(prediction.kind));
  report_margin(session, prediction, model);

  const Fit fit = as_fit(prediction);
  session.timed("write", [&] {
    const TableFormat format = session.options().table_format();
    TableWriter labels(out, format, {"node", "label", "confidence", "status"});
    write_labels(labels, file.names, answers, fit, session.run);
    if (scores_out) {
      TableWriter scores(*scores_out, format, score_columns(answers));
      write_scores(scores, file.names, fit, session.run);
      scores_out->commit();
    }
    out.commit();
  });
  if (truth) report_truth(session, fit, answers, *truth);
  session.say_time();
  return 0;
}

}  // namespace

Verb add_predict(CLI::App& app, CommonOptions& common) {
  const std::string fit =
      "gssl fit datasets/iris/points.csv --label-column class --method nearest-mean -o iris.model";
  CLI::App& verb = add_verb(
      app, "predict", "Answers for the rows of a table by a model of gssl fit or online.",
      {fit + " && gssl predict iris.model datasets/iris/points.csv -o predicted.tsv",
       fit + " && gssl predict iris.model datasets/iris/points.csv --scores scores.tsv --summary "
             "run.json"});
  const auto options = std::make_shared<PredictOptions>();
  verb.add_option("MODEL", options->model, "a model of gssl fit, or --model of gssl online")
      ->required()
      ->type_name("FILE");
  verb.add_option("POINTS", options->points,
                  "rows with the columns that the model was learned from, found by name where both "
                  "files have a header; the label column may be missing. For a model of a graph "
                  "a vertex on each line; none: all vertices")
      ->type_name("FILE");
  verb.add_option("--truth", options->truth,
                  "measure against lines 'node label'; else against the label column, if there")
      ->type_name("FILE");
  verb.add_option("--scores", options->scores, "also write the score of every class")
      ->type_name("FILE")
      ->group("Output");
  add_feature_options(verb, options->input, common);
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return predict(session, *options); };
}

}  // namespace gssl::tool
