#pragma once
// The equation of tug-of-war with noise on one piece of a network:
//
//   G(u)_x = α (Σ_y w_xy u_y / d_x − u_x) + β (max_y s_xy (u_y − u_x) + min_y s_xy (u_y − u_x))
//
// at every row x, u given at the terminals; α, β ≥ 0, not both 0. With the two neighbors that the
// players pull to held fixed, a policy, −G is linear in u: a walk that ends at the terminals.
//
//   TugEquation equation(piece, game, start);
//   equation.defect(u, threads, g);                      // G of each row; u: rows, then terminals
//   equation.choose(u, threads, policy);
//   equation.sweep(true, target, 1.0, u);
//
// O(m) each. Internal: not installed.

#include <cstdint>
#include <span>
#include <vector>

#include "network_pieces.hpp"

namespace gssl::detail {

struct TugOfWar;

// For each row the place, among the entries of the equation, of the neighbor a player pulls to.
struct Policy {
  std::vector<EdgeIndex> most, least;
};

class TugEquation {
 public:
  // `piece` must outlive it. Rows are those of the piece by ascending `order`, as sweeps take them.
  TugEquation(const NetworkPiece& piece, const TugOfWar& game, std::span<const double> order);

  std::size_t rows() const { return row_of_.size(); }
  bool mixes() const { return alpha_ > 0.0; }
  bool weighted() const { return !weight_.empty(); }
  const Graph& pattern() const { return piece_.system->graph(); }

  // Row → row of the piece.
  const std::vector<VertexId>& row_of() const { return row_of_; }

  // The entries of row r are [begin(r), end(r)).
  EdgeIndex begin(std::size_t r) const { return begin_[r]; }
  EdgeIndex end(std::size_t r) const { return begin_[r + 1]; }
  // A row, or rows() + i for the i-th labeled vertex of the problem.
  VertexId neighbor(EdgeIndex e) const { return neighbor_[static_cast<std::size_t>(e)]; }
  // Rates at which the walk goes there: by chance from row r, and where a player pulls.
  double chance(std::size_t r, EdgeIndex e) const { return chance_[r] * weight(e); }
  double pull(EdgeIndex e) const { return pull_ * weight(e); }
  // Where it mixes: place in the neighbor_array() of pattern(); −1 for terminals.
  EdgeIndex place(EdgeIndex e) const { return place_[static_cast<std::size_t>(e)]; }

  void defect(std::span<const double> u, int threads, std::vector<double>& g) const;
  // The same with the policy of the second player held, which bounds G from above.
  void defect_against(std::span<const EdgeIndex> least, std::span<const double> u, int threads,
                      std::vector<double>& g) const;
  // Whether sign · G > 0 at every row, beyond the rounding of G.
  bool certain(int sign, std::span<const double> u, int threads) const;
  // α and both pulls of each row: G moves by that times what the row is moved by.
  std::vector<double> stiffness(const Policy& policy) const;
  // Where each player pulls now; ties go to the neighbor nearest to a terminal, so that nobody is
  // pulled in a circle.
  void choose(std::span<const double> u, int threads, Policy& policy) const;
  // Each row's strongest pull, where that is better than `most` by more than rounding. How many
  // changed.
  std::int64_t improve(std::span<const double> u, std::vector<EdgeIndex>& most) const;
  // One sweep towards G = target · stiffness, each row by `relaxation` times what would meet it:
  // Gauss–Seidel for 1.
  void sweep(bool forward, double target, double relaxation, std::vector<double>& u) const;

 private:
  double weight(EdgeIndex e) const {
    return weight_.empty() ? 1.0 : weight_[static_cast<std::size_t>(e)];
  }
  bool nearer(EdgeIndex e, EdgeIndex than) const;
  void find_depths();
  template <bool weights, bool chance>
  void sweep_rows(bool forward, double target, double relaxation, double* u) const;
  // Calls body(row, Σ chance·step, greatest and least pull, Σ |chance·step|), on several threads.
  template <class Body>
  void each_row(std::span<const double> u, int threads, Body&& body) const;

  const NetworkPiece& piece_;
  double alpha_;
  std::vector<VertexId> row_of_;
  std::vector<EdgeIndex> begin_;  // row → its first entry; one more
  std::vector<VertexId> neighbor_;
  std::vector<double> weight_;    // empty where all are one, or do not matter
  std::vector<EdgeIndex> place_;  // empty unless it mixes
  std::vector<double> chance_;    // α/d of each row
  double pull_ = 1.0;             // β s for weight 1
  std::vector<VertexId> depth_;   // edges to the nearest terminal, of rows and terminals
};

}  // namespace gssl::detail
