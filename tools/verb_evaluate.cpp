// gssl evaluate: any number of learners on the same trials, with tests of their differences.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "estimate.hpp"
#include "evaluation_document.hpp"
#include "evaluation_input.hpp"
#include "evaluation_results.hpp"
#include "evaluation_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "remedy_words.hpp"
#include "report_page.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

// GRAPH and TRUTH as they were meant: beside --points, one file alone is TRUTH.
EvaluateOptions resolved(EvaluateOptions options) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::usage, text); };
  if (options.methods.empty()) options.methods = {"auto"};
  const bool grids = !options.knn_grid.empty() || !options.weights_grid.empty();
  if (!options.points.empty() && !options.truth.empty()) {
    if (const CLI::Option* given = first_given(options.build, "Graph"))
      refuse(given->get_name() + " makes a graph of the points, and GRAPH is given");
    if (grids)
      refuse("--knn-grid and --weights-grid make graphs of the points, and GRAPH is given");
  } else if (!options.points.empty()) {
    options.truth = std::exchange(options.graph, std::string());
    if (!options.knn_grid.empty()) {
      if (options.build.knn > 0) refuse("--knn-grid: takes the place of --knn");
      options.build.knn = static_cast<int>(options.knn_grid.front());
    }
    if (first_given(options.build, "Graph") != nullptr || !options.weights_grid.empty())
      check_points_options(options.build);
  } else {
    if (options.truth.empty()) refuse("GRAPH and TRUTH are required, or --points");
    if (const CLI::Option* given = first_given(options.build))
      refuse(given->get_name() + " is for --points, and a graph is given");
    if (grids || !options.ablate.empty())
      refuse("--knn-grid, --weights-grid and --ablate are for --points, and a graph is given");
    if (options.training.of_rows() || options.columns.given())
      refuse(
          "--standardize, --class-weight, --weight-column and --categorical are for --points, "
          "and a graph is given");
  }
  options.complete();
  if (options.resume && options.results.empty())
    refuse("--resume continues what --results began: give both");
  return options;
}

std::vector<Trial> make_trials(const EvaluateOptions& options, const EvaluationInput& input,
                               const RunContext& run) {
  if (!options.splits.empty()) return read_splits(options.splits, input);
  return options.make_trials(input.truth, run);
}

// FNV-1a over bytes.
class Hash {
 public:
  template <class Value>
  void add(std::span<const Value> values) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t i = 0; i < values.size_bytes(); ++i)
      state_ = (state_ ^ bytes[i]) * 1099511628211ULL;
  }
  std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 14695981039346656037ULL;
};

void add_table(const FeatureTable& table, Hash& hash) {
  hash.add(table.points.floats());
  hash.add(table.points.doubles());
  for (const FeatureColumn& column : table.columns) {
    hash.add(std::span(column.numbers));
    hash.add(std::span(column.word_of));
    for (const std::string& word : column.words) hash.add(std::span(word));
  }
}

// Of what a journal holds: raised whenever a line of it, or the number that a learner or a measure
// gives for the same data and options, changes its form or meaning.
constexpr int journal_version = 2;

// Tells this evaluation from others.
std::string key_of(const Session& session, const EvaluateOptions& options,
                   const EvaluationInput& input, const std::vector<Trial>& trials) {
  Hash hash;
  hash.add(std::span(input.vertices));
  hash.add(std::span(input.truth.class_of()));
  hash.add(std::span(input.truth.values()));
  hash.add(input.file.graph.neighbor_array());
  hash.add(input.file.graph.weight_array());
  add_table(input.table, hash);
  hash.add(std::span(input.weights));
  for (const Trial& trial : trials) {
    for (const auto* part : {&trial.split.training, &trial.validation, &trial.split.test})
      hash.add(std::span(std::as_const(*part)));
  }
  for (const auto& [name, graph] : input.graphs) {
    hash.add(std::span(name));
    hash.add(graph.neighbor_array());
    hash.add(graph.weight_array());
  }
  const TrainingChoices& training = options.training;
  return fmt::format("version {} {} rows seed {} inner {} without {} {}{} weigh {} {} {} {}",
                     journal_version, fmt::join(options.methods, " "), session.run.seed,
                     options.inner_folds, options.ablate,
                     training.standardize ? "standardize " : "", training.calibrate, training.folds,
                     training.class_weight, options.columns.weight_column, hash.text());
}

