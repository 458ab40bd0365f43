#pragma once
// Which operator the Lanczos iteration works on, why, and what came of it.
//
//   FoundPairs found = find_pairs(laplacian, wanted, options, run);

#include <string>
#include <vector>

#include "block_lanczos.hpp"
#include "gssl/linalg/spectrum.hpp"

namespace gssl::solve {

struct FoundPairs {
  RitzPairs pairs;
  std::string used;             // as in Spectrum
  std::string reason;           // for a sentence
  std::vector<VertexId> order;  // row r of the vectors was row order[r]; empty: where it was
};

// options.method is automatic, lanczos or inversion. A filter that turns out not to suit is
// replaced: by the inverse if the choice was ours, else by a wider filter.
// `laplacian` is used up, and left in the order found.
// Precondition: laplacian.size() ≥ least_rows(wanted).
FoundPairs find_pairs(ConnectedLaplacian& laplacian, std::int64_t wanted,
                      const SpectrumOptions& options, const RunContext& run);

}  // namespace gssl::solve
