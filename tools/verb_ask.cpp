// gssl ask: which vertex to label next, and what a way of asking is worth where the truth is known.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "curve_svg.hpp"
#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/evaluate/learning_curve.hpp"
#include "gssl/io/vertex_list.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct AskVerbOptions {
  std::string graph;
  std::string labels;
  std::string method = "harmonic";
  std::string criterion = "model-change";
  std::string candidates;
  int count = 1;
  bool simulate = false;
  std::string truth;
  std::string curve;
  std::string svg;
  int budget = 0;   // 0: not given
  int repeats = 0;  // 0: not given
};

constexpr int default_budget = 20;
constexpr int default_repeats = 10;

void check_options(const AskVerbOptions& options) {
  const auto refuse = [](const char* text) { throw Error(ErrorCode::usage, text); };
  if (options.simulate) {
    if (options.truth.empty()) refuse("--simulate answers its own questions: give --truth");
    if (!options.candidates.empty())
      refuse("--simulate asks the vertices of --truth: leave --candidates out");
    return;
  }
  if (!options.truth.empty() || !options.curve.empty() || !options.svg.empty() ||
      options.budget > 0 || options.repeats > 0) {
    refuse("--truth, --budget, --repeats, --curve and --svg need --simulate");
  }
}

// `what` was computed: the scores of the labels, or the questions.
void record(Session& session, const char* what, const Report& report) {
  session.record_report(report);
  if (!report.sentence.empty()) session.say(fmt::format("ask: {}: {}", what, report.sentence));
}

int report_outcome(Session& session, const Report& report) {
  if (report.converged()) return 0;
  session.warn(fmt::format("stopped before tolerance ({}): what was written is not final",
                           to_string(report.outcome)));
  return 1;
}

// Returns how many of them no label reaches.
std::int64_t write_questions(Session& session, OutputFile& out, const GraphFile& file,
                             const std::vector<Question>& questions, const AskOptions& asking) {
  std::int64_t unreached = 0;
  session.timed("write", [&] {
    TableWriter table(out, session.options().table_format(), {"rank", "node", "score", "why"});
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Question& q = questions[i];
      unreached += q.unreached;
      table.integer(static_cast<std::int64_t>(i + 1));
      table.text(file.names.name(q.vertex));
      table.number(q.score);
      table.text(q.unreached ? "unreached" : to_string(asking.criterion));
      table.end_row();
    }
  });
  return unreached;
}

// Without a label no vertex is reached, and no score is looked at.
Scores no_scores(const Graph& graph) {
  return {.values = {},
          .status = std::vector<VertexStatus>(static_cast<std::size_t>(graph.vertex_count()),
                                              VertexStatus::unreached)};
}

Asker asker_of(const GraphFile& file, const LabeledSet& labeled,
               const std::optional<VertexListFile>& candidates, const AskOptions& asking,
               const RunContext& run) {
  Asker::Candidates allowed;
  if (candidates) allowed = candidates->vertices;
  return {file.graph, labeled.vertices(), allowed, asking, run};
}

int ask_now(Session& session, const AskVerbOptions& options, const AskOptions& asking,
            const MadeLearner& learner, const GraphFile& file, const LabeledSet& labeled,
            const std::optional<VertexListFile>& candidates, OutputFile& out) {
  std::optional<Fit> fit;
  Report report;
  if (uses_scores(asking.criterion) && labeled.size() > 0) {
    fit = learner.transductive().fit(file.graph, labeled, session.run);
    report = fit->report;
    record(session, "scores", report);
    for (const std::string& warning : report.warnings) session.warn(warning);
    if (labeled.class_count() == 1)
      session.warn(fmt::format(
          "labels of one class: {} finds all of its component equally sure; v-opt needs no classes",
          to_string(asking.criterion)));
  }
  const Scores none = no_scores(file.graph);
  Asker asker = asker_of(file, labeled, candidates, asking, session.run);
  const std::vector<Question> questions =
      asker.next(options.count, fit ? &fit->scores : &none, session.run);
  if (!asker.report().used.empty()) record(session, "questions", asker.report());
  session.check_cancelled();

  const std::int64_t unreached = write_questions(session, out, file, questions, asking);
  if (uses_covariance(asking.criterion)) {
    session.summary.set("rank", asker.options().rank);
    session.summary.set("noise", *asker.options().noise);
  }
  session.summary.set("asked", static_cast<std::int64_t>(questions.size()));
  session.summary.set("asked_unreached", unreached);
  session.say(fmt::format("{} questions, {} of them for components without a label",
                          questions.size(), unreached));
  int status = report_outcome(session, fit ? report : asker.report());
  if (fit && status == 0) status = report_outcome(session, asker.report());
  if (static_cast<int>(questions.size()) < options.count) {
    const bool all = asker.remaining() == 0, stopped = !all && session.run.should_stop();
    const char* const why = all       ? "every other candidate is labeled or asked"
                            : stopped ? "the run was stopped"
                                      : "the scores say nothing of the candidates left";
    session.warn(fmt::format("only {} of {} questions: {}", questions.size(), options.count, why));
    if (stopped || session.options().strict) status = 1;
  }
  return status;
}

