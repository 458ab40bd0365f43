// Edge lists. One walk checks every line, names the vertices and hands the edges to the builder as
// pairs of vertices: to keep 8 bytes an edge is cheaper than to parse and look up every id again.
// Lines are parsed on all threads; ids are numbered in the order of the file.
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "block_walker.hpp"
#include "commented_data.hpp"
#include "edge_dialect.hpp"
#include "edge_naming.hpp"
#include "edge_walker.hpp"
#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "layered_edges.hpp"
#include "sniff_table.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t edge_chunk_bytes = std::size_t{1} << 22;

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

// The text of an edge list, from the first line that counts on.
struct PiecedText {
  const TextSource& source;
  const RunContext& run;
  std::int64_t first_line;
  std::size_t begin;  // bytes before that line

  // Calls walk(piece, pieces) for the whole text, piece by piece.
  template <class Walk>
  void in_pieces(Walk&& walk) const {
    HeldTextRoom room(source, run);
    if (begin > 0) room.take(source.text().substr(0, begin));
    TextPieces pieces(source, begin);
    for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
      room.take(piece);
      walk(piece, pieces);
    }
    check_progress(run, 1.0);
  }
};

// What a walk over the text finds beside edges.
struct Walked {
  std::int64_t lines;
  CommentedData commented;
};

// Walks the text by `sink`, which hands its edges to `naming`.
template <class Sink, class Builder>
Walked walk_text(const Dialect& dialect, const PiecedText& text, Sink& sink,
                 Naming<Builder>& naming) {
  Walker<Sink> walker(dialect, text.source.name(), sink);
  std::int64_t line = text.first_line;
  text.in_pieces([&](std::string_view piece, const TextPieces& pieces) {
    for (const Chunk& chunk : cut_at_lines(piece, edge_chunk_bytes)) {
      check_progress(text.run, pieces.share_before(chunk.text.data()));
      text.source.sum(chunk.text);
      line = walker.walk(chunk.text, line);
      text.source.release(chunk.text);
    }
    naming.flush();  // its words are in the piece
  });
  return {line - 1, walker.commented()};
}

// The same on all threads.
Walked walk_blocks(const Dialect& dialect, const PiecedText& text, VertexNames& names,
                   Naming<GraphBuilder>& naming) {
  BlockWalker walker(dialect, text.source.name(), names, naming, text.run.thread_count(),
                     NameTables::beside, text.first_line);
  PassedText passed(text.source);
  std::int64_t blocks = 0;
  text.in_pieces([&](std::string_view piece, const TextPieces& pieces) {
    walker.walk(
        piece, [&](std::string_view block) { text.source.sum(block); },
        [&](std::string_view block) {
          check_block_progress(text.run, blocks++, pieces.share_before(block.data()));
          passed.add(block);
        });
  });
  return {walker.next_line() - 1, walker.commented()};
}

// Each edge to the layer of its line.
struct OfOneLayer {
  LayeredEdges& edges;
  const LayerTable& layers;
  void add(VertexId u, VertexId v, double weight) { edges.add(u, v, weight, layers.last()); }
};

// Names the vertices and hands the edges to the builder; adds what was found to `notes` and returns
// how many edges weigh 0.
template <class Builder>
std::int64_t walk_edges(const Dialect& dialect, const PiecedText& text, Builder& builder,
                        GraphFile& file, std::vector<std::string>& notes) {
  Naming naming(file.names, builder);
  const Walked walked = [&] {
    if (dialect.bipartite) {
      TwoKinds kinds(naming);
      return walk_text(dialect, text, kinds, naming);
    }
    if constexpr (std::is_same_v<Builder, GraphBuilder>)
      return walk_blocks(dialect, text, file.names, naming);
    else
      return walk_text(dialect, text, naming, naming);
  }();
  naming.flush();
  file.stats.lines = walked.lines;
  walked.commented.tell(notes);
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
  const bool skips = options.table.skip_lines > 0;  // any number of lines
  const std::string_view all = skips ? source.text() : source.head();
  const std::string_view start = without_lines(all, options.table.skip_lines);
  const PiecedText text{source, run, options.table.skip_lines + 1, all.size() - start.size()};
  Dialect dialect = sniff_dialect(start, source.name(), options, file.stats.notes);
  const auto build = [&] {
    file.names = VertexNames();
    LayerTable layers(options.layers);
    dialect.layers = &layers;
    const GraphBuilderOptions merging{.duplicates = options.duplicates,
                                      .opposite = options.opposite};
    GraphBuilder builder(0, merging);
    std::int64_t zeros = 0;
    std::vector<std::string> notes;
    if (dialect.layer) {
      LayeredEdges layered;
      OfOneLayer one_layer{layered, layers};
      zeros = walk_edges(dialect, text, one_layer, file, notes);
      layered.hand_over(builder, merging);
    } else {
      zeros = walk_edges(dialect, text, builder, file, notes);
    }
    layers.check(source.name());
    if (dialect.doubtful_header && (file.names.find(dialect.header_words[0]) != no_vertex ||
                                    file.names.find(dialect.header_words[1]) != no_vertex)) {
      return false;
    }
    if (!dialect.header_note.empty()) file.stats.notes.push_back(dialect.header_note);
    file.stats.notes.insert(file.stats.notes.end(), notes.begin(), notes.end());
    builder.grow(file.names.size());
    try {
      file.graph = std::move(builder).finish(run.thread_count());
    } catch (const EdgeError& error) {
      const bool at_odds = options.opposite == OppositeArcs::error;
      EdgeLines(dialect, file.names.name(error.u()), file.names.name(error.v()), at_odds)
          .raise(source.text().substr(text.begin), text.first_line, source.name(), error.rule());
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
  dialect.header = dialect.doubtful_header = false;
  dialect.header_note.clear();
  build();
}

}  // namespace gssl::detail
