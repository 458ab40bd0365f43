// Eigenpairs of graphs whose weights span many decades.

#include <cmath>
#include <vector>

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