void write_curves(TableWriter table, const std::vector<NamedCurve>& curves) {
  for (const NamedCurve& one : curves) {
    for (const CurvePoint& p : one.curve.points) {
      table.integer(p.asked);
      table.text(one.name);
      table.number(p.mean);
      table.number(p.sd);
      table.integer(p.repeats);
      table.end_row();
    }
  }
}

int simulate(Session& session, const AskVerbOptions& options, const AskOptions& asking,
             const MadeLearner& learner, const GraphFile& file, const LabeledSet& labeled,
             const LabelFile& truth, OutputFile& out, std::optional<OutputFile>& curve_out,
             std::optional<OutputFile>& svg_out) {
  const CurveOptions curve{.ask = asking,
                           .budget = options.budget > 0 ? options.budget : default_budget,
                           .batch = options.count,
                           .repeats = options.repeats > 0 ? options.repeats : default_repeats};
  const CurveComparison found =
      compare_with_random(file.graph, labeled, to_labeled_set(truth, false), learner.transductive(),
                          curve, session.run);
  record(session, "curves", found.report);
  const std::vector<NamedCurve> curves = {{std::string(to_string(asking.criterion)), found.chosen},
                                          {"random", found.random}};
  session.timed("write", [&] {
    const std::vector<std::string> columns = {"asked", "criterion", "mean", "sd", "repeats"};
    write_curves(TableWriter(out, session.options().table_format(), columns), curves);
    if (curve_out) {
      write_curves(TableWriter(*curve_out, TableFormat::csv, columns), curves);
      curve_out->commit();
    }
    if (svg_out) {
      svg_out->write(curve_svg(curves));
      svg_out->commit();
    }
  });
  session.summary.set("budget", curve.budget);
  session.summary.set("batch", curve.batch);
  session.summary.set("repeats",
                      found.chosen.points.empty() ? 0 : found.chosen.points.front().repeats);
  session.summary.set("area", found.chosen.area());
  if (asking.criterion != Criterion::random) {
    session.summary.set("area_random", found.random.area());
    session.say(fmt::format(
        "mean accuracy over the curve: {:.2f}% by {}, {:.2f}% at random ({} repeats)",
        100.0 * found.chosen.area(), to_string(asking.criterion), 100.0 * found.random.area(),
        found.chosen.points.empty() ? 0 : found.chosen.points.front().repeats));
  }
  return report_outcome(session, found.report);
}

