// Labels of a changed graph from the scores of the one before: those of a fresh fit.

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_changes.hpp"
#include "gssl/learn/fit_record.hpp"
#include "gssl/transductive/warm_start.hpp"
#include "support/catch.hpp"

using namespace gssl;

namespace {

constexpr double tight = 1e-12;

// A grid with a label in every third place, and a change of a few edges in one corner of it.
struct World {
  Graph before = grid_graph(60, 60);
  Graph after;
  LabeledSet labels;

  explicit World(bool real = false) {
    std::vector<VertexId> vertices;
    std::vector<std::string> classes;
    std::vector<double> targets;
    Rng rng(4);
    for (VertexId v = 0; v < before.vertex_count(); v += 5) {
      vertices.push_back(v);
      classes.push_back(std::string(1, static_cast<char>('a' + rng.below(4))));
      targets.push_back(rng.uniform());
    }
    labels = real ? LabeledSet::targets(vertices, targets) : LabeledSet::classes(vertices, classes);
    const VertexId at = 20 * 60 + 21;
    const std::vector<EdgeChange> changes = {
        {at, at + 1, 0.0}, {at + 60, at + 61, 5.0}, {at, at + 122, 1.0}};
    after = with_changes(before, before.vertex_count(), changes);
  }
};

PreviousScores scores_of(const Fit& fit) {
  return {.scores = fit.scores.values, .class_names = fit.class_names};
}

double largest_difference(const Fit& a, const Fit& b) {
  double largest = 0.0;
  REQUIRE(a.scores.values.values().size() == b.scores.values.values().size());
  for (std::size_t i = 0; i < a.scores.values.values().size(); ++i)
    largest =
        std::max(largest, std::abs(a.scores.values.values()[i] - b.scores.values.values()[i]));
  return largest;
}

template <class Learner, class Options>
Fit fresh_fit(const Options& options, const Graph& graph, const LabeledSet& labels) {
  Fit fit = Learner(options).fit(graph, labels);
  fit.class_names = labels.class_names();
  return fit;
}

template <class Learner, class Options>
void check_same(const Options& options, const World& world, const LabeledSet& labels) {
  const Fit before = fresh_fit<Learner>(options, world.before, world.labels);
  const Fit fresh = fresh_fit<Learner>(options, world.after, labels);
  const WarmFit warm = fit_from(options, world.after, labels, scores_of(before));
  CHECK(warm.fit.report.converged());
  CHECK(largest_difference(warm.fit, fresh) < 1e-9);
  CHECK(warm.fit.scores.status == fresh.scores.status);
  CHECK(warm.fit.decision == fresh.decision);
  REQUIRE(warm.error_bound);
  CHECK(largest_difference(warm.fit, fresh) <= *warm.error_bound + 1e-10);
  CHECK(warm.solve.first_residual > 1e-4);
}

}  // namespace

TEST_CASE("scores from before become those of a fresh fit", "[warm_start]") {
  const World world, real(true);
  check_same<HarmonicLearner>(HarmonicOptions{.tolerance = tight}, world, world.labels);
  check_same<HarmonicLearner>(HarmonicOptions{.soft = 2.0, .tolerance = tight}, world,
                              world.labels);
  check_same<HarmonicLearner>(HarmonicOptions{.tolerance = tight}, real, real.labels);
  check_same<HarmonicLearner>(HarmonicOptions{.soft = 0.5, .tolerance = tight}, real, real.labels);
  check_same<LocalGlobalLearner>(LocalGlobalOptions{.alpha = 0.8, .tolerance = tight}, world,
                                 world.labels);
}

