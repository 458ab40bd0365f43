// Learners that go by blocks of columns when memory is short: the same answers, in the memory given.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gssl/core/machine.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/transductive/fit_memory.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

constexpr VertexId side = 30;

LabeledSet labels(int classes) {
  std::vector<VertexId> at;
  std::vector<std::string> of;
  for (int i = 0; i < 3 * classes; ++i) {
    at.push_back(static_cast<VertexId>(side * side / (3 * classes) * i + i % 7));
    of.push_back("class" + std::to_string((5 * i) % classes));
  }
  return LabeledSet::classes(at, of);
}

RunContext with_limit(double bytes) {
  RunContext run;
  run.threads = 1;
  run.memory_limit = static_cast<std::size_t>(bytes);
  return run;
}

const std::vector<std::string> specs = {"auto",
                                        "harmonic",
                                        "harmonic:soft=0.7",
                                        "harmonic:mass=cmn",
                                        "poisson",
                                        "local-global",
                                        "local-global:mass=cmn",
                                        "label-propagation:tolerance=1e-10,max_iterations=100000"};

}  // namespace

TEST_CASE("a short memory changes how columns are solved, not what they say", "[memory]") {
  const Graph graph = grid_graph(side, side);
  const LabeledSet given = labels(6);
  const LearnerRegistry registry = builtin_learners();
  const FitMemory all = fit_memory(graph, 6, {.scores = true});
  for (const std::string& spec : specs) {
    INFO(spec);
    const MadeLearner made = registry.make(spec);
    const TransductiveLearner& learner = made.transductive();
    const Fit free = learner.fit(graph, given, with_limit(0.0));
    const Fit enough = learner.fit(graph, given, with_limit(1e12));
    CHECK(free.scores.values == enough.scores.values);
    CHECK(free.confidence == enough.confidence);
    // Just less than all columns together, and the least that is taken.
    const auto refused =
        test::error_of([&] { (void)learner.fit(graph, given, with_limit(1000.0)); });
    REQUIRE(refused);
    CHECK(refused->code() == ErrorCode::out_of_memory);
    for (const double limit : {all.bytes.high - 1.0, 0.7 * all.bytes.high}) {
      const Fit narrow = learner.fit(graph, given, with_limit(limit));
      CHECK(narrow.report.converged());
      CHECK(narrow.scores.status == free.scores.status);
      CHECK(test::max_difference(narrow.scores.values, free.scores.values) < 1e-6);
    }
  }
}

TEST_CASE("the bytes that a refusal names are enough", "[memory]") {
  const Graph graph = grid_graph(side, side);
  const LabeledSet given = labels(6);
  const LearnerRegistry registry = builtin_learners();
  for (const std::string& spec : specs) {
    INFO(spec);
    const MadeLearner made = registry.make(spec);
    std::size_t needed = 0;
    try {
      (void)made.transductive().fit(graph, given, with_limit(1.0));
    } catch (const MemoryError& error) {
      needed = error.needed();
    }
    REQUIRE(needed > 0);
    const auto limit = static_cast<double>(needed);
    CHECK(made.transductive().fit(graph, given, with_limit(limit)).report.converged());
    CHECK_THROWS_AS(made.transductive().fit(graph, given, with_limit(0.99 * limit)), MemoryError);
  }
}

TEST_CASE("what is planned grows with what is kept, and shrinks with the limit", "[memory]") {
  const NetworkSize size(5e7, 1e8, true);
  const FitMemory all = fit_memory(size, 10, {.scores = true});
  CHECK(all.columns == 10);
  CHECK_FALSE(all.is_short);
  CHECK(all.bytes.low <= all.bytes.high);
  CHECK(all.bytes.low >= 8.0 * size.rows * 10);
  // 24 GiB less the graph: fewer columns at a time.
  const FitMemory narrow = fit_memory(size, 10, {.scores = false}, with_limit(2.1e10));
  CHECK(narrow.is_short);
  CHECK(narrow.bytes.high <= 2.1e10);
  // Where few are given no copy of the graph is in the way.
  const FitMemory few = fit_memory(size, 10, {.scores = false, .given = 1e3}, with_limit(2.1e10));
  CHECK(few.columns >= narrow.columns);
  CHECK(few.bytes.high <= narrow.bytes.high - 30.0 * size.rows);
  CHECK(fit_memory(size, 1000, {.scores = false}).bytes.high <
        fit_memory(size, 1000, {.scores = true}).bytes.low);
  CHECK(fit_memory(size, 1000, {.scores = false, .top = 5}).bytes.low <
        fit_memory(size, 1000, {.scores = true}).bytes.low);
  CHECK_THROWS_AS(fit_memory(size, 10, {.scores = true}, with_limit(1e9)), MemoryError);
}

TEST_CASE("where no elimination fits, more is tried than conjugate gradients a column at a time",
          "[memory]") {
  const NetworkSize size(5e7, 1e8, true);
  const auto planned = [&](double bytes_of_vertex) {
    return fit_memory(size, 10, {.scores = false}, with_limit(bytes_of_vertex * size.rows));
  };
  const FitMemory least = planned(215.0), two = planned(290.0), levels = planned(320.0);
  CHECK(least.columns == 1);
  CHECK(two.columns == 2);
  // A multigrid for one column, which is worth more than several without.
  CHECK(levels.columns == 1);
  CHECK(levels.bytes.high > two.bytes.high);
  CHECK(levels.bytes.high <= 320.0 * size.rows);
  CHECK(planned(395.0).columns == 2);
}

TEST_CASE("the best classes are those of all scores", "[memory]") {
  const Graph graph = grid_graph(side, side);
  const LearnerRegistry registry = builtin_learners();
  for (const int classes : {4, 53}) {
    const LabeledSet given = labels(classes);
    for (const std::string& spec : specs) {
      INFO(spec << ", " << classes << " classes");
      const MadeLearner made = registry.make(spec);
      const Fit full = made.transductive().fit(graph, given, with_limit(0.0));
      TopClasses best;
      const Fit fit = fit_with_top(made.transductive(), graph, given, 3, best, with_limit(0.0));
      CHECK(fit.scores.values.rows() == 0);
      CHECK(fit.decision == full.decision);
      CHECK(fit.confidence == full.confidence);
      const TopClasses expected = top_classes(full.scores, 3);
      CHECK(best.rows() == graph.vertex_count());
      bool same = true;
      for (VertexId v = 0; v < best.rows(); ++v)
        same = same && std::ranges::equal(best.classes(v), expected.classes(v)) &&
               std::ranges::equal(best.scores(v), expected.scores(v));
      CHECK(same);
    }
  }
}

TEST_CASE("the best classes of wrong questions", "[memory]") {
  const Graph graph = path_graph(4);
  const LearnerRegistry registry = builtin_learners();
  const MadeLearner made = registry.make("harmonic");
  TopClasses best;
  const LabeledSet given = LabeledSet::classes({0, 3}, {"a", "b"});
  CHECK_THROWS_AS(fit_with_top(made.transductive(), graph, given, 0, best), Error);
  CHECK_THROWS_AS(
      fit_with_top(made.transductive(), graph, LabeledSet::targets({0}, {1.0}), 1, best), Error);
  // More than there are classes; a learner that knows nothing of it.
  for (const char* spec : {"harmonic", "nearest-label"}) {
    (void)fit_with_top(registry.make(spec).transductive(), graph, given, 9, best);
    CHECK(best.count() == 2);
    CHECK(best.classes(0)[0] == 0);
    CHECK(best.scores(0)[0] == 1.0);
    CHECK(best.classes(0)[1] == -1);
  }
}
