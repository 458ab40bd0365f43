#pragma once
// exp(−tL)x by Chebyshev polynomials, with a proven error. Internal: not installed.
//
// On [0, λ], e^{−tx} = Σ c_k T_k(2x/λ − 1) with c_k = 2(−1)ᵏ e^{−z} I_k(z), c_0 = e^{−z} I_0(z) and
// z = tλ/2. What is cut off is at most Σ |c_k| over the rest, because |T_k| ≤ 1.

#include <functional>
#include <vector>

#include "gssl/core/block.hpp"

namespace gssl::detail {

struct ChebyshevSeries {
  std::vector<double> coefficients;  // c_0, c_1, …
  double error_bound = 0.0;          // of the sum, on all of [0, λ]
};

// The shortest that is within `tolerance`, or `most` terms. O(terms). Throws ErrorCode::usage where
// far more would be needed than `most`, so that nothing of use would come out.
ChebyshevSeries decay_series(double z, double tolerance, std::int64_t most);

// Σ c_k T_k(2L/λ − I) x; apply(x, y) sets y = L x. False if `stop` said so on the way.
bool apply_series(const ChebyshevSeries& series, double largest_eigenvalue,
                  const std::function<void(const Block&, Block&)>& apply,
                  const std::function<bool()>& stop, const Block& x, Block& result);

}  // namespace gssl::detail
