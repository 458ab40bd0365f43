// gssl fit: a table and targets in, a model out.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "estimate.hpp"
#include "feature_input.hpp"
#include "graph_input.hpp"
#include "graph_models.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/record_file.hpp"
#include "gssl/learn/trained_model.hpp"
#include "trained_columns.hpp"
#include "training_options.hpp"

namespace gssl::tool {
namespace {

struct FitOptions {
  std::string graph;
  std::string points;
  std::string targets;
  FeatureOptions input;
  std::string method;
  bool regression = false;
  TrainingChoices training;
};

// Rows that have a target, ascending, with these.
struct TargetRows {
  std::vector<std::int32_t> rows;
  Targets targets;
};

TargetRows in_order(const LabeledSet& labeled) {
  std::vector<std::int32_t> order(labeled.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(
      order, {}, [&](std::int32_t i) { return labeled.vertices()[static_cast<std::size_t>(i)]; });
  TargetRows training;
  for (const std::int32_t i : order)
    training.rows.push_back(labeled.vertices()[static_cast<std::size_t>(i)]);
  training.targets = labeled.targets().select(order);
  return training;
}

// Then no later table is matched by names.
void warn_of_equal_names(Session& session, const std::string& path, const FeaturesFile& file) {
  std::vector<std::string> names = file.table.names;
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return;
  session.warn(
      fmt::format("{}: two columns are named '{}': gssl predict will take columns by their place, "
                  "not by name",
                  path, *twice));
}

// Names of rows that were not told to be names.
void warn_of_words_of_rows(Session& session, const std::string& path, const FeaturesFile& file) {
  constexpr std::int64_t few = 20;
  const std::int64_t rows = file.table.row_count();
  for (std::size_t c = 0; c < file.table.columns.size(); ++c) {
    const FeatureColumn& column = file.table.columns[c];
    if (!column.of_words || rows < few || std::ssize(column.words) < rows) continue;
    session.warn(
        fmt::format("{}: {} has another word in every row, and each becomes a column to learn "
                    "from; where it names the rows, tell it with --id-column",
                    path, file.table.column_name(static_cast<std::int64_t>(c))));
  }
}

template <class T>
void keep_rows(std::vector<T>& list, const std::vector<std::int32_t>& rows) {
  if (list.empty()) return;
  std::vector<T> part;
  part.reserve(rows.size());
  for (const std::int32_t r : rows) part.push_back(list[static_cast<std::size_t>(r)]);
  list = std::move(part);
}

void report_targets(Session& session, const Targets& targets, std::int64_t rows) {
  session.summary.set("training_rows", static_cast<std::int64_t>(targets.size()));
  session.summary.set("classes", targets.class_count());
  std::string text = fmt::format("{} rows to learn from", targets.size());
  if (static_cast<std::int64_t>(targets.size()) < rows)
    text += fmt::format(" ({} without a target are left out)",
                        rows - static_cast<std::int64_t>(targets.size()));
  if (!targets.is_regression()) text += fmt::format("; {} classes", targets.class_count());
  session.say(text);
  const bool fractions = std::ranges::all_of(targets.class_names(), [](const std::string& name) {
    const auto number = parse_number<double>(name);
    return number && *number != std::round(*number);
  });
  const std::size_t many_classes = fractions ? 3 : 20;
  const auto classes = static_cast<std::size_t>(targets.class_count());
  if (classes > many_classes && classes > targets.size() / 2)
    session.warn(
        "more classes than half of the rows: where targets are real numbers, say "
        "--regression");
}

// Kernels keep a matrix of rows × rows, trees sort each column.
Work training_work(const FeatureTable& table) {
  return table_work(static_cast<double>(table.row_count()),
                    static_cast<double>(table.column_count()), true);
}

int report_model(Session& session, const TrainedModel& model, const Targets& targets,
                 Report report) {
  // The clock of this verb has them.
  report.setup_seconds = report.solve_seconds = 0.0;
  session.summary.set("encoded_columns", model.encoding.encoded_columns());
  session.summary.set("class_weights", model.class_weights);
  if (model.calibration) {
    session.summary.set("calibration.method", to_string(model.calibration.method()));
    session.summary.set("calibration.rows", model.calibration_rows);
    session.summary.set("calibration.expected_error", model.calibration_error);
  }
  session.say(fmt::format("{}: {}", model.learner, model.sentence));
  for (const auto& [name, value] : model.model->facts()) {
    session.say(fmt::format("  {}: {}", name, value));
    session.summary.append("model", fmt::format("{}: {}", name, value));
  }
  if (model.calibration)
    session.say(fmt::format("calibrated by {} on {} held-out rows: expected error {:.3g}",
                            model.calibration.sentence(), model.calibration_rows,
                            model.calibration_error));
  if (targets.class_count() == 1)  // learners say it in other words, or not at all
    warn_of_single_class(session, targets);
  else
    for (const std::string& warning : model.warnings) session.warn(warning);
  session.record_report(report);  // throws where a signal ended it
  if (model.finished()) return 0;
  session.warn(
      fmt::format("stopped before tolerance ({}): the model written is what there was, and "
                  "says so",
                  to_string(model.outcome)));
  return 1;
}

// The vertices of a graph are not described by columns, so what is done to columns is refused.
int fit_graph(Session& session, const FitOptions& options) {
  if (options.points.empty())
    throw Error(ErrorCode::usage, "LABELS is required: gssl fit --graph GRAPH LABELS");
  if (!options.targets.empty())
    throw Error(ErrorCode::usage,
                "--graph: takes the place of POINTS: gssl fit --graph GRAPH LABELS");
  if (options.training.given() || !options.input.weight_column.empty() ||
      !options.input.label_column.empty())
    throw Error(ErrorCode::usage,
                "--graph: not with --standardize, --class-weight, --calibrate, --weight-column or "
                "--label-column, which are of points");
  return fit_on_graph(session, {.graph = options.graph,
                                .labels = options.points,
                                .method = options.method,
                                .regression = options.regression});
}

int fit(Session& session, const FitOptions& options) {
  if (!options.graph.empty()) return fit_graph(session, options);
  if (options.points.empty())
    throw Error(ErrorCode::usage, "POINTS is required (or --graph GRAPH LABELS)");
  session.prepare({options.points, points_file_path(options.targets)}, {session.options().output});
  const MadeLearner learner = session.registry.make(options.method);
  learner.inductive();
  const TrainingOptions training = training_options(options.training, options.regression);
  if (training.calibrate != CalibrationMethod::none &&
      calibration_of(learner, training) != training.calibrate)
    throw Error(ErrorCode::usage,
                "--calibrate " + options.training.calibrate + ": --method says another: keep one");
  OutputFile out(session.options().output);

  TrainedColumns columns(options.input);
  FeatureReadOptions read = feature_read_options(session, options.input, options.regression);
  columns.watch(read);
  FeaturesFile file = read_features_file(session, options.points, read);
  warn_of_equal_names(session, options.points, file);
  if (!learner.inductive().reads_strings()) warn_of_words_of_rows(session, options.points, file);
  check_categorical(file, options.points, options.input);
  if (!options.targets.empty() && !options.input.label_column.empty())
    session.warn(fmt::format("targets are those of {}; the column {} is left out", options.targets,
                             options.input.label_column));
  const LabelFile labels =
      read_row_targets(session, options.points, options.targets, options.regression, file);
  std::vector<double> weights = take_weights(file, options.points, options.input);
  const TargetRows chosen = in_order(to_labeled_set(labels, options.regression, &file.names));
  const std::int64_t rows = file.table.row_count();
  if (static_cast<std::int64_t>(chosen.rows.size()) < rows) {
    file.table = select(file.table, chosen.rows);
    keep_rows(weights, chosen.rows);
  }
  report_targets(session, chosen.targets, rows);
  warn_of_scales(session, learner, file.table, training.encoding.standardize);
  session.summary.set("method", learner.spec);
  session.check_cancelled();
  const auto rehearsal = [&](const RunContext& run) {
    train_model(learner, file.table, chosen.targets, weights, training, run, nullptr);
  };
  if (const auto status = estimated(session, training_work(file.table), rehearsal)) return *status;

  Report report;
  TrainedModel model = session.timed("solve", [&] {
    return train_model(learner, file.table, chosen.targets, weights, training, session.run,
                       &report);
  });
  columns.remember(model, file, options.targets.empty());
  session.timed("write", [&] { write_record(out, "model", model.to_record()); });
  const int status = report_model(session, model, chosen.targets, std::move(report));
  session.say_time();
  return status;
}

}  // namespace

Verb add_fit(CLI::App& app, CommonOptions& common) {
  const std::string iris = "gssl fit datasets/iris/points.csv --label-column class --method ";
  CLI::App& verb = add_verb(app, "fit", "Learns a model from rows with targets, or from a graph.",
                            {iris + "nearest-mean -o iris.model",
                             iris + "nearest-mean --standardize --calibrate platt -o iris.model",
                             "gssl predict iris.model datasets/iris/points.csv -o predicted.tsv",
                             "gssl fit --graph datasets/iris/edges.tsv datasets/iris/labels.tsv "
                             "--method 'svm:kernel=diffusion(time=2)' -o graph.model"});
  const auto options = std::make_shared<FitOptions>();
  verb.add_option("POINTS", options->points,
                  "table, .npy, .npz (or FILE.npz:NAME), libsvm or idx file ('-': standard "
                  "input); beside --graph the LABELS, lines 'node label'")
      ->type_name("FILE");
  verb.add_option("TARGETS", options->targets,
                  "lines 'node value' or 'node label', .npy, .npz or idx; else --label-column")
      ->type_name("FILE");
  verb.add_option("--method", options->method,
                  "NAME[:key=value,…]: an inductive learner of gssl learners; beside --graph a "
                  "transductive one, such as svm or kernel-ridge with a kernel of gssl kernel")
      ->required()
      ->type_name("SPEC");
  verb.add_option("--graph", options->graph,
                  "learn on the vertices of this graph in place of points; the model keeps the "
                  "answer for each")
      ->type_name("GRAPH");
  verb.add_flag("--regression", options->regression, "targets are real numbers, not classes");
  add_training_options(verb, options->training);
  add_feature_options(verb, options->input, common);
  verb.add_option("--unknown-labels", common.unknown_labels,
                  "a target of a node that has no row: error or ignore")
      ->type_name("POLICY")
      ->check(one_of({"error", "ignore"}))
      ->capture_default_str()
      ->group("Input");
  verb.add_option("-o,--output", common.output, "write the model to FILE ('-': standard output)")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return fit(session, *options); };
}

}  // namespace gssl::tool
