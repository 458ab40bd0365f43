// Sketches of effective resistances against the exact ones.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/certificates.hpp"
#include "fixtures.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "network/resistance/relaxation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// `hubs` vertices joined with probability 1/2, and chains of one to five vertices between two of
// them each, every second one a ladder of two rails.
Graph hubs_and_chains(VertexId hubs, int chains, Rng& rng) {
  std::vector<Edge> edges;
  const Graph core = erdos_renyi_graph(hubs, 0.5, rng);
  for (const auto& [u, v] : edge_pairs(core)) edges.push_back({u, v, 1.0});
  VertexId next = hubs;
  const auto hub = [&] {
    return static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(hubs)));
  };
  for (int i = 0; i < chains; ++i) {
    const auto length = static_cast<VertexId>(1 + rng.below(5));
    const VertexId rails = i % 2 == 0 ? 1 : 2;
    for (VertexId rail = 0; rail < rails; ++rail, next += length) {
      edges.push_back({hub(), next, 0.5 + rng.uniform()});
      for (VertexId k = 1; k < length; ++k)
        edges.push_back({next + k - 1, next + k, 0.5 + rng.uniform()});
      edges.push_back({next + length - 1, hub(), 0.5 + rng.uniform()});
      if (rail == 0) continue;
      for (VertexId k = 0; k < length; ++k)
        edges.push_back({next + k - length, next + k, 0.5 + rng.uniform()});
    }
  }
  return graph_from_edges(next, edges);
}

// 0 if there is none.

}  // namespace

TEST_CASE("sketches are within epsilon, and within the bound they give for each value") {
  Rng rng(5);
  const Graph social = erdos_renyi_graph(300, 0.06, rng);
  const Graph grid = with_log_uniform_weights(grid_graph(12, 12), 1.0, 20.0, rng);
  for (const Graph& graph : {social, grid}) {
    const auto exact = edge_resistances(graph, {}, {}).values;
    const auto diagonal = pseudoinverse_diagonal(graph, {}, {}).values;
    for (const std::uint64_t seed : {1, 2}) {
      RunContext run;
      run.seed = seed;
      const ResistanceOptions options{.method = ResistanceMethod::sketch, .epsilon = 0.3};
      const auto check = [&](const ResistanceAnswer& found, const std::vector<double>& values) {
        REQUIRE(found.report.converged());
        CHECK(found.report.used == "sketch");
        REQUIRE(found.values.size() == values.size());
        double sampled = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double error = std::abs(found.values[i] - values[i]);
          REQUIRE(error <= 0.3 * values[i] + 1e-12);
          REQUIRE(error <= found.error_bound[i] + 1e-8 * values[i]);
          sampled = std::max(sampled, error);
        }
        return sampled;
      };
      const double sampled = check(edge_resistances(graph, options, run), exact);
      // It is a sketch, not the exact answer; a few hundred edges are solved for instead.
      CHECK((graph.edge_count() < 1000 || sampled > 1e-6));
      if (seed == 1) check(pseudoinverse_diagonal(graph, options, run), diagonal);
    }
    const ResistanceOptions options{.method = ResistanceMethod::sketch, .epsilon = 0.3};
    CHECK(edge_resistances(graph, options, on_threads(1)).values ==
          edge_resistances(graph, options, on_threads(3)).values);
  }
  // Automatic takes the factor where it is small, and a sketch where memory forbids it.
  CHECK(edge_resistances(grid, {.epsilon = 0.3}, {}).report.used == "factor");
  CHECK(edge_resistances(grid, {.epsilon = 0.3, .most_bytes = 1000.0}, {}).report.used == "sketch");
  const auto totals = total_resistances(grid, {.epsilon = 0.3, .most_bytes = 1000.0}, {});
  CHECK(totals.values.at(0) == Approx(total_resistances(grid, {}, {}).values.at(0)).epsilon(0.3));
}

