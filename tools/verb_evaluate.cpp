// gssl evaluate: any number of learners on the same trials, with tests of their differences.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "evaluation_results.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "points_graph.hpp"
#include "report_page.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct EvaluateOptions {
  std::string graph;
  std::string truth;
  std::string points;
  PointsGraphOptions build;
  std::vector<std::string> methods;
  bool regression = false;
  std::vector<std::int64_t> labels_per_class;
  int folds = 0;
  bool leave_one_out = false;
  std::string splits;
  Shares shares;
  int repeats = 0;
  int inner_folds = 5;
  std::string results;
  std::string report;
  bool resume = false;
};

constexpr int default_label_repeats = 20;
constexpr int default_share_repeats = 10;

// What is read.
struct EvaluationInput {
  GraphFile file;
  Points points;
  bool has_graph = false;
  bool has_points = false;
  Targets truth;
  std::vector<VertexId> vertices;
};

bool uses_shares(const EvaluateOptions& options) {
  return options.shares.training > 0.0 || options.shares.validation > 0.0 ||
         options.shares.test > 0.0;
}

// GRAPH and TRUTH as they were meant: beside --points, the one file given is TRUTH.
EvaluateOptions resolved(EvaluateOptions options) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::usage, text); };
  if (options.methods.empty()) options.methods = {"auto"};
  if (!options.points.empty()) {
    if (!options.truth.empty()) refuse("--points are the data: give TRUTH alone, not GRAPH too");
    options.truth = std::exchange(options.graph, std::string());
    if (options.truth.empty() && options.build.label_column.empty())
      refuse("no truth: give TRUTH, or --label-column if it is among the points");
    if (first_given(options.build, "Graph") != nullptr) check_points_options(options.build);
  } else {
    if (options.truth.empty()) refuse("GRAPH and TRUTH are required, or --points");
    if (const CLI::Option* given = first_given(options.build))
      refuse(given->get_name() + " is for --points, and a graph is given");
  }
  const int protocols = (options.labels_per_class.empty() ? 0 : 1) + (options.folds > 0 ? 1 : 0) +
                        (options.leave_one_out ? 1 : 0) + (options.splits.empty() ? 0 : 1) +
                        (uses_shares(options) ? 1 : 0);
  if (protocols > 1)
    refuse("give one of --labels-per-class, --folds, --leave-one-out, --splits and --train");
  if (protocols == 0) options.labels_per_class = {1, 2, 5};
  if (options.regression && !options.labels_per_class.empty())
    refuse("--labels-per-class counts labels of classes: use --folds or --train with --regression");
  if (options.repeats > 0 && (options.leave_one_out || !options.splits.empty()))
    refuse("--repeats: these trials are fixed");
  if (options.resume && options.results.empty())
    refuse("--resume continues what --results began: give both");
  if (options.repeats == 0)
    options.repeats = !options.labels_per_class.empty() ? default_label_repeats
                      : uses_shares(options)            ? default_share_repeats
                                                        : 1;
  return options;
}

Protocol protocol_of(const EvaluateOptions& options) {
  if (!options.labels_per_class.empty() || !options.splits.empty()) return Protocol::label_rates;
  return uses_shares(options) ? Protocol::shares : Protocol::folds;
}

std::string protocol_text(const EvaluateOptions& options) {
  if (!options.labels_per_class.empty()) {
    return fmt::format("{} labels a class, {} random label sets each",
                       fmt::join(options.labels_per_class, ", "), options.repeats);
  }
  if (options.leave_one_out) return "each row left out in turn";
  if (!options.splits.empty()) return "the splits of " + options.splits;
  if (uses_shares(options)) {
    return fmt::format("{} random parts: {:g} to train, {:g} to validate, {:g} to test",
                       options.repeats, options.shares.training, options.shares.validation,
                       options.shares.test);
  }
  return fmt::format("{} stratified folds{}", options.folds,
                     options.repeats > 1 ? fmt::format(", {} times", options.repeats) : "");
}

// Keeps what has a truth, in order of vertices.
void take_truth(const LabelFile& labels, bool regression, EvaluationInput& input) {
  const LabeledSet known = to_labeled_set(labels, regression, &input.file.names);
  if (known.size() < 2)
    throw Error(ErrorCode::bad_data, "the truth of fewer than two vertices is known");
  input.truth = known.targets();
  input.vertices = known.vertices();
}

