// p = inf and the game form against slow twins, and swept against factored.

#include <algorithm>
#include <cmath>

#include "algorithms/p_laplacian_support.hpp"
#include "gssl/graph/generators.hpp"
#include "network/p_laplacian/tug_of_war.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct Paths {
  std::vector<double> distance;
  std::vector<std::size_t> parent;
};

// Shortest paths from s through free vertices, by Bellman and Ford.
Paths paths_from(std::size_t s, const Graph& graph, const std::vector<bool>& fixed,
                 bool inverse_lengths) {
  const std::size_t n = fixed.size();
  Paths paths{std::vector<double>(n, infinite), std::vector<std::size_t>(n, s)};
  std::vector<double>& distance = paths.distance;
  distance[s] = 0.0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t v = 0; v < n; ++v) {
      if (distance[v] == infinite || (fixed[v] && v != s)) continue;
      graph.visit_row(static_cast<VertexId>(v), [&](VertexId y, double w) {
        const auto u = static_cast<std::size_t>(y);
        if (fixed[v] && fixed[u]) return;
        const double length = inverse_lengths ? 1.0 / w : 1.0;
        if (paths.distance[v] + length < paths.distance[u]) {
          paths.distance[u] = paths.distance[v] + length;
          paths.parent[u] = v;
          changed = true;
        }
      });
    }
  }
  return paths;
}

// Where every free vertex hangs from fixed ones of one value.
void spread_values(const Graph& graph, std::vector<bool>& fixed, std::vector<double>& x) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t v = 0; v < fixed.size(); ++v) {
      if (!fixed[v]) continue;
      graph.visit_row(static_cast<VertexId>(v), [&](VertexId y, double) {
        const auto u = static_cast<std::size_t>(y);
        if (!fixed[u]) x[u] = x[v], fixed[u] = true, changed = true;
      });
    }
  }
}

// The lexicographically least extension, by steepest terminal paths: again and again, of all paths
// between fixed vertices through free ones, the steepest is fixed to rise evenly; what is left has
// slope zero. O(n³) a path. R. Kyng, A. Rao, S. Sachdeva, D. Spielman 2015, arXiv:1505.00290.
std::vector<double> lex_minimizer(const Graph& graph, const std::vector<VertexId>& given,
                                  const std::vector<double>& values, bool inverse_lengths) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> x(n, 0.0);
  std::vector<bool> fixed(n, false);
  for (std::size_t i = 0; i < given.size(); ++i) {
    x[static_cast<std::size_t>(given[i])] = values[i];
    fixed[static_cast<std::size_t>(given[i])] = true;
  }
  for (;;) {
    double steepest = -1.0;
    std::vector<std::size_t> path;
    std::vector<double> at;
    for (std::size_t s = 0; s < n; ++s) {
      if (!fixed[s]) continue;
      const Paths paths = paths_from(s, graph, fixed, inverse_lengths);
      const auto& [distance, parent] = paths;
      for (std::size_t t = 0; t < n; ++t) {
        if (!fixed[t] || t == s || distance[t] == infinite) continue;
        const double slope = (x[s] - x[t]) / distance[t];
        if (slope <= steepest) continue;
        steepest = slope;
        path.clear();
        at.clear();
        for (std::size_t v = parent[t]; v != s; v = parent[v]) {
          path.push_back(v);
          at.push_back(x[s] - slope * distance[v]);
        }
      }
    }
    if (steepest > 0.0) {
      for (std::size_t i = 0; i < path.size(); ++i) x[path[i]] = at[i], fixed[path[i]] = true;
      continue;
    }
    spread_values(graph, fixed, x);
    return x;
  }
}

}  // namespace

TEST_CASE("p = inf is the lexicographically least extension") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto n = static_cast<VertexId>(6 + 2 * seed);
    const Graph graph = random_graph(n, n / 2, seed);
    const std::vector<VertexId> given{0, 3, 5};
    const std::vector<double> values{0.0, 1.0, 0.35};
    for (const bool game : {false, true}) {
      CAPTURE(seed, game);
      const Fit fit =
          fit_targets(graph, given, values,
                      {.p = infinite,
                       .tolerance = 1e-9,
                       .form = game ? PLaplacianForm::game : PLaplacianForm::variational});
      CHECK(fit.report.converged());
      const double bound = certificate(fit, "error_bound").values[0];
      CHECK(bound <= 1e-9);
      const std::vector<double> expected = lex_minimizer(graph, given, values, game);
      for (VertexId v = 0; v < n; ++v)
        CHECK(std::abs(fit.scores.values(v, 0) - expected[static_cast<std::size_t>(v)]) <=
              bound + 1e-13);
    }
  }
}

