#pragma once
// The learners that contract tests run over. A program of another tested_learners.cpp holds others to
// the same contracts (tests/examples/begun_learners.cpp).

#include <string>
#include <vector>

#include "gssl/learn/registry.hpp"

namespace gssl::test {

LearnerRegistry tested_learners();

// SPECs of online learners among them whose options make other forms than the default's.
std::vector<std::string> tested_online_forms();

}  // namespace gssl::test