TEST_CASE("a sketch knows the wires of trees that hang from the rest") {
  Rng rng(2);
  const Graph tree = with_log_uniform_weights(random_tree(80, rng), 0.1, 10.0, rng);
  std::vector<Edge> edges{{0, 1, 2.0}, {1, 2, 2.0}, {2, 0, 2.0}, {83, 84, 4.0}};
  for (VertexId u = 0; u < 80; ++u)
    tree.visit_row(u, [&](VertexId v, double w) {
      if (v > u) edges.push_back({u + 2, v + 2, w});
    });
  const Graph graph = graph_from_edges(85, edges);
  const auto exact = edge_resistances(graph, {}, {}).values;
  const auto found =
      edge_resistances(graph, {.method = ResistanceMethod::sketch, .epsilon = 0.3}, {});
  const auto pairs = edge_pairs(graph);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool ring = pairs[i].v <= 2;
    CHECK(found.values[i] == Approx(exact[i]).epsilon(ring ? 0.3 : 1e-12));
    CHECK((ring || found.error_bound[i] == 0.0));
  }
}

TEST_CASE("what hangs between hubs is relaxed, and its intervals hold for many seeds", "[large]") {
  Rng rng(3);
  const Graph graph = hubs_and_chains(500, 150, rng);
  const auto exact = edge_resistances(graph, {}, {}).values;
  const auto diagonal = pseudoinverse_diagonal(graph, {}, {}).values;
  const auto check = [](const ResistanceAnswer& found, const std::vector<double>& values) {
    REQUIRE(found.report.converged());
    REQUIRE(found.values.size() == values.size());
    CHECK(certified(found, "relaxed") > 500.0);
    CHECK(certified(found, "relative_error_bound") <= 0.1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double error = std::abs(found.values[i] - values[i]);
      REQUIRE(error <= 0.1 * values[i]);
      REQUIRE(error <= found.error_bound[i] + 1e-8 * values[i]);
    }
  };
  const ResistanceOptions options{.method = ResistanceMethod::sketch, .epsilon = 0.1};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RunContext run;
    run.seed = seed;
    const auto edges = edge_resistances(graph, options, run);
    check(edges, exact);
    CHECK(certified(edges, "projections") <= 64.0);
    // Certified only where there were some.
    for (const Certificate& c : edges.report.certificates)
      if (c.name == "solved_exactly") CHECK(c.values.at(0) <= 10.0);
    if (seed <= 3) check(pseudoinverse_diagonal(graph, options, run), diagonal);
  }
  CHECK(edge_resistances(graph, options, on_threads(1)).values ==
        edge_resistances(graph, options, on_threads(3)).values);
}

TEST_CASE("a relaxation splits the energy of a current into what it took and what it left") {
  Rng rng(4);
  const Graph graph = hubs_and_chains(40, 30, rng);
  const auto degree = weighted_degrees(graph, 1);
  detail::Relaxation relaxation(graph, degree);
  // cᵀL⁺c = −½ Σ c_u c_v r(u, v) as c sums to zero.
  const auto energy = [&](const std::vector<std::pair<VertexId, double>>& c) {
    std::vector<VertexPair> pairs;
    std::vector<double> factor;
    for (const auto& [u, one] : c)
      for (const auto& [v, other] : c)
        if (u < v) pairs.push_back({u, v}), factor.push_back(-one * other);
    const auto r = pair_resistances(graph, pairs, {.method = ResistanceMethod::factor}, {}).values;
    return std::inner_product(r.begin(), r.end(), factor.begin(), 0.0);
  };
  for (const VertexPair& b : {VertexPair{45, 46}, VertexPair{0, 50}, VertexPair{3, 7}}) {
    const double whole = pair_resistances(graph, {b}, {}, {}).values.at(0);
    double before = 0.0;
    relaxation.start(b);
    for (const double share : {0.5, 0.1, 0.01}) {
      relaxation.reduce(share, 1'000'000);
      CHECK(relaxation.energy() >= before);
      CHECK(relaxation.energy() + energy(relaxation.remainder()) == Approx(whole).epsilon(1e-9));
      double left = 0.0, sum = 0.0;
      for (const auto& [v, c] : relaxation.remainder()) left += c * c / degree[index(v)], sum += c;
      CHECK(left <= share * relaxation.energy());
      CHECK(std::abs(sum) <= 1e-12);
      before = relaxation.energy();
    }
    relaxation.start(b);
    relaxation.reduce(0.0, 500);
    CHECK(relaxation.visits() < 500 + 2 * graph.vertex_count());
    relaxation.start({b.u, no_vertex});
    relaxation.reduce(0.01, 1'000'000);
    double sum = 0.0;
    for (const auto& [v, c] : relaxation.remainder()) sum += c;
    CHECK(sum == Approx(1.0));
  }
}
