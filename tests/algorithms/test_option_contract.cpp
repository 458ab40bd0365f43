// Every option of everything in the registry, of any kind, refuses what is out of its range, and the
// message says which option of which learner it was.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/contract_support.hpp"
#include "algorithms/tested_learners.hpp"
#include "gssl/core/number_text.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::StartsWith;

namespace {

constexpr double boundless = std::numeric_limits<double>::infinity();

std::vector<std::string> wrong_reals(const RealRange& range) {
  std::vector<std::string> wrong = {"nan", "some", ""};
  if (std::isfinite(range.low))
    wrong.push_back(to_text(range.low_open ? range.low : std::nextafter(range.low, -boundless)));
  if (std::isfinite(range.high))
    wrong.push_back(to_text(range.high_open ? range.high : std::nextafter(range.high, boundless)));
  else if (range.high_open)
    wrong.emplace_back("inf");
  return wrong;
}

std::vector<std::string> wrong_integers(const IntegerRange& range) {
  std::vector<std::string> wrong = {"1.5", "some", ""};
  if (range.low > IntegerRange{}.low) wrong.push_back(std::to_string(range.low - 1));
  if (range.high < IntegerRange{}.high) wrong.push_back(std::to_string(range.high + 1));
  return wrong;
}

// Texts that are no value of the option; of a text every one is for the learner to judge.
std::vector<std::string> wrong_values(const OptionSpec& option) {
  switch (option.type) {
    case OptionSpec::Type::real: return wrong_reals(option.real_range);
    case OptionSpec::Type::integer: return wrong_integers(option.integer_range);
    case OptionSpec::Type::flag: return {"maybe", "1"};
    case OptionSpec::Type::choice: return {"none-of-these"};
    case OptionSpec::Type::text: break;
  }
  return {};
}

void check_refused(const LearnerRegistry& registry, const std::string& spec,
                   const std::string& beginning) {
  INFO(spec);
  const auto error = error_of([&] { registry.make(spec); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
  CHECK_THAT(error->what(), StartsWith(beginning));
}

}  // namespace

TEST_CASE("every option of every kind of learner refuses what is out of its range", "[kinds]") {
  const LearnerRegistry registry = tested_learners();
  int options = 0;
  for (const auto& entry : registry.entries()) {
    const OptionTable table = entry->all_options();
    for (const OptionSpec& option : table.specs()) {
      ++options;
      CHECK_FALSE(option.help.empty());
      for (const std::string& wrong : wrong_values(option))
        check_refused(registry, entry->name + ":" + option.name + "=" + wrong,
                      entry->name + ": option " + option.name + "=" + wrong + ": must be ");
    }
    check_refused(registry, entry->name + ":none-of-these=1",
                  entry->name + ": no option 'none-of-these'");
  }
  CHECK(options > 100);
}

TEST_CASE("every option of every kind of learner is given once", "[kinds]") {
  const LearnerRegistry registry = tested_learners();
  for (const auto& entry : registry.entries()) {
    const OptionTable table = entry->all_options();
    for (const OptionSpec& option : table.specs()) {
      if (option.type == OptionSpec::Type::text) continue;
      const std::string one = option.name + "=" + option.default_value;
      check_refused(registry, entry->name + ":" + one + "," + one,
                    entry->name + ": option " + option.name + " is given twice");
    }
  }
}
