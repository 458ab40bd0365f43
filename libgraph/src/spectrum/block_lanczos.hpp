#pragma once
// Thick-restart block Lanczos: the smallest eigenpairs of a Laplacian M off its null space, from an
// operator A that is a decreasing function of M there.
//
// Blocks of two or four vectors, as the operator wants them, orthogonalized against the whole
// basis. A block that loses rank is filled up with random directions. In exact arithmetic a block
// of w random vectors holds min(m, w) directions of each eigenspace of dimension m, so an
// eigenvalue with w copies among the pairs may have more: then the iteration starts again from
// other vectors, orthogonal to the pairs found, until nothing below the last of them comes up.
//
//   RitzPairs pairs = smallest_pairs(laplacian, *a, {.wanted = 9}, run);
//
// Time for each step: one application of A, one product with M, O(n·basis) for the basis. Memory:
// (basis + wanted + 20)·8n bytes.

#include <cstdint>

#include "connected_laplacian.hpp"
#include "krylov_basis.hpp"
#include "ritz_pairs.hpp"
#include "spectral_operator.hpp"

namespace gssl::solve {

struct LanczosOptions {
  std::int64_t wanted = 1;
  double tolerance = 1e-6;  // as in SpectrumOptions
  std::int64_t max_steps = 1000;
  // Pairs that were predicted to be good and were not, so often, show that the operator is no
  // better: an inverse with few digits.
  int most_misses = 8;
  // Full where the eigenvalues of the operator lie decades apart: what blocks lack of orthogonality
  // mixes the small ones with errors of the large ones.
  Orthogonality orthogonality = Orthogonality::sparing;
  bool stop_if_too_wide = false;  // see RitzPairs
  double stop_below = 0.0;        // too narrow if the last eigenvalue wanted lies below this
};

// The rows that a basis for so many pairs needs; a smaller Laplacian wants the dense method.
std::int64_t least_rows(std::int64_t wanted);

// A run that is cancelled returns within a moment with the first pairs that it can show by then,
// none or few if there are many rows and pairs; one that is out of time returns all that its basis
// holds. Precondition: laplacian.size() ≥ least_rows(wanted).
RitzPairs smallest_pairs(const ConnectedLaplacian& laplacian, SpectralOperator& a,
                         const LanczosOptions& options, const RunContext& run);

}  // namespace gssl::solve
