// gssl online: an online learner over a stream of trials, from a file or a live pipe, with its loss
// beside the bound that is proved for exactly this run.

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>

#include "class_words.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/points_reader.hpp"
#include "gssl/io/record_file.hpp"
#include "gssl/io/trial_reader.hpp"
#include "session.hpp"
#include "simulated_arms.hpp"
#include "stream_census.hpp"
#include "stream_model.hpp"
#include "stream_options.hpp"
#include "stream_passes.hpp"
#include "stream_pictures.hpp"
#include "trial_loop.hpp"

namespace gssl::tool {
namespace {

TrialReadOptions read_options(const Session& session, const OnlineVerbOptions& options,
                              InstanceKind kind, bool classes) {
  TrialReadOptions read;
  read.layout = layout_of(kind);
  read.label_column = options.label_column;
  read.header = parse_table_header(options.header);
  read.missing = parse_missing_marks(session.options().missing);
  read.table = session.options().table_options();
  read.predictions_as_text = predicts_by_name(kind, classes);
  return read;
}

std::string number_or_dash(const std::optional<double>& value) {
  return value ? to_brief_text(*value) : "-";
}

void record(Session& session, const OnlineReport& report, const TrialLoop& loop) {
  Summary& summary = session.summary;
  summary.set("trials", report.trials);
  summary.set("mistakes", report.mistakes);
  summary.set("loss", report.loss);
  summary.set("loss_name", report.loss_name);
  if (report.comparator) {
    summary.set("comparator", *report.comparator);
    summary.set("comparator_name", report.comparator_name);
    summary.set("regret", *report.regret());
  }
  if (report.bound) summary.set("bound", *report.bound);
  summary.set("bound_name", report.bound_name);
  if (!report.bounds.empty()) {
    std::vector<double> values;
    std::vector<std::string> names;
    for (const OnlineBound& one : report.bounds) {
      values.push_back(one.value);
      names.push_back(one.name);
    }
    summary.set("bounds", values);
    summary.set("bound_names", names);
  }
  summary.set("bound_in_expectation", report.bound_in_expectation);
  summary.set("unanswered", loop.unanswered());
  summary.set("left_out", loop.skipped());
  for (const Certificate& certificate : report.certificates) summary.add_certificate(certificate);
  for (const std::string& warning : report.warnings) session.warn(warning);
}

// The table of --summary-only.
void write_summary(Session& session, OutputFile& out, const OnlineReport& report,
                   const TrialLoop& loop, const PassCounts& counts) {
  TableWriter table(out, session.options().table_format(), {"property", "value"});
  const auto row = [&](std::string_view name, std::string_view value) {
    table.text(name);
    table.text(value);
    table.end_row();
  };
  const auto number = [&](const char* name, const std::optional<double>& value) {
    if (value) row(name, to_text(*value));
  };
  row("trials", std::to_string(report.trials));
  if (loop.unanswered() > 0) row("unanswered", std::to_string(loop.unanswered()));
  row("mistakes", std::to_string(report.mistakes));
  const auto of_passes = [&](const char* name, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      row(fmt::format("{}_of_pass_{}", name, i + 1), to_text(values[i]));
  };
  of_passes("mistakes", counts.mistakes);
  of_passes("updates", counts.updates);
  number("loss", report.loss);
  row("loss_name", report.loss_name);
  number("comparator", report.comparator);
  if (report.comparator) row("comparator_name", report.comparator_name);
  number("regret", report.regret());
  number("bound", report.bound);
  row("bound_name", report.bound_name);
  // What the bound is made of, and what stands in its place: regret_bound, updates, radius, …
  for (const Certificate& certificate : report.certificates)
    if (certificate.values.size() == 1) row(certificate.name, to_text(certificate.values.front()));
}

void say(Session& session, const std::string& name, const OnlineReport& report,
         std::int64_t unanswered) {
  std::string line = fmt::format("{}: {} trials, {} {}", name, report.trials,
                                 to_brief_text(report.loss), report.loss_name);
  if (unanswered > 0) line += fmt::format(" ({} more without an outcome)", unanswered);
  if (report.loss_name != "mistakes") line += fmt::format(", {} mistakes", report.mistakes);
  if (report.comparator)
    line += fmt::format("; {} {}", report.comparator_name, number_or_dash(report.comparator));
  session.say(line);
  session.say(fmt::format("bound{}: {} ({})", report.bound_in_expectation ? " of the mean" : "",
                          number_or_dash(report.bound), report.bound_name));
  for (const OnlineBound& one : report.bounds)
    if (!report.bound || one.value != *report.bound)
      session.say(fmt::format("also proved: {} ({})", to_brief_text(one.value), one.name));
}

// Trials that are made up rather than read.
void run_simulation(const OnlineVerbOptions& options, const Session& session, TrialLoop& loop) {
  SimulatedArms arms(options.simulate, session.run.seed);
  for (std::int64_t t = 0; t < arms.trials() && !session.run.should_stop(); ++t)
    loop.one({.values = arms.next()}, {});
}

std::optional<RecordFile> read_session(Session& session, const std::string& path) {
  if (path.empty()) return std::nullopt;
  return session.timed("read",
                       [&] { return read_record(path, "session", session.run.memory_limit); });
}

void save_session(OutputFile& out, const TrialLoop& loop) {
  Record record;
  loop.save(record);
  write_record(out, "session", record);
}

// Whether a trial that is left out where --on-error is skip will be taken, as far as a session that
// has learned nothing tells.
std::function<bool(const OnlineTrial&)> acceptance(const Session& session,
                                                   const OnlineVerbOptions& options,
                                                   const MadeLearner& made,
                                                   const std::optional<GraphFile>& file) {
  if (options.on_error != "skip") return {};
  if (made.online().instance_kind() == InstanceKind::vertex)
    return [&file](const OnlineTrial& trial) {
      return !file || file->names.find(trial.first) != no_vertex;
    };
  if (made.online().instance_kind() == InstanceKind::cell)
    return [](const OnlineTrial& trial) { return !trial.first.empty() && !trial.second.empty(); };
  if (made.online().instance_kind() != InstanceKind::row) return {};
  const auto probe = std::make_shared<std::unique_ptr<OnlineSession>>();
  return
      [probe, &made, run = session.run, held = std::int64_t{0}](const OnlineTrial& trial) mutable {
        constexpr std::int64_t some_horizon = 1'000'000;
        try {
          const std::int64_t width = !trial.sparse           ? std::ssize(trial.values)
                                     : trial.columns.empty() ? 1
                                                             : trial.columns.back() + 1;
          if (!*probe || (trial.sparse && width > held)) {
            held = trial.sparse ? std::max(width, 2 * held) : width;
            *probe = made.online().start(
                {.width = held, .class_names = {"first", "second"}, .horizon = some_horizon}, run);
          }
          (*probe)->predict({.values = trial.values, .columns = trial.columns});
          return true;
        } catch (const Error& error) {
          if (error.code() != ErrorCode::bad_data) throw;
          return false;
        }
      };
}

// What is known before the first trial: told, or found by reading the file once.
void take_census(Session& session, const OnlineVerbOptions& options, const MadeLearner& made,
                 const std::optional<GraphFile>& file, const TrialReadOptions& read, bool classes,
                 TrialLoopOptions& looping) {
  const bool cells = made.online().instance_kind() == InstanceKind::cell;
  if (options.matrix.size() == 2) {
    looping.rows = options.matrix[0];
    looping.columns = options.matrix[1];
  }
  if (!options.classes.empty()) looping.classes = ClassWords(split_words(options.classes));
  const bool lacks_shape = cells && looping.rows == 0;
  const bool lacks_horizon = needs_horizon(made) && options.horizon == 0 && is_file(options.stream);
  const bool lacks_width =
      needs_width(made) && options.label_column.empty() && is_file(options.stream);
  if ((!classes || looping.classes) && !lacks_shape && !lacks_horizon && !lacks_width) return;
  if (!is_file(options.stream)) {
    if (lacks_shape)
      throw Error(ErrorCode::usage,
                  "a stream that is no file does not tell the size of its matrix before the first "
                  "trial: give --matrix ROWS,COLUMNS");
    throw Error(ErrorCode::usage,
                "a stream that is no file does not tell its classes before the first trial: give "
                "--classes, as in --classes -1,+1");
  }
  StreamCensus found = session.timed("read", [&] {
    const bool wanted = classes && !looping.classes;
    return stream_census(options.stream, read,
                         {.learner = made.entry->name,
                          .classes = wanted,
                          .may_be_values = made.entry->traits.regression,
                          .two_classes = wanted && takes_two_classes(made, session.run),
                          .skip_errors = options.on_error == "skip",
                          .is_taken = acceptance(session, options, made, file)},
                         session.run);
  });
  if (classes && !looping.classes) {
    if (found.classes.names().size() == 1)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: every outcome is '{}': {} needs two classes; where more will "
                              "come, give all with --classes",
                              options.stream, found.classes.names()[0], made.entry->name));
    looping.classes = std::move(found.classes);
  }
  looping.width = found.width;
  if (needs_horizon(made)) looping.horizon = found.trials * options.passes;
  if (cells && looping.rows == 0) {
    looping.rows = found.rows;
    looping.columns = found.columns;
  }
}

