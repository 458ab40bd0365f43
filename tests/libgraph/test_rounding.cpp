// Right answers whose residual rounding keeps above the tolerance, and answers that a factor with
// subtraction loses.

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/accuracy/proven_error.hpp"
#include "solve/method/network/network_method.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

using Exact = long double;

// The slow twin: vertex by vertex, dense, without a subtraction, in more digits than a double.
// Precondition: every component has a ground.
std::vector<Exact> exact_solution(const GroundedLaplacian& a, std::vector<Exact> b) {
  const auto n = static_cast<std::size_t>(a.size());
  std::vector<std::vector<Exact>> w(n, std::vector<Exact>(n, 0.0L));
  std::vector<Exact> ground(a.ground().begin(), a.ground().end()), x(n, 0.0L), sum(n);
  for (std::size_t v = 0; v < n; ++v)
    a.graph().visit_row(static_cast<VertexId>(v), [&](VertexId u, double weight) {
      w[v][static_cast<std::size_t>(u)] = weight;
    });
  for (std::size_t k = n; k-- > 0;) {
    sum[k] = ground[k];
    for (std::size_t i = 0; i < k; ++i) sum[k] += w[k][i];
    for (std::size_t i = 0; i < k; ++i) {
      const Exact share = w[k][i] / sum[k];
      b[i] += share * b[k];
      ground[i] += share * ground[k];
      for (std::size_t j = 0; j < k; ++j)
        if (j != i) w[i][j] += share * w[k][j];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    x[k] = b[k] / sum[k];
    for (std::size_t i = 0; i < k; ++i) x[k] += w[k][i] / sum[k] * x[i];
  }
  return x;
}

// max|x − exact| / max|exact| of one column.
double true_error(const GroundedLaplacian& a, const Block& b, const Block& x) {
  std::vector<Exact> side;
  for (VertexId v = 0; v < a.size(); ++v) side.push_back(b(v, 0));
  const std::vector<Exact> exact = exact_solution(a, std::move(side));
  Exact off = 0.0L, size = 0.0L;
  for (std::size_t v = 0; v < exact.size(); ++v) {
    off = std::max(off, std::abs(exact[v] - Exact{x(static_cast<std::int64_t>(v), 0)}));
    size = std::max(size, std::abs(exact[v]));
  }
  return static_cast<double>(off / size);
}

// Clusters of random weights, each tied to one before it by three edges of weight `weak`; ground at
// the first vertex.
GroundedLaplacian clusters(VertexId count, VertexId size, double weak, Rng& rng) {
  std::vector<Edge> edges;
  const auto draw = [&](VertexId most) {
    return static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(most)));
  };
  for (VertexId k = 0; k < count; ++k) {
    for (VertexId i = 1; i < size; ++i)
      edges.push_back({k * size + draw(i), k * size + i, std::pow(10.0, -2.0 * rng.uniform())});
    for (VertexId i = 0; i < 3 * size; ++i) {
      const VertexId u = draw(size), v = draw(size);
      if (u != v)
        edges.push_back({k * size + u, k * size + v, std::pow(10.0, -2.0 * rng.uniform())});
    }
    for (int i = 0; k > 0 && i < 3; ++i)
      edges.push_back({draw(k) * size + draw(size), k * size + draw(size), weak});
  }
  std::vector<double> ground(static_cast<std::size_t>(count * size), 0.0);
  ground[0] = 1.0;
  return {graph_from_edges(count * size, edges, {.duplicates = DuplicatePolicy::max}),
          std::move(ground)};
}

Block degrees_of(const GroundedLaplacian& a) {
  Block b(a.size(), 1);
  for (VertexId v = 0; v < a.size(); ++v) b(v, 0) = a.graph().weighted_degree(v);
  return b;
}

}  // namespace

TEST_CASE("five vertices over ten decades are solved, and called solved") {
  // a b c d e; e is held at earth through its edges.
  const Graph graph = graph_from_edges(5, {{0, 1, 5.86e-8},
                                           {0, 2, 6.57e-4},
                                           {0, 3, 6.77e-5},
                                           {0, 4, 5.73e-7},
                                           {1, 3, 8.21e-8},
                                           {3, 4, 1.18e2}});
  for (VertexId held = 0; held < 5; ++held) {
    const DirichletProblem problem = make_dirichlet_problem(graph, {held});
    Block b(4, 1), x;
    for (VertexId r = 0; r < 4; ++r)
      b(r, 0) = graph.weighted_degree(problem.free_vertices[static_cast<std::size_t>(r)]);
    const SolveReport report = solve_once(problem.system, {}, b, x);
    INFO(held << ": " << report.sentence);
    CHECK(report.outcome == Outcome::converged);
    CHECK(true_error(problem.system, b, x) < 1e-14);
  }
}

