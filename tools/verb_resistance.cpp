// gssl resistance: effective resistances of a graph, and what a random walk makes of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/network/p_resistance.hpp"
#include "gssl/network/walks.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct ResistanceVerb {
  std::string graph;
  std::string pairs;
  bool edges = false;
  std::string from;
  bool total = false;
  bool diagonal = false;
  std::string hitting;
  std::vector<std::string> absorption;
  bool commute = false;
  bool centrality = false;
  std::string method = "automatic";
  std::optional<double> tolerance;
  double epsilon = 0.0;
  std::optional<double> p;

  int modes() const {
    return static_cast<int>(!pairs.empty()) + static_cast<int>(edges) +
           static_cast<int>(!from.empty()) + static_cast<int>(total) + static_cast<int>(diagonal) +
           static_cast<int>(!hitting.empty()) + static_cast<int>(!absorption.empty());
  }
  bool walks() const { return !hitting.empty() || !absorption.empty(); }
  ResistanceOptions options() const {
    return {.method = parse_resistance_method(method),
            .epsilon = epsilon,
            .tolerance = tolerance.value_or(ResistanceOptions().tolerance)};
  }
  PResistanceOptions p_options() const {
    return {.p = *p, .tolerance = tolerance.value_or(PResistanceOptions().tolerance)};
  }
};

void check_usage(const ResistanceVerb& verb) {
  if (verb.modes() != 1)
    throw Error(ErrorCode::usage,
                "give one of --pairs FILE, --edges, --from V, --total, --diagonal, --hitting V and "
                "--absorption V");
  if (verb.commute && (verb.total || verb.diagonal || verb.walks()))
    throw Error(ErrorCode::usage, "--commute: goes with --pairs, --edges and --from");
  if (verb.p) {
    if (verb.pairs.empty() || verb.commute)
      throw Error(ErrorCode::usage, "--p: goes with --pairs, and without --commute");
    if (verb.method != "automatic" || verb.epsilon != 0.0)
      throw Error(ErrorCode::usage, "--p: has a method of its own, without --method and --epsilon");
    verb.p_options().validate();
  }
  if (verb.centrality && !verb.edges)
    throw Error(ErrorCode::usage, "--centrality: goes with --edges");
  if (verb.walks() && (verb.method != "automatic" || verb.epsilon != 0.0))
    throw Error(ErrorCode::usage,
                "--hitting and --absorption: are solves, without --method and --epsilon");
  if (verb.method == "sketch" && verb.epsilon == 0.0)
    throw Error(ErrorCode::usage, "--method sketch: give --epsilon, the relative error allowed");
  verb.options().validate();
  const bool factor = verb.method == "factor";
  if ((factor || verb.method == "solves") && verb.epsilon != 0.0)
    throw Error(ErrorCode::usage, "--epsilon: is for sketches, which --method " + verb.method +
                                      " rules out: give one of the two");
  if (factor && verb.tolerance)
    throw Error(
        ErrorCode::usage,
        "--tolerance: is of solves, which --method factor has none of: give one of the two");
}

// The p-resistances of the pairs, each with the gap that proves it; those of the first pairs if the
// run is stopped.
ResistanceAnswer p_resistances(const Graph& graph, const std::vector<VertexPair>& pairs,
                               const PResistanceOptions& options, const RunContext& run) {
  ResistanceAnswer answer;
  Certificate gap{"duality_gap", {}};
  Ending& ending = answer.report;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (const auto why = run.stop()) {
      ending.outcome = *why;
      break;
    }
    const PResistance r = p_resistance(graph, pairs[i].u, pairs[i].v, options, run);
    answer.values.push_back(r.resistance);
    gap.values.push_back(r.gap);
    if (ending.outcome == Outcome::converged) ending.outcome = r.outcome;
    ending.iterations = std::max(ending.iterations, r.solves);
    run.report_progress("solve", static_cast<double>(i + 1) / static_cast<double>(pairs.size()));
  }
  const double worst =
      gap.values.empty() ? 0.0 : *std::max_element(gap.values.begin(), gap.values.end());
  ending.requested = "p-resistance";
  ending.used = pairs.empty() ? "none" : "p-resistance";
  ending.sentence =
      pairs.empty()
          ? "0 pairs: nothing to solve"
          : fmt::format("{} of {} pairs with p = {}: duality gap {} after at most {} solves each",
                        gap.values.size(), pairs.size(), to_text(options.p), to_brief_text(worst),
                        ending.iterations);
  answer.report.certificates.push_back(std::move(gap));
  return answer;
}

