// Every option that may help where an error is thrown has a flag of the command.

#include <set>
#include <string>

#include "gssl/learn/registry.hpp"
#include "remedy_words.hpp"
#include "support/catch.hpp"

using namespace gssl;

TEST_CASE("Every remedy has a flag, in the order of the remedies", "[remedies]") {
  const auto words = tool::all_remedy_words();
  REQUIRE(words.size() == static_cast<std::size_t>(remedy_count));
  std::set<std::string> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string flag = words[i].flag == nullptr ? "" : words[i].flag;
    INFO(i << ": " << flag);
    CHECK(words[i].remedy == static_cast<Remedy>(i));
    CHECK((flag.starts_with("--") || flag.starts_with("gssl ")));
    CHECK(flags.insert(flag).second);
    CHECK(words[i].keyword != nullptr);
  }
}

TEST_CASE("The kinds of learners are remedies in the same order", "[remedies]") {
  CHECK(static_cast<Remedy>(LearnerKind::transductive) == Remedy::transductive);
  CHECK(static_cast<Remedy>(LearnerKind::points) == Remedy::points_learner);
  CHECK(static_cast<Remedy>(LearnerKind::inductive) == Remedy::inductive);
  CHECK(static_cast<Remedy>(LearnerKind::online) == Remedy::online);
  CHECK(static_cast<Remedy>(LearnerKind::clusterer) == Remedy::clusterer);
  CHECK(static_cast<Remedy>(LearnerKind::completer) == Remedy::completer);
  CHECK(static_cast<Remedy>(LearnerKind::criterion) == Remedy::criterion);
  CHECK(static_cast<Remedy>(LearnerKind::kernel) == Remedy::kernel);
  CHECK(static_cast<Remedy>(LearnerKind::graph_kernel) == Remedy::graph_kernel);
}

TEST_CASE("Front ends add their words to a message, in one order", "[remedies]") {
  const Error plain(ErrorCode::usage, "a");
  CHECK(tool::with_flags(plain) == "a");
  const Error two(ErrorCode::usage, "a", Remedy::id_column | Remedy::columns);
  CHECK(tool::with_flags(two) == "a (--columns, --id-column)");
  CHECK(tool::with_keywords(two) == "a (columns=, id_column=)");
  CHECK(tool::with_flags(two.with_message("FILE: a")) == "FILE: a (--columns, --id-column)");
  CHECK(tool::with_keywords(Error(ErrorCode::usage, "a", Remedy::categorical)) == "a");
}
