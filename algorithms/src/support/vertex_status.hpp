#pragma once
// The status of every vertex: given, inferred, not reached by a label, tied. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/graph/components.hpp"

namespace gssl::detail {

// Vertices in components that hold no labeled vertex, ascending.
std::vector<VertexId> unreached_vertices(const Components& components, const LabeledSet& labeled);

std::vector<VertexStatus> vertex_status(VertexId vertex_count, const LabeledSet& labeled,
                                        const std::vector<VertexId>& unreached);

// Whether the learner found the class of a vertex by its scores: `tied` until they change.
inline bool is_found(VertexStatus status) {
  return status == VertexStatus::inferred || status == VertexStatus::tied;
}

// Inferred vertices where two classes have the largest score, to the last bit, become `tied`: the
// one rule for every learner that decides by scores. O(nK), the same for any number of threads.
void mark_ties(Scores& scores, int threads = 1);
// The same of one vertex.
void mark_tie(VertexStatus& status, std::span<const double> row);

}  // namespace gssl::detail
