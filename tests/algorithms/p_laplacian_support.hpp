#pragma once
// Targets fitted by a p-Laplacian, and what certifies the fit.

#include <limits>
#include <stdexcept>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/p_laplacian.hpp"

namespace gssl::test {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

inline const Certificate& certificate(const Fit& fit, const std::string& name) {
  for (const Certificate& one : fit.report.certificates)
    if (one.name == name) return one;
  throw std::runtime_error("no certificate " + name);
}

inline Fit fit_targets(const Graph& graph, const std::vector<VertexId>& given,
                       const std::vector<double>& values, PLaplacianOptions options,
                       int threads = 1) {
  return PLaplacianLearner(options).fit(graph, LabeledSet::targets(given, values), run_on(threads));
}

}  // namespace gssl::test