TEST_CASE("the game form is bracketed: sweeps to the end stay inside its error bound") {
  for (const double p : {2.0, 3.0, 10.0}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(p, seed);
      const Graph graph = random_graph(14, 14, seed);
      const Fit fit = fit_targets(graph, {0, 3, 5}, {0.0, 1.0, 0.35},
                                  {.p = p, .tolerance = 1e-8, .form = PLaplacianForm::game});
      REQUIRE(fit.report.converged());
      double largest = 0.0;
      for (VertexId v = 0; v < 14; ++v)
        graph.visit_row(v, [&](VertexId, double w) { largest = std::max(largest, w); });
      // The value of the game by bisection at one vertex after the other.
      std::vector<double> x(14, 0.5);
      x[0] = 0.0, x[3] = 1.0, x[5] = 0.35;
      for (int sweep = 0; sweep < 600; ++sweep)
        for (VertexId v = 0; v < 14; ++v) {
          if (v == 0 || v == 3 || v == 5) continue;
          double low = 0.0, high = 1.0;
          for (int i = 0; i < 50; ++i) {
            const double at = 0.5 * (low + high);
            double mean = 0.0, most = -infinite, least = infinite;
            graph.visit_row(v, [&](VertexId u, double w) {
              const double step = x[static_cast<std::size_t>(u)] - at;
              mean += w * step;
              most = std::max(most, w / largest * step);
              least = std::min(least, w / largest * step);
            });
            const double g = mean / graph.weighted_degree(v) / p + (1.0 - 2.0 / p) * (most + least);
            (g > 0.0 ? low : high) = at;
          }
          x[static_cast<std::size_t>(v)] = 0.5 * (low + high);
        }
      for (VertexId v = 0; v < 14; ++v)
        CHECK(std::abs(fit.scores.values(v, 0) - x[static_cast<std::size_t>(v)]) <=
              certificate(fit, "error_bound").values[0] + 1e-12);
    }
  }
}

TEST_CASE("a grid full of ties has its extension for p = inf, the same on any number of threads") {
  // Labels 0 and 1 in two corners each: by symmetry 1/2 on the middle columns' reflection.
  const VertexId side = 24;
  const Graph grid = grid_graph(side, side);
  const std::vector<VertexId> given{0, side * (side - 1), side - 1, side * side - 1};
  const std::vector<double> values{0.0, 0.0, 1.0, 1.0};
  for (const double p : {4.0, infinite}) {
    CAPTURE(p);
    const PLaplacianOptions options{.p = p, .tolerance = 1e-7, .form = PLaplacianForm::game};
    const Fit fit = fit_targets(grid, given, values, options);
    REQUIRE(fit.report.converged());
    const double bound = certificate(fit, "error_bound").values[0];
    for (VertexId row = 0; row < side; ++row)
      for (VertexId column = 0; column < side; ++column) {
        const double here = fit.scores.values(row * side + column, 0);
        const double mirrored = fit.scores.values(row * side + side - 1 - column, 0);
        const double below = fit.scores.values((side - 1 - row) * side + column, 0);
        CHECK(std::abs(here + mirrored - 1.0) <= 2.0 * bound + 1e-14);
        CHECK(std::abs(here - below) <= 2.0 * bound + 1e-14);
        // Between the corners of a side the extension is even.
        if (std::isinf(p) && row == 0)
          CHECK(std::abs(here - column / (side - 1.0)) <= bound + 1e-14);
      }
    CHECK(fit_targets(grid, given, values, options, 3).scores.values == fit.scores.values);
  }
}

TEST_CASE("walks too large to factor are swept, to the same answer within both bounds") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Graph graph = random_graph(80, 160, seed);
    const auto pieces =
        detail::network_pieces(make_dirichlet_problem(graph, std::vector<VertexId>{0, 9, 30, 41}));
    const std::vector<double> terminals{0.0, 1.0, 0.35, 0.8};
    for (const double p : {3.0, 10.0, infinite})
      for (const double pull_scale : {0.0, 0.1}) {
        CAPTURE(seed, p, pull_scale);
        detail::TugOfWar game{
            .alpha = 1.0 / p, .beta = 1.0 - 2.0 / p, .pull_scale = pull_scale, .tolerance = 1e-7};
        const auto factored = solve_tug_of_war(pieces.front(), game, terminals, on_threads(1));
        game.most_flops = 0.0;
        const auto swept = solve_tug_of_war(pieces.front(), game, terminals, on_threads(1));
        CHECK_FALSE(factored.swept);
        CHECK(swept.swept);
        REQUIRE(factored.outcome == Outcome::converged);
        REQUIRE(swept.outcome == Outcome::converged);
        CHECK(swept.error_bound <= 1e-7);
        for (std::size_t r = 0; r < swept.potential.size(); ++r)
          CHECK(std::abs(swept.potential[r] - factored.potential[r]) <=
                swept.error_bound + factored.error_bound);
        game.max_rounds = 1;
        const auto stopped = solve_tug_of_war(pieces.front(), game, terminals, on_threads(1));
        CHECK(stopped.outcome == Outcome::iteration_limit);
        for (std::size_t r = 0; r < stopped.potential.size(); ++r)
          CHECK(std::abs(stopped.potential[r] - factored.potential[r]) <=
                stopped.error_bound + factored.error_bound);
      }
  }
}

TEST_CASE("weights over hundreds of decades are answered within the bound or not at all") {
  const double big = 3.6e75, small = 1e-116;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 11);
    std::vector<Edge> edges;
    for (VertexId v = 1; v < 11; ++v)
      for (int i = 0; i < 3; ++i)
        edges.push_back({v, static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(v))),
                         std::pow(10.0, 300.0 * rng.uniform() - 150.0)});
    edges.push_back({0, 10, seed % 2 == 0 ? big : small});
    const Graph graph = graph_from_edges(11, edges);
    for (const double p : {3.0, std::numeric_limits<double>::infinity()}) {
      const Fit fit =
          PLaplacianLearner({.p = p, .form = PLaplacianForm::game, .max_iterations = 40})
              .fit(graph, classes({0, 2, 4}, {0, 1, 1}, 2), on_threads(1));
      for (VertexId v = 0; v < 11; ++v) {
        CHECK(fit.scores.values(v, 0) >= 0.0);
        CHECK(fit.scores.values(v, 0) <= 1.0);
      }
      const double bound = fit.report.certificates.at(0).values.at(0);
      CHECK(bound >= 0.0);
      CHECK((fit.report.converged() ? bound <= 1e-6 : bound > 1e-6));
    }
  }
}
