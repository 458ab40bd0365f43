// gssl cut: the cheapest cut between two sets of vertices, or of the whole graph.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "graph_results.hpp"
#include "gssl/core/error.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/components.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct CutOptions {
  std::string graph;
  std::vector<std::string> sources;
  std::vector<std::string> sinks;
  std::string terminals;
  bool global = false;
  std::string method;  // empty: automatic
};

// What is written beside each vertex.
enum Side : unsigned char { source_side, sink_side, tied, unreached };
constexpr std::array<const char*, 4> side_names = {"source", "sink", "tied", "unreached"};

void check_options(const CutOptions& options) {
  if (options.global && !options.method.empty())
    throw Error(
        ErrorCode::usage,
        "--global takes no --method: it is found by scans and merges, not between terminals");
  const bool ends =
      !options.sources.empty() || !options.sinks.empty() || !options.terminals.empty();
  if (options.global && ends)
    throw Error(ErrorCode::usage,
                "--global cuts the whole graph: leave out --source, --sink and "
                "--terminals");
}

// A DIMACS file of maximum flow names its own.
void check_terminals_told(const CutOptions& options, const GraphFile& file) {
  if (options.global || !options.terminals.empty()) return;
  const bool by_file = !file.sources.empty() && !file.sinks.empty();
  const bool none_told = options.sources.empty() && options.sinks.empty();
  if (by_file && none_told) return;
  if (options.sources.empty() || options.sinks.empty())
    throw Error(ErrorCode::usage,
                "--source and --sink are required, at least one each, or --terminals, or --global");
}

struct Terminals {
  std::vector<double> source, sink;
  std::int64_t sources = 0, sinks = 0;
};

void add_terminal(Terminals& terminals, VertexId v, bool is_source, const std::string& name) {
  const auto at = static_cast<std::size_t>(v);
  double& capacity = is_source ? terminals.source[at] : terminals.sink[at];
  if ((is_source ? terminals.sink : terminals.source)[at] > 0.0)
    throw Error(ErrorCode::usage,
                fmt::format("vertex '{}' is a source and a sink: keep one", name));
  if (capacity > 0.0) return;
  capacity = std::numeric_limits<double>::infinity();
  ++(is_source ? terminals.sources : terminals.sinks);
}

Terminals find_terminals(Session& session, const CutOptions& options, GraphFile& file) {
  Terminals terminals;
  terminals.source.assign(static_cast<std::size_t>(file.graph.vertex_count()), 0.0);
  terminals.sink = terminals.source;
  const auto add_named = [&](const std::vector<std::string>& names, bool is_source) {
    for (const std::string& name : names) {
      const VertexId v = vertex_named(file, name, is_source ? "--source" : "--sink");
      add_terminal(terminals, v, is_source, name);
    }
  };
  add_named(options.sources, true);
  add_named(options.sinks, false);
  if (options.sources.empty() && options.sinks.empty() && options.terminals.empty()) {
    for (const VertexId v : file.sources) add_terminal(terminals, v, true, file.names.name(v));
    for (const VertexId v : file.sinks) add_terminal(terminals, v, false, file.names.name(v));
  }
  if (!options.terminals.empty()) {
    // Vertices that are not in the graph come after its own.
    const LabelFile labels = read_labels(options.terminals, file.names,
                                         {.unknown = UnknownLabels::add,
                                          .missing = MissingMarks::none(),
                                          .memory_limit = session.run.memory_limit});
    session.summary.add_input(labels.stats);
    for (std::size_t i = 0; i < labels.vertices.size(); ++i) {
      if (labels.vertices[i] >= file.graph.vertex_count())
        throw Error(
            ErrorCode::bad_data,
            fmt::format("{}:{}: vertex {} is not in the graph; fix the id or remove the line",
                        options.terminals, labels.line_of[i], file.names.name(labels.vertices[i])));
      const std::string& kind = labels.labels[i];
      if (kind != "source" && kind != "sink")
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}:{}: '{}'; expected 'node source' or 'node sink'",
                                options.terminals, labels.line_of[i], kind));
      add_terminal(terminals, labels.vertices[i], kind == "source",
                   file.names.name(labels.vertices[i]));
    }
    if (terminals.sources == 0 || terminals.sinks == 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: {} sources and {} sinks; at least one each is needed",
                              options.terminals, terminals.sources, terminals.sinks));
  }
  session.summary.set("sources", terminals.sources);
  session.summary.set("sinks", terminals.sinks);
  return terminals;
}

