// Edge lists. One walk checks every line, names the vertices and hands the edges to the builder as
// pairs of vertices: to keep 8 bytes an edge is cheaper than to parse and look up every id again.
// Lines are parsed on all threads; ids are numbered in the order of the file.
#include <mutex>
#include <type_traits>
#include <utility>

#include "edge_block.hpp"
#include "edge_dialect.hpp"
#include "edge_naming.hpp"
#include "edge_walker.hpp"
#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "in_order.hpp"
#include "layered_edges.hpp"
#include "shared_names.hpp"
#include "sniff_table.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 22;

// The lines that give one edge, for the message that refuses it: the first, and the next or, where
// the directions are at odds, the next in the other direction.
class EdgeLines {
 public:
  EdgeLines(const Dialect& dialect, std::string left, std::string right, bool other_direction)
      : dialect_(dialect),
        left_(std::move(left)),
        right_(std::move(right)),
        other_direction_(other_direction) {}

  // Throws; `text` starts with line `line` of the file.
  [[noreturn]] void raise(std::string_view text, std::int64_t line, const std::string& file,
                          const std::string& rule) {
    Walker<EdgeLines> walker(dialect_, file, *this);
    for (line_ = line; !text.empty() && second_ == 0; ++line_) {
      const std::size_t end = text.find('\n');
      const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
      walker.walk(text.substr(0, length), line_);
      text.remove_prefix(length);
    }
    const bool twice = second_ > 0;
    bad_line(file, twice ? second_ : first_,
             "edge " + shown(left_) + " " + shown(right_) + ": " + rule +
                 (twice ? "; line " + std::to_string(first_) + " has it first" : std::string()));
  }

  void edge(std::uint64_t u, std::uint64_t v, double weight) {
    passing_edge(std::to_string(u), std::to_string(v), weight);
  }
  void edge(std::string_view u, std::string_view v, double weight) { passing_edge(u, v, weight); }
  void passing_edge(std::string_view u, std::string_view v, double weight) {
    const bool forward = is(u, left_, left_prefix) && is(v, right_, right_prefix);
    const bool backward = is(u, right_, left_prefix) && is(v, left_, right_prefix);
    if (weight == 0 || (!forward && !backward)) return;
    if (first_ == 0) {
      first_ = line_;
      forward_ = forward;
    } else if (second_ == 0 && (!other_direction_ || forward != forward_)) {
      second_ = line_;
    }
  }
  void vertex(std::string_view) {}

 private:
  bool is(std::string_view id, std::string_view name, std::string_view prefix) const {
    if (!dialect_.bipartite) return id == name;
    return name.starts_with(prefix) && name.substr(prefix.size()) == id;
  }

  const Dialect& dialect_;
  const std::string left_;
  const std::string right_;
  const bool other_direction_;
  bool forward_ = true;
  std::int64_t line_ = 0;
  std::int64_t first_ = 0;
  std::int64_t second_ = 0;
};

// Walks `text`, the part of the source from `line` on, and returns its last line.
template <class Sink>
std::int64_t walk_text(const Dialect& dialect, std::string_view text, std::int64_t line,
                       const TextSource& source, const RunContext& run, Sink& sink) {
  Walker<Sink> walker(dialect, source.name(), sink);
  const std::vector<Chunk> chunks = cut_at_lines(text, chunk_bytes);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    check_progress(run, static_cast<double>(i) / static_cast<double>(chunks.size()));
    line = walker.walk(chunks[i].text, line);
    source.release(chunks[i].text);
  }
  check_progress(run, 1.0);
  return line - 1;
}

// The same on all threads: each parses blocks and looks up their ids; ids that are new are numbered
// block after block.
std::int64_t walk_blocks(const Dialect& dialect, std::string_view text, std::int64_t line,
                         const TextSource& source, const RunContext& run, VertexNames& names,
                         Naming<GraphBuilder>& naming) {
  SharedNames shared(names);
  Walker<Naming<GraphBuilder>> walker(dialect, source.name(), naming);
  const std::vector<Chunk> chunks = cut_at_lines(text, block_bytes(text.size()));
  const auto chunk = [&](std::int64_t i) { return chunks[static_cast<std::size_t>(i)].text; };
  PassedText passed(source);
  make_then_use<EdgeBlock>(
      static_cast<std::int64_t>(chunks.size()), run.thread_count(),
      [&](std::int64_t i, EdgeBlock& block) {
        block.clear();
        block.rest = chunk(i);
        if (i == 0 && dialect.header) return;
        Walker<EdgeBlock> fast(dialect, source.name(), block);
        block.rest = fast.walk_fast(chunk(i), block.lines);
        shared.find(block.integers);
        shared.find(block.words);
      },
      [&](std::int64_t i, EdgeBlock& block) {
        check_block_progress(run, i, chunks.size());
        shared.insert(block.integers);
        naming.edges(block.integers);
        shared.insert(block.words);
        naming.edges(block.words);
        if (!block.rest.empty()) {
          const std::unique_lock alone = shared.alone();
          line = walker.walk(block.rest, line + block.lines);
          naming.flush();
        } else {
          line += block.lines;
        }
        passed.add(chunk(i));
      });
  check_progress(run, 1.0);
  return line - 1;
}

