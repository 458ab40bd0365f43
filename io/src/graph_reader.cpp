#include "gssl/io/graph_reader.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "graph_format_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/io/binary_graph.hpp"
#include "line_blocks.hpp"
#include "ogb.hpp"

namespace gssl {
namespace {

using detail::TextSource;

// What options mean only for some formats.
void check_options(GraphFormat format, const ReadOptions& options) {
  const std::string in_format = std::string("the graph is in format ") + to_string(format);
  if (format != GraphFormat::edge_list && options.table.given()) {
    throw Error(ErrorCode::usage,
                "delimiter, decimal mark, lines to skip or columns: " + in_format +
                    ", which says itself how it is written; they are for edge lists",
                options.table.remedies());
  }
  const bool two_kinds = format == GraphFormat::edge_list || format == GraphFormat::matrix_market ||
                         format == GraphFormat::npz;
  if (options.bipartite && !two_kinds) {
    throw Error(ErrorCode::usage,
                "bipartite: " + in_format +
                    ", which has one kind of vertices; give an edge list or a matrix",
                Remedy::bipartite);
  }
  const bool layers = format == GraphFormat::edge_list || format == GraphFormat::pajek ||
                      format == GraphFormat::triples;
  if (!options.layers.empty() && !layers) {
    throw Error(ErrorCode::usage,
                "weights of layers: " + in_format +
                    ", which has no layers; give an edge list, Pajek or triples",
                Remedy::layer_weights);
  }
}

// All but the checksum.
void describe(const TextSource& source, std::string_view format, InputStats& stats) {
  stats.path = source.name();
  stats.format = format;
  stats.compression = to_string(source.compression());
  stats.bytes = source.stored_bytes();
}

}  // namespace

// Pipes and packed files are told by what comes out of them.
bool is_binary_graph(const std::string& path, const ReadOptions& options) {
  if (options.format != GraphFormat::automatic && options.format != GraphFormat::binary)
    return false;
  if (!is_binary_graph(path)) return false;
  check_options(GraphFormat::binary, options);
  return true;
}

const char* to_string(GraphFormat format) {
  return format == GraphFormat::automatic ? "automatic" : detail::entry_of(format).name;
}

std::vector<std::string> graph_format_names() {
  std::vector<std::string> names = {"automatic"};
  for (const detail::GraphFormatEntry& entry : detail::graph_format_table())
    names.emplace_back(entry.name);
  return names;
}

GraphFormat parse_graph_format(const std::string& name) {
  if (name == "automatic") return GraphFormat::automatic;
  for (const detail::GraphFormatEntry& entry : detail::graph_format_table())
    if (name == entry.name) return entry.format;
  throw Error(ErrorCode::usage, "graph format '" + name +
                                    "' is not known: " + suggestion(name, graph_format_names()));
}

DuplicatePolicy parse_duplicate_policy(const std::string& name) {
  return names_of<DuplicatePolicy>.value(name);
}

OppositeArcs parse_opposite_arcs(const std::string& name) {
  return names_of<OppositeArcs>.value(name);
}

GraphFile read_graph(const std::string& path, const ReadOptions& options, const RunContext& run) {
  if (detail::is_folder(path)) return detail::read_ogb_folder(path, options, run);
  if (is_binary_graph(path, options)) return BinaryGraph::open(path).read(run);
  const TextSource source = TextSource::open(path, run.memory_limit, run.thread_count());
  return source.read_whole([&] { return detail::parse_graph(source, options, run); });
}

namespace detail {

// The bytes are those that were stored, packed or not.
void read_binary_graph(const TextSource& source, const ReadOptions&, const RunContext& run,
                       GraphFile& file) {
  file = BinaryGraph::from_memory(source.text(), source.name()).read(run);
  file.stats.compression = to_string(source.compression());
  file.stats.bytes = source.stored_bytes();
}

HeldTextRoom::HeldTextRoom(const TextSource& source, const RunContext& run) : source_(source) {
  constexpr std::size_t sample = 65536;
  if (run.memory_limit == 0 || !source.is_held()) return;
  const bool binary = source.head().substr(0, sample).find('\0') != std::string_view::npos;
  if (!binary) limit_ = run.memory_limit;
}

void HeldTextRoom::count(std::string_view part) {
  bytes_ += part.size();
  lines_ += std::ranges::count(part, '\n');
}

void HeldTextRoom::take(std::string_view part) {
  constexpr double least_per_line = 16.0, enough_per_line = 64.0;
  if (limit_ == 0) return;
  count(part);
  const auto needed = [&](double per_line) {
    return static_cast<double>(bytes_) + per_line * static_cast<double>(lines_);
  };
  if (needed(least_per_line) <= static_cast<double>(limit_)) return;
  source_.pass_rest(bytes_, [&](std::string_view more) { count(more); });
  throw MemoryError("reading " + source_.name(), static_cast<std::size_t>(needed(enough_per_line)),
                    limit_);
}

GraphFile parse_graph(const TextSource& source, const ReadOptions& options, const RunContext& run) {
  GraphFile file;
  const GraphFormatEntry& entry = options.format == GraphFormat::automatic
                                      ? sniff_graph_format(source.head(), source.name())
                                      : entry_of(options.format);
  if (entry.read == nullptr)
    throw Error(ErrorCode::bad_data, source.name() + ": is a file; format " + entry.name +
                                         " is a folder; name the folder");
  check_options(entry.format, options);
  if (!entry.in_pieces) HeldTextRoom(source, run).take(source.text());
  describe(source, entry.name, file.stats);
  entry.read(source, options, run, file);
  file.stats.crc32 = source.crc32();  // last: who reads large files sums them meanwhile
  return file;
}

void start_stats(const TextSource& source, std::string_view format, InputStats& stats) {
  describe(source, format, stats);
  stats.crc32 = source.crc32();
}

std::vector<Chunk> cut_at_lines(std::string_view text, std::size_t size) {
  std::vector<Chunk> chunks;
  while (!text.empty()) chunks.push_back({take_lines(text, size)});
  return chunks;
}

void check_progress(const RunContext& run, double fraction) {
  // A file of one piece is read in less time than a message takes to read, and half of the work
  // that is to be done on it may still be an answer.
  if (run.cancelled() || (fraction > 0.0 && fraction < 1.0))
    run.throw_if_stopped("reading", "before the file was read");
  run.report_progress("read", fraction);
}

void check_block_progress(const RunContext& run, std::int64_t block, double fraction) {
  constexpr std::int64_t blocks_between_looks = 8;
  if (block % blocks_between_looks == 0) check_progress(run, fraction);
}

void take_counts(const GraphBuilderCounts& counts, std::int64_t zeros, InputStats& stats) {
  stats.of_edges = true;
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
    throw error.with_message(source.name() + ": " + error.what());
  }
}

}  // namespace detail
}  // namespace gssl
