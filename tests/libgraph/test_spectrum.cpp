// Eigenpairs against dense matrices, against outside values, and against what theory says.

#include <Eigen/Eigenvalues>
#include <atomic>
#include <cmath>
#include <numbers>

#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr LaplacianKind kinds[] = {LaplacianKind::combinatorial, LaplacianKind::symmetric,
                                   LaplacianKind::random_walk};
constexpr SpectrumMethod methods[] = {SpectrumMethod::automatic, SpectrumMethod::dense,
                                      SpectrumMethod::lanczos, SpectrumMethod::inversion};

RunContext on_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

// The slow twin: all eigenvalues of the whole matrix (L_rw has those of L_sym).
std::vector<double> dense_values(const Graph& graph, LaplacianKind kind) {
  const VertexId n = graph.vertex_count();
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (VertexId u = 0; u < n; ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      const double s = kind == LaplacianKind::combinatorial
                           ? 1.0
                           : std::sqrt(graph.weighted_degree(u) * graph.weighted_degree(v));
      m(u, v) -= w / s;
      m(u, u) += kind == LaplacianKind::combinatorial ? w : w / graph.weighted_degree(u);
    });
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m, Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().data(), solver.eigenvalues().data() + n};
}

double mean_degree(const Graph& graph) {
  double sum = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) sum += graph.weighted_degree(v);
  return sum / std::max(1, graph.vertex_count());
}

// Orthonormal (D-orthonormal for L_rw) vectors, residuals as claimed, each on its component.
void check_pairs(const Graph& graph, LaplacianKind kind, const Spectrum& s) {
  const VertexId n = graph.vertex_count();
  const auto k = static_cast<std::int64_t>(s.values.size());
  REQUIRE(s.vectors.rows() == n);
  REQUIRE(s.vectors.columns() == k);
  const Components components = connected_components(graph);
  double worst = 0.0;
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < k; ++j) {
      double dot = 0.0;
      for (VertexId v = 0; v < n; ++v) {
        const double d = graph.weighted_degree(v);
        const double weight = kind == LaplacianKind::random_walk && d > 0.0 ? d : 1.0;
        dot += weight * s.vectors(v, i) * s.vectors(v, j);
      }
      worst = std::max(worst, std::abs(dot - (i == j ? 1.0 : 0.0)));
    }
  CHECK(worst < 1e-9);
  Block y;
  apply_laplacian(graph, kind, s.vectors, y);
  for (std::int64_t j = 0; j < k; ++j) {
    double squares = 0.0, elsewhere = 0.0;
    for (VertexId v = 0; v < n; ++v) {
      const double d = graph.weighted_degree(v);
      const double weight = kind == LaplacianKind::random_walk && d > 0.0 ? d : 1.0;
      const double r = y(v, j) - s.values[static_cast<std::size_t>(j)] * s.vectors(v, j);
      squares += weight * r * r;
      if (components.of[static_cast<std::size_t>(v)] != s.component_of[static_cast<std::size_t>(j)])
        elsewhere = std::max(elsewhere, std::abs(s.vectors(v, j)));
    }
    CHECK(std::abs(std::sqrt(squares) - s.residuals[static_cast<std::size_t>(j)]) <
          1e-12 * (1.0 + std::sqrt(mean_degree(graph))));
    CHECK(elsewhere == 0.0);
    if (j < s.zero_count) CHECK(s.values[static_cast<std::size_t>(j)] == 0.0);
  }
}

struct Case {
  std::string name;
  Graph graph;
};

std::vector<Case> small_graphs() {
  std::vector<Case> list;
  Rng rng(7);
  list.push_back({"single vertex", path_graph(1)});
  list.push_back({"no edges", graph_from_edges(4, {})});
  list.push_back({"one edge", path_graph(2)});
  list.push_back({"path", path_graph(30)});
  list.push_back({"star", star_graph(40)});
  list.push_back({"complete", complete_graph(30)});
  list.push_back({"cycle", cycle_graph(36)});
  list.push_back({"grid", grid_graph(6, 6)});
  list.push_back({"tree", random_tree(60, rng)});
  list.push_back({"barbell", barbell_graph(10, 5)});
  list.push_back(
      {"weighted", with_log_uniform_weights(erdos_renyi_graph(50, 0.1, rng), 1e-4, 1e4, rng)});
  list.push_back({"parts", erdos_renyi_graph(60, 0.03, rng)});
  return list;
}

}  // namespace

TEST_CASE("every method finds the eigenvalues of the dense matrix, copies included") {
  Rng rng(3);
  std::vector<Case> list = small_graphs();
  // Large enough for the iterations.
  list.push_back({"large star", star_graph(400)});
  list.push_back({"large complete", complete_graph(300)});
  list.push_back({"large grid", grid_graph(18, 18)});
  list.push_back(
      {"torus", [] {
         std::vector<Edge> edges;  // 7³, each eigenvalue 6-fold or more
         const auto at = [](int x, int y, int z) {
           return static_cast<VertexId>((x % 7 * 7 + y % 7) * 7 + z % 7);
         };
         for (int x = 0; x < 7; ++x)
           for (int y = 0; y < 7; ++y)
             for (int z = 0; z < 7; ++z)
               for (const VertexId v : {at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)})
                 edges.push_back({at(x, y, z), v});
         return graph_from_edges(343, edges);
       }()});
  list.push_back({"sparse random", erdos_renyi_graph(600, 0.004, rng)});
  list.push_back({"blocks", stochastic_block_model({150, 150, 150}, 0.1, 0.002, rng)});
  list.push_back({"contrast", with_log_uniform_weights(grid_graph(20, 20), 1e-4, 1e4, rng)});
  list.push_back({"bipartite", [] {
                    std::vector<Edge> edges;
                    for (VertexId u = 0; u < 12; ++u)
                      for (VertexId v = 12; v < 300; ++v)
                        if ((u * v) % 5 < 2) edges.push_back({u, v});
                    return graph_from_edges(300, edges);
                  }()});
  for (const Case& c : list) {
    for (const LaplacianKind kind : kinds) {
      const std::vector<double> truth = dense_values(c.graph, kind);
      const double size = std::max(1.0, truth.back());
      for (const SpectrumMethod method : methods) {
        CAPTURE(c.name, static_cast<int>(kind), to_string(method));
        const Spectrum s = smallest_eigenpairs(
            c.graph, {.count = 12, .kind = kind, .method = method}, on_threads(1));
        INFO(s.sentence);
        CHECK(s.outcome == Outcome::converged);
        REQUIRE(s.values.size() == std::min<std::size_t>(12, truth.size()));
        double worst = 0.0;
        for (std::size_t j = 0; j < s.values.size(); ++j)
          worst = std::max(worst, std::abs(s.values[j] - truth[j]));
        CHECK(worst < 1e-8 * size);
        check_pairs(c.graph, kind, s);
      }
    }
  }
}
