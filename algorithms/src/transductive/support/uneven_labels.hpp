#pragma once
// Whether one class has many more labels than the others, for warnings. Internal: not installed.

#include <string>

#include "gssl/core/report.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl::detail {

// "class 'a' has 50 labels, the median class 1", where one has at least five times those of the
// median class; else, and for real targets, empty.
std::string uneven_labels(const LabeledSet& labeled);

// Warns that one class has at least five times the labels of the median class where `mass` is cmn:
// the labels then say what to make of the classes.
void warn_of_uneven_labels(const LabeledSet& labeled, MassRule mass, Report& report);

}  // namespace gssl::detail