LabelFile labels_of_rows(const PointsFile& points) {
  LabelFile file;
  for (std::size_t row = 0; row < points.labels.size(); ++row) {
    if (points.labels[row].empty()) continue;
    file.vertices.push_back(static_cast<VertexId>(row));
    file.labels.push_back(points.labels[row]);
    file.line_of.push_back(0);
  }
  return file;
}

EvaluationInput read_input(Session& session, const EvaluateOptions& options) {
  EvaluationInput input;
  const MissingMarks marks = missing_marks(session, options.regression);
  if (options.points.empty()) {
    input.file = read_graph_file(session, options.graph);
    input.has_graph = true;
    session.timed("read", [&] {
      take_truth(read_truth(session, options.truth, input.file.names, marks), options.regression,
                 input);
    });
    return input;
  }
  PointsFile points = session.timed(
      "read", [&] { return read_points_file(session, options.points, options.build, marks); });
  const LabelFile truth =
      options.truth.empty() ? labels_of_rows(points) : session.timed("read", [&] {
        return read_truth(session, options.truth, points.names, marks, points.points.rows());
      });
  if (first_given(options.build, "Graph") != nullptr) {
    input.file.graph =
        session.timed("build", [&] { return build_graph(session, points, options.build).graph; });
    input.has_graph = true;
  }
  input.file.names = std::move(points.names);
  input.points = std::move(points.points);
  input.has_points = true;
  take_truth(truth, options.regression, input);
  return input;
}

// A trial for each line: names of what is learned from; the rest is measured.
std::vector<Trial> read_splits(const std::string& path, const EvaluationInput& input) {
  std::vector<std::int32_t> row_of(static_cast<std::size_t>(input.file.names.size()), -1);
  for (std::size_t i = 0; i < input.vertices.size(); ++i)
    row_of[static_cast<std::size_t>(input.vertices[i])] = static_cast<std::int32_t>(i);
  std::ifstream in(path);
  if (!in) throw Error(ErrorCode::cannot_open, path + ": cannot be read");
  std::vector<Trial> trials;
  std::string line, word;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::ranges::replace(line, ',', ' ');
    Trial trial{.group = "splits"};
    std::set<std::int32_t> training;
    for (std::istringstream words(line); words >> word;) {
      const VertexId v = input.file.names.find(word);
      const std::int32_t row = v == no_vertex ? -1 : row_of[static_cast<std::size_t>(v)];
      if (row < 0)
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}:{}: '{}': no vertex or row with a truth", path, number, word));
      training.insert(row);
    }
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(input.truth.size()); ++row)
      (training.contains(row) ? trial.split.training : trial.split.test).push_back(row);
    if (trial.split.test.empty() || trial.split.training.empty())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}:{}: leaves no row to learn from or to measure", path, number));
    trials.push_back(std::move(trial));
  }
  if (trials.empty()) throw Error(ErrorCode::bad_data, path + ": no splits");
  return trials;
}

std::vector<Trial> make_trials(const EvaluateOptions& options, const EvaluationInput& input,
                               const RunContext& run) {
  const Targets& truth = input.truth;
  if (!options.splits.empty()) return read_splits(options.splits, input);
  if (!options.labels_per_class.empty())
    return label_rate_trials(truth, options.labels_per_class, options.repeats, run);
  if (options.leave_one_out) return leave_one_out_trials(truth);
  if (uses_shares(options)) return share_trials(truth, options.shares, options.repeats, run);
  return fold_trials(truth, options.folds, options.repeats, run);
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

// Tells this evaluation from others.
std::string key_of(const Session& session, const EvaluateOptions& options,
                   const EvaluationInput& input, const std::vector<Trial>& trials) {
  Hash hash;
  hash.add(std::span(input.vertices));
  hash.add(std::span(input.truth.class_of()));
  hash.add(std::span(input.truth.values()));
  hash.add(input.file.graph.neighbor_array());
  hash.add(input.file.graph.weight_array());
  hash.add(input.points.floats());
  hash.add(input.points.doubles());
  for (const Trial& trial : trials) {
    for (const auto* part : {&trial.split.training, &trial.validation, &trial.split.test})
      hash.add(std::span(std::as_const(*part)));
  }
  return fmt::format("{} seed {} inner {} {}", fmt::join(options.methods, " "), session.run.seed,
                     options.inner_folds, hash.text());
}

void number_cell(TableWriter& table, double value) {
  if (std::isnan(value))
    table.text("");
  else
    table.number(value);
}

void write_table(TableWriter table, const std::vector<Comparison>& all,
                 const std::vector<std::string>& methods) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const Comparison& c : all) {
    table.text(methods[static_cast<std::size_t>(c.method)]);
    table.text(c.group);
    table.integer(c.trials);
    number_cell(table, c.value.mean);
    number_cell(table, c.value.sd);
    number_cell(table, c.test ? c.test->difference : nothing);
    number_cell(table, c.test ? c.test->low : nothing);
    number_cell(table, c.test ? c.test->high : nothing);
    number_cell(table, c.test ? c.p_adjusted : nothing);
    table.text(to_string(c.verdict));
    table.integer(c.unreached);
    table.integer(c.tied);
    number_cell(table, c.seconds.mean);
    table.text(c.chosen);
    table.end_row();
  }
}

