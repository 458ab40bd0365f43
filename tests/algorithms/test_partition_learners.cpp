// The learners that make a partition (poisson-mbo, volume-mbo, modularity-mbo, cut-ssl) against
// slow twins written from the formulas of their headers, and what must hold of every one: energies
// that do not rise, volumes that are met, assignments that brute force cannot better.

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/transductive/cut_ssl.hpp"
#include "gssl/transductive/modularity_mbo.hpp"
#include "gssl/transductive/poisson.hpp"
#include "gssl/transductive/poisson_mbo.hpp"
#include "gssl/transductive/volume_mbo.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Matrix = std::vector<std::vector<double>>;
using Classes = std::vector<int>;

struct Case {
  Graph graph;
  LabeledSet labeled;
  Matrix w;
  Matrix laplacian;
  std::vector<double> degree;
  double mean_degree = 0.0;

  Case(std::uint64_t seed, VertexId n, std::vector<VertexId> given, std::vector<int> class_of)
      : graph(random_graph(n, n, seed)),
        labeled(classes(std::move(given), std::move(class_of), 3)),
        w(dense_adjacency(graph)),
        laplacian(w) {
    for (std::size_t u = 0; u < w.size(); ++u) {
      degree.push_back(0.0);
      for (std::size_t v = 0; v < w.size(); ++v) {
        degree[u] += w[u][v];
        laplacian[u][v] = -w[u][v];
      }
      laplacian[u][u] = degree[u];
      mean_degree += degree[u] / static_cast<double>(w.size());
    }
  }

  std::size_t size() const { return w.size(); }
};

Case small_case(std::uint64_t seed) { return Case(seed, 24, {0, 7, 12, 19}, {0, 1, 2, 1}); }

Block one_hot(const Classes& of) {
  Block x(static_cast<std::int64_t>(of.size()), 3);
  for (std::size_t v = 0; v < of.size(); ++v) x.row(static_cast<std::int64_t>(v))[of[v]] = 1.0;
  return x;
}

