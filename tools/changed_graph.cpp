#include "changed_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checkpointed_fit.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/graph_changes.hpp"
#include "gssl/io/score_reader.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_flips_listed = 20;  // labels in the summary; --flips has them all

// Vertices that are new have no scores.
Block with_rows(Block scores, VertexId count) {
  if (scores.rows() == count) return scores;
  Block more(count, scores.columns());
  std::ranges::copy(scores.values(), more.data());
  return more;
}

EarlierScores from_checkpoint(Session& session, const std::string& path, const MadeLearner& learner,
                              const VertexNames& names) {
  std::optional<CheckpointScores> file =
      read_checkpoint_scores(path, session.run.memory_limit, session.run.thread_count());
  if (!file)
    throw Error(ErrorCode::bad_data, path + ": holds a run that did not end; --resume it first");
  const auto rows = static_cast<VertexId>(file->scores.rows());
  if (rows == 0)
    throw Error(ErrorCode::bad_data,
                path + ": holds no scores; let the run before write them with --scores");
  if (rows > names.size() ||
      file->about.of("names") != names_fact(names, rows, session.run.thread_count()))
    throw Error(ErrorCode::bad_data,
                path + ": is of a graph with other vertices; take the scores of this one");
  if (const std::string method = file->about.of("method"); method != learner.spec)
    session.warn(
        fmt::format("{}: scores are those of {}: where they differ from those of {}, the "
                    "run takes longer",
                    path, method, learner.spec));
  return {{.scores = std::move(file->scores), .class_names = std::move(file->class_names)},
          with_rows(std::move(file->again), names.size())};
}

EarlierScores from_table(Session& session, const std::string& path, const VertexNames& names) {
  ScoreFile file = read_scores(path, names, session.run.memory_limit, session.run.thread_count());
  session.summary.add_input(file.stats);
  session.summary.set("warm_start.rows", file.rows);
  session.summary.set("warm_start.unknown_ignored", file.unknown);
  if (file.unknown > 0)
    session.warn(
        fmt::format("{}: ignored {} vertices that are not in the graph", path, file.unknown));
  const std::int64_t without = names.size() - file.rows;
  const std::string gap = fmt::format(
      "{}: has no scores of {} of {} vertices; those begin at the mean of their neighbors", path,
      without, names.size());
  // New vertices are a few; more are missing where a file was cut off.
  constexpr std::int64_t most_new = 100;  // one of so many
  if (without > names.size() / most_new)
    session.warn(gap);
  else if (without > 0)
    session.say(gap);
  return {{.scores = std::move(file.scores), .class_names = std::move(file.columns)}, Block()};
}

WarmFit fit_any(const MadeLearner& learner, const Graph& graph, const LabeledSet& labeled,
                PreviousScores before, const RunContext& run) {
  if (const auto* harmonic = learner.as<HarmonicLearner>())
    return fit_from(harmonic->options(), graph, labeled, std::move(before), run);
  return fit_from(learner.as<LocalGlobalLearner>()->options(), graph, labeled, std::move(before),
                  run);
}

std::string in_words(const Flip& flip, const VertexNames& names) {
  return fmt::format("{}: {} ({:.3g}) -> {} ({:.3g})", names.name(flip.vertex), flip.before,
                     flip.confidence_before, flip.now, flip.confidence_now);
}

void write_flips(Session& session, const std::vector<Flip>& flips, const VertexNames& names,
                 OutputFile& out) {
  TableWriter table(out, session.options().table_format(),
                    {"node", "before", "now", "confidence_before", "confidence_now"});
  for (const Flip& flip : flips) {
    table.text(names.name(flip.vertex));
    table.text(flip.before);
    table.text(flip.now);
    table.number(flip.confidence_before);
    table.number(flip.confidence_now);
    table.end_row();
  }
  out.commit();
}

}  // namespace

void add_warm_start_options(CLI::App& verb, WarmStartOptions& options) {
  const std::string group = "Changed graphs";
  CLI::Option* scores =
      verb.add_option("--warm-start", options.scores,
                      "begin at these scores of the graph before it changed: what --scores wrote, "
                      "or a checkpoint that ended")
          ->type_name("FILE")
          ->group(group);
  verb.add_option("--changes", options.changes,
                  "first change GRAPH and LABELS by lines '+ u v [w]', '- u v', '= u v w', '+ u', "
                  "'label u CLASS', 'unlabel u'")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--flips", options.flips,
                  "also write the labels that differ from those of --warm-start")
      ->type_name("FILE")
      ->needs(scores)
      ->group(group);
}

void check_warm_start(const WarmStartOptions& options, const MadeLearner& learner,
                      bool from_points) {
  if (!options.changes.empty() && from_points)
    throw Error(ErrorCode::usage, "--changes: the graph is built from --points; change those");
  if (options.scores.empty()) return;
  const std::string& name = learner.entry->name;
  const auto* harmonic = learner.as<HarmonicLearner>();
  const auto* local_global = learner.as<LocalGlobalLearner>();
  if (harmonic == nullptr && local_global == nullptr) {
    const std::string why = name == "auto" ? "may rescale its scores in another way today"
                                           : "does not solve for its scores alone";
    throw Error(ErrorCode::usage, fmt::format("--warm-start: {} {}; use --method harmonic or "
                                              "local-global",
                                              name, why));
  }
  const MassRule mass =
      harmonic != nullptr ? harmonic->options().mass : local_global->options().mass;
  if (mass != MassRule::none)
    throw Error(
        ErrorCode::usage,
        fmt::format("--warm-start: {} with class masses rescales its scores; use mass=none", name));
}