// Each edge to the layer of its line.
struct OfOneLayer {
  LayeredEdges& edges;
  const LayerTable& layers;
  void add(VertexId u, VertexId v, double weight) { edges.add(u, v, weight, layers.last()); }
};

// Names the vertices and hands the edges to the builder; returns how many weigh 0.
template <class Builder>
std::int64_t walk_edges(const Dialect& dialect, std::string_view text, std::int64_t first_line,
                        const TextSource& source, const RunContext& run, Builder& builder,
                        GraphFile& file) {
  Naming naming(file.names, builder);
  if (dialect.bipartite) {
    TwoKinds kinds(naming);
    file.stats.lines = walk_text(dialect, text, first_line, source, run, kinds);
  } else if constexpr (std::is_same_v<Builder, GraphBuilder>) {
    file.stats.lines = walk_blocks(dialect, text, first_line, source, run, file.names, naming);
  } else {
    file.stats.lines = walk_text(dialect, text, first_line, source, run, naming);
  }
  naming.flush();
  return naming.zeros();
}

// What the second line of a KONECT file says.
void check_promises(const Dialect& dialect, const std::string& name, const GraphFile& file) {
  const auto refuse = [&](std::int64_t found, std::int64_t promised, const char* what) {
    bad_line(name, 2,
             std::to_string(promised) + " " + what + " are promised and " + std::to_string(found) +
                 " are there; the file is cut short or another's head stands over it");
  };
  if (dialect.promised_edges && file.stats.edges_given != *dialect.promised_edges)
    refuse(file.stats.edges_given, *dialect.promised_edges, "edges");
  if (dialect.promised_vertices && file.names.size() > *dialect.promised_vertices)
    refuse(file.names.size(), *dialect.promised_vertices, "vertices");
}

}  // namespace

void read_edge_list(const TextSource& source, const ReadOptions& options, const RunContext& run,
                    GraphFile& file) {
  const std::string_view text = without_lines(source.text(), options.table.skip_lines);
  const std::int64_t first_line = options.table.skip_lines + 1;
  Dialect dialect = sniff_dialect(text, source.name(), options, file.stats.notes);
  const auto build = [&] {
    file.names = VertexNames();
    LayerTable layers(options.layers);
    dialect.layers = &layers;
    const GraphBuilderOptions merging{.duplicates = options.duplicates,
                                      .opposite = options.opposite};
    GraphBuilder builder(0, merging);
    std::int64_t zeros = 0;
    if (dialect.layer) {
      LayeredEdges layered;
      OfOneLayer one_layer{layered, layers};
      zeros = walk_edges(dialect, text, first_line, source, run, one_layer, file);
      layered.hand_over(builder, merging);
    } else {
      zeros = walk_edges(dialect, text, first_line, source, run, builder, file);
    }
    layers.check(source.name());
    if (dialect.doubtful_header && (file.names.find(dialect.header_words[0]) != no_vertex ||
                                    file.names.find(dialect.header_words[1]) != no_vertex)) {
      return false;
    }
    builder.grow(file.names.size());
    try {
      file.graph = std::move(builder).finish(run.thread_count());
    } catch (const EdgeError& error) {
      const bool at_odds = options.opposite == OppositeArcs::error;
      EdgeLines(dialect, file.names.name(error.u()), file.names.name(error.v()), at_odds)
          .raise(text, first_line, source.name(), error.rule());
    } catch (const Error& error) {
      throw error.with_message(source.name() + ": " + error.what());
    }
    // NOLINTNEXTLINE(bugprone-use-after-move): finish() leaves the counts
    take_counts(builder.counts(), zeros, file.stats);
    check_promises(dialect, source.name(), file);
    return true;
  };
  if (build()) return;
  // The words of the header are ids further down, so it is an edge.
  dialect.header = false;
  dialect.doubtful_header = false;
  build();
}

}  // namespace gssl::detail
