#pragma once
// One multigrid cycle over finished levels.
//
// Vectors hold potentials x = M r, with M the diagonal of damped inverses, in place of currents r.
// A Jacobi step for A x = r is then x ← x₀ + S x with S = I − M A, and S x₀ is M times the residual
// of x₀. Nothing but S and the transfers is ever applied:
//
//   t = S x,  y = R t,  y ← coarse cycle,  t = x + P y,  x ← x + S t
//
// As the steps before and after are the same, the cycle is symmetric; it is positive definite
// because the eigenvalues of M A are below 2.

#include <memory>
#include <vector>

#include "gssl/graph/graph.hpp"
#include "multigrid_matrix.hpp"
#include "solve/method/preconditioner.hpp"

namespace gssl::solve {

struct MultigridLevel {
  VertexId size = 0;
  // S off its diagonal: m_v·w at each entry of row v; no values when all weights are 1. `offset`
  // and `column` point into it, or into the graph on the finest level.
  FloatRows coupling;
  const EdgeIndex* offset = nullptr;
  const VertexId* column = nullptr;
  std::vector<float> own;     // the diagonal of S
  std::vector<float> step;    // m
  FloatRows interpolation;    // P
  FloatRows restriction;      // R: the next level's M, Pᵀ, M⁻¹
  bool visits_twice = false;  // the next level
};

// `finest_step`: m of the finest rows, or empty where the first level has them.
// `coarsest`: A⁻¹M⁻¹ of the level after the last, dense, row after row.
std::unique_ptr<Preconditioner> make_multigrid_cycle(std::shared_ptr<const Graph> graph,
                                                     std::vector<float> finest_step,
                                                     std::vector<MultigridLevel> levels,
                                                     std::vector<double> coarsest);

}  // namespace gssl::solve
