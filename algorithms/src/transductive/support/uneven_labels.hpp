#pragma once
// Whether one class has many more labels than the others, for warnings. Internal: not installed.

#include <string>

#include "gssl/data/labels.hpp"

namespace gssl::detail {

// "class 'a' has 50 labels, the median class 1", where one has at least five times those of the
// median class; else, and for real targets, empty.
std::string uneven_labels(const LabeledSet& labeled);

}  // namespace gssl::detail
