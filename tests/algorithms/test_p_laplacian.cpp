// p-Laplacian labels against a slow twin, references and limits.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "algorithms/p_laplacian_support.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

double energy_of(const Graph& graph, const Block& scores, int column, double p) {
  long double sum = 0.0;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v)
        sum += static_cast<long double>(w) *
               std::pow(std::abs(static_cast<long double>(scores(u, column)) - scores(v, column)),
                        static_cast<long double>(p));
    });
  return static_cast<double>(sum);
}

// Where the slope of Σ w|x − a|^p, which rises with x, changes its sign.
long double best_value(const std::vector<std::pair<long double, long double>>& around,
                       long double p) {
  long double low = around[0].second, high = low;
  for (const auto& [w, a] : around) low = std::min(low, a), high = std::max(high, a);
  for (int i = 0; i < 50; ++i) {
    const long double x = 0.5L * (low + high);
    // Divided by the (p−1)-th power of the range: nothing underflows that matters.
    long double slope = 0.0;
    for (const auto& [w, a] : around)
      slope += w * std::copysign(std::pow(std::abs(x - a) / (high - low), p - 1.0L), x - a);
    (slope < 0.0L ? low : high) = x;
    if (!(low < high)) break;
  }
  return 0.5L * (low + high);
}

// Vertex after vertex to its best value: the slow twin. Its own certificate is that of the test.
Block coordinate_descent(const Graph& graph, const std::vector<VertexId>& given,
                         const std::vector<double>& values, double p, int sweeps) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<long double> x(n, 0.5L);
  std::vector<bool> fixed(n, false);
  for (std::size_t i = 0; i < given.size(); ++i) {
    x[static_cast<std::size_t>(given[i])] = values[i];
    fixed[static_cast<std::size_t>(given[i])] = true;
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t v = 0; v < n; ++v) {
      if (fixed[v]) continue;
      std::vector<std::pair<long double, long double>> around;
      graph.visit_row(static_cast<VertexId>(v), [&](VertexId u, double w) {
        around.emplace_back(w, x[static_cast<std::size_t>(u)]);
      });
      x[v] = best_value(around, p);
    }
  Block block(graph.vertex_count(), 1);
  for (std::size_t v = 0; v < n; ++v)
    block(static_cast<std::int64_t>(v), 0) = static_cast<double>(x[v]);
  return block;
}

}  // namespace

TEST_CASE("p-laplacian that is told to end before it begins decides no free vertex") {
  const Graph graph = grid_graph(8, 8);
  const LabeledSet labeled = test::classes({0, 63}, {0, 1}, 2);
  const std::atomic<bool> cancel = true;
  RunContext run;
  run.cancel = &cancel;
  for (const double p : {1.5, 3.0, 50.0, std::numeric_limits<double>::infinity()}) {
    INFO("p = " << p);
    const Fit fit = PLaplacianLearner({.p = p}).fit(graph, labeled, run);
    CHECK(fit.report.outcome == Outcome::cancelled);
    CHECK(std::ranges::count(fit.scores.status, VertexStatus::given) == 2);
    CHECK(std::ranges::count(fit.scores.status, VertexStatus::unfinished) == 62);
    CHECK(std::ranges::count(fit.decision, -1) == 62);
  }
}

TEST_CASE("p = 2 is the harmonic answer and its energy") {
  const Graph graph = random_graph(60, 80, 3);
  const LabeledSet labeled = classes({1, 7, 22, 40, 51}, {0, 1, 2, 1, 0}, 3);
  const Fit harmonic = HarmonicLearner({.tolerance = 1e-13}).fit(graph, labeled, on_threads(1));
  const Fit fit =
      PLaplacianLearner({.p = 2.0, .tolerance = 1e-10}).fit(graph, labeled, on_threads(1));
  CHECK(max_difference(fit.scores.values, harmonic.scores.values) < 1e-8);
  REQUIRE(fit.report.converged());
  for (int c = 0; c < 3; ++c)
    CHECK(certificate(fit, "energy").values[static_cast<std::size_t>(c)] ==
          Approx(energy_of(graph, fit.scores.values, c, 2.0)).epsilon(1e-12));
}

