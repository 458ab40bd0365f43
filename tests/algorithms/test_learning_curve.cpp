// Learning curves: a hand-checked one, the promises of the header, and that asking well beats
// asking at random on real graphs.

#include <algorithm>
#include <atomic>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/learning_curve.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

LabeledSet truth_of(const std::vector<int>& class_of, int class_count) {
  return classes(identity_order(static_cast<VertexId>(class_of.size())), class_of, class_count);
}

// One label of each class, the first vertex of it.
LabeledSet first_of_each(const std::vector<int>& class_of, int class_count) {
  std::vector<VertexId> vertices;
  std::vector<int> of;
  for (int k = 0; k < class_count; ++k) {
    const auto at = std::ranges::find(class_of, k);
    vertices.push_back(static_cast<VertexId>(at - class_of.begin()));
    of.push_back(k);
  }
  return classes(std::move(vertices), std::move(of), class_count);
}

bool same(const LearningCurve& a, const LearningCurve& b) {
  return std::ranges::equal(a.points, b.points, [](const CurvePoint& p, const CurvePoint& q) {
    return p.asked == q.asked && p.mean == q.mean && p.sd == q.sd && p.repeats == q.repeats;
  });
}

CurveOptions low_rank_v_opt(int budget, int batch, int repeats) {
  return {
      .ask = {.criterion = Criterion::v_opt, .rank = 50, .noise = 0.01, .unreached_first = false},
      .budget = budget,
      .batch = batch,
      .repeats = repeats};
}

}  // namespace

TEST_CASE("one question to the other clique answers everything") {
  // vertices 0…5 are one class, 6…11 the other; only vertex 0 is given
  const Graph graph = two_cliques(6);
  const std::vector<int> class_of{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const CurveComparison found = compare_with_random(
      graph, classes({0}, {0}, 2), truth_of(class_of, 2), HarmonicLearner(),
      {.ask = {.criterion = Criterion::v_opt}, .budget = 2, .batch = 1, .repeats = 1},
      on_threads(1));
  REQUIRE(found.chosen.points.size() == 3);
  CHECK(found.chosen.points[0].asked == 0);
  CHECK(found.chosen.points[0].mean == Approx(5.0 / 11.0));
  CHECK(found.chosen.points[1].asked == 1);
  CHECK(found.chosen.points[1].mean == 1.0);
  CHECK(found.chosen.points[2].mean == 1.0);
  CHECK(found.chosen.area() == Approx((5.0 / 11.0 + 2.0) / 3.0));
  CHECK(found.random.points[0].mean == found.chosen.points[0].mean);
  CHECK(found.report.converged());
}

TEST_CASE("a curve ends with the vertices, and batches end with the budget") {
  const Graph graph = random_graph(12, 10, 3);
  const std::vector<int> class_of{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  const LabeledSet truth = truth_of(class_of, 2);
  const LabeledSet start = first_of_each(class_of, 2);
  const auto asked = [&](int budget, int batch) {
    std::vector<int> numbers;
    const CurveComparison found = compare_with_random(
        graph, start, truth, HarmonicLearner(),
        {.ask = {.criterion = Criterion::margin}, .budget = budget, .batch = batch, .repeats = 2},
        on_threads(1));
    for (const CurvePoint& p : found.chosen.points) {
      numbers.push_back(p.asked);
      CHECK(p.repeats == 2);
    }
    return numbers;
  };
  CHECK(asked(5, 2) == std::vector<int>{0, 2, 4, 5});
  CHECK(asked(99, 4) ==
        std::vector<int>{0, 4, 8});  // after ten questions nothing is left to measure
}

TEST_CASE("a point of the curve counts the questions that were asked, and random asks as many") {
  // path 0-1-2 with a label, path 3-…-8 without one: after the question that reaches it the scores
  // say nothing of its other vertices, so that the first round asks 3 of 5
  const Graph graph = graph_from_edges(9, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}});
  const LabeledSet truth = truth_of({0, 0, 1, 0, 0, 1, 1, 0, 0}, 2);
  const auto compare = [&](int budget, int repeats) {
    return compare_with_random(
        graph, classes({0}, {0}, 2), truth, HarmonicLearner(),
        {.ask = {.criterion = Criterion::margin}, .budget = budget, .batch = 5, .repeats = repeats},
        on_threads(1));
  };
  const CurveComparison one = compare(7, 1);
  const auto asked = [](const LearningCurve& curve) {
    std::vector<int> numbers;
    for (const CurvePoint& p : curve.points) numbers.push_back(p.asked);
    return numbers;
  };
  CHECK(asked(one.chosen) == std::vector<int>{0, 3, 7});
  CHECK(asked(one.random) == std::vector<int>{0, 3, 7});
  // one vertex is left to measure at the end, five after the first round
  CHECK(one.chosen.points[1].mean * 5.0 == Approx(std::round(one.chosen.points[1].mean * 5.0)));
  CHECK((one.random.points[2].mean == 0.0 || one.random.points[2].mean == 1.0));
  // later repeats may start in the other path: each number stands for the runs that came to it
  const CurveComparison many = compare(7, 12);
  REQUIRE(asked(many.chosen) == asked(many.random));
  CHECK(std::ranges::is_sorted(asked(many.chosen)));
  CHECK(many.chosen.points.front().repeats == 12);
  int shorter = 0;
  for (std::size_t i = 0; i < many.chosen.points.size(); ++i) {
    CHECK(many.chosen.points[i].repeats == many.random.points[i].repeats);
    shorter += many.chosen.points[i].repeats < 12;
  }
  CHECK(shorter > 0);
}