ChangeFile change_graph(Session& session, const WarmStartOptions& options, GraphFile& file) {
  if (options.changes.empty()) return {};
  ChangeFile changes = session.timed("read", [&] {
    return read_changes(options.changes, file.graph, file.names, session.run.memory_limit);
  });
  session.timed("build",
                [&] { file.graph = with_changes(file.graph, file.names.size(), changes.edges); });
  session.summary.add_input(changes.stats);
  session.summary.set("n", static_cast<std::int64_t>(file.graph.vertex_count()));
  session.summary.set("m", static_cast<std::int64_t>(file.graph.edge_count()));
  session.summary.set("changes.edges_added", changes.edges_added);
  session.summary.set("changes.edges_removed", changes.edges_removed);
  session.summary.set("changes.edges_reweighted", changes.edges_reweighted);
  session.summary.set("changes.vertices_added", changes.vertices_added);
  session.summary.set("changes.labels", static_cast<std::int64_t>(changes.labels.size()));
  session.say(
      fmt::format("{}: {} edges added, {} removed, {} of another weight; {} vertices added; "
                  "{} given labels changed",
                  options.changes, changes.edges_added, changes.edges_removed,
                  changes.edges_reweighted, changes.vertices_added, changes.labels.size()));
  session.check_cancelled();
  return changes;
}

EarlierScores read_previous(Session& session, const WarmStartOptions& options,
                            const MadeLearner& learner, const VertexNames& names,
                            const LabeledSet& labeled) {
  EarlierScores before = session.timed("read", [&] {
    return is_record_file(options.scores) ? from_checkpoint(session, options.scores, learner, names)
                                          : from_table(session, options.scores, names);
  });
  const bool real = before.class_names.empty() ||
                    (before.class_names.size() == 1 && before.class_names.front() == "value");
  if (labeled.is_regression() != real && labeled.is_regression())
    throw Error(
        ErrorCode::bad_data,
        options.scores + ": holds scores of classes; with --regression, one column 'value'");
  if (labeled.is_regression()) before.class_names.clear();
  if (!labeled.is_regression() && before.class_names.empty())
    throw Error(ErrorCode::bad_data, options.scores + ": holds real values; expected classes");
  return before;
}

std::string scores_fact(const PreviousScores& before) {
  Fingerprint print;
  print.add(before.scores.values());
  for (const std::string& name : before.class_names) print.add(name);
  return fmt::format("{:016x}", print.value());
}

Fit fit_from_previous(Session& session, const MadeLearner& learner, const Graph& graph,
                      const LabeledSet& labeled, EarlierScores& before, const RunContext& run) {
  Block own = before.again.rows() > 0 ? std::move(before.again) : before.scores;
  WarmFit warm = fit_any(learner, graph, labeled,
                         {.scores = std::move(own), .class_names = before.class_names}, run);
  session.summary.set("warm_start.first_residual", warm.solve.first_residual);
  session.summary.set("warm_start.changed_rows",
                      static_cast<std::int64_t>(warm.solve.changed_rows));
  session.summary.set("warm_start.largest_region",
                      static_cast<std::int64_t>(warm.solve.largest_region));
  session.summary.set("warm_start.rounds", warm.solve.rounds);
  session.summary.set("warm_start.global", warm.solve.global);
  // Scores of classes are in [0, 1].
  if (warm.error_bound && (labeled.is_regression() || *warm.error_bound < 1.0))
    session.say(
        fmt::format("no score is further than {:.2g} from the exact one", *warm.error_bound));
  return std::move(warm.fit);
}

void report_changes(Session& session, const PreviousScores& before, const Fit& fit,
                    const VertexNames& names, OutputFile* flips) {
  ScoreChanges changes = compare_scores(before, fit, session.run.thread_count());
  session.summary.set("warm_start.flips", static_cast<std::int64_t>(changes.flips.size()));
  session.summary.set("warm_start.change_sum", changes.sum);
  session.summary.set("warm_start.change_largest", changes.largest);
  std::vector<std::string> listed;
  for (const Flip& flip : changes.flips) {
    if (listed.size() == most_flips_listed) break;
    listed.push_back(in_words(flip, names));
  }
  session.summary.set("warm_start.first_flips", listed);
  const auto first_answers = std::ranges::count(changes.flips, "?", &Flip::before);
  session.summary.set("warm_start.first_answers", static_cast<std::int64_t>(first_answers));
  session.say(fmt::format(
      "{} labels changed{}; scores by {:.4g} in all, {:.4g} at most", changes.flips.size(),
      first_answers > 0 ? fmt::format(", {} of which had none before", first_answers) : "",
      changes.sum, changes.largest));
  if (flips != nullptr) write_flips(session, changes.flips, names, *flips);
}

}  // namespace gssl::tool
