#pragma once
// Forward and back substitution through one supernode, for a few right-hand sides side by side.
//
// Right-hand sides lie by rows, `lanes` doubles for each position, so that one entry of the factor
// serves all of them at once. The bytes of each are the same whatever the others hold.
//
//   substitute_forward(4, part, x, x);    // hands what the own columns know to the rows below
//   substitute_back(4, part, x);          // and fetches what those found

#include <cstdint>

#include "gssl/core/types.hpp"

namespace gssl::solve {

// Right-hand sides in one pass: the two widths there are kernels for.
inline constexpr int narrow_lanes = 4;
inline constexpr int wide_lanes = 8;

// One supernode, with its panel packed as packed_panels.hpp describes it.
struct SupernodePart {
  const double* doubles;  // the panel, or null if it is of floats
  const float* floats;
  const double* resistance;  // of each own column
  const double* share;       // with floats: each own column hands on this times what it has
  std::int64_t columns;
  std::int64_t first;    // position of the first own column
  const VertexId* rows;  // positions below
  std::int64_t below;
  // Rows below from this one on are looked up in `handed` instead: row i goes to row place[i −
  // inside] of it.
  std::int64_t inside;
  const VertexId* place;
};

// x[below] += P x[own].
void substitute_forward(int lanes, const SupernodePart& part, double* x, double* handed);

// x[own] = R x[own] + Pᵀ x[below], the last column first.
void substitute_back(int lanes, const SupernodePart& part, double* x);

}  // namespace gssl::solve
