// Many classes are solved a few columns at a time. The slow twins solve each class against the
// rest, or all columns at once.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "certificates.hpp"
#include "gssl/data/checkpoint.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/transductive/automatic.hpp"
#include "gssl/transductive/consensus.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/poisson.hpp"
#include "gssl/transductive/poisson_reweighted.hpp"
#include "gssl/transductive/properly_weighted.hpp"
#include "gssl/transductive/wnll.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "transductive/support/poisson_source.hpp"

namespace {

using namespace gssl;
using gssl::test::on_threads;

constexpr int class_count = 53;  // more than two blocks of columns, and part of one
constexpr VertexId vertices = 420;

// A random connected graph of 400 vertices, and a path of 20 without labels.
Graph connected_and_path() {
  Rng rng(3);
  std::vector<Edge> edges;
  for (VertexId v = 1; v < 400; ++v)
    for (int i = 0; i < 3; ++i)
      edges.push_back({static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(v))), v,
                       0.1 + rng.uniform()});
  for (VertexId v = 401; v < vertices; ++v) edges.push_back({v - 1, v, 1.0});
  return graph_from_edges(vertices, edges);
}

std::vector<std::string> names(int count) {
  std::vector<std::string> list;
  for (int k = 0; k < count; ++k) list.push_back("class " + std::to_string(k));
  return list;
}

// Two labels of each class but the last, which has none.
LabeledSet two_of_each() {
  std::vector<VertexId> at;
  std::vector<int> of;
  for (int i = 0; i < 2 * (class_count - 1); ++i) {
    at.push_back(3 * i + i % 2);
    of.push_back((7 * i) % (class_count - 1));
  }
  return LabeledSet::classes(at, of, names(class_count));
}

LabeledSet one_against_rest(const LabeledSet& labeled, int k) {
  std::vector<int> of;
  for (const int c : labeled.class_of()) of.push_back(c == k ? 0 : 1);
  return LabeledSet::classes(labeled.vertices(), of, {"it", "rest"});
}

std::vector<double> uneven_priors() {
  std::vector<double> priors;
  for (int k = 0; k < class_count; ++k) priors.push_back(k % 5 == 4 ? 0.0 : 1.0 + k);
  return priors;
}

// Decision and confidence follow from the scores, and are the same where these are not kept.
void check_decisions(const TransductiveLearner& learner, const Fit& fit, const Graph& graph,
                     const LabeledSet& labeled, bool soft) {
  const Fit bare = learner.fit_without_scores(graph, labeled, on_threads(1));
  CHECK(bare.scores.values.rows() == 0);
  CHECK(bare.scores.status == fit.scores.status);
  CHECK(bare.decision == fit.decision);
  CHECK(bare.confidence == fit.confidence);
  const std::vector<int> decision = fit.scores.decide();
  for (VertexId v = 0; v < vertices; ++v) {
    const auto at = static_cast<std::size_t>(v);
    CHECK(fit.decision[at] == decision[at]);
    const auto row = fit.scores.values.row(v);
    double sum = 0.0;
    for (const double score : row) sum += score;
    if (fit.scores.status[at] == VertexStatus::unreached) {
      CHECK(sum == 0.0);
      CHECK(fit.confidence[at] == 0.0);
      continue;
    }
    CHECK(sum == Approx(1.0).epsilon(1e-12));
    if (soft || fit.scores.status[at] == VertexStatus::inferred)
      CHECK(fit.confidence[at] == Approx(*std::ranges::max_element(row)).epsilon(1e-12));
    else
      CHECK(fit.confidence[at] == 1.0);
  }
}

}  // namespace

TEST_CASE("each of many classes has the harmonic scores that it has against the rest") {
  const Graph graph = connected_and_path();
  const LabeledSet labeled = two_of_each();
  for (const double soft : {0.0, 0.7}) {
    const HarmonicLearner learner({.soft = soft});
    const Fit fit = learner.fit(graph, labeled, on_threads(2));
    CHECK(fit.report.converged());
    CHECK(fit.report.relative_residual() <= 1e-10);
    for (const int k : {0, 19, 20, 41, class_count - 1}) {
      const Fit twin = learner.fit(graph, one_against_rest(labeled, k), on_threads(1));
      for (VertexId v = 0; v < vertices; ++v)
        CHECK(fit.scores.values(v, k) == Approx(twin.scores.values(v, 0)).margin(1e-8));
    }
    check_decisions(learner, fit, graph, labeled, soft > 0.0);
  }
}

