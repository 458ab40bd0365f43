// Shares of given labels, leave-one-out and suspects, against the learner itself.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "algorithms/fixtures.hpp"
#include "gssl/answer/explanation.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::vector<VertexId> all_vertices(const Graph& graph) {
  return identity_order(graph.vertex_count());
}

// `count` labels on the first vertices of a random order, classes by turns.
LabeledSet random_labels(VertexId n, int count, int class_count, std::uint64_t seed) {
  std::vector<VertexId> vertices = shuffled_order(n, seed);
  vertices.resize(static_cast<std::size_t>(count));
  std::vector<int> class_of;
  for (int i = 0; i < count; ++i) class_of.push_back(i % class_count);
  return classes(std::move(vertices), std::move(class_of), class_count);
}

// Shares times targets, one row for each explanation.
Block explained_scores(const Explanations& why, const LabeledSet& labeled) {
  const Block targets = labeled.target_block();
  Block scores(static_cast<std::int64_t>(why.of.size()), targets.columns());
  for (std::size_t i = 0; i < why.of.size(); ++i)
    for (const LabelShare& s : why.of[i].shares)
      for (std::int64_t k = 0; k < targets.columns(); ++k)
        scores(static_cast<std::int64_t>(i), k) +=
            s.share * targets(static_cast<std::int64_t>(s.label), k);
  return scores;
}

LabeledSet without(const LabeledSet& labeled, std::size_t skipped) {
  std::vector<VertexId> vertices = labeled.vertices();
  vertices.erase(vertices.begin() + static_cast<std::ptrdiff_t>(skipped));
  if (labeled.is_regression()) {
    std::vector<double> targets = labeled.target_of();
    targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(skipped));
    return LabeledSet::targets(std::move(vertices), std::move(targets));
  }
  std::vector<int> class_of = labeled.class_of();
  class_of.erase(class_of.begin() + static_cast<std::ptrdiff_t>(skipped));
  return LabeledSet::classes(std::move(vertices), std::move(class_of), labeled.class_names());
}

// The harmonic fit repeated without each label in turn.
Block refitted(const Graph& graph, const LabeledSet& labeled, const HarmonicOptions& options) {
  const HarmonicLearner learner(options);
  Block scores(static_cast<std::int64_t>(labeled.size()), labeled.target_block().columns());
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const Fit fit = learner.fit(graph, without(labeled, i), on_threads(1));
    std::ranges::copy(fit.scores.values.row(labeled.vertices()[i]),
                      scores.row(static_cast<std::int64_t>(i)).begin());
  }
  return scores;
}

double suspicion_of(const std::vector<Suspect>& suspects, std::size_t label) {
  return std::ranges::find(suspects, label, &Suspect::label)->suspicion;
}

// A class number for every vertex of a bundled data set.
std::vector<int> bundled_truth(const std::string& name, VertexId n) {
  std::vector<int> truth(static_cast<std::size_t>(n), -1);
  for (const auto& row : read_numbers(source_path("datasets/" + name + "/truth.tsv")))
    truth.at(static_cast<std::size_t>(row.at(0))) = static_cast<int>(row.at(1));
  return truth;
}

}  // namespace

TEST_CASE("on a path the shares are the distances to the two labels") {
  // x(0) - 1 - 2 - 3 - y(4)
  const Explanations why = explain(path_graph(5), classes({0, 4}, {0, 1}, 2),
                                   std::vector<VertexId>{1, 2, 0}, {}, on_threads(1));
  REQUIRE(why.of.size() == 3);
  REQUIRE(why.of[0].shares.size() == 2);
  CHECK(why.of[0].shares[0].label == 0);
  CHECK(why.of[0].shares[0].share == Approx(0.75));
  CHECK(why.of[0].shares[1].share == Approx(0.25));
  CHECK(why.of[1].shares[0].share == Approx(0.5));
  REQUIRE(why.of[2].shares.size() == 1);  // a given vertex speaks for itself
  CHECK(why.of[2].shares[0].label == 0);
  CHECK(why.of[2].shares[0].share == 1.0);
  REQUIRE(why.report.certificates.size() == 1);
  CHECK(why.report.certificates[0].name == "row_sums");
  CHECK(why.report.certificates[0].values.size() == 3);
}

