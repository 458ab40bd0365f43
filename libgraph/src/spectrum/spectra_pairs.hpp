#pragma once
// The smallest eigenpairs of a Laplacian off its null space by Spectra's implicitly restarted
// Lanczos iteration, on the inverse where a factor is affordable, else on bound·I − M.
//
//   FoundPairs found = spectra_pairs(laplacian, wanted, options, run);
//
// Spectra works on one vector at a time, which holds one direction of a multiple eigenvalue. So it
// runs again on what is orthogonal to the pairs found, until nothing below the last of them comes
// up. A run that is stopped has no pairs: Spectra hands out nothing before it ends.

#include "choose_spectrum.hpp"

namespace gssl::solve {

// Precondition: laplacian.size() ≥ least_rows(wanted).
FoundPairs spectra_pairs(const ConnectedLaplacian& laplacian, std::int64_t wanted,
                         const SpectrumOptions& options, const RunContext& run);

}  // namespace gssl::solve
