#include "network_pieces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gssl::detail {

namespace {

using Index = std::size_t;

// The rows of component k as a system of their own, and their places in the whole.
void take_component(const GroundedLaplacian& whole, const std::vector<VertexId>& local,
                    NetworkPiece& piece) {
  const Graph& graph = whole.graph();
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors;
  std::vector<double> weights, ground;
  EdgeIndex entries = 0;
  for (const VertexId r : piece.row_of) entries += graph.row_end(r) - graph.row_begin(r);
  offsets.reserve(piece.row_of.size() + 1);
  neighbors.reserve(static_cast<Index>(entries));
  weights.reserve(static_cast<Index>(entries));
  ground.reserve(piece.row_of.size());
  for (const VertexId r : piece.row_of) {
    graph.visit_row(r, [&](VertexId u, double w) {
      neighbors.push_back(local[static_cast<Index>(u)]);
      weights.push_back(w);
    });
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
    ground.push_back(whole.ground()[static_cast<Index>(r)]);
  }
  piece.system = std::make_shared<const GroundedLaplacian>(
      Graph(std::move(offsets), std::move(neighbors), std::move(weights)), std::move(ground));
}

void list_edges(const DirichletProblem& problem, NetworkPiece& piece) {
  const Graph& graph = piece.system->graph();
  const Index inner = graph.neighbor_array().size() / 2;
  Index edges = inner;
  for (const VertexId r : piece.row_of)
    edges += static_cast<Index>(problem.coupling_offset[static_cast<Index>(r) + 1] -
                                problem.coupling_offset[static_cast<Index>(r)]);
  piece.from.reserve(edges);
  piece.to.reserve(edges);
  piece.weight.reserve(edges);
  piece.entry_from.reserve(inner);
  piece.entry_to.reserve(inner);
  // Rows are ascending, so the other entry of an edge is met in order when rows are walked upward.
  std::vector<EdgeIndex> cursor(graph.offset_array().begin(), graph.offset_array().end() - 1);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    for (EdgeIndex e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      const VertexId u = graph.neighbor_at(e);
      const EdgeIndex other = cursor[static_cast<Index>(u)]++;
      if (u < v) continue;
      piece.from.push_back(v);
      piece.to.push_back(u);
      piece.weight.push_back(graph.weight_at(e));
      piece.entry_from.push_back(e);
      piece.entry_to.push_back(other);
    }
  }
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto row = static_cast<Index>(piece.row_of[static_cast<Index>(v)]);
    for (EdgeIndex c = problem.coupling_offset[row]; c < problem.coupling_offset[row + 1]; ++c) {
      piece.from.push_back(v);
      piece.to.push_back(-1 - problem.coupling_label[static_cast<Index>(c)]);
      piece.weight.push_back(problem.coupling_weight[static_cast<Index>(c)]);
    }
  }
}

}  // namespace

std::optional<TerminalRange> terminal_range(const NetworkPiece& piece,
                                            std::span<const double> terminal_values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  TerminalRange range{infinity, -infinity};
  // Edges to terminals are the last ones.
  for (Index e = piece.to.size(); e-- > 0 && !piece.inside(e);) {
    range.low = std::min(range.low, terminal_values[piece.terminal(e)]);
    range.high = std::max(range.high, terminal_values[piece.terminal(e)]);
  }
  if (!(range.high > range.low)) return std::nullopt;
  return range;
}

double any_terminal(const NetworkPiece& piece, std::span<const double> terminal_values) {
  return terminal_values[piece.terminal(piece.to.size() - 1)];
}

std::vector<NetworkPiece> network_pieces(DirichletProblem problem) {
  const Components& components = problem.system.components();
  std::vector<NetworkPiece> pieces(static_cast<Index>(components.count));
  std::vector<VertexId> local(components.of.size());
  for (Index r = 0; r < components.of.size(); ++r) {
    NetworkPiece& piece = pieces[static_cast<Index>(components.of[r])];
    local[r] = static_cast<VertexId>(piece.row_of.size());
    piece.row_of.push_back(static_cast<VertexId>(r));
  }
  if (pieces.size() == 1) {
    pieces[0].system = std::make_shared<const GroundedLaplacian>(std::move(problem.system));
  } else {
    for (NetworkPiece& piece : pieces) take_component(problem.system, local, piece);
  }
  for (NetworkPiece& piece : pieces) list_edges(problem, piece);
  return pieces;
}

}  // namespace gssl::detail