Classes largest(const Block& value) {
  Classes of;
  for (std::int64_t v = 0; v < value.rows(); ++v) {
    const auto row = value.row(v);
    of.push_back(static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return of;
}

void hold_labels(const Case& c, Classes& of) {
  for (std::size_t i = 0; i < c.labeled.size(); ++i)
    of[static_cast<std::size_t>(c.labeled.vertices()[i])] = c.labeled.class_of()[i];
}

// Shortest paths over lengths 1/w from the labels of each class.
Classes cells(const Case& c) {
  Block nearness(static_cast<std::int64_t>(c.size()), 3, -infinity);
  for (std::size_t i = 0; i < c.labeled.size(); ++i)
    nearness(c.labeled.vertices()[i], c.labeled.class_of()[i]) = 0.0;
  for (std::size_t round = 0; round < c.size(); ++round)
    for (std::size_t u = 0; u < c.size(); ++u)
      for (std::size_t v = 0; v < c.size(); ++v)
        for (std::size_t k = 0; k < 3 && c.w[u][v] > 0.0; ++k) {
          double& here = nearness.row(static_cast<std::int64_t>(u))[k];
          here = std::max(here, nearness.row(static_cast<std::int64_t>(v))[k] - 1.0 / c.w[u][v]);
        }
  return largest(nearness);
}

// (I + τ/d̄ L) Ψ = X.
Block diffuse_implicitly(const Case& c, const Block& x, double time) {
  Matrix a = c.laplacian;
  for (std::size_t u = 0; u < c.size(); ++u)
    for (std::size_t v = 0; v < c.size(); ++v)
      a[u][v] = (u == v ? 1.0 : 0.0) + time / c.mean_degree * a[u][v];
  return dense_solve(std::move(a), x);
}

Classes volume_mbo_twin(const Case& c, double time) {
  Classes of = cells(c);
  hold_labels(c, of);
  for (Classes before; before != of;) {
    before = of;
    of = largest(diffuse_implicitly(c, one_hot(of), time));
    hold_labels(c, of);
  }
  return of;
}

// (I + τ/d̄ (L + γ/m kkᵀ) + τλJ) Ψ = X + τλJY.
Classes modularity_mbo_twin(const Case& c, double resolution, double time, double fidelity) {
  const double m = 0.5 * c.mean_degree * static_cast<double>(c.size());
  Matrix a = c.laplacian;
  for (std::size_t u = 0; u < c.size(); ++u)
    for (std::size_t v = 0; v < c.size(); ++v)
      a[u][v] = (u == v ? 1.0 : 0.0) +
                time / c.mean_degree * (a[u][v] + resolution / m * c.degree[u] * c.degree[v]);
  for (const VertexId v : c.labeled.vertices())
    a[static_cast<std::size_t>(v)][static_cast<std::size_t>(v)] += time * fidelity;
  Classes of = cells(c);
  for (Classes before; before != of;) {
    before = of;
    Block b = one_hot(of);
    for (std::size_t i = 0; i < c.labeled.size(); ++i)
      b(c.labeled.vertices()[i], c.labeled.class_of()[i]) += time * fidelity;
    of = largest(dense_solve(a, b));
  }
  return of;
}

Classes poisson_mbo_twin(const Case& c, int heat, double fidelity) {
  Block source(static_cast<std::int64_t>(c.size()), 3);
  for (std::size_t i = 0; i < c.labeled.size(); ++i)
    for (int k = 0; k < 3; ++k)
      source(c.labeled.vertices()[i], k) =
          (c.labeled.class_of()[i] == k ? 1.0 : 0.0) - (k == 1 ? 0.5 : 0.25);
  Classes of = PoissonLearner().fit(c.graph, c.labeled, {}).decision;  // has a twin of its own
  const double dt = 1.0 / *std::max_element(c.degree.begin(), c.degree.end());
  for (Classes before; before != of;) {
    before = of;
    Block u = one_hot(of);
    for (int step = 0; step < heat; ++step) {
      Block next = u;
      for (std::int64_t v = 0; v < u.rows(); ++v)
        for (std::int64_t k = 0; k < 3; ++k) {
          double flow = -fidelity * c.mean_degree * source(v, k);
          for (std::int64_t other = 0; other < u.rows(); ++other)
            flow += c.laplacian[static_cast<std::size_t>(v)][static_cast<std::size_t>(other)] *
                    u(other, k);
          next(v, k) -= dt * flow;
        }
      u = next;
    }
    of = largest(u);
  }
  return of;
}

// Calls body(classes) for all ways to label the vertices that are not given; three classes.
template <class Body>
void for_each_labeling(const Case& c, Body&& body) {
  Classes of(c.size(), 0);
  std::vector<std::size_t> free;
  for (std::size_t v = 0; v < c.size(); ++v)
    if (std::ranges::find(c.labeled.vertices(), static_cast<VertexId>(v)) ==
        c.labeled.vertices().end())
      free.push_back(v);
  hold_labels(c, of);
  for (std::size_t digit = 0; digit < free.size();) {
    body(of);
    for (digit = 0; digit < free.size() && ++of[free[digit]] == 3; ++digit) of[free[digit]] = 0;
  }
}

void check_energy_never_rises(const Fit& fit) {
  const std::vector<double>& energy = certificate(fit, "energy").values;
  REQUIRE_FALSE(energy.empty());
  for (std::size_t i = 1; i < energy.size(); ++i)
    CHECK(energy[i] <= energy[i - 1] + 1e-9 * std::abs(energy[0]));
}

std::vector<double> class_sizes(const Fit& fit) {
  std::vector<double> sizes(3, 0.0);
  for (const int k : fit.decision) sizes.at(static_cast<std::size_t>(k)) += 1.0;
  return sizes;
}

}  // namespace

TEST_CASE("volume-mbo with free volumes takes the steps of its formula") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c = small_case(seed);
    for (const double time : {0.5, 3.0, 20.0}) {
      CAPTURE(seed, time);
      const Fit fit = VolumeMboLearner({.time = time, .mass = MassRule::none})
                          .fit(c.graph, c.labeled, on_threads(2));
      CHECK(fit.report.converged());
      CHECK(fit.decision == volume_mbo_twin(c, time));
      check_energy_never_rises(fit);
    }
  }
}

