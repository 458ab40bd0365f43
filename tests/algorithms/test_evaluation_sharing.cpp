// What trials share and what they do not: Gram matrices, graphs to choose from, groups of columns,
// clusterers, memory.

#include <cmath>

#include "algorithms/fixtures.hpp"
#include "algorithms/linear_support.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "gssl/kernel/kernel_method.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

std::vector<VertexId> all_rows(std::int64_t n) { return identity_order(static_cast<VertexId>(n)); }

// Blobs of 4 in a ring of 40 vertices: parts 0 … 9 are cliques that hang together by one edge.
Graph ring_of_cliques() {
  std::vector<Edge> edges;
  for (VertexId c = 0; c < 10; ++c) {
    for (VertexId a = 0; a < 4; ++a)
      for (VertexId b = a + 1; b < 4; ++b) edges.push_back({4 * c + a, 4 * c + b});
    edges.push_back({4 * c + 3, (4 * c + 4) % 40});
  }
  return graph_from_edges(40, edges);
}

}  // namespace

TEST_CASE("fits that share a Gram matrix score as fits alone", "[evaluation-sharing]") {
  const Dataset data = random_classes(60, 3, 3, 71);
  const Dataset values = random_regression(60, 3, 72);
  const auto gram = std::make_shared<const GramMatrix>(
      GramMatrix{.values = make_kernel("gaussian(beta=0.5)")->block(data.points, data.points)});
  const auto other = std::make_shared<const GramMatrix>(
      GramMatrix{.values = make_kernel("gaussian(beta=0.5)")->block(values.points, values.points)});
  std::vector<std::int32_t> training, test;
  for (std::int32_t r = 0; r < 60; ++r) (r % 3 == 0 ? test : training).push_back(r);
  for (const std::string spec :
       {"svm:kernel=gaussian(beta=0.5),tolerance=1e-9", "kernel-ridge:kernel=gaussian(beta=0.5)",
        "svr:kernel=gaussian(beta=0.5),tolerance=1e-9"}) {
    CAPTURE(spec);
    const MadeLearner learner = made(spec);
    const auto* method = learner.as<KernelMethod>();
    REQUIRE(method != nullptr);
    CHECK(method->fixed_kernel() == "gaussian(beta=0.5)");
    const bool real = spec.starts_with("svr");
    const Dataset& all = real ? values : data;
    const Targets targets = all.targets.select(training);
    Report report;
    const Block shared =
        method->held_out_scores(real ? other : gram, training, targets, test, {}, report);
    const Trained alone =
        learner.inductive().fit(make_dataset(select(all.points, training), targets));
    CHECK(max_difference(shared, alone.model->scores(select(all.points, test))) < 1e-6);
    CHECK(report.converged() == alone.report.converged());
  }
  CHECK(made("svm").as<KernelMethod>()->fixed_kernel().empty());
  CHECK(made("svm:kernel=center(linear)").as<KernelMethod>()->fixed_kernel().empty());
  CHECK(made("svm:kernel=diffusion").as<KernelMethod>()->fixed_kernel().empty());
}

TEST_CASE("evaluating with a shared Gram matrix gives the accuracies of fits alone",
          "[evaluation-sharing]") {
  const Dataset data = random_classes(90, 2, 3, 73);
  const EvaluationProblem problem{
      .truth = data.targets, .vertices = all_rows(90), .points = &data.points};
  const std::vector<Trial> trials = fold_trials(data.targets, 5, 1, on_threads(1));
  const auto results = evaluate(builtin_learners(), problem, {"svm:kernel=gaussian(beta=1),c=1|10"},
                                trials, {}, on_threads(1));
  REQUIRE(results.size() == 5);
  for (const TrialResult& result : results) {
    const Split& split = trials[static_cast<std::size_t>(result.trial)].split;
    std::vector<VertexId> training(split.training.begin(), split.training.end());
    const Trained alone = made(result.chosen)
                              .inductive()
                              .fit(make_dataset(select(data.points, split.training),
                                                data.targets.select(split.training)));
    const Block scores = alone.model->scores(select(data.points, split.test));
    const auto decided = decide(scores, alone.model->score_kind());
    std::int64_t right = 0;
    for (std::size_t i = 0; i < split.test.size(); ++i)
      right += decided[i] == data.targets.class_of()[static_cast<std::size_t>(split.test[i])];
    CHECK(result.counts.right() == right);
  }
  CHECK(evaluate(builtin_learners(), problem, {"svm:kernel=gaussian(beta=1),c=1|10"}, trials, {},
                 on_threads(3))[2]
            .chosen == results[2].chosen);
}

