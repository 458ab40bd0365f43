// gssl convert: a graph from any format that can be read to any that can be written.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "changed_graph.hpp"
#include "estimate.hpp"
#include "graph_input.hpp"
#include "graph_results.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/io/convert_graph.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct ConvertOptions {
  std::string in;
  std::string out;
  std::string to;
  std::string changes;
  bool compress = false;
  const CLI::Option* format = nullptr;
};

// Memory of a conversion that streams: the program, the names and 8 to 12 bytes a vertex, and the
// edges, 8 bytes each as they come (16 if weighted) and three to four times that as rows; past a
// quarter of what names leave of the limit they are on disk.
int estimate_conversion(Session& session, const ConvertOptions& options) {
  const auto program = static_cast<double>(held_memory().resident);
  GraphFile file;
  try {
    file = read_graph_file(session, options.in);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    // The graph is larger than the limit, and the conversion keeps to it.
    return tell_estimate(session, {program, program + static_cast<double>(session.memory().bytes)},
                         {session.seconds(), std::numeric_limits<double>::infinity()});
  }
  if (file.stats.format != to_string(GraphFormat::edge_list))
    return *estimated(session, file.graph, listing_work(file.graph));
  const double edges =
      static_cast<double>(file.stats.edges_given) * (file.graph.has_unit_weights() ? 8.0 : 16.0);
  const std::size_t limit = session.run.memory_limit;
  const auto room = static_cast<double>(
      conversion_room(limit, file.names.memory_bytes(), file.graph.vertex_count()));
  const bool on_disk = limit > 0 && edges > room / 4.0;
  const double held =
      program + static_cast<double>(file.names.memory_bytes()) + 8.0 * file.graph.vertex_count();
  const double own = 4.0 * file.graph.vertex_count() + 4e7;  // text that is parsed, and tables
  const double seconds = session.seconds();
  return tell_estimate(session,
                       {held + (on_disk ? 0.0 : edges),
                        held + own + (on_disk ? std::min(room, 4.0 * edges) : 4.0 * edges)},
                       {0.5 * seconds, 6.0 * seconds});
}

int convert_binary(Session& session, const ConvertOptions& options, OutputFile& out) {
  session.check_inputs();
  session.summary.set("output_format", to_string(GraphFormat::binary));
  const ConvertedGraph made = session.timed("read", [&] {
    return convert_to_binary(options.in, out, session.options().read_options(),
                             {.compress = options.compress}, session.run);
  });
  session.summary.add_input(made.stats);
  session.summary.set("sorted_on_disk", made.sorted_on_disk);
  const std::string sizes = session.record_sizes(made.stats, made.vertices, made.edges);
  session.say(fmt::format("gssl convert: {}: {}{}", options.in, sizes,
                          made.sorted_on_disk ? "; sorted on disk" : ""));
  warn_of_input(session, made.stats);
  session.check_cancelled();
  session.timed("write", [&] { out.commit(); });
  return 0;
}

// The graph of IN, after --changes.
GraphFile read_changed(Session& session, const ConvertOptions& options) {
  if (is_binary_graph(options.in, session.options().read_options()))
    BinaryGraph::open(options.in).verify(session.run);
  GraphFile file = read_graph_file(session, options.in);
  WarmStartOptions from;
  from.changes = options.changes;
  const ChangeFile changes = change_graph(session, from, file);
  if (!changes.labels.empty())
    session.warn(fmt::format("{}: {} lines change labels, which a graph does not hold",
                             options.changes, changes.labels.size()));
  return file;
}

int convert_changed_binary(Session& session, const ConvertOptions& options, OutputFile& out) {
  const GraphFile file = read_changed(session, options);
  session.summary.set("output_format", to_string(GraphFormat::binary));
  session.timed("write", [&] {
    write_binary_graph(out, file.graph, file.names, {.compress = options.compress}, file.stats);
    session.check_cancelled();
    out.commit();
  });
  return 0;
}

int convert(Session& session, const ConvertOptions& options) {
  session.prepare({options.in, options.changes}, {options.out});
  const auto [format, table] =
      graph_output(options.out, options.to, session.options().format, options.format->count() > 0);
  if (options.compress && format != GraphFormat::binary)
    throw Error(ErrorCode::usage, "--compress: only a binary graph is compressed; name OUT .gssl");
  if (format == GraphFormat::binary && session.options().estimate)
    return estimate_conversion(session, options);
  OutputFile out(options.out);
  if (format == GraphFormat::binary)
    return options.changes.empty() ? convert_binary(session, options, out)
                                   : convert_changed_binary(session, options, out);
  const GraphFile file = read_changed(session, options);
  if (const auto status = estimated(session, file.graph, listing_work(file.graph))) return *status;
  session.summary.set("output_format", to_string(format));
  session.timed("write", [&, format = format, table = table] {
    ResultColumns columns(file.graph.vertex_count());
    if (holds_columns(format)) add_places(session, file.graph, columns);
    write_with_columns(session, out, file.graph, file.names, columns, format, table);
    session.check_cancelled();
    out.commit();
  });
  return 0;
}

}  // namespace

Verb add_convert(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "convert", "Rewrites a graph in another format.",
               {"gssl convert datasets/digits/edges.tsv digits.mtx",
                "gssl convert datasets/digits/edges.tsv digits.gssl --compress",
                "gssl convert datasets/lesmis/lesmis.graph - --format csv",
                "gssl convert datasets/lesmis/lesmis.graph lesmis.txt --to edge-list",
                "gssl convert datasets/lesmis/lesmis.graph lesmis.graphml",
                std::string("printf '+ 3 17 0.5\\n- 0 335\\n' > day.txt && gssl ") +
                    "convert datasets/digits/edges.tsv tuesday.gssl --changes day.txt"});
  const auto options = std::make_shared<ConvertOptions>();
  verb.add_option("IN", options->in, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("OUT", options->out, "file to write ('-': standard output)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--to,--output-format", options->to,
                  "edge-list, matrix-market, metis, binary, graphml, gexf, gml or dot (default: by "
                  "the extension of OUT)")
      ->check(one_of(written_graph_formats()))
      ->type_name("FORMAT")
      ->group("Output");
  verb.add_flag("--compress", options->compress,
                "binary: rows as gaps, 1 to 3 bytes an arc, read by expanding them")
      ->group("Output");
  verb.add_option(
          "--changes", options->changes,
          "the graph after the edges and vertices that this file adds, removes or reweights "
          "(docs/long_jobs.md)")
      ->type_name("FILE")
      ->group("Input");
  options->format =
      verb.add_option("--format", common.format,
                      "columns of an edge list: tsv or csv (default: csv for OUT.csv, else tsv)")
          ->type_name("FORMAT")
          ->check(one_of({"tsv", "csv"}))
          ->group("Output");
  add_graph_options(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return convert(session, *options); };
}

}  // namespace gssl::tool