TEST_CASE(
    "clusters that hang by almost nothing keep their digits, whatever the method chosen first") {
  Rng rng(11);
  for (const double weak : {1e-6, 1e-9, 1e-12, 1e-15}) {
    const GroundedLaplacian a = clusters(4, 40, weak, rng);
    const Block b = degrees_of(a);
    for (const SolverKind kind : {SolverKind::automatic, SolverKind::cholesky})
      for (const bool eliminate : {true, false}) {
        Block x;
        const SolveReport report = solve_once(a, {.kind = kind, .eliminate = eliminate}, b, x);
        const double error = true_error(a, b, x);
        INFO(weak << ": " << report.sentence << ", in truth " << error);
        CHECK(report.outcome == Outcome::converged);
        CHECK(error < 1e-10);
        CHECK(report.error_estimate.has_value());
      }
  }
}

TEST_CASE("an error that is proven is not less than the true one") {
  Rng rng(13);
  for (const double weak : {1e-3, 1e-8, 1e-13}) {
    const auto a = std::make_shared<const GroundedLaplacian>(clusters(3, 25, weak, rng));
    const auto exact = solve::make_network_method(a, on_threads(1));
    REQUIRE(exact != nullptr);
    const auto solve = [&](const Block& b) {
      Block x;
      exact->solve(b, x, {}, on_threads(1));
      return x;
    };
    for (const double off : {0.0, 1e-12, 1e-6, 1e-2}) {
      const Block b = degrees_of(*a);
      Block x = solve(b);
      for (VertexId v = 0; v < x.rows(); ++v) x(v, 0) *= 1.0 + off * rng.normal();
      const Block r = solve::exact_residual(*a, b, x, 1);
      // The bound from b is for answers of the method alone: r alone speaks for one that is not.
      const Block e = solve(r);
      double said = 0.0, size = 0.0;
      for (VertexId v = 0; v < x.rows(); ++v) {
        said = std::max(said, std::abs(e(v, 0)));
        size = std::max(size, std::abs(x(v, 0)));
      }
      const double error = true_error(*a, b, x);
      CHECK(said / size == Approx(error).epsilon(0.05).margin(1e-14));
      if (off > 0.0) continue;
      const solve::ProvenError proven = solve::prove_error(
          *a, b, x, solve, [](Block&) {}, 1);
      CHECK(proven.relative >= 0.99 * error);
      CHECK(proven.relative < 1e-12);
    }
  }
}

TEST_CASE("a singular system over decades gets its answer of mean zero") {
  Rng rng(17);
  const GroundedLaplacian grounded = clusters(3, 30, 1e-9, rng);
  const GroundedLaplacian a(grounded.graph(), {});
  const VertexId n = a.size();
  Block b(n, 1), x;
  b(3, 0) = 1.0;
  b(n - 1, 0) = -1.0;
  const SolveReport report = solve_once(a, {}, b, x);
  INFO(report.sentence);
  CHECK(report.outcome == Outcome::converged);
  // The same current with the ground, which carries none of it: up to a constant the same answer.
  const std::vector<Exact> exact = [&] {
    std::vector<Exact> side(static_cast<std::size_t>(n), 0.0L);
    side[3] = 1.0L;
    std::vector<Exact> up = exact_solution(grounded, side);
    side.assign(side.size(), 0.0L);
    side[static_cast<std::size_t>(n - 1)] = 1.0L;
    const std::vector<Exact> down = exact_solution(grounded, side);
    for (std::size_t v = 0; v < up.size(); ++v) up[v] -= down[v];
    return up;
  }();
  Exact mean = 0.0L, off = 0.0L, size = 0.0L;
  for (const Exact value : exact) mean += value / n;
  for (VertexId v = 0; v < n; ++v) {
    const Exact truth = exact[static_cast<std::size_t>(v)] - mean;
    off = std::max(off, std::abs(truth - Exact{x(v, 0)}));
    size = std::max(size, std::abs(truth));
  }
  CHECK(static_cast<double>(off / size) < 1e-9);
}

TEST_CASE("a limit on the iterations is a limit, also where rounding stops them") {
  Rng rng(19);
  const GroundedLaplacian a = clusters(4, 40, 1e-9, rng);
  Block x;
  const SolveReport report = solve_once(
      a, {.kind = SolverKind::conjugate_gradient, .max_iterations = 3}, degrees_of(a), x);
  CHECK(report.outcome == Outcome::iteration_limit);
}