TEST_CASE("labels may come, go and be of new classes", "[warm_start]") {
  const World world;
  std::vector<VertexId> vertices;
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < world.labels.size(); ++i) {
    if (i == 100 || i == 101) continue;
    vertices.push_back(world.labels.vertices()[i]);
    classes.push_back(
        i == 102
            ? "new"
            : world.labels.class_names()[static_cast<std::size_t>(world.labels.class_of()[i])]);
  }
  vertices.push_back(1801);
  classes.emplace_back("b");
  const LabeledSet labels = LabeledSet::classes(vertices, classes);
  check_same<HarmonicLearner>(HarmonicOptions{.tolerance = tight}, world, labels);
  check_same<HarmonicLearner>(HarmonicOptions{.soft = 1.0, .tolerance = tight}, world, labels);
}

TEST_CASE("new vertices, and a component that gets its first label", "[warm_start]") {
  // A path 0…9 with labels at its ends, and a path 10…14 without.
  const auto path = [](bool joined) {
    std::vector<EdgeChange> edges;
    for (VertexId v = 0; v < 14; ++v)
      if (v != 9) edges.push_back({v, v + 1, 1.0});
    if (joined) edges.push_back({15, 4, 2.0});
    return with_changes(Graph({0}, {}, {}), joined ? 16 : 15, edges);
  };
  const LabeledSet old_labels = LabeledSet::classes({0, 9}, {"x", "y"});
  const LabeledSet labels = LabeledSet::classes({0, 9, 12}, {"x", "y", "y"});
  const HarmonicOptions options{.tolerance = tight};
  const Fit before = fresh_fit<HarmonicLearner>(options, path(false), old_labels);
  PreviousScores previous{.scores = Block(16, 2), .class_names = {"x", "y"}};
  std::ranges::copy(before.scores.values.values(), previous.scores.data());
  const WarmFit warm = fit_from(options, path(true), labels, previous);
  const Fit fresh = fresh_fit<HarmonicLearner>(options, path(true), labels);
  CHECK(largest_difference(warm.fit, fresh) < 1e-9);
  CHECK(warm.fit.scores.status == fresh.scores.status);
  const ScoreChanges changes = compare_scores(previous, warm.fit);
  REQUIRE(changes.flips.size() == 6);  // 10…14 and 15
  CHECK(changes.flips[0].vertex == 10);
  CHECK(changes.flips[0].before == "?");
  CHECK(changes.flips[0].now == "y");
  CHECK(changes.flips[0].confidence_before == 0.0);
  CHECK(changes.flips[0].confidence_now == Approx(1.0));

  // And back: what had a label in reach has none any more.
  const WarmFit back =
      fit_from(options, path(false), old_labels,
               {.scores = fresh.scores.values.rows() == 16 ? Block(15, 2, 0.5) : Block(),
                .class_names = {"x", "y"}});
  CHECK(largest_difference(back.fit, before) < 1e-9);
  CHECK(back.fit.scores.status[12] == VertexStatus::unreached);
}

TEST_CASE("what changed is counted by hand", "[warm_start]") {
  const PreviousScores before{.scores = Block(3, 2, {0.75, 0.25, 0.5, 0.5, 0.0, 0.0}),
                              .class_names = {"a", "b"}};
  Fit now;
  now.scores.values = Block(3, 2, {0.25, 0.75, 0.5, 0.5, 0.0, 1.0});
  now.class_names = {"b", "c"};
  now.decision = {1, 0, -1};
  now.confidence = {0.75, 0.5, 0.0};
  const ScoreChanges changes = compare_scores(before, now);
  REQUIRE(changes.flips.size() == 2);
  CHECK(changes.flips[0].before == "a");
  CHECK(changes.flips[0].now == "c");
  CHECK(changes.flips[0].confidence_before == 0.75);
  CHECK(changes.flips[1].vertex == 1);
  CHECK(changes.flips[1].now == "b");
  // a: 0.75 + 0.5; b: 0 + 0 + 0; c: 0.75 + 0.5 + 1.
  CHECK(changes.sum == Approx(3.5));
  CHECK(changes.largest == 1.0);
}

