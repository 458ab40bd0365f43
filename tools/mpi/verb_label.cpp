// gssl-mpi label: gssl label for graphs that no machine holds.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "distributed_fit.hpp"
#include "distributed_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "label_tables.hpp"
#include "rank_output.hpp"
#include "together.hpp"
#include "verbs.hpp"

namespace gssl::mpi {
namespace {

struct LabelCommand {
  std::string graph;
  std::string labels;
  std::string method = "harmonic";
  std::string truth;
  std::string scores;
  bool regression = false;
};

struct Outputs {
  std::optional<OutputFile> labels;
  std::optional<OutputFile> scores;
};

Outputs open_outputs(tool::Session& session, const LabelCommand& command,
                     const Communicator& ranks) {
  Outputs outputs;
  together(ranks, [&] {
    if (!ranks.is_first()) return;
    session.prepare({command.graph, command.labels, command.truth},
                    {session.options().output, command.scores});
    session.check_inputs();
    outputs.labels.emplace(session.options().output);
    if (!command.scores.empty()) outputs.scores.emplace(command.scores);
  });
  return outputs;
}

// Given, inferred, unreached, tied and unfinished vertices of all ranks.
std::vector<std::int64_t> count_status(const Fit& fit, const Communicator& ranks) {
  std::vector<std::int64_t> count(5, 0);
  for (const VertexStatus status : fit.scores.status) ++count[static_cast<std::size_t>(status)];
  ranks.sum(std::span<std::int64_t>(count));
  return count;
}

int report_fit(tool::Session& session, const MadeLearner& learner, const DistributedFit& found,
               const DistributedLabels& given, const std::vector<std::int64_t>& count) {
  const Fit& fit = found.fit;
  const auto of = [&](VertexStatus status) { return count[static_cast<std::size_t>(status)]; };
  const std::int64_t unreached = of(VertexStatus::unreached);
  const std::int64_t tied = of(VertexStatus::tied);
  const std::int64_t unfinished = of(VertexStatus::unfinished);
  session.summary.set("given", of(VertexStatus::given));
  session.summary.set("inferred", of(VertexStatus::inferred));
  session.summary.set("unreached", unreached);
  if (tied > 0) session.summary.set("tied", tied);
  if (unfinished > 0) session.summary.set("unfinished", unfinished);
  session.summary.add_certificate({"entrywise_residual", {found.entrywise_residual}});
  session.say(fmt::format("{}: {}", learner.entry->name, fit.report.sentence));
  std::string text = fmt::format("{} given, {} inferred, {} unreached", of(VertexStatus::given),
                                 of(VertexStatus::inferred), unreached);
  if (tied > 0) text += fmt::format(", {} tied", tied);
  if (unfinished > 0) text += fmt::format(", {} unfinished", unfinished);
  if (!given.own.is_regression()) text += fmt::format("; {} classes", given.own.class_count());
  session.say(text);
  for (const std::string& warning : fit.report.warnings) session.warn(warning);
  if (!fit.report.converged()) {
    session.warn(fmt::format("stopped before tolerance ({}): the labels written are not final",
                             to_string(fit.report.outcome)));
    return 1;
  }
  if (unreached > 0 && session.options().strict) {
    session.warn(fmt::format("--strict: {} vertices have no label in their component", unreached));
    return 1;
  }
  return 0;
}

void write_tables(tool::Session& session, Outputs& outputs, const DistributedInput& input,
                  const DistributedLabels& given, const Fit& fit, bool scores,
                  const Communicator& ranks) {
  const TableFormat format = session.options().table_format();
  write_by_rank(outputs.labels, format, {"node", "label", "confidence", "status"}, ranks,
                [&](TableWriter& table) {
                  tool::write_labels(table, input.names, given.own, fit, session.run);
                });
  if (scores)
    write_by_rank(
        outputs.scores, format, tool::score_columns(given.own), ranks,
        [&](TableWriter& table) { tool::write_scores(table, input.names, fit, session.run); });
  together(ranks, [&] {
    if (outputs.scores) outputs.scores->commit();
    if (outputs.labels) outputs.labels->commit();
  });
}

// On vertices that were not given.
void report_truth(tool::Session& session, const LabelCommand& command,
                  const DistributedInput& input, const DistributedLabels& given, const Fit& fit,
                  const Communicator& ranks) {
  const std::vector<int> truth =
      place_truth(session, command.truth, given.own.class_names(), input, ranks);
  std::vector<std::int64_t> count(3, 0);  // measured, reached, right
  for (std::size_t v = 0; v < truth.size(); ++v) {
    if (truth[v] == no_truth || fit.scores.status[v] == VertexStatus::given) continue;
    ++count[0];
    const int answer = answer_of(fit, static_cast<VertexId>(v));
    count[1] += answer != no_answer ? 1 : 0;
    count[2] += answer != no_answer && answer == truth[v] ? 1 : 0;
  }
  ranks.sum(std::span<std::int64_t>(count));
  const auto share = [&](std::int64_t of) {
    return of > 0 ? static_cast<double>(count[2]) / static_cast<double>(of) : 0.0;
  };
  session.summary.set("measured", count[0]);
  session.summary.set("accuracy", share(count[0]));
  session.summary.set("accuracy_reached", share(count[1]));
  session.say(
      fmt::format("accuracy {:.2f}% on {} vertices not given", 100.0 * share(count[0]), count[0]));
}

int label(tool::Session& session, const LabelCommand& command, const MpiOptions& options,
          const Communicator& ranks) {
  Outputs outputs = open_outputs(session, command, ranks);
  MadeLearner made;
  SystemLearner learner;
  Preconditioning kind = Preconditioning::automatic;
  together(ranks, [&] {
    made = session.registry.make(command.method);
    learner = system_learner(made);
    kind = parse_preconditioning(options.preconditioner);
    if (command.regression && !command.truth.empty())
      throw Error(ErrorCode::usage, "--truth: gssl-mpi measures classes, not with --regression");
  });
  session.summary.set("method", made.spec);
  const bool add = session.options().unknown_labels == "add";
  LabelLines lines;
  std::vector<std::string> added;
  if (add) {
    lines = read_label_lines(session, command.labels, {}, ranks);
    drop_header(lines);
    added = lines.ids;
    ranks.broadcast(added);
  }
  DistributedInput input = read_distributed_graph(session, command.graph, added, ranks);
  DistributedLabels given;
  session.timed("read", [&] {
    if (!add)
      lines = read_label_lines(session, command.labels, header_words_among(input, ranks), ranks);
    given = place_labels(session, std::move(lines), command.regression, input, ranks);
  });
  DistributedFit found = fit(learner, input, given, kind, session.run, ranks);
  session.add_seconds("setup", found.fit.report.setup_seconds);
  session.add_seconds("solve", found.fit.report.solve_seconds);
  session.summary.add_solver(solve_report(found.fit.report));
  if (found.fit.report.outcome == Outcome::cancelled)
    refuse(ErrorCode::cancelled, "stopped by a signal");
  session.timed("write", [&] {
    write_tables(session, outputs, input, given, found.fit, !command.scores.empty(), ranks);
  });
  const int status = report_fit(session, made, found, given, count_status(found.fit, ranks));
  if (!command.truth.empty()) report_truth(session, command, input, given, found.fit, ranks);
  session.say(fmt::format("seed {}, {} ranks, {:.2f} s", session.run.seed, ranks.size(),
                          session.seconds()));
  return status;
}

}  // namespace

MpiVerb add_label(CLI::App& app, MpiOptions& options) {
  CLI::App& verb = tool::add_verb(
      app, "label", "Labels every vertex of a graph from a few given labels.",
      {"mpirun -n 4 gssl-mpi label edges.tsv labels.tsv -o out.tsv",
       "mpirun -n 4 gssl-mpi label edges.tsv.gz labels.tsv --method poisson --truth truth.tsv",
       "srun gssl-mpi label edges.tsv labels.tsv --method harmonic:tolerance=1e-6 "
       "--summary run.json -o out.tsv"});
  const auto command = std::make_shared<LabelCommand>();
  verb.add_option("GRAPH", command->graph, "edge list, plain, gzip or zstd ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("LABELS", command->labels, "lines 'node label', or what gssl label wrote")
      ->required()
      ->type_name("FILE");
  verb.add_option("--method", command->method,
                  "harmonic, local-global or poisson, with options as in gssl label")
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_flag("--regression", command->regression, "labels are real numbers, not classes");
  verb.add_option("--truth", command->truth, "measure against labels like LABELS")
      ->type_name("FILE");
  verb.add_option("--scores", command->scores, "also write the score of every class")
      ->type_name("FILE")
      ->group("Output");
  tool::add_graph_options(verb, options.common);
  tool::add_label_options(verb, options.common);
  tool::add_output_options(verb, options.common);
  tool::add_solve_options(verb, options.common);
  add_rank_options(verb, options);
  return [command, &options](tool::Session& session, const Communicator& ranks) {
    return label(session, *command, options, ranks);
  };
}

}  // namespace gssl::mpi
