#pragma once
// The leading eigenpairs of the weighted adjacency matrix W, each component for itself. Internal:
// not installed.
//
//   Spectrum s = detail::leading_pairs(graph, {.count = 3}, run);
//
// Each component gives its Perron pair (the largest eigenvalue, with a vector of one sign), then
// those of largest |λ| in the whole graph follow. The fields of Spectrum but for this:
//   values      first the Perron pairs, then the others; each kind by falling |λ|
//   residuals   ‖Wv − λv‖ over the Perron value of the component, ‖v‖ = 1
//   zero_count  0
// A pair that was not found, because the run was stopped or the iteration ended, has value 0, a
// zero vector and the residual 1.
//
// Dense matrices for small components, else Spectra's restarted Lanczos from a start vector that
// the seed gives: O(m + n·count) for each of its products, (2·count + 20)·8n bytes. It works on one
// vector at a time, so of a multiple eigenvalue some copies may be missed.

#include "gssl/linalg/spectrum.hpp"

namespace gssl::detail {

// Of the options count and tolerance. Throws ErrorCode::bad_data if a weighted degree overflows,
// ErrorCode::usage if a component of more than 40,000 vertices is to give a third of its pairs.
Spectrum leading_pairs(const Graph& graph, const SpectrumOptions& options, const RunContext& run);

}  // namespace gssl::detail