TEST_CASE("classes solved together have the answers and gaps of each against the rest") {
  const Graph graph = random_graph(60, 80, 3);
  const std::vector<VertexId> given{1, 7, 22, 40, 51, 55};
  const std::vector<int> class_of{0, 1, 2, 1, 0, 3};
  for (const double p : {1.3, 2.0, 4.0})
    for (const SolverKind solver : {SolverKind::automatic, SolverKind::conjugate_gradient}) {
      CAPTURE(p, to_string(solver));
      const PLaplacianOptions options{.p = p, .tolerance = 1e-10, .solver = solver};
      const Fit together =
          PLaplacianLearner(options).fit(graph, classes(given, class_of, 4), on_threads(1));
      REQUIRE(together.report.converged());
      for (int c = 0; c < 4; ++c) {
        std::vector<double> values;
        for (const int k : class_of) values.push_back(k == c ? 1.0 : 0.0);
        const Fit alone = fit_targets(graph, given, values, options);
        REQUIRE(alone.report.converged());
        for (VertexId v = 0; v < graph.vertex_count(); ++v)
          CHECK(std::abs(together.scores.values(v, c) - alone.scores.values(v, 0)) < 2e-5);
        const auto energy = certificate(together, "energy").values[static_cast<std::size_t>(c)];
        CHECK(energy == Approx(certificate(alone, "energy").values[0]).epsilon(1e-9));
        CHECK(certificate(together, "duality_gap").values[static_cast<std::size_t>(c)] <= 1e-10);
      }
    }
}

TEST_CASE("karate's p-Laplacian potentials equal the reference") {
  const auto graph = shared_largest_component("karate");
  if (!graph) {
    WARN("skipped: ../shared is absent");
    return;
  }
  for (const std::string p : {"1.2", "1.5", "1.8", "2", "2.5", "3", "4", "6"}) {
    CAPTURE(p);
    const Block expected = shared_block("reference/graphs/karate.plaplacian_p" + p + ".csv");
    const Fit fit =
        fit_targets(*graph, {0, 33}, {1.0, -1.0}, {.p = std::stod(p), .tolerance = 1e-13});
    CHECK(fit.report.converged());
    const double found = energy_of(*graph, fit.scores.values, 0, std::stod(p));
    const double theirs = energy_of(*graph, expected, 0, std::stod(p));
    CHECK(found <= theirs * (1.0 + 1e-13));
    CHECK(found == Approx(theirs).epsilon(1e-8));
    CHECK(max_difference(fit.scores.values, expected) < 1e-4);
  }
}

TEST_CASE("the slow twin finds no less energy, and the gap bounds how much more it may find") {
  for (const double p : {1.05, 1.5, 3.0, 10.0, 50.0}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(p, seed);
      const auto n = static_cast<VertexId>(4 + 2 * seed);
      const Graph graph = random_graph(n, 2 * n, seed);
      const std::vector<VertexId> given{0, 2, 4};
      const std::vector<double> values{0.0, 1.0, seed % 2 == 0 ? 0.3 : 1.0};
      const Fit fit = fit_targets(graph, given, values, {.p = p, .tolerance = 1e-8});
      REQUIRE(fit.report.converged());
      const double energy = certificate(fit, "energy").values[0];
      const double gap = certificate(fit, "duality_gap").values[0];
      CHECK(gap <= 1e-8);
      CHECK(energy == Approx(energy_of(graph, fit.scores.values, 0, p)).epsilon(1e-9));
      const Block twin = coordinate_descent(graph, given, values, p, p < 1.5 ? 100 : 400);
      const double least = energy_of(graph, twin, 0, p);
      CHECK(energy * (1.0 - gap - 1e-12) <= least);  // the certificate holds
      // Descent by coordinates stops at kinks as p nears 1.
      if (p >= 1.5) CHECK(least == Approx(energy).epsilon(1e-6));
      for (VertexId v = 0; v < n; ++v) {
        CHECK(fit.scores.values(v, 0) >= 0.0);
        CHECK(fit.scores.values(v, 0) <= 1.0);
      }
    }
  }
}

TEST_CASE("as p nears 1 the energy nears the minimum cut") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const VertexId n = 9;
    const Graph graph = random_graph(n, 12, seed);
    double cut = infinite;
    for (unsigned side = 0; side < 1u << n; ++side) {
      if ((side & 1u) == 0 || (side >> 8 & 1u) != 0) continue;
      Block x(n, 1);
      for (VertexId v = 0; v < n; ++v) x(v, 0) = (side >> v & 1u) != 0 ? 1.0 : 0.0;
      cut = std::min(cut, energy_of(graph, x, 0, 1.0));
    }
    double before = infinite;
    for (const double p : {1.5, 1.1, 1.02}) {
      const Fit fit = fit_targets(graph, {0, 8}, {1.0, 0.0}, {.p = p});
      REQUIRE(fit.report.converged());
      const double energy = certificate(fit, "energy").values[0];
      CHECK(energy <= cut * (1.0 + 1e-9));  // the cut itself is a candidate
      CHECK(cut - energy < before);
      before = cut - energy;
    }
    CHECK(before < 0.1 * cut);
  }
}

