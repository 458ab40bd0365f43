#pragma once
// K classes by K−1 columns: the score of the last class is 1 − the sum of the others. Internal: not
// installed.

#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/labels.hpp"

namespace gssl::detail {

// One-hot rows sum to one and a harmonic solution keeps that, so K classes need K−1 columns; a
// regression needs its one. May have no column (K = 1).
Block reduced_targets(const LabeledSet& labeled);

// Scores of all classes from the solved ones. `row_of[r]` is the vertex of row r of `solved`.
// Values are first clamped to the range of their targets, which the exact solution obeys (maximum
// principle) and rounding or an early stop may not; the last class gets 1 − the sum of the others,
// or with three classes or more the largest of these where no more than the rounding of that sum
// parts the two: such a vertex is tied. Vertices not in `row_of` stay zero. Of `solved`, columns
// beyond those of `targets` are not looked at. The same for any number of threads.
Block scores_from_columns(Block solved, const std::vector<VertexId>& row_of, const Block& targets,
                          const LabeledSet& labeled, VertexId vertex_count, int threads);
// The same of columns in several blocks, one after the other. No `row_of`: row r is vertex r.
Block scores_from_columns(std::vector<Block> solved, const std::vector<VertexId>& row_of,
                          const Block& targets, const LabeledSet& labeled, VertexId vertex_count,
                          int threads);

// The same two rules for scores of all classes that are there already, in place; rows of unreached
// vertices are left. What keeps the rules is not written to.
void bound_scores(Block& scores, const std::vector<VertexStatus>& status, const LabeledSet& labeled,
                  int threads);

}  // namespace gssl::detail