TEST_CASE("modularity-mbo takes the steps of its formula") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c = small_case(seed);
    for (const double resolution : {0.0, 0.5, 2.0}) {
      CAPTURE(seed, resolution);
      const Fit fit = ModularityMboLearner({.resolution = resolution, .time = 4.0, .fidelity = 3.0})
                          .fit(c.graph, c.labeled, on_threads(2));
      CHECK(fit.report.converged());
      CHECK(fit.decision == modularity_mbo_twin(c, resolution, 4.0, 3.0));
      check_energy_never_rises(fit);
    }
  }
}

TEST_CASE("poisson-mbo with free volumes takes the steps of its formula") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c = small_case(seed);
    for (const int heat : {4, 40}) {
      CAPTURE(seed, heat);
      const Fit fit = PoissonMboLearner({.heat = heat, .fidelity = 0.5, .mass = MassRule::none})
                          .fit(c.graph, c.labeled, on_threads(2));
      CHECK(fit.report.converged());
      CHECK(fit.decision == poisson_mbo_twin(c, heat, 0.5));
      check_energy_never_rises(fit);
    }
  }
}

TEST_CASE("no assignment with the same volumes has more value than the one volume-mbo ends at") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Case c(seed, 10, {0, 4, 9}, {0, 1, 2});
    const Fit fit =
        VolumeMboLearner({.time = 5.0, .mass = MassRule::priors, .priors = {0.5, 0.3, 0.2}})
            .fit(c.graph, c.labeled, on_threads(1));
    CAPTURE(seed);
    if (!fit.report.converged()) continue;  // the claim is about fixed points
    const Block value = diffuse_implicitly(c, one_hot(fit.decision), 5.0);
    const std::vector<double> sizes = class_sizes(fit);
    const auto worth = [&](const Classes& of) {
      double sum = 0.0;
      for (std::size_t v = 0; v < of.size(); ++v) sum += value(static_cast<std::int64_t>(v), of[v]);
      return sum;
    };
    double best = -infinity;
    for_each_labeling(c, [&](const Classes& of) {
      bool same = true;
      for (int k = 0; k < 3; ++k)
        same = same && static_cast<double>(std::count(of.begin(), of.end(), k)) ==
                           sizes[static_cast<std::size_t>(k)];
      if (same) best = std::max(best, worth(of));
    });
    CHECK(worth(fit.decision) >= best - 1e-9);
  }
}

TEST_CASE("cut-ssl ends at a partition of the sizes asked, often at the least cut there is") {
  int best_found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Case c(seed, 10, {0, 4, 9}, {0, 1, 2});
    const Fit fit = CutSslLearner({.mass = MassRule::priors, .priors = {0.5, 0.3, 0.2}})
                        .fit(c.graph, c.labeled, on_threads(1));
    CAPTURE(seed, fit.report.sentence);
    CHECK(fit.report.converged());
    CHECK(certificate(fit, "split").values.at(0) == 0.0);
    CHECK(class_sizes(fit) == std::vector<double>{5.0, 3.0, 2.0});
    const auto cut_of = [&](const Classes& of) {
      double cut = 0.0;
      for (std::size_t u = 0; u < of.size(); ++u)
        for (std::size_t v = 0; v < u; ++v) cut += of[u] == of[v] ? 0.0 : c.w[u][v];
      return cut;
    };
    CHECK(certificate(fit, "cut").values.at(0) == Approx(cut_of(fit.decision)));
    double least = infinity;
    for_each_labeling(c, [&](const Classes& of) {
      const auto count = [&](int k) { return std::count(of.begin(), of.end(), k); };
      if (count(0) == 5 && count(1) == 3) least = std::min(least, cut_of(of));
    });
    CHECK(cut_of(fit.decision) >= least - 1e-9);
    best_found += cut_of(fit.decision) <= least + 1e-9;
  }
  CHECK(best_found >= 9);
}

TEST_CASE("cut-ssl rises to the concave program where symmetry leaves nothing to decide") {
  // A cycle with a label at two of six vertices: the two between them belong to both alike.
  const Graph cycle = graph_from_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}});
  const Fit fit = CutSslLearner().fit(cycle, classes({0, 2}, {0, 1}, 2), on_threads(1));
  CHECK(fit.report.converged());
  CHECK(certificate(fit, "concavity").values.at(0) == 2.0);
  CHECK(certificate(fit, "split").values.at(0) == 2.0);
  CHECK(fit.scores.values(1, 0) == Approx(0.5));
  CHECK(fit.scores.values(4, 0) == Approx(0.5));
  CHECK(fit.decision[5] == 0);
  CHECK(fit.decision[3] == 1);
}