std::vector<VertexPair> pairs_from(const Graph& graph, VertexId source) {
  std::vector<VertexPair> pairs;
  pairs.reserve(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId v = 0; v < graph.vertex_count(); ++v) pairs.push_back({source, v});
  return pairs;
}

void write_pairs(Session& session, OutputFile& out, const GraphFile& file,
                 const ResistanceVerb& verb, const std::vector<VertexPair>& pairs,
                 const std::vector<double>& values) {
  std::vector<std::string> columns = {"u", "v", "resistance"};
  if (verb.commute) columns.emplace_back("commute");
  if (verb.centrality) columns.emplace_back("centrality");
  TableWriter table(out, session.options().table_format(), columns);
  // A commute takes so many steps for each ohm.
  const std::vector<double> volume =
      verb.commute ? component_volumes(file.graph) : std::vector<double>();
  const std::vector<double> share = verb.centrality && !values.empty()
                                        ? spanning_edge_centrality(file.graph, values)
                                        : std::vector<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 65536 == 0) session.check_cancelled();
    const auto [u, v] = pairs[i];
    table.text(file.names.name(u));
    table.text(file.names.name(v));
    table.number(values[i]);
    // Nobody comes back from another component; the volume around an isolated vertex is 0.
    if (verb.commute)
      table.number(std::isinf(values[i]) ? values[i]
                                         : values[i] * volume[static_cast<std::size_t>(u)]);
    if (verb.centrality) table.number(share[i]);
    table.end_row();
  }
}

void write_diagonal(Session& session, OutputFile& out, const GraphFile& file,
                    const std::vector<double>& values) {
  TableWriter table(out, session.options().table_format(), {"node", "diagonal"});
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (v % 65536 == 0) session.check_cancelled();
    table.text(file.names.name(static_cast<VertexId>(v)));
    table.number(values[v]);
    table.end_row();
  }
}

void write_hitting(Session& session, OutputFile& out, const GraphFile& file, VertexId target,
                   const std::vector<double>& steps) {
  TableWriter table(out, session.options().table_format(), {"u", "v", "hitting"});
  for (std::size_t u = 0; u < steps.size(); ++u) {
    if (u % 65536 == 0) session.check_cancelled();
    table.text(file.names.name(static_cast<VertexId>(u)));
    table.text(file.names.name(target));
    table.number(steps[u]);
    table.end_row();
  }
}

// node, then the chance of ending at each target. Returns how many vertices reach none.
std::int64_t write_absorption(Session& session, OutputFile& out, const GraphFile& file,
                              const std::vector<std::string>& targets, const Block& probability) {
  std::vector<std::string> columns = {"node"};
  columns.insert(columns.end(), targets.begin(), targets.end());
  TableWriter table(out, session.options().table_format(), columns);
  std::int64_t unreached = 0;
  for (VertexId v = 0; v < file.graph.vertex_count(); ++v) {
    if (v % 65536 == 0) session.check_cancelled();
    table.text(file.names.name(v));
    const std::span<const double> row = probability.row(v);
    for (const double value : row) table.number(value);
    table.end_row();
    unreached += std::ranges::all_of(row, [](double value) { return value == 0.0; });
  }
  return unreached;
}