TEST_CASE("a curve may begin without a label, and each repeat draws its own start") {
  const Graph graph = random_graph(40, 30, 8, 3);
  std::vector<int> class_of;
  for (VertexId v = 0; v < 40; ++v) class_of.push_back(v % 3);  // the class is the component
  const CurveComparison found = compare_with_random(
      graph, LabeledSet(), truth_of(class_of, 3), HarmonicLearner(),
      {.ask = {.criterion = Criterion::v_opt}, .budget = 3, .batch = 1, .repeats = 1},
      on_threads(1));
  REQUIRE(found.chosen.points.size() == 4);
  CHECK(found.chosen.points[0].mean == 0.0);
  CHECK(found.chosen.points[3].mean == 1.0);  // one question for each component
  const CurveComparison varied = compare_with_random(
      graph, classes({0, 1}, {0, 1}, 2), truth_of(class_of, 3), HarmonicLearner(),
      {.ask = {.criterion = Criterion::random}, .budget = 4, .batch = 1, .repeats = 6},
      on_threads(1));
  CHECK(varied.random.points.empty());
  CHECK(varied.chosen.points[2].sd > 0.0);
}

TEST_CASE("asking well beats asking at random on digits and on Cora", "[large]") {
  constexpr VertexId n = 1797;
  std::vector<Edge> edges;
  for (const auto& row : read_numbers(source_path("datasets/digits/edges.tsv")))
    edges.push_back(
        {static_cast<VertexId>(row.at(0)), static_cast<VertexId>(row.at(1)), row.at(2)});
  std::vector<int> digits(static_cast<std::size_t>(n));
  for (const auto& row : read_numbers(source_path("datasets/digits/truth.tsv")))
    digits.at(static_cast<std::size_t>(row.at(0))) = static_cast<int>(row.at(1));
  const CurveComparison found = compare_with_random(
      graph_from_edges(n, edges), first_of_each(digits, 10), truth_of(digits, 10),
      HarmonicLearner(), low_rank_v_opt(40, 8, 4), on_threads(2));
  INFO("digits " << found.chosen.area() << " against " << found.random.area());
  CHECK(found.chosen.area() > found.random.area() + 0.03);

  const auto graph = shared_graph("cora", 2708);
  const std::vector<int> cora = shared_integers("data/graphs/cora/plain/cora.labels.txt");
  if (!graph || cora.empty()) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const CurveComparison papers =
      compare_with_random(*graph, first_of_each(cora, 7), truth_of(cora, 7), HarmonicLearner(),
                          {.ask = {.criterion = Criterion::model_change, .unreached_first = false},
                           .budget = 42,
                           .batch = 14,
                           .repeats = 3},
                          on_threads(2));
  INFO("cora " << papers.chosen.area() << " against " << papers.random.area());
  CHECK(papers.chosen.area() > papers.random.area() + 0.04);
}

TEST_CASE("a learning curve has the same bytes at one and four threads") {
  const Graph graph = random_graph(300, 500, 2, 2);
  std::vector<int> class_of;
  for (VertexId v = 0; v < 300; ++v) class_of.push_back(v % 2);
  const auto curve = [&](int threads) {
    return compare_with_random(graph, first_of_each(class_of, 2), truth_of(class_of, 2),
                               HarmonicLearner(), low_rank_v_opt(12, 4, 3), on_threads(threads));
  };
  const CurveComparison one = curve(1);
  const CurveComparison four = curve(4);
  CHECK(same(one.chosen, four.chosen));
  CHECK(same(one.random, four.random));
}

TEST_CASE("a learning curve refuses wrong input, and a stopped one says so") {
  const Graph graph = path_graph(4);
  const LabeledSet truth = truth_of({0, 0, 1, 1}, 2);
  const LabeledSet start = classes({0, 3}, {0, 1}, 2);
  const auto code = [&](const LabeledSet& from, const LabeledSet& answers, CurveOptions options) {
    return error_of([&] {
             compare_with_random(graph, from, answers, HarmonicLearner(), options, on_threads(1));
           })
        ->code();
  };
  CHECK(code(start, truth, {.budget = 0}) == ErrorCode::usage);
  CHECK(code(start, truth, {.batch = 0}) == ErrorCode::usage);
  CHECK(code(start, truth, {.repeats = 0}) == ErrorCode::usage);
  CHECK(code(start, LabeledSet(), {}) == ErrorCode::bad_data);
  CHECK(code(start, classes({9}, {0}, 1), {}) == ErrorCode::bad_data);
  CHECK(code(start, start, {}) == ErrorCode::bad_data);  // nothing to measure
  CHECK(code(start, LabeledSet::targets({1}, {2.0}), {}) == ErrorCode::usage);

  const std::atomic<bool> stop{true};
  RunContext run = on_threads(1);
  run.cancel = &stop;
  const CurveComparison found =
      compare_with_random(graph, start, truth, HarmonicLearner(), {}, run);
  CHECK(found.chosen.points.empty());
  CHECK(found.report.outcome == Outcome::cancelled);
}
