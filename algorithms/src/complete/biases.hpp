#pragma once
// The biases of rows and columns of a matrix of which some cells are known. Internal: not
// installed.

#include "gssl/complete/completion.hpp"

namespace gssl::detail {

// mean, row_bias and column_bias that minimize Σ (a − mean − b_r − b_c)² + λ(Σb_r² + Σb_c²), mean
// that of all cells: rows and columns in turn until no bias changes by more than 1e-12 of the
// largest value. Adds the certificate "bias_objective".
void fit_biases(const Cells& cells, double lambda, const RunContext& run, Completion& completion);

// The cells with mean and biases taken away.
Cells without_biases(const Cells& cells, const Completion& completion);

// Biases as options ask, zero otherwise, and what is left of the cells.
Cells take_biases(const Cells& cells, bool biases, double lambda, const RunContext& run,
                  Completion& completion);

}  // namespace gssl::detail