TEST_CASE("grids of ridge that share systems choose as fits alone", "[evaluation-sharing]") {
  // Weights of 1 change nothing but that rows are not taken as they are, and nothing is shared.
  const Dataset data = random_classes(90, 4, 3, 75);
  const Dataset values = random_regression(90, 4, 76);
  const std::vector<std::string> methods = {
      "ridge:lambda=0.01|1|100|10000",       "ridge:bias=regularized,lambda=0.1|1000",
      "ridge:bias=none,lambda=1|1000",       "ridge:lambda=1e-300|0|1|path",
      "ridge:solver=dual,lambda=0.1|1000",   "ridge:basis=correlations,lambda=0.1|1000",
      "ridge:solver=iterative,lambda=1|1000"};
  for (const Dataset* one : {&data, &values}) {
    const bool real = one == &values;
    const EvaluationProblem shared{
        .truth = one->targets, .vertices = all_rows(90), .points = &one->points};
    EvaluationProblem apart = shared;
    apart.weights.assign(90, 1.0);
    const auto trials = fold_trials(one->targets, 3, 2, on_threads(1));
    const auto expected = evaluate(builtin_learners(), apart, methods, trials, {}, on_threads(1));
    for (const int threads : {1, 3}) {
      const auto found =
          evaluate(builtin_learners(), shared, methods, trials, {}, on_threads(threads));
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        INFO(expected[i].chosen);
        CHECK(found[i].error == expected[i].error);
        CHECK(found[i].chosen == expected[i].chosen);
        if (real)
          CHECK(found[i].errors.rmse == Approx(expected[i].errors.rmse));
        else
          CHECK(found[i].counts.right() == expected[i].counts.right());
      }
    }
  }
}

TEST_CASE("a learner on graphs chooses among graphs, one on rows does not",
          "[evaluation-sharing]") {
  const Graph good = ring_of_cliques();
  const Graph bad = random_graph(40, 60, 5);
  std::vector<int> class_of;
  std::vector<double> values;
  for (int v = 0; v < 40; ++v) {
    class_of.push_back(v < 20 ? 0 : 1);
    values.push_back(v);
  }
  const Points points = Points::dense(40, 1, values);
  EvaluationProblem problem{
      .truth = Targets::classes(class_of, {"a", "b"}), .vertices = all_rows(40), .points = &points};
  problem.graphs = {{"bad", &bad}, {"good", &good}};
  const std::vector<Trial> trials = fold_trials(problem.truth, 4, 1, on_threads(1));
  const auto results = evaluate(builtin_learners(), problem, {"harmonic", "nearest-mean"}, trials,
                                {}, on_threads(2));
  REQUIRE(results.size() == 8);
  for (const TrialResult& result : results) {
    if (result.method == 0) CHECK_THAT(result.chosen, Contains(" on good"));
    if (result.method == 1) CHECK_THAT(result.chosen, !Contains(" on "));
  }
}

TEST_CASE("without the columns that tell, a learner is worse", "[evaluation-sharing]") {
  const Dataset data = random_classes(120, 1, 2, 74);
  std::vector<double> values;
  Rng rng(9, 0);
  for (VertexId r = 0; r < 120; ++r) {
    values.push_back(data.targets.class_of()[static_cast<std::size_t>(r)] + 0.1 * rng.normal());
    values.push_back(0.1 * rng.normal());
  }
  const Points both = Points::dense(120, 2, values);
  std::vector<double> noise;
  for (VertexId r = 0; r < 120; ++r) noise.push_back(both.value(r, 1));
  FeatureTable without;
  without.points = Points::dense(120, 1, noise);
  EvaluationProblem problem{.truth = data.targets, .vertices = all_rows(120), .points = &both};
  problem.tables_of_method = {nullptr, &without};
  const auto trials = fold_trials(data.targets, 5, 1, on_threads(1));
  const auto results = evaluate(builtin_learners(), problem, {"nearest-mean", "nearest-mean"},
                                trials, {}, on_threads(1));
  const auto all = compare(results, trials, 2, Protocol::folds, false);
  CHECK(all[0].value.mean > 0.99);
  CHECK(all[1].value.mean < 0.75);
  problem.tables_of_method = {nullptr};
  const auto error = error_of([&] {
    evaluate(builtin_learners(), problem, {"nearest-mean", "nearest-mean"}, trials, {},
             on_threads(1));
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
}

TEST_CASE("a clusterer is measured by agreement, and named by the labels it is given",
          "[evaluation-sharing]") {
  const Graph graph = two_cliques(10);
  std::vector<int> class_of;
  for (int v = 0; v < 20; ++v) class_of.push_back(v < 10 ? 0 : 1);
  const EvaluationProblem problem{
      .truth = Targets::classes(class_of, {"a", "b"}), .vertices = all_rows(20), .graph = &graph};
  const std::int64_t rates[] = {1};
  const auto trials = label_rate_trials(problem.truth, rates, 3, on_threads(1));
  EvaluationOptions options{.measure_memory = true};
  const auto results = evaluate(builtin_learners(), problem, {"spectral", "harmonic"}, trials,
                                options, on_threads(1));
  for (const TrialResult& result : results) {
    CHECK(std::isnan(result.nmi) == (result.method == 1));
    if (result.method == 1) continue;
    CHECK(result.nmi == Approx(1.0));
    CHECK(result.ari == Approx(1.0));
    CHECK(result.accuracy() == 1.0);
  }
  const auto all = compare(results, trials, 2, Protocol::label_rates, false);
  REQUIRE(all[0].nmi);
  CHECK(*all[0].nmi == Approx(1.0));
  CHECK_FALSE(all[1].nmi);
  CHECK(all[0].memory >= 0);  // this system tells
  CHECK(error_of([&] {
          evaluate(builtin_learners(), {.truth = problem.truth, .vertices = problem.vertices},
                   {"spectral"}, trials, {}, on_threads(1));
        })->code() == ErrorCode::usage);
}