// Vertices whose component has no terminal may stand on either side for nothing.
void mark_unreached(const Graph& graph, const Terminals& terminals,
                    std::vector<unsigned char>& sides) {
  const Components components = connected_components(graph);
  std::vector<bool> reached(static_cast<std::size_t>(components.count), false);
  for (std::size_t v = 0; v < sides.size(); ++v)
    if (terminals.source[v] > 0.0 || terminals.sink[v] > 0.0)
      reached[static_cast<std::size_t>(components.of[v])] = true;
  for (std::size_t v = 0; v < sides.size(); ++v)
    if (!reached[static_cast<std::size_t>(components.of[v])]) sides[v] = unreached;
}

// Returns the exit status.
int check_certificate(Session& session, double proved, double cut) {
  if (std::abs(cut - proved) <= 1e-9 * cut) return 0;
  session.warn(
      fmt::format("{} is proved but the cut costs {}: the weights span more than doubles "
                  "can tell apart",
                  proved, cut));
  return 1;
}

MaxFlow flow_between(const CutOptions& options, const Graph& graph, const Terminals& terminals) {
  return MaxFlow(graph, terminals.source, terminals.sink,
                 {.method = options.method.empty() ? FlowMethod::automatic
                                                   : parse_flow_method(options.method)});
}

int cut_between(Session& session, const CutOptions& options, const GraphFile& file,
                const Terminals& terminals, std::vector<unsigned char>& sides) {
  MaxFlow problem =
      session.timed("setup", [&] { return flow_between(options, file.graph, terminals); });
  const MaxFlowReport found = session.timed("solve", [&] { return problem.solve(session.run); });
  const auto smallest = problem.source_side(CutSide::smallest_source);
  const auto largest = problem.source_side(CutSide::largest_source);
  for (std::size_t v = 0; v < sides.size(); ++v)
    sides[v] = smallest[v] != 0 ? source_side : largest[v] != 0 ? tied : sink_side;
  mark_unreached(file.graph, terminals, sides);
  std::array<std::int64_t, 4> counts{};
  for (const unsigned char side : sides) ++counts[side];
  session.summary.set("method", to_string(found.used));
  session.summary.set("flow", found.flow);
  session.summary.set("cut", found.cut);
  for (std::size_t k = 0; k < counts.size(); ++k)
    session.summary.set(fmt::format("{}_vertices", side_names[k]), counts[k]);
  session.say(fmt::format("cut {} = flow {} ({})", found.cut, found.flow, found.sentence));
  session.say(fmt::format("{} on the source side, {} on the sink side, {} tied, {} unreached",
                          counts[source_side], counts[sink_side], counts[tied], counts[unreached]));
  const int status = check_certificate(session, found.flow, found.cut);
  if (status == 0 && counts[unreached] > 0 && session.options().strict) {
    session.warn(fmt::format("--strict: {} vertices have no terminal in their component",
                             counts[unreached]));
    return 1;
  }
  return status;
}

int cut_globally(Session& session, const GraphFile& file, std::vector<unsigned char>& sides) {
  GlobalMinCut found =
      session.timed("solve", [&] { return global_min_cut(file.graph, session.run); });
  sides = std::move(found.side);
  const auto ones = static_cast<std::int64_t>(std::count(sides.begin(), sides.end(), 1));
  session.summary.set("cut", found.value);
  session.summary.set("bound", found.bound);
  session.summary.set("rounds", found.rounds);
  session.summary.set("smaller_side", ones);
  session.say(fmt::format("cut {}, {} of {} vertices on side 1; no cut is below {}", found.value,
                          ones, sides.size(), found.bound));
  return check_certificate(session, found.bound, found.value);
}

