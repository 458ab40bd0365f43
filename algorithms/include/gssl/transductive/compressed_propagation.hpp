#pragma once
// Label propagation straight over compressed rows: the steps of label_propagation.hpp on a graph
// that is too large for plain ones.
//
//   const gssl::BinaryGraph file = gssl::BinaryGraph::open("web.gssl");
//   gssl::Fit fit = gssl::propagate_labels(*file.compressed(run), labeled, {}, run);
//
// Scores, status and report are those of LabelPropagationLearner::fit() on the same graph, up to the
// rounding of sums. Memory: 2 n×K doubles and 9 bytes a vertex beside the graph, none an edge. A
// step costs the decoding of all rows (compressed_graph.hpp) and O(K) an arc. Classes and real
// targets. The same bytes at any number of threads.

#include "gssl/graph/compressed_graph.hpp"
#include "gssl/transductive/label_propagation.hpp"

namespace gssl {

// Throws as TransductiveLearner::fit().
Fit propagate_labels(const CompressedGraph& graph, const LabeledSet& labeled,
                     const LabelPropagationOptions& options = {}, const RunContext& run = {});

}  // namespace gssl
