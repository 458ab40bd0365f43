// The learners that begin_learners.sh began, alone: held to the contracts of their kinds.

#include "algorithms/tested_learners.hpp"
#include "support/catch.hpp"

namespace gssl {

// builtin_learners() of the changed builtin.cpp, which CMakeLists.txt compiles by this name.
LearnerRegistry builtin_and_begun_learners();

namespace test {

LearnerRegistry tested_learners() {
  const LearnerRegistry all = builtin_and_begun_learners();
  LearnerRegistry begun;
  for (const auto& entry : all.entries())
    if (entry->name.starts_with("begun-")) begun.add(*entry);
  return begun;
}

std::vector<std::string> tested_online_forms() { return {}; }

}  // namespace test
}  // namespace gssl

TEST_CASE("tools/new-learner.sh registers a learner of each kind") {
  const gssl::LearnerRegistry begun = gssl::test::tested_learners();
  REQUIRE(begun.entries().size() == 3);
  CHECK(begun.of_kinds({gssl::LearnerKind::transductive}).size() == 1);
  CHECK(begun.of_kinds({gssl::LearnerKind::inductive}).size() == 1);
  CHECK(begun.of_kinds({gssl::LearnerKind::online}).size() == 1);
}
