#include "local_edges.hpp"

#include <limits>
#include <span>
#include <string_view>

#include "edge_walker.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "sniff_table.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

using detail::Dialect;

// Beyond the number of any header.
constexpr std::int64_t unknown_line = std::int64_t{1} << 50;

// Numbers the ids of some lines at a time, so that their look-ups wait for memory together.
class Collector {
 public:
  Collector(LocalEdges& edges, bool bipartite) : edges_(edges), bipartite_(bipartite) {}

  void edge(std::uint64_t u, std::uint64_t v, double weight) {
    if (bipartite_) return passing_edge(std::to_string(u), std::to_string(v), weight);
    keep(integers_, u, v, weight);
  }
  void edge(std::string_view u, std::string_view v, double weight) {
    if (bipartite_) return passing_edge(u, v, weight);
    keep(words_, HashedName(u), HashedName(v), weight);
  }
  void passing_edge(std::string_view u, std::string_view v, double weight) {
    if (bipartite_) {
      left_.assign(detail::left_prefix).append(u);
      right_.assign(detail::right_prefix).append(v);
      u = left_;
      v = right_;
    }
    keep(words_, HashedName(u), HashedName(v), weight);
    flush();
  }
  void vertex(std::string_view name) {
    flush();
    edges_.names.insert(name);
  }

  void flush() {
    number(integers_);
    number(words_);
  }

 private:
  static constexpr std::size_t batch = 64;
  template <class Id>
  struct Waiting {
    std::size_t edges = 0;
    std::array<Id, 2 * batch> ids;
    std::array<double, batch> weights;
  };

  template <class Id>
  void keep(Waiting<Id>& waiting, Id u, Id v, double weight) {
    if (waiting.edges == 0) flush();  // the others, which came first
    waiting.ids[2 * waiting.edges] = u;
    waiting.ids[2 * waiting.edges + 1] = v;
    waiting.weights[waiting.edges] = weight;
    if (++waiting.edges == batch) number(waiting);
  }

  template <class Id>
  void number(Waiting<Id>& waiting) {
    if (waiting.edges == 0) return;
    std::array<VertexId, 2 * batch> vertices;
    edges_.names.insert(std::span<const Id>(waiting.ids).first(2 * waiting.edges), vertices);
    for (std::size_t i = 0; i < waiting.edges; ++i)
      add(vertices[2 * i], vertices[2 * i + 1], waiting.weights[i]);
    waiting.edges = 0;
  }

  void add(VertexId u, VertexId v, double weight) {
    ++edges_.given;
    if (weight == 0.0) {
      ++edges_.zeros;
    } else if (u == v) {
      ++edges_.self_loops;
    } else {
      EdgeRun& run = edges_.runs.back();
      if (weight != 1.0 && run.weights.empty()) run.weights.assign(run.pairs.size(), 1.0);
      run.pairs.emplace_back(u, v);
      if (weight != 1.0 || !run.weights.empty()) run.weights.push_back(weight);
    }
  }

  LocalEdges& edges_;
  bool bipartite_;
  Waiting<std::uint64_t> integers_;
  Waiting<HashedName> words_;
  std::string left_;
  std::string right_;
};

struct Nothing {
  void edge(std::uint64_t, std::uint64_t, double) {}
  void edge(std::string_view, std::string_view, double) {}
  void passing_edge(std::string_view, std::string_view, double) {}
  void vertex(std::string_view) {}
};

// Walks a piece whose first line may have no number yet. What is wrong is found again with one.
template <class Sink>
std::int64_t walk_piece(const EdgeText& text, const Dialect& dialect, const TextPiece& piece,
                        Sink& sink) {
  const std::int64_t line = piece.first_line > 0 ? piece.first_line : unknown_line;
  try {
    return detail::Walker<Sink>(dialect, text.name(), sink).walk(piece.text, line) - line;
  } catch (const Error&) {
    if (piece.first_line > 0) throw;
    Nothing nothing;
    detail::Walker<Nothing>(dialect, text.name(), nothing).walk(piece.text, text.line_of(piece));
    throw;
  }
}

}  // namespace

LocalEdges read_local_edges(EdgeText& text, const ReadOptions& options, bool no_header,
                            const Communicator& ranks) {
  LocalEdges edges;
  Dialect dialect;
  together(ranks, [&] {
    const std::string_view head = detail::without_lines(text.head(), options.table.skip_lines);
    dialect = detail::sniff_dialect(head, text.name(), options, edges.notes);
  });
  if (no_header) dialect.header = dialect.doubtful_header = false;
  if (dialect.doubtful_header) {
    edges.header_words.assign(dialect.header_words.begin(), dialect.header_words.end());
    edges.header_note = dialect.header_note;
  }
  Collector collector(edges, dialect.bipartite);
  text.walk([&](const TextPiece& piece) {
    const std::size_t about = edges.runs.empty() ? 0 : edges.runs.back().pairs.size();
    edges.runs.emplace_back().pairs.reserve(about);
    edges.lines += walk_piece(text, dialect, piece, collector);
    collector.flush();
  });
  return edges;
}

}  // namespace gssl::mpi
