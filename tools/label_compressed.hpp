#pragma once
// gssl label over the mapped rows of a compressed graph, which are never expanded: what label
// propagation can do where plain rows do not fit.
//
//   if (sweeps_compressed(options, session, learner)) return label_compressed(session, options, learner);

#include "gssl/learn/registry.hpp"
#include "label_points.hpp"

namespace gssl::tool {

// Whether the graph is a compressed file, the method is label-propagation, and nothing is asked for
// that needs plain rows: no --truth, --report, --calibrate, --min-confidence, --unknown-labels add.
bool sweeps_compressed(const LabelOptions& options, const Session& session,
                       const MadeLearner& learner);

// Reads, labels, writes; the exit status.
int label_compressed(Session& session, const LabelOptions& options, const MadeLearner& learner);

}  // namespace gssl::tool