void write_sides(Session& session, OutputFile& out, const GraphFile& file, bool global,
                 const std::vector<unsigned char>& sides) {
  TableWriter table(out, session.options().table_format(), {"node", "side"});
  std::string name;
  for (std::size_t v = 0; v < sides.size(); ++v) {
    if (v % (1U << 16U) == 0) session.check_cancelled();
    name.clear();
    file.names.append_name(static_cast<VertexId>(v), name);
    table.text(name);
    if (global) {
      table.integer(sides[v] != 0 ? 1 : 2);
    } else {
      table.text(side_names[sides[v]]);
    }
    table.end_row();
  }
  out.commit();
}

ResultColumns side_columns(bool global, const std::vector<unsigned char>& sides) {
  ResultColumns columns(static_cast<VertexId>(sides.size()));
  std::vector<int> of;
  of.reserve(sides.size());
  for (const unsigned char side : sides) of.push_back(global ? (side != 0 ? 0 : 1) : side);
  std::vector<std::string> words(side_names.begin(), side_names.end());
  if (global) words = {"1", "2"};
  columns.add_choice("side", std::move(words), std::move(of));
  return columns;
}

int cut(Session& session, const CutOptions& options) {
  session.prepare({options.graph, options.terminals}, {session.options().output});
  check_options(options);
  OutputFile out(session.options().output);
  GraphResults graph_out(session);
  GraphFile file = read_graph_file(session, options.graph);
  check_terminals_told(options, file);
  const Work work = options.global ? global_cut_work(file.graph) : flow_work(file.graph);
  std::optional<Terminals> terminals;
  if (!options.global)
    terminals = session.timed("read", [&] { return find_terminals(session, options, file); });
  const auto rehearsal = [&](const RunContext& run) {
    if (options.global)
      global_min_cut(file.graph, run);
    else
      flow_between(options, file.graph, *terminals).solve(run);
  };
  if (const auto status = estimated(session, file.graph, work, rehearsal)) return *status;
  std::vector<unsigned char> sides(static_cast<std::size_t>(file.graph.vertex_count()));
  const int status = options.global ? cut_globally(session, file, sides)
                                    : cut_between(session, options, file, *terminals, sides);
  session.timed("write", [&] {
    write_sides(session, out, file, options.global, sides);
    if (graph_out.wanted())
      graph_out.write(session, file.graph, file.names, side_columns(options.global, sides));
  });
  return status;
}

}  // namespace

Verb add_cut(CLI::App& app, CommonOptions& common) {
  const std::string lesmis = "gssl cut datasets/lesmis/lesmis.graph ";
  CLI::App& verb = add_verb(
      app, "cut", "The cheapest cut between sources and sinks, or of the whole graph.",
      {lesmis + "--source 12 --sink 59", lesmis + "--source 12 --source 56 --sink 59 -o sides.tsv",
       lesmis + "--global --summary cut.json"});
  const auto options = std::make_shared<CutOptions>();
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--source", options->sources,
                  "a vertex on the source side; repeat for more (a DIMACS file may name them)")
      ->type_name("NODE")
      ->allow_extra_args(false);
  verb.add_option("--sink", options->sinks, "a vertex on the sink side; repeat for more")
      ->type_name("NODE")
      ->allow_extra_args(false);
  verb.add_option("--terminals", options->terminals,
                  "lines 'node source' or 'node sink' ('-': standard input)")
      ->type_name("FILE");
  verb.add_flag("--global", options->global,
                "the cheapest of all cuts; side 1 is that of fewer vertices");
  verb.add_option("--method", options->method,
                  "maximum flow: automatic, incremental-search (short paths) or push-relabel (few "
                  "or far terminals)")
      ->check(one_of({"automatic", "incremental-search", "push-relabel"}))
      ->type_name("NAME")
      ->default_str("automatic");
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_graph_output(verb, common);
  add_solve_options(verb, common);
  // An unfinished flow proves no cut.
  verb.get_option("--time-limit")
      ->description("stop after TIME with exit status 1; nothing is written");
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return cut(session, *options); };
}

}  // namespace gssl::tool
