#pragma once
// The cumulative loss of gssl online in the report page: curve, caption, numbers.

#include <string>

#include "evaluation_results.hpp"

namespace gssl::tool {

// Of results with a "loss_curve"; "" without one.
std::string loss_figure(const Json& results);

}  // namespace gssl::tool