int ask(Session& session, const AskVerbOptions& options) {
  session.prepare({options.graph, options.labels, options.candidates, options.truth},
                  {session.options().output, options.curve, options.svg});
  check_options(options);
  const AskOptions asking = parse_criterion(options.criterion);
  const MadeLearner learner = session.registry.make(options.method);
  OutputFile out(session.options().output);
  std::optional<OutputFile> curve_out;
  std::optional<OutputFile> svg_out;
  if (!options.curve.empty()) curve_out.emplace(options.curve);
  if (!options.svg.empty()) svg_out.emplace(options.svg);

  GraphFile file = read_graph_file(session, options.graph);
  LabeledSet labeled;
  std::optional<LabelFile> truth;
  std::optional<VertexListFile> candidates;
  session.timed("read", [&] {
    labeled = read_given_labels(session, options.labels, false, file);
    if (options.simulate)
      truth = read_truth(session, options.truth, file.names, missing_marks(session, labeled));
    if (truth && truth->vertices.empty())
      throw Error(ErrorCode::bad_data,
                  options.truth + ": no label of a vertex of the graph; the truth answers");
    if (!options.candidates.empty()) {
      candidates = read_vertex_list(options.candidates, file.names, session.run.memory_limit);
      session.summary.add_input(candidates->stats);
      session.summary.set("candidates", static_cast<std::int64_t>(candidates->vertices.size()));
    }
  });
  session.summary.set("method", learner.spec);
  session.summary.set("criterion", options.criterion);
  const auto rehearsal = [&](const RunContext& run) {
    std::optional<Fit> fit;
    if (uses_scores(asking.criterion) && labeled.size() > 0)
      fit = learner.transductive().fit(file.graph, labeled, run);
    const Scores none = no_scores(file.graph);
    asker_of(file, labeled, candidates, asking, run)
        .next(options.count, fit ? &fit->scores : &none, run);
  };
  if (const auto told =
          estimated(session, file.graph, question_work(file.graph, labeled.class_count()),
                    options.simulate ? Rehearsal() : Rehearsal(rehearsal)))
    return *told;
  const int status =
      options.simulate ? simulate(session, options, asking, learner, file, labeled, *truth, out,
                                  curve_out, svg_out)
                       : ask_now(session, options, asking, learner, file, labeled, candidates, out);
  session.check_cancelled();
  out.commit();
  return status;
}

CLI::Option& add_number(CLI::App& verb, const std::string& name, int& value,
                        const std::string& help) {
  return *verb.add_option(name, value, help)
              ->type_name("N")
              ->check(CLI::Validator(decimal_error, ""))
              ->check(CLI::Range(1, 1'000'000'000).description(""));
}

void add_simulation_options(CLI::App& verb, AskVerbOptions& options) {
  const std::string group = "Simulation";
  verb.add_flag("--simulate", options.simulate,
                "ask and answer from --truth; write the learning curve beside random questions")
      ->group(group);
  verb.add_option("--truth", options.truth, "lines 'node label' that answer")
      ->type_name("FILE")
      ->group(group);
  add_number(verb, "--budget", options.budget,
             fmt::format("questions in all (default: {})", default_budget))
      .group(group);
  add_number(verb, "--repeats", options.repeats,
             fmt::format("starts: LABELS, then as many of each class drawn from the truth "
                         "(default: {})",
                         default_repeats))
      .group(group);
  verb.add_option("--curve", options.curve, "also write the curve as CSV")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--svg", options.svg, "also draw the curve")->type_name("FILE")->group(group);
}

}  // namespace

Verb add_ask(CLI::App& app, CommonOptions& common) {
  const std::string digits = "gssl ask datasets/digits/edges.tsv datasets/digits/labels.tsv";
  CLI::App& verb =
      add_verb(app, "ask", "Which vertex to label next.",
               {digits + " -n 5",
                "gssl ask datasets/iris/edges.tsv datasets/iris/labels.tsv --criterion margin -n 3",
                digits + " --simulate --truth datasets/digits/truth.tsv --criterion v-opt:rank=50 "
                         "--budget 40 -n 4 --repeats 5 --svg curve.svg"});
  const auto options = std::make_shared<AskVerbOptions>();
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("LABELS", options->labels,
                  "lines 'node label' ('-': standard input); may hold none")
      ->required()
      ->type_name("FILE");
  add_number(verb, "-n,--count", options->count,
             "questions to ask, or to ask in one round of --simulate")
      .capture_default_str();
  verb.add_option(
          "--criterion", options->criterion,
          fmt::format("NAME[:key=value,…]: {}; keys unreached first|last, solver, tolerance, "
                      "and for the last four rank (eigenpairs in place of solves, 0: "
                      "solves; default 0 up to 4000 candidates, else 100) and noise",
                      fmt::join(criterion_names(), ", ")))
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_option("--candidates", options->candidates,
                  "vertices that may be asked, one a line (default: all)")
      ->type_name("FILE");
  verb.add_option("--method", options->method,
                  "learner that is fitted: NAME[:key=value,…]; see gssl learners")
      ->type_name("SPEC")
      ->capture_default_str();
  add_graph_options(verb, common);
  add_label_options(verb, common);
  add_simulation_options(verb, *options);
  add_output_options(verb, common);
  add_solve_options(verb, common, "fewer than N can be asked");
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return ask(session, *options); };
}

}  // namespace gssl::tool