// A row for each component, named by its first vertex.
void write_totals(Session& session, OutputFile& out, const GraphFile& file,
                  const std::vector<double>& values) {
  TableWriter table(out, session.options().table_format(), {"component", "vertices", "total"});
  const Components components = connected_components(file.graph);
  std::vector<VertexId> first(values.size(), no_vertex);
  for (VertexId v = file.graph.vertex_count() - 1; v >= 0; --v)
    if (!values.empty())
      first[static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)])] = v;
  for (std::size_t k = 0; k < values.size(); ++k) {
    table.text(file.names.name(first[k]));
    table.integer(components.sizes[k]);
    table.number(values[k]);
    table.end_row();
  }
}

Work work_of(const Session& session, const ResistanceVerb& verb, const Graph& graph) {
  const bool sketch = verb.method == "sketch" || verb.epsilon > 0.0;
  if (!verb.pairs.empty()) return factor_work(session, graph, {.may_sketch = sketch});
  if (!verb.walks())
    return factor_work(session, graph, {.inverse = true, .certain = !sketch, .may_sketch = sketch});
  constexpr double several = 16.0;
  return column_work(graph, verb.absorption.size() < 2 ? 1.0 : several);
}

// What was asked for, and of which vertices.
struct Computed {
  std::vector<VertexPair> pairs;
  VertexId target = no_vertex;  // of hitting times
  Block absorbed;
  ResistanceAnswer answer;
};

// The pairs of --pairs; else none.
std::vector<VertexPair> given_pairs(Session& session, const ResistanceVerb& verb,
                                    const GraphFile& file) {
  if (verb.pairs.empty()) return {};
  PairFile given = session.timed(
      "read", [&] { return read_pairs(verb.pairs, file.names, session.run.memory_limit); });
  session.summary.add_input(given.stats);
  return std::move(given.pairs);
}

Computed compute(const ResistanceVerb& verb, const GraphFile& file,
                 const std::vector<VertexPair>& pairs, const RunContext& run) {
  const Graph& graph = file.graph;
  const ResistanceOptions options = verb.options();
  Computed found;
  if (!verb.pairs.empty()) {
    found.pairs = pairs;
    found.answer = verb.p ? p_resistances(graph, found.pairs, verb.p_options(), run)
                          : pair_resistances(graph, found.pairs, options, run);
  } else if (verb.edges) {
    found.pairs = edge_pairs(graph);
    found.answer = edge_resistances(graph, options, run);
  } else if (!verb.from.empty()) {
    const VertexId source = vertex_named(file, verb.from, "--from");
    found.pairs = pairs_from(graph, source);
    found.answer = resistances_from(graph, source, options, run);
  } else if (!verb.hitting.empty()) {
    found.target = vertex_named(file, verb.hitting, "--hitting");
    HittingTimes times =
        hitting_times(graph, {found.target}, {.tolerance = options.tolerance}, run);
    found.answer = {std::move(times.steps), {}, std::move(times.report)};
  } else if (!verb.absorption.empty()) {
    Absorption absorption =
        absorption_probabilities(graph, vertices_named(file, verb.absorption, "--absorption"),
                                 {.tolerance = options.tolerance}, run);
    found.absorbed = std::move(absorption.probability);
    found.answer.report = std::move(absorption.report);
  } else if (verb.total) {
    found.answer = total_resistances(graph, options, run);
  } else {
    found.answer = pseudoinverse_diagonal(graph, options, run);
  }
  return found;
}

// Returns the vertices that reach no target of --absorption.
std::int64_t write_computed(Session& session, OutputFile& out, const GraphFile& file,
                            const ResistanceVerb& verb, const Computed& found) {
  if (!verb.absorption.empty())
    return write_absorption(session, out, file, verb.absorption, found.absorbed);
  if (verb.total)
    write_totals(session, out, file, found.answer.values);
  else if (verb.diagonal)
    write_diagonal(session, out, file, found.answer.values);
  else if (found.target != no_vertex)
    write_hitting(session, out, file, found.target, found.answer.values);
  else
    write_pairs(session, out, file, verb, found.pairs, found.answer.values);
  return 0;
}

