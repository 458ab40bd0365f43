#include "torture_families.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl::bench {
namespace {

VertexId sized(double full, double scale) {
  return std::max<VertexId>(4, static_cast<VertexId>(full * scale));
}

VertexId any_vertex(VertexId n, Rng& rng) {
  return static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
}

double log_uniform(double low, double high, Rng& rng) {
  return std::exp(std::log(low) + (std::log(high) - std::log(low)) * rng.uniform());
}

// Random classes, of two, at up to `labels` vertices.
System labeled(const Graph& graph, VertexId labels, Rng& rng) {
  std::vector<VertexId> given;
  for (VertexId i = 0; i < labels; ++i) given.push_back(any_vertex(graph.vertex_count(), rng));
  std::ranges::sort(given);
  given.erase(std::unique(given.begin(), given.end()), given.end());
  Block values(static_cast<std::int64_t>(given.size()), 1);
  for (std::int64_t i = 0; i < values.rows(); ++i) values(i, 0) = static_cast<double>(i % 2);
  if (values.rows() == 1) values(0, 0) = 1.0;
  DirichletProblem problem = make_dirichlet_problem(graph, given);
  Block b = problem.right_hand_side(values);
  return {std::move(problem.system), std::move(b)};
}

// Ground at some vertices; b = A x for an x uniform in [0, 1).
System grounded(Graph graph, std::vector<double> ground, Rng& rng) {
  System system{GroundedLaplacian(std::move(graph), std::move(ground)), {}};
  Block x(system.matrix.size(), 1);
  for (std::int64_t v = 0; v < x.rows(); ++v) x(v, 0) = rng.uniform();
  system.matrix.apply(x, system.b);
  return system;
}

Graph mildly_weighted(const Graph& graph, Rng& rng) {
  return with_log_uniform_weights(graph, 0.1, 10.0, rng);
}

System near_singular(double scale, Rng& rng) {
  const VertexId side = sized(500, std::sqrt(scale));
  Graph graph = mildly_weighted(grid_graph(side, side), rng);
  std::vector<double> ground(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  ground[static_cast<std::size_t>(any_vertex(graph.vertex_count(), rng))] = 1e-12;
  return grounded(std::move(graph), std::move(ground), rng);
}

// Half of them without ground.
System isolated_pairs(double scale, Rng& rng) {
  const VertexId n = 2 * sized(1e6, scale);
  std::vector<Edge> edges;
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (VertexId v = 0; v < n; v += 2) {
    edges.push_back({v, v + 1, log_uniform(1e-3, 1e3, rng)});
    if (rng.below(2) == 0) ground[static_cast<std::size_t>(v)] = log_uniform(1e-3, 1e3, rng);
  }
  return grounded(graph_from_edges(n, edges), std::move(ground), rng);
}

Graph random_piece(VertexId n, Rng& rng) {
  const auto side = std::max<VertexId>(2, static_cast<VertexId>(std::sqrt(n)));
  const auto edge = std::max<VertexId>(2, static_cast<VertexId>(std::cbrt(n)));
  switch (rng.below(9)) {
    case 0: return path_graph(n);
    case 1: return star_graph(n);
    case 2: return cycle_graph(std::max<VertexId>(3, n));
    case 3: return random_tree(n, rng);
    case 4: return grid_graph(side, side);
    case 5: return grid_graph(edge, edge, edge);
    case 6: return barbell_graph(std::min<VertexId>(side, 300), n);
    case 7: return rmat_graph(static_cast<int>(std::log2(n)), 8, rng);
    default: return road_graph(side / 2 + 1, side / 2 + 1, rng);
  }
}

// Pieces of all shapes, each at its own scale of weights, joined by a few edges and renumbered
// (after the chimeras of Gao, Kyng and Spielman 2023, arXiv:2303.00709).
System chimera(double scale, Rng& rng) {
  std::vector<Edge> edges;
  VertexId n = 0;
  for (auto pieces = 3 + rng.below(8); pieces > 0; --pieces) {
    const auto size = static_cast<VertexId>(log_uniform(100.0, sized(2e5, scale), rng));
    Graph piece = random_piece(std::max<VertexId>(16, size), rng);
    if (rng.below(2) == 0) piece = with_log_uniform_weights(piece, 1e-3, 1e3, rng);
    const double unit = log_uniform(1e-3, 1e3, rng);
    for (VertexId u = 0; u < piece.vertex_count(); ++u)
      piece.visit_row(u, [&](VertexId v, double w) {
        if (u < v) edges.push_back({n + u, n + v, unit * w});
      });
    if (n > 0)
      for (auto joints = 1 + rng.below(5); joints > 0; --joints)
        edges.push_back({any_vertex(n, rng), n + any_vertex(piece.vertex_count(), rng),
                         log_uniform(1e-3, 1e3, rng)});
    n += piece.vertex_count();
  }
  std::vector<VertexId> number(static_cast<std::size_t>(n));
  std::iota(number.begin(), number.end(), 0);
  shuffle(number, rng);
  for (Edge& edge : edges) {
    edge.u = number[static_cast<std::size_t>(edge.u)];
    edge.v = number[static_cast<std::size_t>(edge.v)];
  }
  Graph graph = graph_from_edges(n, edges);
  if (rng.below(2) == 0)
    return labeled(graph, static_cast<VertexId>(log_uniform(1.0, 200.0, rng)), rng);
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (auto tied = 1 + rng.below(20); tied > 0; --tied)
    ground[static_cast<std::size_t>(any_vertex(n, rng))] = log_uniform(1e-6, 1e3, rng);
  return grounded(std::move(graph), std::move(ground), rng);
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> list{
      {"star",
       [](double scale, Rng& rng) {
         return labeled(mildly_weighted(star_graph(sized(1e6, scale)), rng), 100, rng);
       }},
      {"path",
       [](double scale, Rng& rng) {
         return labeled(mildly_weighted(path_graph(sized(1e7, scale)), rng), 100, rng);
       }},
      {"barbell",
       [](double scale, Rng& rng) {
         const VertexId clique = sized(1000, std::sqrt(scale));
         return labeled(mildly_weighted(barbell_graph(clique, sized(1e5, scale)), rng), 2, rng);
       }},
      {"tree",
       [](double scale, Rng& rng) {
         return labeled(mildly_weighted(random_tree(sized(1e6, scale), rng), rng), 100, rng);
       }},
      {"contrast",
       [](double scale, Rng& rng) {
         const VertexId side = sized(300, std::sqrt(scale));
         return labeled(with_log_uniform_weights(grid_graph(side, side), 1e-8, 1e8, rng), 100, rng);
       }},
      {"near-singular", near_singular},
      {"pairs", isolated_pairs},
      {"chimera", chimera}};
  return list;
}

}  // namespace gssl::bench
