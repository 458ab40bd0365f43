// Eigenpairs of graphs whose weights span many decades.

#include <cmath>
#include <limits>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "spectrum_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    for (const VertexId v : graph.neighbors(u))
      if (u < v) edges.push_back({u, v});
  return edges;
}

}  // namespace

TEST_CASE("weights eight decades apart are solved, or said not to be") {
  Rng rng(5);
  const Graph graph = with_log_uniform_weights(grid_graph(30, 30), 1e-4, 1e4, rng);
  for (const LaplacianKind kind : kinds) {
    const Spectrum s = smallest_eigenpairs(graph, {.count = 8, .kind = kind}, on_threads(1));
    CAPTURE(static_cast<int>(kind), s.sentence);
    CHECK(s.outcome == Outcome::converged);
    check_pairs(graph, kind, s);
    const Spectrum other = smallest_eigenpairs(
        graph, {.count = 8, .kind = kind, .method = SpectrumMethod::lanczos}, on_threads(1));
    for (std::size_t j = 1; j < 8; ++j)
      CHECK(s.values[j] == Approx(other.values[j]).epsilon(1e-5).margin(1e-10));
  }
}

TEST_CASE("pieces that hang by almost nothing leave the other eigenvalues their digits") {
  // A grid, and five more vertices each tied to it by less than rounding sees.
  const Graph grid = grid_graph(20, 21);
  std::vector<Edge> edges = edges_of(grid);
  for (VertexId i = 0; i < 5; ++i) edges.push_back({7 * i, 420 + i, std::pow(10.0, -20 - 3 * i)});
  const Graph graph = graph_from_edges(425, edges);
  const std::vector<double> truth = dense_values(grid, LaplacianKind::combinatorial);
  for (const SpectrumMethod method : {SpectrumMethod::automatic, SpectrumMethod::inversion}) {
    const Spectrum s = smallest_eigenpairs(
        graph, {.count = 12, .kind = LaplacianKind::combinatorial, .method = method},
        on_threads(1));
    CAPTURE(to_string(method), s.sentence);
    CHECK(s.outcome == Outcome::converged);
    CHECK(s.zero_count == 1);
    for (std::size_t j = 0; j < 6; ++j) CHECK((s.values[j] >= 0.0 && s.values[j] < 1e-12));
    for (std::size_t j = 6; j < 12; ++j) CHECK(s.values[j] == Approx(truth[j - 5]).epsilon(1e-8));
    check_pairs(graph, LaplacianKind::combinatorial, s);
  }
}

TEST_CASE("pieces that hang by ever less are found whatever part of them is wanted") {
  // A grid, and 24 paths of two vertices, each tied to it a tenth as well as the one before: their
  // eigenvalues fill the decades down to far below rounding, and any number of pairs ends there.
  const Graph grid = grid_graph(20, 21);
  std::vector<Edge> edges = edges_of(grid);
  for (VertexId i = 0; i < 24; ++i) {
    edges.push_back({17 * i, 420 + 2 * i, std::pow(10.0, -3 - i)});
    edges.push_back({420 + 2 * i, 421 + 2 * i});
  }
  const Graph graph = graph_from_edges(468, edges);
  for (const LaplacianKind kind : {LaplacianKind::combinatorial, LaplacianKind::symmetric}) {
    const std::vector<double> truth = dense_values(graph, kind);
    for (const int count : {2, 3, 6, 12, 20, 30, 60}) {
      const Spectrum s = smallest_eigenpairs(
          graph, {.count = count, .kind = kind, .method = SpectrumMethod::inversion},
          on_threads(1));
      CAPTURE(static_cast<int>(kind), count, s.sentence);
      CHECK(s.used == "inversion");
      CHECK(s.outcome == Outcome::converged);
      for (std::size_t j = 0; j < s.values.size(); ++j)
        CHECK(s.values[j] == Approx(truth[j]).epsilon(1e-6).margin(1e-12));
      CHECK(s.steps < 150);
      check_pairs(graph, kind, s);
    }
  }
}

TEST_CASE("a chain that hangs by the smallest of doubles is no internal error") {
  // The inverse has entries that no double holds.
  const Graph grid = grid_graph(20, 21);
  std::vector<Edge> edges = edges_of(grid);
  VertexId before = 0;
  for (VertexId v = 420; v < 428; ++v) {
    edges.push_back({before, v, 2.3e-308});
    before = v;
  }
  const Graph graph = graph_from_edges(428, edges);
  const std::vector<double> truth = dense_values(grid, LaplacianKind::combinatorial);
  const Spectrum s = smallest_eigenpairs(
      graph,
      {.count = 12, .kind = LaplacianKind::combinatorial, .method = SpectrumMethod::inversion},
      on_threads(1));
  CAPTURE(s.sentence);
  CHECK(s.outcome == Outcome::converged);
  for (std::size_t j = 0; j < 9; ++j) CHECK((s.values[j] >= 0.0 && s.values[j] < 1e-12));
  for (std::size_t j = 9; j < 12; ++j) CHECK(s.values[j] == Approx(truth[j - 8]).epsilon(1e-8));
  check_pairs(graph, LaplacianKind::combinatorial, s);
}

