#pragma once
// Targets fitted by a p-Laplacian, and what certifies the fit.

#include <limits>
#include <stdexcept>

#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/transductive/p_laplacian.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

inline Fit fit_targets(const Graph& graph, const std::vector<VertexId>& given,
                       const std::vector<double>& values, PLaplacianOptions options,
                       int threads = 1) {
  return PLaplacianLearner(options).fit(graph, LabeledSet::targets(given, values),
                                        on_threads(threads));
}

}  // namespace gssl::test