TEST_CASE("reweighted kin of harmonic take many classes a few at a time, too", "[columns]") {
  const Graph graph = connected_and_path();
  const LabeledSet labeled = two_of_each();
  const std::vector<std::unique_ptr<TransductiveLearner>> learners = [] {
    std::vector<std::unique_ptr<TransductiveLearner>> list;
    list.push_back(std::make_unique<WnllLearner>());
    list.push_back(std::make_unique<ProperlyWeightedLearner>());
    list.push_back(std::make_unique<PoissonReweightedLearner>());
    list.push_back(std::make_unique<ConsensusLearner>(ConsensusOptions{.tolerance = 1e-12}));
    return list;
  }();
  for (const auto& learner : learners) {
    const Fit fit = learner->fit(graph, labeled, on_threads(2));
    CHECK(fit.report.converged());
    for (const int k : {0, 20, class_count - 1}) {
      const Fit twin = learner->fit(graph, one_against_rest(labeled, k), on_threads(1));
      for (VertexId v = 0; v < vertices; ++v)
        CHECK(fit.scores.values(v, k) == Approx(twin.scores.values(v, 0)).margin(1e-7));
    }
    check_decisions(*learner, fit, graph, labeled, false);
  }
  const PoissonReweightedLearner decaying({.tau = 0.01});
  const Fit fit = decaying.fit(graph, labeled, on_threads(2));
  for (const int k : {0, 20}) {
    const Fit twin = decaying.fit(graph, one_against_rest(labeled, k), on_threads(1));
    for (VertexId v = 0; v < vertices; ++v)
      CHECK(fit.scores.values(v, k) == Approx(twin.scores.values(v, 0)).margin(1e-8));
  }
}

TEST_CASE("the mass of many classes is rescaled as if all columns were there") {
  const Graph graph = connected_and_path();
  const LabeledSet labeled = two_of_each();
  for (const double soft : {0.0, 0.7})
    for (const MassRule mass : {MassRule::cmn, MassRule::priors}) {
      HarmonicOptions options{.soft = soft, .mass = mass};
      if (mass == MassRule::priors) options.priors = uneven_priors();
      const HarmonicLearner learner(options);
      const Fit fit = learner.fit(graph, labeled, on_threads(2));
      const Fit plain = HarmonicLearner({.soft = soft}).fit(graph, labeled, on_threads(1));
      std::vector<double> proportion(class_count, 2.0), total(class_count, 0.0);
      proportion.back() = 0.0;
      if (mass == MassRule::priors) proportion = uneven_priors();
      const auto inferred = [&](VertexId v) {
        return fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::inferred;
      };
      for (VertexId v = 0; v < vertices; ++v)
        for (int k = 0; k < class_count; ++k)
          if (inferred(v)) total[static_cast<std::size_t>(k)] += plain.scores.values(v, k);
      for (VertexId v = 0; v < vertices; ++v) {
        double sum = 0.0;
        std::vector<double> row(class_count);
        for (std::size_t k = 0; k < row.size(); ++k) {
          row[k] = plain.scores.values(v, static_cast<int>(k));
          if (inferred(v)) row[k] *= total[k] > 0.0 ? proportion[k] / total[k] : proportion[k];
          sum += row[k];
        }
        for (std::size_t k = 0; k < row.size(); ++k)
          CHECK(fit.scores.values(v, static_cast<int>(k)) ==
                Approx(sum > 0.0 ? row[k] / sum : 0.0).margin(1e-8));
      }
      check_decisions(learner, fit, graph, labeled, soft > 0.0);
      // The last class has a prior and no label.
      CHECK(fit.report.warnings.size() == (mass == MassRule::priors ? 1 : 0));
    }
}