void warn_of_failures(Session& session, const std::vector<TrialResult>& results,
                      const std::vector<std::string>& names) {
  std::set<std::string> said;
  std::int64_t unfinished = 0;
  for (const TrialResult& result : results) {
    unfinished += result.converged ? 0 : 1;
    if (result.error.empty()) continue;
    const Error error(ErrorCode::usage,
                      names[static_cast<std::size_t>(result.method)] + ": " + result.error,
                      result.remedies);
    const std::string text = with_flags(error);
    if (said.insert(text).second) session.warn("a trial without a result: " + text);
  }
  if (unfinished > 0)
    session.warn(
        fmt::format("{} of {} fits stopped before their tolerance", unfinished, results.size()));
}

std::string data_of(const EvaluateOptions& options) {
  if (options.points.empty()) return options.graph;
  return options.graph.empty() ? options.points : options.graph + ", " + options.points;
}

void record(Session& session, const std::vector<Comparison>& all,
            const std::vector<std::string>& names, const EvaluateOptions& options) {
  for (const Comparison& c : all) {
    if (c.verdict != Verdict::best) continue;
    session.summary.set("best." + c.group, names[static_cast<std::size_t>(c.method)]);
    session.summary.set((options.regression ? "rmse." : "accuracy.") + c.group, c.value.mean);
  }
}

// Results of an earlier run, which the journal has; those to come are added to it.
std::vector<TrialResult> begin_journal(Session& session, const EvaluateOptions& options,
                                       const EvaluationInput& input,
                                       const std::vector<Trial>& trials,
                                       std::optional<TrialJournal>& journal,
                                       EvaluationOptions& evaluation) {
  journal.emplace(options.results + ".part", key_of(session, options, input, trials),
                  options.resume, input.truth.class_count());
  evaluation.finished = [&journal](const TrialResult& result) { journal->add(result); };
  std::vector<TrialResult> done = journal->take_done();
  if (!done.empty()) session.say(fmt::format("{} results of an earlier run", done.size()));
  return done;
}

int status_of(Session& session, const std::vector<TrialResult>& results, std::size_t wanted,
              bool resumable) {
  const bool failed =
      std::ranges::any_of(results, [](const TrialResult& r) { return !r.error.empty(); });
  if (results.size() < wanted)
    session.warn(fmt::format("stopped after {} of {} results{}", results.size(), wanted,
                             resumable ? "; --resume continues" : ""));
  return results.size() == wanted && !failed ? 0 : 1;
}

// To the summary and to a person.
void tell(Session& session, const std::vector<Comparison>& all,
          const std::vector<std::string>& names, const EvaluateOptions& options,
          double shared_seconds) {
  session.summary.set("methods", names);
  session.summary.set("protocol", options.protocol_text());
  session.summary.set("shared_seconds", shared_seconds);
  record(session, all, names, options);
  session.say(options.protocol_text());
  say_table(session, all, names, options);
  session.say(fmt::format("{:.3g} s more for what all trials share", shared_seconds));
}

// Learners of graphs and of rows; trials go side by side.
Work evaluation_work(const EvaluationInput& input) {
  Work work = table_work(static_cast<double>(input.table.row_count()),
                         static_cast<double>(input.table.column_count()), input.has_points);
  if (!input.has_graph) return work;
  const Work fit = column_work(input.file.graph, std::max(1, input.truth.class_count()));
  const MemoryRange all = work.bytes + fit.bytes;
  return {{0.0, 2.0 * all.high}, {1.0, 1000.0}};
}