TEST_CASE("shares sum to one and give back the harmonic scores") {
  for (const double soft : {0.0, 0.7}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const int parts = seed % 2 == 0 ? 2 : 1;
      const Graph graph = random_graph(60, 80, seed, parts);
      const LabeledSet labeled = random_labels(60, 9, 3, seed);
      const HarmonicOptions options{.soft = soft};
      const Explanations why = explain(graph, labeled, all_vertices(graph), options, on_threads(2));
      const Fit fit = HarmonicLearner(options).fit(graph, labeled, on_threads(1));
      INFO("soft " << soft << ", seed " << seed);
      CHECK(why.report.converged());
      CHECK(max_difference(explained_scores(why, labeled), fit.scores.values) < 1e-8);
      for (const Explanation& one : why.of) {
        CHECK(one.status == fit.scores.status[static_cast<std::size_t>(one.vertex)]);
        if (one.status == VertexStatus::unreached)
          CHECK(one.shares.empty());
        else
          CHECK(one.row_sum == Approx(1.0).margin(1e-9));
        CHECK(std::ranges::is_sorted(one.shares, std::ranges::greater{}, &LabelShare::share));
      }
    }
  }
}

TEST_CASE("shares of a regression give back its value") {
  const Graph graph = random_graph(40, 60, 3);
  const LabeledSet labeled = LabeledSet::targets({0, 7, 19, 33}, {-2.0, 5.0, 0.5, 1e3});
  const Explanations why = explain(graph, labeled, all_vertices(graph), {}, on_threads(1));
  const Fit fit = HarmonicLearner().fit(graph, labeled, on_threads(1));
  CHECK(max_difference(explained_scores(why, labeled), fit.scores.values) < 1e-7);
}

TEST_CASE("leave-one-out from one factorization is the fit without each label") {
  for (const double soft : {0.0, 2.5}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const int parts = seed % 2 == 0 ? 3 : 1;
      const Graph graph = random_graph(50, 60, seed, parts);
      const HarmonicOptions options{.soft = soft};
      INFO("soft " << soft << ", seed " << seed);
      for (const bool regression : {false, true}) {
        LabeledSet labeled = random_labels(50, 20, 4, seed);
        if (regression) {
          std::vector<double> targets;
          for (std::size_t i = 0; i < labeled.size(); ++i)
            targets.push_back(std::sin(1.0 + static_cast<double>(i)));
          labeled = LabeledSet::targets(labeled.vertices(), std::move(targets));
        }
        const LeaveOneOut found = leave_one_out(graph, labeled, options, on_threads(2));
        CHECK(found.report.converged());
        CHECK(max_difference(found.scores, refitted(graph, labeled, options)) < 1e-8);
        REQUIRE(found.report.certificates.size() == 1);
        CHECK(found.report.certificates[0].values[0] < 1e-8);
      }
    }
  }
}

TEST_CASE("leave-one-out keeps its digits where labels hardly touch each other") {
  // Two pairs of labels joined through a resistance of 1e12: y - S y / S_ii would lose them all.
  const Graph graph = graph_from_edges(4, {{0, 1, 1.0}, {1, 2, 1e-12}, {2, 3, 1.0}});
  const LabeledSet labeled = classes({0, 3}, {0, 1}, 2);
  const LeaveOneOut found = leave_one_out(graph, labeled, {}, on_threads(1));
  CHECK(found.scores(0, 1) == Approx(1.0));
  CHECK(found.scores(0, 0) == 0.0);
  CHECK(found.predicted == std::vector<bool>{true, true});
}