TEST_CASE(
    "scaling weights and shifting and scaling targets act on energy and scores by their laws") {
  const Graph graph = random_graph(40, 60, 5);
  const std::vector<VertexId> given{0, 9, 30};
  for (const double p : {1.3, 4.0}) {
    CAPTURE(p);
    const PLaplacianOptions options{.p = p, .tolerance = 1e-9};
    const Fit fit = fit_targets(graph, given, {0.0, 1.0, 0.4}, options);
    const Fit other =
        fit_targets(renamed(graph, identity_order(40), 1e-5), given, {7.0, 5.0, 6.2}, options);
    for (VertexId v = 0; v < 40; ++v)
      CHECK(other.scores.values(v, 0) == Approx(7.0 - 2.0 * fit.scores.values(v, 0)).epsilon(1e-9));
    CHECK(certificate(other, "energy").values[0] ==
          Approx(certificate(fit, "energy").values[0] * 1e-5 * std::pow(2.0, p)).epsilon(1e-9));
  }
}

TEST_CASE("two moons: the gap is below 1e-6 for every p") {
#if defined(__SANITIZE_ADDRESS__)
  const VertexId n = 2000;
#else
  const VertexId n = 10000;
#endif
  Rng rng(1);
  const PlanePoints moons = two_moons(n, 0.1, rng);
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < moons.x.size(); ++i) {
    coordinates.push_back(moons.x[i]);
    coordinates.push_back(moons.y[i]);
  }
  const Graph graph = knn_graph(Points::dense(n, 2, std::move(coordinates)), 10).graph;
  std::vector<VertexId> given;
  std::vector<int> truth;
  for (VertexId v = n / 20; v < n; v += n / 10) {
    given.push_back(v);
    truth.push_back(moons.class_of[static_cast<std::size_t>(v)]);
  }
  for (const double p : {1.05, 1.1, 1.5, 3.0, 10.0, 50.0}) {
    CAPTURE(p);
    const Fit fit = PLaplacianLearner({.p = p}).fit(graph, classes(given, truth, 2), on_threads(1));
    CHECK(fit.report.converged());
    CHECK(certificate(fit, "duality_gap").values[0] <= 1e-6);
    if (p != 10.0) continue;
    const Fit two = PLaplacianLearner({.p = p}).fit(graph, classes(given, truth, 2), on_threads(2));
    CHECK(two.scores.values == fit.scores.values);
  }
}

TEST_CASE("a p-Laplacian that is stopped says how far it got") {
  const Graph graph = random_graph(200, 300, 5);
  const Fit fit = fit_targets(graph, {0, 9, 30}, {0.0, 1.0, 0.4}, {.p = 20.0, .max_iterations = 3});
  CHECK(fit.report.outcome == Outcome::iteration_limit);
  CHECK(certificate(fit, "duality_gap").values[0] > 1e-6);
  CHECK(certificate(fit, "duality_gap").values[0] <= 1.0);
  RunContext late;
  late.deadline = RunContext::Clock::now();
  const Fit stopped =
      PLaplacianLearner({.p = 20.0}).fit(graph, LabeledSet::targets({0, 9}, {0.0, 1.0}), late);
  CHECK(stopped.report.outcome == Outcome::time_limit);
}

TEST_CASE("components, isolated vertices and weights far apart are no trouble to any p") {
  // Four parts: labels of two values, of one value, none, and an isolated vertex.
  const Graph joined = random_graph(60, 60, 7, 3);
  std::vector<Edge> edges;
  for (VertexId v = 0; v < 60; ++v)
    joined.visit_row(v, [&](VertexId u, double w) {
      if (u > v) edges.push_back({v, u, (u + v) % 2 == 0 ? w : 1e-8 * w});
    });
  const Graph graph = graph_from_edges(61, edges);
  // Part v mod 3: 0 and 3 in the first, 1 in the second.
  const std::vector<VertexId> given{0, 3, 1};
  const std::vector<double> values{0.0, 1.0, 0.25};
  const Graph alone = [&] {
    std::vector<Edge> first;
    for (const Edge& e : edges)
      if (e.u % 3 == 0) first.push_back({e.u / 3, e.v / 3, e.weight});
    return graph_from_edges(20, first);
  }();
  struct Case {
    double p;
    PLaplacianForm form;
  };
  for (const Case& c : {Case{1.2, PLaplacianForm::variational},
                        {2.0, PLaplacianForm::variational},
                        {6.0, PLaplacianForm::variational},
                        {infinite, PLaplacianForm::variational},
                        {3.0, PLaplacianForm::game},
                        {infinite, PLaplacianForm::game}}) {
    CAPTURE(c.p);
    // A walk by weights that far apart takes 1e8 steps, each of which rounds.
    const bool game = c.form == PLaplacianForm::game;
    const PLaplacianOptions options{.p = c.p, .tolerance = game ? 1e-4 : 1e-8, .form = c.form};
    const Fit fit = fit_targets(graph, given, values, options);
    CHECK(fit.report.converged());
    const Fit part = fit_targets(alone, {0, 1}, {0.0, 1.0}, options);
    for (VertexId v = 0; v < 60; ++v) {
      CAPTURE(v);
      const double score = fit.scores.values(v, 0);
      if (v % 3 == 0) CHECK(score == part.scores.values(v / 3, 0));
      if (v % 3 == 1) CHECK(score == 0.25);
      if (v % 3 == 2)
        CHECK(fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::unreached);
    }
    CHECK(fit.scores.status[60] == VertexStatus::unreached);
  }
}