int run_resistance(Session& session, const ResistanceVerb& verb) {
  session.prepare({verb.graph, verb.pairs}, {session.options().output});
  check_usage(verb);
  OutputFile out(session.options().output);
  const GraphFile file = read_graph_file(session, verb.graph);
  const Graph& graph = file.graph;
  session.summary.set("components", static_cast<std::int64_t>(connected_components(graph).count));

  const std::vector<VertexPair> pairs = given_pairs(session, verb, file);
  if (const auto status =
          estimated(session, graph, work_of(session, verb, graph),
                    [&](const RunContext& run) { compute(verb, file, pairs, run); }))
    return *status;
  const Computed found = compute(verb, file, pairs, session.run);
  const ResistanceAnswer& answer = found.answer;
  const Report& report = answer.report;
  session.record_report(report);

  std::int64_t unreached = 0;
  session.timed("write", [&] {
    unreached = write_computed(session, out, file, verb, found);
    out.commit();
  });
  session.summary.set("values", static_cast<std::int64_t>(answer.values.size()));
  session.say("resistance: " + report.sentence);
  if (!report.converged())
    session.warn(fmt::format("{}: {}", to_string(report.outcome), report.sentence));
  unreached += std::ranges::count_if(answer.values, [](double value) { return std::isinf(value); });
  session.summary.set("unreached", unreached);
  const bool incomplete = unreached > 0 && session.options().strict;
  if (incomplete)
    session.warn(fmt::format("--strict: {} values are infinite or of no target", unreached));
  session.say_time();
  return report.converged() && !incomplete ? 0 : 1;
}

}  // namespace

Verb add_resistance(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(
      app, "resistance", "Effective resistances between the vertices of a graph.",
      {"gssl resistance datasets/digits/edges.tsv --edges --centrality -o digits.resistance.tsv",
       "gssl resistance datasets/lesmis/lesmis.graph --from 1 --commute",
       "gssl resistance datasets/lesmis/lesmis.graph --absorption 12 --absorption 27",
       "echo 0 4 | gssl resistance datasets/iris/edges.tsv --pairs - --summary run.json"});
  const auto options = std::make_shared<ResistanceVerb>();
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  const std::string group = "Which";
  verb.add_option("--pairs", options->pairs, "the pairs of lines 'u v'")
      ->type_name("FILE")
      ->group(group);
  verb.add_flag("--edges", options->edges, "the ends of every edge")->group(group);
  verb.add_option("--from", options->from, "vertex V and every other")
      ->type_name("V")
      ->group(group);
  verb.add_flag("--total", options->total, "the sum over all pairs of each component")
      ->group(group);
  verb.add_flag("--diagonal", options->diagonal, "the diagonal of the Laplacian's pseudo-inverse")
      ->group(group);
  verb.add_option("--hitting", options->hitting,
                  "the expected steps of a random walk from every vertex to V")
      ->type_name("V")
      ->group(group);
  verb.add_option("--absorption", options->absorption,
                  "the chance that a random walk from every vertex meets V before the other V's; "
                  "repeatable")
      ->type_name("V")
      ->allow_extra_args(false)
      ->group(group);
  verb.add_flag("--commute", options->commute,
                "also the expected steps of a random walk to the other end and back");
  verb.add_flag("--centrality", options->centrality,
                "also the share of random spanning trees that hold the edge");
  verb.add_option("--method", options->method, "automatic, factor, solves or sketch")
      ->type_name("NAME")
      ->check(one_of({"automatic", "factor", "solves", "sketch"}))
      ->capture_default_str();
  verb.add_option("--epsilon", options->epsilon,
                  "relative error allowed, so that a sketch may do; 0: exact")
      ->type_name("E")
      ->capture_default_str();
  verb.add_option("--tolerance", options->tolerance,
                  "relative residual of the solves (1e-10), or with --p duality gap (1e-6)")
      ->type_name("X");
  verb.add_option("--p", options->p, "with --pairs: p-resistances, P > 1; 2 is the usual one")
      ->type_name("P");
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_solve_options(verb, common, "a value is infinite or a vertex reaches no target");
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return run_resistance(session, *options); };
}

}  // namespace gssl::tool