TrialLoopOptions loop_options(Session& session, const OnlineVerbOptions& options,
                              const std::optional<GraphFile>& file, const MadeLearner& made,
                              const std::optional<RecordFile>& saved, TrialReadOptions& read) {
  TrialLoopOptions looping;
  const bool classes = wants_classes(made, options);
  read = read_options(session, options, made.online().instance_kind(), classes);
  if (saved) {
    looping.classes = TrialLoop::classes_of(saved->record);
    if (looping.classes) check_classes_again(options, *looping.classes);
  } else {
    take_census(session, options, made, file, read, classes, looping);
  }
  if (file) {
    if (made.online().instance_kind() == InstanceKind::cell) {
      // A side of the matrix that the graph tells of has its vertices.
      looping.first_is_vertex = made.spec.find("row-side=graph") != std::string::npos;
      looping.second_is_vertex = made.spec.find("column-side=graph") != std::string::npos;
      if (looping.first_is_vertex) looping.rows = file->graph.vertex_count();
      if (looping.second_is_vertex) looping.columns = file->graph.vertex_count();
    }
    looping.graph = std::make_shared<const Graph>(file->graph);
    looping.vertices = &file->names;
  }
  if (options.horizon > 0) looping.horizon = options.horizon;
  looping.skip_errors = options.on_error == "skip";
  looping.write_trials = !options.summary_only;
  if (!options.simulate.empty())
    looping.arm_means = SimulatedArms(options.simulate, session.run.seed).means();
  return looping;
}