TEST_CASE("labels that fill the graph predict each other along its edges") {
  // 0 - 1 - 2 with weights 1 and 3; 3 stands alone
  const Graph graph = graph_from_edges(4, {{0, 1, 1.0}, {1, 2, 3.0}});
  const LabeledSet labeled = classes({0, 1, 2, 3}, {0, 1, 1, 0}, 2);
  const LeaveOneOut found = leave_one_out(graph, labeled, {}, on_threads(1));
  CHECK(found.report.used == "none");
  CHECK(found.scores(1, 0) == Approx(0.25));
  CHECK(found.scores(1, 1) == Approx(0.75));
  CHECK(found.scores(0, 1) == 1.0);
  CHECK(found.predicted == std::vector<bool>{true, true, true, false});
  const std::vector<Suspect> suspects = rank_suspects(labeled, found);
  // The vertex that shares the class of label 0 is in another component, and tells nothing about
  // it.
  CHECK(found.of_class == std::vector<bool>{false, true, true, false});
  CHECK(suspects[0].label == 1);
  CHECK(suspects[0].status == SuspectStatus::checked);
  CHECK(suspects[2].label == 0);
  CHECK(suspects[2].suspicion == 1.0);
  CHECK(suspects[2].status == SuspectStatus::only_of_class);
  CHECK(suspects.back().label == 3);
  CHECK(suspects.back().status == SuspectStatus::alone);
  CHECK(suspects.back().best == -1);
}

TEST_CASE("the only label of a class is no suspect before those that could be confirmed") {
  const std::vector<Suspect> suspects = [] {
    const LabeledSet labeled = classes({0, 1, 4}, {0, 0, 1}, 2);
    return rank_suspects(labeled, leave_one_out(path_graph(5), labeled, {}, on_threads(1)));
  }();
  CHECK(suspects.back().label == 2);
  CHECK(suspects.back().status == SuspectStatus::only_of_class);
  CHECK(suspects.back().suspicion == 1.0);
  CHECK(suspects.front().status == SuspectStatus::checked);
}

TEST_CASE("one class has no suspects") {
  const LabeledSet labeled = classes({0, 2}, {0, 0}, 1);
  for (const Suspect& s :
       rank_suspects(labeled, leave_one_out(star_graph(6), labeled, {}, on_threads(1)))) {
    CHECK(s.suspicion == -1.0);
    CHECK(s.own_score == 1.0);
  }
}

TEST_CASE("a flipped label on two cliques is the first suspect") {
  const Graph graph = two_cliques(8);
  std::vector<VertexId> vertices{0, 2, 4, 6, 9, 11, 13, 15};
  for (std::size_t flipped = 0; flipped < vertices.size(); ++flipped) {
    std::vector<int> class_of{0, 0, 0, 0, 1, 1, 1, 1};
    class_of[flipped] = 1 - class_of[flipped];
    const LabeledSet labeled = classes(vertices, class_of, 2);
    for (const double soft : {0.0, 1.0}) {
      const auto suspects =
          rank_suspects(labeled, leave_one_out(graph, labeled, {.soft = soft}, on_threads(1)));
      CHECK(suspects[0].label == flipped);
      CHECK(suspects[0].suspicion > 0.0);
      CHECK(suspects[1].suspicion < 0.0);
    }
  }
}