std::string verdict_text(const Comparison& c) {
  switch (c.verdict) {
    case Verdict::best: return "best";
    case Verdict::same:
      return fmt::format("not distinguishable from the best (p = {:.2g})", c.p_adjusted);
    case Verdict::worse: return fmt::format("worse (p = {:.2g})", c.p_adjusted);
    case Verdict::unknown: return "too few trials to tell";
  }
  return "";
}

// The same for a person, best first.
void say_table(Session& session, std::vector<Comparison> all, const EvaluateOptions& options) {
  const bool real = options.regression;
  std::stable_sort(all.begin(), all.end(), [&](const Comparison& a, const Comparison& b) {
    if (a.group != b.group) return false;
    return real ? a.value.mean < b.value.mean : a.value.mean > b.value.mean;
  });
  for (const Comparison& c : all) {
    const std::string measured =
        real ? fmt::format("rmse {:.6g} ± {:.2g}", c.value.mean, c.value.sd)
             : fmt::format("{:6.2f}% ± {:.2f}", 100.0 * c.value.mean, 100.0 * c.value.sd);
    session.say(fmt::format("{:>6}  {}  {}  {:.3g} s: {}", c.group, measured,
                            options.methods[static_cast<std::size_t>(c.method)], c.seconds.mean,
                            verdict_text(c)));
  }
}

// One sentence: who is best where most is known, and what the second is worth.
std::string headline(const std::vector<Comparison>& all, const EvaluateOptions& options) {
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
  const std::string& name = options.methods[static_cast<std::size_t>(best->method)];
  std::string text =
      options.regression
          ? fmt::format("{}: root mean squared error {:.4g}", name, best->value.mean)
          : fmt::format("{}: accuracy {:.2f} % ± {:.2f} over {} trials", name,
                        100.0 * best->value.mean, 100.0 * best->value.sd, best->trials);
  if (!options.labels_per_class.empty()) text += ", " + group + " labels a class";
  if (same > 0)
    text += fmt::format("; not distinguishable from it: {} of {} others", same, others - 1);
  return text;
}

Json document(const Session& session, const EvaluateOptions& options, const EvaluationInput& input,
              const std::vector<Trial>& trials, const std::vector<TrialResult>& results,
              const std::vector<Comparison>& all) {
  Json json = {{"schema", "gssl-results/1"},
               {"verb", "evaluate"},
               {"version", GSSL_VERSION},
               {"title", headline(all, options)},
               {"data", options.points.empty() ? options.graph : options.points},
               {"protocol", protocol_text(options)},
               {"test", std::string(protocol_of(options) == Protocol::label_rates
                                        ? "paired t over trials"
                                        : "corrected resampled t over trials")},
               {"measure", options.regression ? "rmse" : "accuracy"},
               {"seed", static_cast<std::int64_t>(session.run.seed)},
               {"rows", static_cast<std::int64_t>(input.truth.size())},
               {"vertices", static_cast<std::int64_t>(input.file.names.size())},
               {"edges", static_cast<std::int64_t>(input.file.graph.edge_count())},
               {"classes", input.truth.class_names()},
               {"class_sizes", Json::array()},
               {"methods", options.methods},
               {"complete", results.size() == trials.size() * options.methods.size()},
               {"curve", options.labels_per_class.size() > 1},
               {"seconds", session.seconds()},
               {"comparisons", Json::array()},
               {"trials", Json::array()}};
  if (!options.regression)
    for (const std::int64_t size : input.truth.class_sizes()) json["class_sizes"].push_back(size);
  for (const Comparison& c : all) json["comparisons"].push_back(to_json(c, options.methods));
  for (const TrialResult& result : results) {
    Json one = to_json(result);
    one["group"] = trials[static_cast<std::size_t>(result.trial)].group;
    json["trials"].push_back(std::move(one));
  }
  return json;
}