PassCounts run_trials(Session& session, const OnlineVerbOptions& options,
                      const TrialReadOptions& read, TrialLoop& loop) {
  return session.timed("solve", [&] {
    if (options.simulate.empty()) return run_passes(options, session, read, loop);
    run_simulation(options, session, loop);
    return PassCounts{};
  });
}

void finish(Session& session, const OnlineVerbOptions& options, const MadeLearner& made,
            const TrialReadOptions& read, TrialLoop& loop, const PassCounts& counts,
            OutputFile& out) {
  look_again(session, options, read, counts, loop);
  const OnlineReport report = loop.report();
  record(session, report, loop);
  if (options.passes > 1) session.summary.set("mistakes_of_pass", counts.mistakes);
  if (!counts.updates.empty()) session.summary.set("updates_of_pass", counts.updates);
  if (options.summary_only) write_summary(session, out, report, loop, counts);
  out.commit();
  if (!session.run.cancelled()) say(session, made.entry->name, report, loop.unanswered());
  if (loop.skipped() > 0) session.say(fmt::format("{} rows left out", loop.skipped()));
}

int online(Session& session, const OnlineVerbOptions& options) {
  // --save may replace the file of --resume: it appears as a whole, after that was read.
  session.prepare({options.stream, options.graph},
                  {session.options().output, options.pictures.curve, options.pictures.weights,
                   options.pictures.report, options.save, options.model});
  const MadeLearner made = session.registry.make(options.method);
  check_stream_options(made, options);
  if (!options.model.empty()) check_leaves_model(made);
  session.check_inputs();
  OutputFile out(session.options().output);
  StreamPictures pictures(options.pictures);
  std::optional<OutputFile> save_out = output_of(options.save);
  std::optional<OutputFile> model_out = output_of(options.model);

  const std::optional<RecordFile> saved = read_session(session, options.resume);
  std::optional<GraphFile> file;
  if (!options.graph.empty()) file = read_graph_file(session, options.graph);
  TrialReadOptions read;
  const TrialLoopOptions looping = loop_options(session, options, file, made, saved, read);
  session.summary.set("method", made.spec);
  session.summary.set("instances", to_string(made.online().instance_kind()));
  TrialLoop loop(session, made, looping, out, &pictures);
  if (saved) loop.resume(saved->record);
  const PassCounts counts = run_trials(session, options, read, loop);
  const bool ended = !session.run.should_stop();
  if (save_out) save_session(*save_out, loop);
  if (!loop.has_begun() && session.run.should_stop()) {
    session.check_cancelled();
    session.warn("the time limit ended the run before the first trial");
    return 1;
  }
  if (model_out)
    write_record(*model_out, "model",
                 stream_model(session, made, loop, options.label_column).to_record());
  finish(session, options, made, read, loop, counts, out);
  pictures.write(session, made, loop.report(), options.stream);
  session.check_cancelled();
  session.say_time();
  if (ended) return 0;
  session.warn("the time limit ended the run before the stream did");
  return 1;
}