TEST_CASE("a wrong p, tolerance or form is refused, and p = 1 names the minimum cut") {
  const LearnerRegistry registry = builtin_learners();
  for (const std::string spec : {"p=1", "p=0.5", "p=nan", "p=-3", "tolerance=0", "tolerance=1",
                                 "form=other", "p=1.5,form=game", "max_iterations=-1"}) {
    CAPTURE(spec);
    const auto error = error_of([&] { registry.make("p-laplacian:" + spec); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    if (spec == "p=1") CHECK(std::string(error->what()).find("min-cut") != std::string::npos);
  }
  CHECK(registry.make("p-laplacian:p=inf").spec.find("p=inf") != std::string::npos);
}

TEST_CASE("weights over more decades than a double has are a breakdown that is said, at any p") {
  for (const double weight : {1e-200, std::numeric_limits<double>::min()}) {
    const Graph graph = graph_from_edges(4, {{0, 1, 0.37}, {1, 2, weight}, {2, 3, 0.37}});
    for (const double p : {1.1, 1.5, 3.0, 50.0}) {
      CAPTURE(weight, p);
      const Fit fit =
          PLaplacianLearner({.p = p}).fit(graph, classes({0, 3}, {0, 1}, 2), on_threads(1));
      const Certificate& gap = fit.report.certificates.at(0);
      REQUIRE(gap.name == "duality_gap");
      CHECK((fit.report.converged() || gap.values.at(0) > 1e-6));
      // An energy that may be off by more than 1e-4 of itself decides nothing but what was given.
      const std::vector<int> expected =
          gap.values.at(0) <= 1e-4 ? std::vector{0, 0, 1, 1} : std::vector{0, -1, -1, 1};
      CHECK(fit.decision == expected);
    }
  }
}

TEST_CASE(
    "with a large p each score is the p-mean of its neighbors', also where the energy is flat") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Rng rng(seed);
    std::vector<Edge> edges;
    const auto weight = [&] { return std::pow(10.0, 10.0 * (rng.uniform() - 0.5)); };
    for (VertexId v = 1; v < 8; ++v)
      edges.push_back(
          {static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(v))), v, weight()});
    for (int i = 0; i < 6; ++i) {
      const auto u = static_cast<VertexId>(rng.below(8)), v = static_cast<VertexId>(rng.below(8));
      if (u != v) edges.push_back({u, v, weight()});
    }
    const Graph graph = graph_from_edges(8, edges);
    for (const double p : {10.0, 25.0, 50.0, 100.0}) {
      CAPTURE(seed, p);
      const Fit fit =
          PLaplacianLearner({.p = p}).fit(graph, classes({0, 7}, {0, 1}, 2), on_threads(1));
      CHECK(fit.report.converged());
      const Certificate& said = fit.report.certificates.back();
      REQUIRE(said.name == "p_mean_error");
      CHECK(said.values.at(0) <= 1e-6);
      // Pulls from above and below balance within a few tolerances of every score.
      for (VertexId v = 1; v < 7; ++v) {
        const auto pull = [&](double t) {
          double sum = 0.0, most = 0.0;
          graph.visit_row(v, [&](VertexId u, double w) {
            most = std::max(most,
                            std::pow(w, 1.0 / (p - 1.0)) * std::abs(fit.scores.values(u, 0) - t));
          });
          graph.visit_row(v, [&](VertexId u, double w) {
            const double part = std::pow(w, 1.0 / (p - 1.0)) * (fit.scores.values(u, 0) - t) / most;
            sum += std::copysign(std::pow(std::abs(part), p - 1.0), part);
          });
          return sum;
        };
        CHECK(pull(fit.scores.values(v, 0) - 2e-6) >= 0.0);
        CHECK(pull(fit.scores.values(v, 0) + 2e-6) <= 0.0);
      }
    }
  }
}
