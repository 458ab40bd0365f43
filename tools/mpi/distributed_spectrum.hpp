#pragma once
// The k smallest eigenpairs of the Laplacian of a graph on several ranks, by SLEPc.
//
//   DistributedSpectrum s = smallest_eigenpairs(input, options, kind, run, ranks);   // collective
//   s.pairs.values[j];  s.pairs.residuals[j];  s.vectors(v, j);                   // own row v
//
// What a pair is, its residual and its sign are those of gssl/linalg/spectrum.hpp. Zeros are exact:
// the null vectors are those of the components, and SLEPc's Krylov–Schur iteration is kept
// orthogonal to them. It works on the inverse of D^-½ L D^-½ + ε, each application a solve by
// conjugate gradients (distributed_solver.hpp); values and residuals are computed anew from the
// vectors.

#include "distributed_input.hpp"
#include "distributed_solver.hpp"
#include "gssl/linalg/spectrum.hpp"

namespace gssl::mpi {

struct DistributedSpectrum {
  Spectrum pairs;  // without vectors
  Block vectors;   // own rows × pairs
  SolveReport solver;
};

// `options.count` pairs, or as many as there are vertices; the method is always the inverse.
DistributedSpectrum smallest_eigenpairs(const DistributedInput& input,
                                        const SpectrumOptions& options, Preconditioning kind,
                                        const RunContext& run, const Communicator& ranks);

}  // namespace gssl::mpi
