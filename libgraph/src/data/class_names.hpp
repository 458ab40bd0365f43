#pragma once
// Names of classes in the order of the house: bytewise, or by value where all are integers.

#include <string>
#include <vector>

namespace gssl::detail {

// The number of each label's class; `names` becomes the distinct labels in order.
std::vector<int> number_classes(const std::vector<std::string>& label,
                                std::vector<std::string>& names);

}  // namespace gssl::detail
