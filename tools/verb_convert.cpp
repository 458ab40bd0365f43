// gssl convert: a graph from any format that can be read to any that can be written.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/io/graph_writer.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct ConvertOptions {
  std::string in;
  std::string out;
  std::string to;
};

GraphFormat target_format(const ConvertOptions& options) {
  if (!options.to.empty()) return parse_graph_format(options.to);
  const std::string extension = std::filesystem::path(options.out).extension().string();
  if (extension == ".mtx") return GraphFormat::matrix_market;
  if (extension == ".graph" || extension == ".metis") return GraphFormat::metis;
  if (extension == ".gz" || extension == ".zst") {
    throw Error(
        ErrorCode::usage,
        fmt::format("{}: gssl writes plain text; write to '-' and pipe it to the compressor",
                    options.out));
  }
  return GraphFormat::edge_list;
}

// Whether the vertices are already called 1, 2, …, as the numbered formats will call them.
bool numbered_from_one(const VertexNames& names) {
  std::string name;
  for (VertexId v = 0; v < names.size(); ++v) {
    name.clear();
    names.append_name(v, name);
    if (name != std::to_string(static_cast<std::int64_t>(v) + 1)) return false;
  }
  return true;
}

int convert(Session& session, const ConvertOptions& options) {
  session.prepare({options.in}, {options.out});
  const GraphFormat format = target_format(options);
  const TableFormat table = session.options().table_format();
  if (table == TableFormat::jsonl) {
    throw Error(ErrorCode::usage, "--format jsonl: a graph is written as tsv or csv");
  }
  OutputFile out(options.out);
  const GraphFile file = read_graph_file(session, options.in);
  session.summary.set("output_format", to_string(format));
  const std::int64_t isolated = session.timed("write", [&] {
    const std::int64_t found = write_graph(out, file.graph, file.names, format, table);
    session.check_cancelled();
    out.commit();
    return found;
  });
  if (format == GraphFormat::edge_list && isolated > 0) {
    session.warn(fmt::format(
        "{} isolated vertices stand in comments only: an edge list cannot hold them", isolated));
  }
  if (format != GraphFormat::edge_list && !numbered_from_one(file.names)) {
    session.warn(
        fmt::format("vertex names are lost: {} numbers vertices from 1, here by first "
                    "appearance",
                    to_string(format)));
  }
  return 0;
}

}  // namespace

Verb add_convert(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "convert", "Rewrites a graph in another format.",
               {"gssl convert datasets/digits/edges.tsv digits.mtx",
                "gssl convert datasets/lesmis/lesmis.graph - --format csv",
                "gssl convert datasets/lesmis/lesmis.graph lesmis.txt --to edge-list"});
  const auto options = std::make_shared<ConvertOptions>();
  verb.add_option("IN", options->in, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("OUT", options->out, "file to write ('-': standard output)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--to", options->to,
                  "edge-list, matrix-market or metis (default: by the extension of OUT, "
                  ".mtx, .graph or .metis, else edge-list)")
      ->check(CLI::IsMember({"edge-list", "matrix-market", "metis"}).description(""))
      ->type_name("FORMAT")
      ->group("Output");
  verb.add_option("--format", common.format, "columns of an edge list: tsv or csv")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"tsv", "csv"}).description(""))
      ->capture_default_str()
      ->group("Output");
  add_graph_options(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return convert(session, *options); };
}

}  // namespace gssl::tool
