#pragma once
// What `gssl learners NAME` and `gssl help NAME` print of a learner.

#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl::tool {

std::string kinds_of(const LearnerEntry& entry);      // "inductive, transductive"
std::string spec_usage(const LearnerEntry& entry);    // "--method NAME:key=value,key=value"
std::string learner_page(const LearnerEntry& entry);  // with a table of its options

}  // namespace gssl::tool
