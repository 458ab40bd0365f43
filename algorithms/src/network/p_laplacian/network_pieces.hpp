#pragma once
// A Dirichlet problem in pieces: sets of free vertices that are connected without passing a labeled
// one. Given the labels the pieces know nothing of each other, so that a method whose scale or step
// is shared by all edges may be run on each alone.
//
//   DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
//   for (const NetworkPiece& piece : network_pieces(std::move(problem))) …
//
// O(n + m) time and memory for all pieces together. Internal: not installed.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::detail {

struct NetworkPiece {
  // Row r is row_of[r] of the problem; its edges to terminals are its ground.
  std::shared_ptr<const GroundedLaplacian> system;
  std::vector<VertexId> row_of;

  // The edges once each, those inside first. `to` is a row, or −1 − i for the i-th labeled vertex
  // of the problem.
  std::vector<VertexId> from, to;
  std::vector<double> weight;
  // Places of an inner edge in the rows of both ends.
  std::vector<EdgeIndex> entry_from, entry_to;

  bool inside(std::size_t e) const { return to[e] >= 0; }
  std::size_t terminal(std::size_t e) const { return static_cast<std::size_t>(-1 - to[e]); }
};

struct TerminalRange {
  double low = 0.0, high = 0.0;  // low < high
};

// Of the values at the terminals of this piece, one value for each labeled vertex of the problem;
// nothing if they are all one, so that the answer is any_terminal() everywhere.
std::optional<TerminalRange> terminal_range(const NetworkPiece& piece,
                                            std::span<const double> terminal_values);
double any_terminal(const NetworkPiece& piece, std::span<const double> terminal_values);

// The system of `problem` is moved into the piece when there is only one.
std::vector<NetworkPiece> network_pieces(DirichletProblem problem);

}  // namespace gssl::detail