TEST_CASE("volumes are met to within the slack, whatever is asked") {
  Rng rng(9);
  const Graph blocks = stochastic_block_model({80, 120, 100}, 0.1, 0.01, rng);
  const LabeledSet labeled = classes({3, 90, 250}, {0, 1, 2}, 3);
  for (const std::vector<double>& q :
       {std::vector<double>{80, 120, 100}, {100, 100, 100}, {150, 50, 100}}) {
    for (const Fit& fit :
         {VolumeMboLearner({.mass = MassRule::priors, .priors = q}).fit(blocks, labeled, {}),
          PoissonMboLearner({.mass = MassRule::priors, .priors = q}).fit(blocks, labeled, {}),
          CutSslLearner({.mass = MassRule::priors, .priors = q}).fit(blocks, labeled, {})}) {
      CHECK(fit.report.converged());
      CAPTURE(fit.report.sentence, q);
      const std::vector<double> sizes = class_sizes(fit);
      double worst = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(std::abs(sizes[k] - q[k]) <= 0.01 * q[k] + 2.0);
        worst = std::max(worst, std::abs(sizes[k] - q[k]) / 300.0);
      }
      CHECK(certificate(fit, "volume_error").values.at(0) == Approx(worst).margin(1e-12));
    }
  }
}

TEST_CASE("a class with prior 0 gets only what was given") {
  Rng rng(4);
  const Graph blocks = stochastic_block_model({40, 40}, 0.2, 0.02, rng);
  const LabeledSet labeled = classes({3, 60}, {0, 1}, 2);
  const Fit fit =
      VolumeMboLearner({.mass = MassRule::priors, .priors = {1.0, 0.0}}).fit(blocks, labeled, {});
  CHECK(std::count(fit.decision.begin(), fit.decision.end(), 1) == 1);
  CHECK(fit.decision[60] == 1);
}

TEST_CASE("a partition that was stopped before it came to rest is none") {
  const Case c = small_case(3);
  RunContext late;
  late.deadline = RunContext::Clock::now();
  const auto code = [&](const TransductiveLearner& learner) {
    return error_of([&] { learner.fit(c.graph, c.labeled, late); })->code();
  };
  CHECK(code(VolumeMboLearner()) == ErrorCode::time_limit);
  CHECK(code(CutSslLearner()) == ErrorCode::time_limit);
  CHECK(code(ModularityMboLearner()) == ErrorCode::time_limit);
  CHECK(code(PoissonMboLearner({.heat = 10000})) == ErrorCode::time_limit);
  const Fit short_run =
      PoissonMboLearner({.fidelity = 5.0, .steps = 1}).fit(c.graph, c.labeled, {});
  CHECK(short_run.report.iterations <= 1);
}

TEST_CASE("partition options out of range are refused by name") {
  const auto message = [](auto&& make) {
    const auto error = error_of(make);
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    return std::string(error->what());
  };
  CHECK(message([] { VolumeMboLearner({.time = 0.0}); }).find("time=0") != std::string::npos);
  CHECK(message([] { VolumeMboLearner({.slack = 2.0}); }).find("slack=2") != std::string::npos);
  CHECK(message([] { CutSslLearner({.step = 3.0}); }).find("step=3") != std::string::npos);
  CHECK(message([] { CutSslLearner({.iterations = 0}); }).find("iterations=0") !=
        std::string::npos);
  CHECK(message([] { PoissonMboLearner({.heat = 0}); }).find("heat=0") != std::string::npos);
  CHECK(message([] { PoissonMboLearner({.steps = 0}); }).find("steps=0") != std::string::npos);
  CHECK(message([] { ModularityMboLearner({.resolution = -1.0}); }).find("resolution=-1") !=
        std::string::npos);
  CHECK(message([] { ModularityMboLearner({.fidelity = 0.0}); }).find("fidelity=0") !=
        std::string::npos);
}