int evaluate_verb(Session& session, const EvaluateOptions& asked) {
  const EvaluateOptions options = resolved(asked);
  session.prepare({options.graph, options.truth, points_file_path(options.points), options.splits},
                  {session.options().output, options.results, options.report});
  for (const std::string& method : options.methods)
    for (const std::string& spec : expand_grid(method)) session.registry.make(spec);
  OutputFile out(session.options().output);
  std::optional<OutputFile> results_out, report_out;
  if (!options.results.empty()) results_out.emplace(options.results);
  if (!options.report.empty()) report_out.emplace(options.report);

  const EvaluationInput input = read_input(session, options);
  EvaluationProblem problem = problem_of(input);
  const std::vector<std::string> methods =
      methods_with_ablation(session.registry, options.methods, input, problem);
  const std::vector<std::string> names = method_names(session.registry, options.methods, input);
  const std::vector<Trial> trials = make_trials(options, input, session.run);
  if (const auto status = estimated(session, evaluation_work(input), [&](const RunContext& run) {
        evaluate(session.registry, problem, methods, trials, {options.inner_folds}, run, {});
      }))
    return *status;
  std::optional<TrialJournal> journal;
  EvaluationOptions evaluation{.inner_folds = options.inner_folds,
                               .measure_memory = options.memory || results_out || report_out};
  std::vector<TrialResult> done;
  if (results_out) done = begin_journal(session, options, input, trials, journal, evaluation);
  double shared_seconds = 0.0;
  evaluation.prepared = [&](double seconds) { shared_seconds = seconds; };
  const std::vector<TrialResult> results = session.timed("solve", [&] {
    return evaluate(session.registry, problem, methods, trials, evaluation, session.run,
                    std::move(done));
  });
  session.check_cancelled();
  const std::vector<Comparison> all = compare(results, trials, static_cast<int>(methods.size()),
                                              options.protocol(), options.regression);
  const bool complete = results.size() == trials.size() * methods.size();
  session.timed("write", [&] {
    write_comparisons(out, session.options().table_format(), all, names, options);
    const Evaluated evaluated{.data = data_of(options),
                              .plan = options,
                              .names = names,
                              .problem = problem,
                              .seed = session.run.seed,
                              .seconds = session.seconds(),
                              .shared_seconds = shared_seconds};
    const Json json = evaluation_document(evaluated, trials, results, all);
    if (report_out) report_out->write(report_page(json));
    if (results_out) results_out->write(json.dump(1) + "\n");
    for (auto* file : {&report_out, &results_out})
      if (*file) (*file)->commit();
    out.commit();
  });
  if (journal && complete) journal->remove();
  session.summary.set("trials", static_cast<std::int64_t>(trials.size()));
  session.summary.set("results", static_cast<std::int64_t>(results.size()));
  tell(session, all, names, options, shared_seconds);
  warn_of_failures(session, results, names);
  session.say_time();
  return status_of(session, results, trials.size() * methods.size(), journal.has_value());
}

CLI::Option& add_count(CLI::App& verb, const std::string& name, int& value,
                       const std::string& help) {
  return *verb.add_option(name, value, help)
              ->type_name("N")
              ->check(CLI::Validator(at_least_one_error, ""))
              ->group("Trials");
}

