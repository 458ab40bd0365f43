// A disjunction of few of many features: mistakes of winnow grow with the logarithm of their number,
// those of the perceptron with their number.

#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"

using namespace gssl;

namespace {

constexpr int relevant = 3;
constexpr double density = 0.2;  // of features that are there: about as many rows of either class
constexpr int trials = 3000;

struct Mistakes {
  double winnow = 0.0, perceptron = 0.0, winnow_bound = 0.0;
};

Mistakes mistakes_of(std::int64_t features) {
  const LearnerRegistry registry = builtin_learners();
  const OnlineSetting setting{.width = features, .class_names = {"0", "1"}};
  const MadeLearner made[] = {registry.make("winnow:relevant=1/2/3"), registry.make("perceptron")};
  const auto winnow = made[0].online().start(setting);
  const auto perceptron = made[1].online().start(setting);
  Rng rng(static_cast<std::uint64_t>(features), 0);
  std::vector<double> row(static_cast<std::size_t>(features));
  for (int t = 0; t < trials; ++t) {
    for (double& x : row) x = rng.uniform() < density ? 1.0 : 0.0;
    const double outcome = row[0] + row[1] + row[2] > 0.0 ? 1.0 : 0.0;
    for (OnlineSession* session : {winnow.get(), perceptron.get()}) {
      session->predict({.values = row});
      session->update({.value = outcome});
    }
  }
  const OnlineReport report = winnow->report();
  return {.winnow = static_cast<double>(report.mistakes),
          .perceptron = static_cast<double>(perceptron->report().mistakes),
          .winnow_bound = report.bound.value_or(-1.0)};
}

}  // namespace

TEST_CASE("winnow grows with ln n where the perceptron grows with n", "[winnow-growth]") {
  const Mistakes few = mistakes_of(32), more = mistakes_of(128), many = mistakes_of(512);
  for (const auto& [mistakes, n] :
       {std::pair(few, 32.0), std::pair(more, 128.0), std::pair(many, 512.0)}) {
    CHECK(mistakes.winnow <= mistakes.winnow_bound);
    CHECK(mistakes.winnow_bound == Approx(3.0 * relevant * (std::log2(n) + 1.0) + 2.0));
  }
  // Four times the features: the bound adds 3·k·2 = 18 to the one and nothing limits the other.
  CHECK(more.winnow - few.winnow < 25.0);
  CHECK(many.winnow - more.winnow < 25.0);
  CHECK(more.perceptron > 2.0 * few.perceptron);
  CHECK(many.perceptron > 2.0 * more.perceptron);
}