void warn_of_failures(Session& session, const std::vector<TrialResult>& results,
                      const EvaluateOptions& options) {
  std::set<std::string> said;
  std::int64_t unfinished = 0;
  for (const TrialResult& result : results) {
    unfinished += result.converged ? 0 : 1;
    if (result.error.empty()) continue;
    const std::string text =
        options.methods[static_cast<std::size_t>(result.method)] + ": " + result.error;
    if (said.insert(text).second) session.warn("a trial without a result: " + text);
  }
  if (unfinished > 0)
    session.warn(
        fmt::format("{} of {} fits stopped before their tolerance", unfinished, results.size()));
}

void record(Session& session, const std::vector<Comparison>& all, const EvaluateOptions& options) {
  for (const Comparison& c : all) {
    if (c.verdict != Verdict::best) continue;
    session.summary.set("best." + c.group, options.methods[static_cast<std::size_t>(c.method)]);
    session.summary.set((options.regression ? "rmse." : "accuracy.") + c.group, c.value.mean);
  }
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
  const EvaluationProblem problem{.truth = input.truth,
                                  .vertices = input.vertices,
                                  .graph = input.has_graph ? &input.file.graph : nullptr,
                                  .points = input.has_points ? &input.points : nullptr};
  const std::vector<Trial> trials = make_trials(options, input, session.run);
  std::optional<TrialJournal> journal;
  EvaluationOptions evaluation{.inner_folds = options.inner_folds};
  std::vector<TrialResult> done;
  if (results_out) {
    journal.emplace(options.results + ".part", key_of(session, options, input, trials),
                    options.resume, input.truth.class_count());
    done = journal->done();
    if (!done.empty()) session.say(fmt::format("{} results of an earlier run", done.size()));
    evaluation.finished = [&](const TrialResult& result) { journal->add(result); };
  }
  const std::vector<TrialResult> results = session.timed("solve", [&] {
    return evaluate(session.registry, problem, options.methods, trials, evaluation, session.run,
                    std::move(done));
  });
  session.check_cancelled();
  const std::vector<Comparison> all =
      compare(results, trials, static_cast<int>(options.methods.size()), protocol_of(options),
              options.regression);
  const bool complete = results.size() == trials.size() * options.methods.size();
  session.timed("write", [&] {
    const std::string measure = options.regression ? "rmse" : "accuracy";
    write_table(TableWriter(out, session.options().table_format(),
                            {"method", "labels", "trials", measure, "sd", "difference", "low",
                             "high", "p", "verdict", "unreached", "tied", "seconds", "chosen"}),
                all, options.methods);
    const Json json = document(session, options, input, trials, results, all);
    if (report_out) report_out->write(report_page(json));
    if (results_out) results_out->write(json.dump(1) + "\n");
    for (auto* file : {&report_out, &results_out})
      if (*file) (*file)->commit();
    out.commit();
  });
  if (journal && complete) journal->remove();
  session.summary.set("methods", options.methods);
  session.summary.set("protocol", protocol_text(options));
  session.summary.set("trials", static_cast<std::int64_t>(trials.size()));
  session.summary.set("results", static_cast<std::int64_t>(results.size()));
  record(session, all, options);
  session.say(protocol_text(options));
  say_table(session, all, options);
  warn_of_failures(session, results, options);
  session.say_time();
  const bool failed =
      std::ranges::any_of(results, [](const TrialResult& r) { return !r.error.empty(); });
  if (!complete)
    session.warn(fmt::format("stopped after {} of {} results{}", results.size(),
                             trials.size() * options.methods.size(),
                             journal ? "; --resume continues" : ""));
  return complete && !failed ? 0 : 1;
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
                  "a trial for each line: names of what is learned from; the rest is measured")
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
                        default_label_repeats, default_share_repeats));
  add_count(verb, "--inner-folds", options.inner_folds,
            "of the training part, to choose from a grid without --validation")
      .capture_default_str();
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
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input); none beside --points")
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
  verb.add_option("--points", options->points,
                  "learn from these rows, and where the options below join them from their graph")
      ->type_name("FILE")
      ->group("Points");
  add_points_options(verb, options->build, "--points-format");
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return evaluate_verb(session, *options); };
}

}  // namespace gssl::tool
