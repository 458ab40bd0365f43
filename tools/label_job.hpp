#pragma once
// One run of `gssl label`: what is asked → graph, labels and learner → answer → outputs.

#include "label_points.hpp"

namespace gssl::tool {

// Returns the exit status.
int label(Session& session, const LabelOptions& asked);

}  // namespace gssl::tool