TEST_CASE("Poisson potentials of many classes are shared as if all columns were there") {
  const Graph graph = connected_and_path();
  const LabeledSet labeled = two_of_each();
  for (const MassRule mass : {MassRule::none, MassRule::priors}) {
    PoissonOptions options{.mass = mass};
    if (mass == MassRule::priors) options.priors = uneven_priors();
    const PoissonLearner learner(options);
    const Fit fit = learner.fit(graph, labeled, on_threads(2));
    CHECK(fit.report.converged());
    Report report;
    const detail::LabelGroups groups(graph, labeled, 1);
    Block twin =
        detail::poisson_potentials("test", graph, groups, labeled, {}, on_threads(1), report);
    if (mass == MassRule::priors) {
      const Block q = groups.proportions(options.mass, options.priors);
      for (VertexId v = 0; v < 400; ++v)
        for (int k = 0; k < class_count; ++k)
          twin(v, k) *= groups.has_class(0, k)
                            ? q(0, k) * groups.label_count(0) / groups.label_count(0, k)
                            : 0.0;
    }
    detail::positive_shares(groups, twin, 1);
    for (VertexId v = 0; v < vertices; ++v)
      for (int k = 0; k < class_count; ++k)
        CHECK(fit.scores.values(v, k) == Approx(twin(v, k)).margin(1e-6));
    check_decisions(learner, fit, graph, labeled, true);
  }
}

TEST_CASE("many classes whose labels are of one component each leave its rows to that class") {
  // Pairs of vertices, each with a label of a class of its own.
  std::vector<Edge> edges;
  std::vector<VertexId> at;
  std::vector<int> of;
  for (VertexId k = 0; k < class_count; ++k) {
    edges.push_back({2 * k, 2 * k + 1, 1.0});
    at.push_back(2 * k);
    of.push_back(k);
  }
  const Graph graph = graph_from_edges(2 * class_count, edges);
  const LabeledSet labeled = LabeledSet::classes(at, of, names(class_count));
  const HarmonicLearner harmonic({.mass = MassRule::cmn});
  const PoissonLearner poisson;
  for (const TransductiveLearner* learner :
       std::initializer_list<const TransductiveLearner*>{&harmonic, &poisson}) {
    const Fit fit = learner->fit_without_scores(graph, labeled, on_threads(1));
    for (VertexId v = 0; v < 2 * class_count; ++v) {
      CHECK(fit.decision[static_cast<std::size_t>(v)] == v / 2);
      CHECK(fit.confidence[static_cast<std::size_t>(v)] == Approx(1.0));
    }
  }
}

TEST_CASE("decisions among many classes do not depend on the threads, and a stop is reported") {
  const Graph graph = connected_and_path();
  const LabeledSet labeled = two_of_each();
  const HarmonicLearner harmonic({.mass = MassRule::cmn});
  const PoissonLearner poisson;
  for (const TransductiveLearner* learner :
       std::initializer_list<const TransductiveLearner*>{&harmonic, &poisson}) {
    const Fit one = learner->fit(graph, labeled, on_threads(1));
    const Fit four = learner->fit(graph, labeled, on_threads(4));
    CHECK(one.scores.values == four.scores.values);
    CHECK(one.decision == four.decision);
    CHECK(one.confidence == four.confidence);
    RunContext late = on_threads(1);
    late.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
    const Fit stopped = learner->fit_without_scores(graph, labeled, late);
    CHECK(stopped.report.outcome == Outcome::time_limit);
    CHECK(stopped.report.relative_residual() >= 1.0);
    CHECK(stopped.decision.size() == static_cast<std::size_t>(vertices));
  }
}

