#include "gssl/io/graph_reader.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "gssl/io/binary_graph.hpp"
#include "named_choice.hpp"

namespace gssl {
namespace {

using detail::TextSource;

bool has_extension(std::string_view path, std::string_view extension) {
  return path.size() > extension.size() &&
         detail::equal_ignoring_case(path.substr(path.size() - extension.size()), extension);
}

// The file holds merged edges between vertices of one kind.
void check_binary_options(const ReadOptions& options) {
  if (options.table.given())
    throw Error(
        ErrorCode::usage,
        "--delimiter, --decimal, --skip or --columns: a binary graph has none; they are for "
        "edge lists");
  if (options.bipartite)
    throw Error(ErrorCode::usage,
                "--bipartite: a binary graph has one kind of vertices; give it when the edge list "
                "is converted");
}

}  // namespace

// Pipes and packed files are told by what comes out of them.
bool is_binary_graph(const std::string& path, const ReadOptions& options) {
  if (options.format != GraphFormat::automatic && options.format != GraphFormat::binary)
    return false;
  if (!is_binary_graph(path)) return false;
  check_binary_options(options);
  return true;
}

const char* to_string(GraphFormat format) {
  switch (format) {
    case GraphFormat::automatic: return "automatic";
    case GraphFormat::edge_list: return "edge-list";
    case GraphFormat::matrix_market: return "matrix-market";
    case GraphFormat::metis: return "metis";
    case GraphFormat::binary: return "binary";
  }
  return "automatic";
}

GraphFormat parse_graph_format(const std::string& name) {
  constexpr std::array choices = {std::pair{"automatic", GraphFormat::automatic},
                                  std::pair{"edge-list", GraphFormat::edge_list},
                                  std::pair{"matrix-market", GraphFormat::matrix_market},
                                  std::pair{"metis", GraphFormat::metis},
                                  std::pair{"binary", GraphFormat::binary}};
  return detail::parse_choice("graph format", name, choices);
}

DuplicatePolicy parse_duplicate_policy(const std::string& name) {
  constexpr std::array choices = {
      std::pair{"sum", DuplicatePolicy::sum}, std::pair{"max", DuplicatePolicy::max},
      std::pair{"first", DuplicatePolicy::first}, std::pair{"error", DuplicatePolicy::error}};
  return detail::parse_choice("duplicate policy", name, choices);
}

OppositeArcs parse_opposite_arcs(const std::string& name) {
  constexpr std::array choices = {
      std::pair{"sum", OppositeArcs::sum}, std::pair{"max", OppositeArcs::max},
      std::pair{"mean", OppositeArcs::mean}, std::pair{"error", OppositeArcs::error}};
  return detail::parse_choice("policy of opposite arcs", name, choices);
}

GraphFile read_graph(const std::string& path, const ReadOptions& options, const RunContext& run) {
  if (is_binary_graph(path, options)) return BinaryGraph::open(path).read(run);
  const TextSource source = TextSource::open(path);
  return source.read_whole([&] { return detail::parse_graph(source, options, run); });
}

namespace detail {

// By the Matrix Market banner, else by the extension before .gz or .zst. A METIS file cannot be
// told from an edge list by content, nor a .mtx file that lost its banner, so the name decides.
GraphFormat sniff_graph_format(std::string_view text, std::string_view path) {
  constexpr std::string_view banner = "%%matrixmarket";
  if (detail::equal_ignoring_case(text.substr(0, banner.size()), banner)) {
    return GraphFormat::matrix_market;
  }
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (has_extension(path, packed)) path.remove_suffix(packed.size());
  }
  if (has_extension(path, ".graph") || has_extension(path, ".metis")) return GraphFormat::metis;
  if (has_extension(path, ".mtx")) return GraphFormat::matrix_market;
  return GraphFormat::edge_list;
}

GraphFile parse_graph(const TextSource& source, const ReadOptions& options, const RunContext& run) {
  GraphFile file;
  if (options.format == GraphFormat::binary ||
      (options.format == GraphFormat::automatic && starts_as_binary_graph(source.text()))) {
    check_binary_options(options);
    file = BinaryGraph::from_memory(source.text(), source.name()).read(run);
    file.stats.compression = to_string(source.compression());
    file.stats.bytes = source.stored_bytes();
    file.stats.crc32 = source.crc32();
    return file;
  }
  if (options.format == GraphFormat::automatic)
    refuse_foreign(source.text(), source.name(), Wanted::graph);
  const GraphFormat format = options.format == GraphFormat::automatic
                                 ? sniff_graph_format(source.text(), source.name())
                                 : options.format;
  if (format != GraphFormat::edge_list && options.table.given()) {
    throw Error(
        ErrorCode::usage,
        std::string("--delimiter, --decimal, --skip or --columns: the graph is in format ") +
            to_string(format) +
            ", which says itself how it is written; they are for edge "
            "lists");
  }
  if (format == GraphFormat::metis && options.bipartite) {
    throw Error(
        ErrorCode::usage,
        "--bipartite: a METIS file has one kind of vertices; give an edge list or a matrix");
  }
  start_stats(source, to_string(format), file.stats);
  switch (format) {
    case GraphFormat::matrix_market: read_matrix_market(source, options, run, file); break;
    case GraphFormat::metis: read_metis(source, options, run, file); break;
    default: read_edge_list(source, options, run, file); break;
  }
  return file;
}

void start_stats(const TextSource& source, const char* format, InputStats& stats) {
  stats.path = source.name();
  stats.format = format;
  stats.compression = to_string(source.compression());
  stats.bytes = source.stored_bytes();
  stats.crc32 = source.crc32();
}

std::vector<Chunk> cut_at_lines(std::string_view text, std::size_t size) {
  std::vector<Chunk> chunks;
  while (!text.empty()) {
    const std::size_t end = size < text.size() ? text.find('\n', size) : std::string_view::npos;
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    chunks.push_back({text.substr(0, length)});
    text.remove_prefix(length);
  }
  return chunks;
}

void check_progress(const RunContext& run, double fraction) {
  // A file of one piece is read in less time than a message takes to read, and half of the work
  // that is to be done on it may still be an answer.
  if (run.cancelled() || (fraction > 0.0 && fraction < 1.0))
    run.throw_if_stopped("reading", "before the file was read");
  run.report_progress("read", fraction);
}

void take_counts(const GraphBuilderCounts& counts, std::int64_t zeros, InputStats& stats) {
  stats.edges_given = counts.edges_given + zeros;
  stats.self_loops_dropped = counts.self_loops_dropped;
  stats.duplicates_merged = counts.duplicates_merged;
  stats.reversed_merged = counts.reversed_merged;
  stats.opposite_differ = counts.opposite_differ;
  stats.zero_weights_dropped = zeros;
}

Graph finish_graph(GraphBuilder& builder, const VertexNames& names, const TextSource& source,
                   const RunContext& run) {
  try {
    return std::move(builder).finish(run.thread_count());
  } catch (const EdgeError& error) {
    throw Error(ErrorCode::bad_data, source.name() + ": edge " + shown(names.name(error.u())) +
                                         " " + shown(names.name(error.v())) + ": " + error.rule());
  } catch (const Error& error) {
    throw Error(error.code(), source.name() + ": " + error.what());
  }
}

}  // namespace detail
}  // namespace gssl