TEST_CASE("a flipped label among the digits is the first suspect") {
  constexpr VertexId n = 1797;
  std::vector<Edge> edges;
  for (const auto& row : read_numbers(source_path("datasets/digits/edges.tsv")))
    edges.push_back(
        {static_cast<VertexId>(row.at(0)), static_cast<VertexId>(row.at(1)), row.at(2)});
  const Graph graph = graph_from_edges(n, edges);
  const std::vector<int> truth = bundled_truth("digits", n);
  std::vector<VertexId> vertices = shuffled_order(n, 5);
  vertices.resize(100);
  std::vector<int> class_of;
  for (const VertexId v : vertices) class_of.push_back(truth[static_cast<std::size_t>(v)]);
  const LabeledSet clean = classes(vertices, class_of, 10);
  const std::vector<Suspect> before =
      rank_suspects(clean, leave_one_out(graph, clean, {}, on_threads(2)));
  // Labels that are beyond doubt, so that the flip and no hard digit comes first.
  int tried = 0;
  for (std::size_t flipped = 0; flipped < vertices.size() && tried < 5; ++flipped) {
    if (suspicion_of(before, flipped) > -0.9) continue;
    std::vector<int> wrong = class_of;
    wrong[flipped] = (wrong[flipped] + 5) % 10;
    const LabeledSet labeled = classes(vertices, wrong, 10);
    const auto suspects = rank_suspects(labeled, leave_one_out(graph, labeled, {}, on_threads(2)));
    CHECK(suspects[0].label == flipped);
    CHECK(suspects[0].best == class_of[flipped]);
    ++tried;
  }
  CHECK(tried == 5);
}

TEST_CASE("explanations have the same bytes at one and four threads") {
  const Graph graph = random_graph(9000, 20000, 11);
  const LabeledSet labeled = random_labels(9000, 40, 5, 2);
  const std::vector<VertexId> asked{0, 17, 8999, 4321};
  const Explanations one = explain(graph, labeled, asked, {}, on_threads(1));
  const Explanations four = explain(graph, labeled, asked, {}, on_threads(4));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    CHECK(one.of[i].row_sum == four.of[i].row_sum);
    REQUIRE(one.of[i].shares.size() == four.of[i].shares.size());
    for (std::size_t s = 0; s < one.of[i].shares.size(); ++s) {
      CHECK(one.of[i].shares[s].label == four.of[i].shares[s].label);
      CHECK(one.of[i].shares[s].share == four.of[i].shares[s].share);
    }
  }
  CHECK(leave_one_out(graph, labeled, {}, on_threads(1)).scores ==
        leave_one_out(graph, labeled, {}, on_threads(4)).scores);
}

TEST_CASE("wrong questions are refused, a stopped run says so") {
  const Graph graph = path_graph(5);
  const LabeledSet labeled = classes({0, 4}, {0, 1}, 2);
  const auto code = [&](const LabeledSet& given, VertexId v, const HarmonicOptions& options) {
    return error_of(
               [&] { explain(graph, given, std::vector<VertexId>{v}, options, on_threads(1)); })
        ->code();
  };
  CHECK(code(labeled, 5, {}) == ErrorCode::bad_data);
  CHECK(code(labeled, -1, {}) == ErrorCode::bad_data);
  CHECK(code(LabeledSet(), 1, {}) == ErrorCode::bad_data);
  CHECK(code(labeled, 1, {.mass = MassRule::cmn}) == ErrorCode::usage);
  CHECK(error_of([&] { leave_one_out(graph, labeled, {.soft = -1.0}, on_threads(1)); })->code() ==
        ErrorCode::usage);

  const std::atomic<bool> stop{true};
  RunContext run = on_threads(1);
  run.cancel = &stop;
  const Explanations why = explain(graph, labeled, std::vector<VertexId>{2}, {}, run);
  CHECK(why.report.outcome == Outcome::cancelled);
  CHECK(why.of[0].shares.empty());
  const LeaveOneOut loo = leave_one_out(graph, labeled, {}, run);
  CHECK(loo.report.outcome == Outcome::cancelled);
  CHECK(loo.report.certificates.empty());
  CHECK(!loo.complete);
  for (const Suspect& s : rank_suspects(labeled, loo)) CHECK(s.status == SuspectStatus::unfinished);
  for (const Suspect& s : rank_suspects(labeled, leave_one_out(graph, labeled, {}, on_threads(1))))
    CHECK(s.status == SuspectStatus::only_of_class);
}
