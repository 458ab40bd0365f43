#pragma once
// A local part of a resistance. For any x, with c = b − Lx,
//
//   bᵀL⁺b = 2bᵀx − xᵀLx + cᵀL⁺c,
//
// and Gauss–Seidel steps at single vertices, x_v += c_v/d_v, move c_v²/d_v from the last term to
// the others. They are taken where they gain most for their cost (Southwell 1940), which is at the
// vertices of low degree around b: what flows into a hub is left there, since it spends little.
// Internal: not installed.
//
//   Relaxation relaxation(graph, degree);
//   relaxation.start({u, v});
//   relaxation.reduce(0.02, 10'000);
//   relaxation.energy();     // 2bᵀx − xᵀLx
//   relaxation.remainder();  // c, sparse

#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl::detail {

class Relaxation {
 public:
  // `degree` is weighted, and > 0 wherever a start leads.
  Relaxation(const Graph& graph, const std::vector<double>& degree);

  // x = 0 and b = e_u − e_v, or e_u alone if v is no_vertex.
  void start(const VertexPair& b);

  // Steps until Σ c_v²/d_v ≤ share·energy() or `most_visits` entries have been read since start().
  // What comes out depends on the arguments of these calls alone.
  void reduce(double share, std::int64_t most_visits);

  double energy() const { return energy_; }
  double sum() const { return sum_; }  // of x
  std::int64_t visits() const { return visits_; }
  // The vertices with c ≠ 0, and c.
  std::vector<std::pair<VertexId, double>> remainder() const;

 private:
  double squared_step(VertexId v) const;  // (c_v/d_v)²: what a step gains for each entry it reads
  void touch(VertexId v);
  void step(VertexId v, double threshold);

  const Graph& graph_;
  const std::vector<double>& degree_;
  std::vector<double> c_;
  std::vector<char> touched_, waiting_;
  std::vector<VertexId> reached_, queue_;
  double energy_ = 0.0, sum_ = 0.0;
  std::int64_t visits_ = 0;
};

}  // namespace gssl::detail