TEST_CASE("weights at either end of the doubles have the spectrum of the same weights near 1") {
  Rng rng(7);
  const Graph graph = with_log_uniform_weights(grid_graph(6, 5), 0.25, 4.0, rng);
  for (const int exponent : {1018, 700, -700, -1019, -1072}) {
    std::vector<Edge> edges;
    // Below 2^-1022 a double has fewer digits: those that are left are what both graphs have.
    std::vector<Edge> same;
    for (VertexId u = 0; u < graph.vertex_count(); ++u)
      graph.visit_row(u, [&](VertexId v, double w) {
        if (u > v) return;
        edges.push_back({u, v, std::ldexp(w, exponent)});
        same.push_back({u, v, std::ldexp(edges.back().weight, -exponent)});
      });
    const Graph extreme = graph_from_edges(graph.vertex_count(), edges);
    const Graph usual = graph_from_edges(graph.vertex_count(), same);
    for (const LaplacianKind kind : kinds) {
      const Spectrum s = smallest_eigenpairs(extreme, {.count = 5, .kind = kind}, on_threads(1));
      const Spectrum t = smallest_eigenpairs(usual, {.count = 5, .kind = kind}, on_threads(1));
      CAPTURE(exponent, static_cast<int>(kind), s.sentence);
      CHECK(s.outcome == Outcome::converged);
      const bool scales = kind == LaplacianKind::combinatorial;
      for (std::size_t j = 0; j < 5; ++j) {
        const double value = scales ? std::ldexp(t.values[j], exponent) : t.values[j];
        CHECK(std::abs(s.values[j] - value) <=
              1e-12 * value + 2.0 * std::numeric_limits<double>::denorm_min());
        CHECK(std::isfinite(s.residuals[j]));
        const double length = kind == LaplacianKind::random_walk ? std::exp2(-0.5 * exponent) : 1.0;
        for (VertexId v = 0; v < extreme.vertex_count(); ++v)
          CHECK(s.vectors(v, static_cast<std::int64_t>(j)) / length ==
                Approx(t.vectors(v, static_cast<std::int64_t>(j))).epsilon(1e-9).margin(1e-9));
      }
    }
  }
}

TEST_CASE("the walk between a heavy and a light edge has the eigenvalues worked out by hand") {
  //  a ——— b ——— c   with w_ab = 1.5e308 and w_bc = 1: L_rw has 0, 1, 2 (bipartite, trace 3)
  const Graph graph = graph_from_edges(3, {{0, 1, 1.5e308}, {1, 2, 1.0}});
  for (const LaplacianKind kind : {LaplacianKind::symmetric, LaplacianKind::random_walk}) {
    const Spectrum s = smallest_eigenpairs(graph, {.count = 3, .kind = kind}, on_threads(1));
    CHECK(s.outcome == Outcome::converged);
    CHECK(s.values[0] == 0.0);
    CHECK(s.values[1] == Approx(1.0).epsilon(1e-14));
    CHECK(s.values[2] == Approx(2.0).epsilon(1e-14));
    for (const double residual : s.residuals) CHECK(residual < 1e-14);
  }
}

TEST_CASE("a star whose degree is more than a double holds has its walk's eigenvalues") {
  const Graph graph = graph_from_edges(4, {{0, 1, 1.5e308}, {0, 2, 1.5e308}, {0, 3, 1.5e308}});
  const Spectrum s =
      smallest_eigenpairs(graph, {.count = 4, .kind = LaplacianKind::random_walk}, on_threads(1));
  CHECK(s.outcome == Outcome::converged);
  const double truth[] = {0.0, 1.0, 1.0, 2.0};
  for (std::size_t j = 0; j < 4; ++j) CHECK(s.values[j] == Approx(truth[j]).epsilon(1e-14));
}

TEST_CASE("eigenvalues that no double holds are refused, those that one does are given") {
  const Graph graph = graph_from_edges(3, {{0, 1, 1.5e308}, {1, 2, 1e308}});
  const SpectrumOptions all{.count = 3, .kind = LaplacianKind::combinatorial};
  try {
    smallest_eigenpairs(graph, all, on_threads(1));
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_data);
  }
  SpectrumOptions two = all;
  two.count = 2;
  // λ² − 2(a + b) λ + 3ab = 0
  const double a = 1.5, b = 1.0;
  const double truth = 1e308 * (a + b - std::sqrt((a + b) * (a + b) - 3.0 * a * b));
  CHECK(smallest_eigenpairs(graph, two, on_threads(1)).values[1] == Approx(truth).epsilon(1e-13));
}

TEST_CASE("weights further apart than any scaling brings together are refused") {
  const Graph graph = graph_from_edges(3, {{0, 1, 1e308}, {1, 2, 1e-308}});
  for (const LaplacianKind kind : kinds) {
    try {
      smallest_eigenpairs(graph, {.count = 2, .kind = kind}, on_threads(1));
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::bad_data);
    }
  }
}
