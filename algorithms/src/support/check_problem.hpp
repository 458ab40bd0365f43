#pragma once
// What every learner on a graph checks before it begins. Internal: not installed.

#include <string_view>

#include "gssl/data/labels.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

enum class Regression { supported, unsupported };

// Throws what TransductiveLearner::fit promises; `learner` begins the message.
void check_problem(std::string_view learner, const Graph& graph, const LabeledSet& labeled,
                   Regression regression);

}  // namespace gssl::detail