// A stop falls into a block of classes, whose unfinished answer must not be kept; and the block goes
// on where it was, or a row of short runs would not end. Of a run that is killed what was written
// last is left.
TEST_CASE("many classes that are stopped again and again have the bytes of those that are not",
          "[columns]") {
  const Graph graph = grid_graph(40, 40);
  std::vector<VertexId> at;
  std::vector<int> of;
  for (int i = 0; i < 2 * class_count; ++i) {
    at.push_back(15 * i);
    of.push_back(i % class_count);
  }
  const LabeledSet labeled = LabeledSet::classes(at, of, names(class_count));
  const HarmonicLearner harmonic({.solver = SolverKind::conjugate_gradient});
  const HarmonicLearner soft({.soft = 1.0, .solver = SolverKind::conjugate_gradient});
  const PoissonLearner poisson({.solver = SolverKind::conjugate_gradient});
  const bool killed = GENERATE(false, true);
  for (const TransductiveLearner* learner :
       std::vector<const TransductiveLearner*>{&harmonic, &soft, &poisson}) {
    const Fit expected = learner->fit(graph, labeled, on_threads(1));
    REQUIRE(expected.report.converged());
    std::optional<Record> kept;
    int runs = 0;
    for (bool over = false; !over; ++runs) {
      REQUIRE(runs < 200);
      std::atomic<bool> cancel{false};
      int writes = 0;
      const auto keep = [&](const Checkpoint& now) {
        if (killed) cancel = ++writes >= 3;
        kept.emplace();
        for (const auto& [name, value] : now.to_values()) kept->put_value(name, *value);
      };
      Checkpoint checkpoint(killed ? 0.0 : 1e6, killed ? Checkpoint::Writer(keep) : nullptr);
      if (kept) checkpoint.restore(*kept);
      RunContext run = on_threads(1);
      run.cancel = &cancel;
      int told = 0;
      if (!killed) run.progress = [&](std::string_view, double) { cancel = ++told > 3; };
      run.checkpoint = &checkpoint;
      const Fit fit = learner->fit(graph, labeled, run);
      CHECK(checkpoint.parted().empty());
      if (!killed) keep(checkpoint);
      over = !ended_by_run(fit.report.outcome);
      if (!over) continue;
      CHECK(fit.report.converged());
      CHECK(fit.scores.values == expected.scores.values);
      CHECK(fit.decision == expected.decision);
      CHECK(fit.confidence == expected.confidence);
      CHECK(fit.report.relative_residual() == expected.report.relative_residual());
      CHECK(fit.report.sentence == expected.report.sentence);
    }
    // How often a checkpoint is written depends on the time that it takes.
    if (!killed) CHECK(runs > 2);
  }
}

TEST_CASE("auto labels many classes of one component by masses, with and without their scores") {
  const Graph graph = connected_and_path();
  const LabeledSet labeled = two_of_each();
  const Fit masses = HarmonicLearner({.mass = MassRule::cmn}).fit(graph, labeled, on_threads(1));
  const Fit with = AutomaticLearner().fit(graph, labeled, on_threads(1));
  CHECK(with.scores.values.rows() == vertices);
  for (const int threads : {1, 3}) {
    const Fit without = AutomaticLearner().fit_without_scores(graph, labeled, on_threads(threads));
    CHECK(without.scores.values.rows() == 0);
    CHECK(without.decision == with.decision);
    CHECK(without.confidence == with.confidence);
    CHECK(without.scores.status == with.scores.status);
  }
  // As many labels in each class that has some: the shares that cmn takes.
  CHECK(with.decision == masses.decision);
}

TEST_CASE("masses are proven by themselves where rounding keeps their residual up") {
  // Far from the labels, which stand on one side of the grid, A⁻¹1 is large.
  constexpr VertexId side = 110;
  const Graph graph = grid_graph(side, side);
  std::vector<VertexId> at;
  std::vector<int> of;
  for (int i = 0; i < side; ++i) {
    at.push_back(static_cast<VertexId>(i * side));
    of.push_back(i % class_count);
  }
  const LabeledSet labeled = LabeledSet::classes(at, of, names(class_count));
  const auto fit = [&](double tolerance) {
    const HarmonicLearner learner(
        {.mass = MassRule::cmn, .solver = SolverKind::multigrid, .tolerance = tolerance});
    return learner.fit(graph, labeled, on_threads(1));
  };
  const Fit fine = fit(1e-13), coarse = fit(1e-10);
  CHECK(fine.report.outcome == Outcome::converged);
  CHECK(gssl::test::certified(fine, "mass_error") > 1e-13);
  CHECK(gssl::test::certified(fine, "mass_error") < 1e-9);
  double apart = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    for (int k = 0; k < class_count; ++k)
      apart = std::max(apart, std::abs(fine.scores.values(v, k) - coarse.scores.values(v, k)));
  CHECK(apart <= 1e-8);
}