TEST_CASE("no score is further off than the bound, nor is that of the last class", "[warm_start]") {
  // One vertex among four of a class each: the errors of three scores add up in the fourth.
  std::vector<EdgeChange> edges;
  for (VertexId v = 0; v < 4; ++v) edges.push_back({v, 4, 1.0});
  const Graph star = with_changes(Graph({0}, {}, {}), 5, edges);
  const LabeledSet labels = LabeledSet::classes({0, 1, 2, 3}, {"a", "b", "c", "d"});
  Block scores(5, 4);
  for (VertexId v = 0; v < 4; ++v) scores(v, v) = 1.0;
  for (std::int64_t k = 0; k < 4; ++k) scores(4, k) = 0.2501;
  const WarmFit warm = fit_from(HarmonicOptions{.tolerance = 1e-3}, star, labels,
                                {.scores = scores, .class_names = labels.class_names()});
  REQUIRE(warm.error_bound);
  double largest = 0.0;
  for (const double score : warm.fit.scores.values.row(4))
    largest = std::max(largest, std::abs(score - 0.25));
  CHECK(largest == Approx(3e-4));
  CHECK(largest <= *warm.error_bound * (1.0 + 1e-9));
  CHECK(*warm.error_bound < 1e-3);
}

TEST_CASE("vertices behind the scores from before had no answer", "[warm_start]") {
  const PreviousScores before{.scores = Block(1, 2, {1.0, 0.0}), .class_names = {"a", "b"}};
  Fit now;
  now.scores.values = Block(2, 2, {1.0, 0.0, 0.25, 0.75});
  now.class_names = {"a", "b"};
  now.decision = {0, 1};
  now.confidence = {1.0, 0.75};
  const ScoreChanges changes = compare_scores(before, now);
  REQUIRE(changes.flips.size() == 1);
  CHECK(changes.flips[0].vertex == 1);
  CHECK(changes.flips[0].before == "?");
  CHECK(changes.sum == Approx(1.0));
  now.scores.values = Block(0, 2);
  CHECK_THROWS_AS(compare_scores(before, now), Error);
}

TEST_CASE("scores that do not fit are refused", "[warm_start]") {
  const World world;
  const Fit before = fresh_fit<HarmonicLearner>(HarmonicOptions{}, world.before, world.labels);
  PreviousScores scores = scores_of(before);
  CHECK_THROWS_AS(
      fit_from(HarmonicOptions{.mass = MassRule::cmn}, world.after, world.labels, scores), Error);
  scores.class_names.pop_back();
  CHECK_THROWS_AS(fit_from(HarmonicOptions{}, world.after, world.labels, scores), Error);
  scores = scores_of(before);
  scores.scores(3, 0) = std::nan("");
  CHECK_THROWS_AS(fit_from(HarmonicOptions{}, world.after, world.labels, scores), Error);
  scores.scores = Block(5, 4);
  CHECK_THROWS_AS(fit_from(HarmonicOptions{}, world.after, world.labels, scores), Error);
}

TEST_CASE("a fit comes back from its record", "[warm_start]") {
  const World world;
  Fit fit = fresh_fit<HarmonicLearner>(HarmonicOptions{}, world.before, world.labels);
  fit.report.warnings = {"one", "two"};
  fit.report.certificates = {{"x", {1.0, 2.0}}};
  const Fit again = fit_from(to_record(fit));
  CHECK(again.scores.values == fit.scores.values);
  CHECK(again.scores.status == fit.scores.status);
  CHECK(again.decision == fit.decision);
  CHECK(again.confidence == fit.confidence);
  CHECK(again.class_names == fit.class_names);
  CHECK(again.report.sentence == fit.report.sentence);
  CHECK(again.report.warnings == fit.report.warnings);
  CHECK(again.report.certificates.front().values == fit.report.certificates.front().values);
  CHECK(again.report.score_error == fit.report.score_error);
  CHECK_THROWS_AS(fit_from(Record()), Error);
}