void add_trial_options(CLI::App& verb, EvaluateOptions& options) {
  const std::string group = "Trials";
  verb.add_option("--labels-per-class", options.labels_per_class,
                  "learn from so many random labels of each class, measure the rest; a list "
                  "(default: 1,2,5)")
      ->type_name("N,N…")
      ->delimiter(',')
      ->check(CLI::Validator(at_least_one_error, ""))
      ->group(group);
  add_count(verb, "--folds", options.folds, "stratified folds, each measured by the others");
  verb.add_flag("--leave-one-out", options.leave_one_out, "each row measured by all others")
      ->group(group);
  verb.add_option("--splits", options.splits,
                  "a trial for each line: names of what is learned from, and behind a | of what is "
                  "measured (without it: the rest)")
      ->type_name("FILE")
      ->group(group);
  const auto share = [&](const char* name, double& value, const char* help) {
    verb.add_option(name, value, help)
        ->type_name("SHARE")
        ->check(CLI::Validator(distance_error, ""))
        ->group(group);
  };
  share("--train", options.shares.training, "share of the rows to learn from");
  share("--validation", options.shares.validation, "share to choose from grids on");
  share("--test", options.shares.test, "share to measure");
  add_count(verb, "--repeats", options.repeats,
            fmt::format("random trials (default: {} label sets, {} of shares, folds once)",
                        TrialPlan::label_repeats, TrialPlan::share_repeats));
  verb.add_option("--knn-grid", options.knn_grid,
                  "choose the graph, too, from those of so many neighbors, in the training part; "
                  "a list in place of --knn")
      ->type_name("K,K…")
      ->delimiter(',')
      ->check(CLI::Validator(at_least_one_error, ""))
      ->group(group);
  verb.add_option("--weights-grid", options.weights_grid,
                  "likewise from kinds of weights, a list in place of --weights")
      ->type_name("KIND,KIND…")
      ->delimiter(',')
      ->check(one_of(names_of<WeightKind>.all()))
      ->group(group);
  verb.add_option("--ablate", options.ablate,
                  "learners on rows again without groups of columns: NAME=3-4,7;NAME=…, or "
                  "columns: without each of them")
      ->type_name("GROUPS")
      ->group(group);
  verb.add_flag(
          "--memory", options.memory,
          "measure what the first trial of each method adds to memory, alone, at each number of "
          "labels")
      ->group(group);
  add_count(verb, "--inner-folds", options.inner_folds,
            "of the training part, to choose from a grid without --validation")
      .capture_default_str();
}

// Where a list is given to an option of one value, says which option takes lists.
void name_grid(CLI::App& verb, const std::string& option, const std::string& grid) {
  const auto list_error = [grid](const std::string& text) {
    return text.find_first_of(",|") == std::string::npos
               ? std::string()
               : "'" + text + "' is a list, and this takes one value: a list goes to " + grid;
  };
  // In front of the checks of the value.
  verb.get_option(option)->transform(CLI::Validator(list_error, ""));
}

}  // namespace

Verb add_evaluate(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(
      app, "evaluate", "Learners compared on the same trials, where the truth is known.",
      {"gssl evaluate datasets/digits/edges.tsv datasets/digits/truth.tsv --method harmonic "
       "--method poisson",
       "gssl evaluate --points datasets/iris/points.csv --label-column class --folds 10 --knn 10 "
       "--method nearest-mean --method 'harmonic:soft=1|10|100'",
       "gssl evaluate --points datasets/wine/points.csv --label-column 14 --train 0.6 --test 0.4 "
       "--method nearest-mean --report wine.html --results wine.json"});
  const auto options = std::make_shared<EvaluateOptions>();
  verb.add_option("GRAPH", options->graph,
                  "graph file ('-': standard input); beside --points one file alone is TRUTH")
      ->type_name("FILE");
  verb.add_option("TRUTH", options->truth, "lines 'node label' of all that is known")
      ->type_name("FILE");
  verb.add_option("--method", options->methods,
                  "NAME[:key=value,…], repeatable; a|b|c for a value is a grid, from which the "
                  "training part chooses; see gssl learners (default: auto)")
      ->type_name("SPEC")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb.add_flag("--regression", options->regression, "the truth is real numbers, not classes");
  verb.add_option("--results", options->results, "write everything as JSON, for gssl report")
      ->type_name("FILE")
      ->group("Output");
  verb.add_option("--report", options->report, "write a page to look at")
      ->type_name("FILE.html")
      ->group("Output");
  verb.add_flag("--resume", options->resume, "take the trials that a stopped run left")
      ->group("Output");
  add_trial_options(verb, *options);
  add_graph_options(verb, common);
  add_label_options(verb, common);
  verb.add_option(
          "--points", options->points,
          "learn from these rows, and from the graph that the options below make of them or "
          "GRAPH, whose vertices have their names")
      ->type_name("FILE")
      ->group("Points");
  add_points_options(verb, options->build, "--points-format");
  name_grid(verb, "--knn", "--knn-grid");
  name_grid(verb, "--weights", "--weights-grid");
  add_column_options(verb, options->columns);
  add_training_options(verb, options->training, "Learning");
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return evaluate_verb(session, *options); };
}

}  // namespace gssl::tool