void add_stream_options(CLI::App& verb, CommonOptions& common, OnlineVerbOptions& options) {
  const std::string group = "Input";
  verb.add_option("--graph", options.graph, "graph whose vertices the trials name")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--classes", options.classes,
                  "all classes, by commas, the positive one last; needed where STREAM is no file")
      ->type_name("LIST")
      ->group(group);
  verb.add_flag("--regression", options.regression, "outcomes are numbers, not classes")
      ->group(group);
  verb.add_option("--label-column", options.label_column,
                  "column of the outcome in a table of features: name or number from 1")
      ->type_name("COLUMN")
      ->group(group);
  verb.add_option("--header", options.header,
                  "whether the first line has names: automatic, yes, no")
      ->type_name("WHICH")
      ->check(one_of(names_of<TableHeader>.all()))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--on-error", options.on_error,
                  "a malformed row: stop, or skip it with a warning")
      ->type_name("POLICY")
      ->check(one_of({"skip", "stop"}))
      ->capture_default_str()
      ->group(group);
  add_table_options(verb, common);
  verb.add_option("--missing", common.missing,
                  "outcomes that say there is none, by commas: 'default' is NA, N/A, NaN, null, ? "
                  "and the like; -1 is a class like others; none: no such words")
      ->type_name("WORDS")
      ->capture_default_str()
      ->group(group);
}

void add_online_outputs(CLI::App& verb, OnlineVerbOptions& options) {
  verb.add_flag(
          "--summary-only", options.summary_only,
          "write trials, mistakes, loss, regret and bound in place of the trials; --quiet keeps "
          "the trials and silences the report")
      ->group("Output");
  verb.add_option("--curve", options.pictures.curve,
                  "also write the cumulative loss: a picture if FILE ends in .svg, else CSV")
      ->type_name("FILE")
      ->group("Output");
  verb.add_option("--weights", options.pictures.weights,
                  "also write the weights of experts or actions, in the same way")
      ->type_name("FILE")
      ->group("Output");
  verb.add_option("--report", options.pictures.report, "also write a page to look at")
      ->type_name("FILE.html")
      ->group("Output");
  verb.add_option("--model", options.model,
                  "also write the model that the rows left, for gssl predict; the option form of "
                  "the learner says which")
      ->type_name("FILE")
      ->group("Output");
}

void add_session_options(CLI::App& verb, OnlineVerbOptions& options) {
  const std::string sessions = "Sessions";
  verb.add_option("--save", options.save, "also write what was learned, to go on from later")
      ->type_name("FILE")
      ->group(sessions);
  verb.add_option("--resume", options.resume, "go on from what --save wrote")
      ->type_name("FILE")
      ->group(sessions);
  verb.add_option("--simulate", options.simulate,
                  "trials without STREAM: bernoulli:means=0.2/0.5,trials=1000, or gaussian with sd")
      ->type_name("SPEC")
      ->group(sessions);
}

}  // namespace

Verb add_online(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "online", "Predicts trial by trial, and learns from each outcome.",
               {"gssl online datasets/breast_cancer/points.csv --label-column class --method "
                "perceptron --passes 3 --summary-only",
                "gssl online --simulate bernoulli:means=0.5/0.2/0.4,trials=2000 --method ucb1 "
                "--summary-only",
                "printf '1,1,0\\n0,0,0\\n1,1,1\\n' | gssl online - --method weighted-majority "
                "--classes 0,1"});
  const auto options = std::make_shared<OnlineVerbOptions>();
  verb.add_option("STREAM", options->stream, "trials, a line each ('-': standard input)")
      ->type_name("FILE");
  verb.add_option("--method", options->method,
                  "learner: NAME[:key=value,…]; see gssl learners, kind online")
      ->required()
      ->type_name("SPEC");
  verb.add_option("--passes", options->passes, "times that a file is read from start to end")
      ->type_name("N")
      ->check(CLI::Validator(decimal_error, ""))
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}).description(""))
      ->capture_default_str();
  verb.add_flag("--until-consistent", options->until_consistent,
                "end after a pass without a mistake, before N have passed");
  verb.add_option("--horizon", options->horizon,
                  "trials to come, for learners whose rate depends on it (default: not known; of "
                  "a file of cells or tasks its lines)")
      ->type_name("N")
      ->check(CLI::Validator(decimal_error, ""));
  verb.add_option("--matrix", options->matrix,
                  "rows and columns of the matrix whose cells are asked (default: those of the "
                  "file)")
      ->type_name("ROWS,COLUMNS")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::Validator(at_least_one_error, ""));
  add_stream_options(verb, common, *options);
  add_output_options(verb, common);
  add_online_outputs(verb, *options);
  add_session_options(verb, *options);
  add_time_limit(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return online(session, *options); };
}

}  // namespace gssl::tool
