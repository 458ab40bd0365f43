// Effective resistances against circuit laws, dense pseudo-inverses, outside answers and each
// other.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "algorithms/certificates.hpp"
#include "fixtures.hpp"
#include "gssl/core/index.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "support/catch.hpp"
#include "support/costs_in_use.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// L⁺ of a connected graph: (L + J/n)⁻¹ − J/n, by elimination.
Block dense_pseudoinverse(const Graph& graph) {
  const VertexId n = graph.vertex_count();
  auto a = dense_adjacency(graph);
  Block identity(n, n);
  for (VertexId v = 0; v < n; ++v) {
    double degree = 0.0;
    for (double& w : a[index(v)]) {
      degree += w;
      w = 1.0 / n - w;
    }
    a[index(v)][index(v)] += degree;
    identity(v, v) = 1.0;
  }
  Block inverse = dense_solve(a, identity);
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = 0; v < n; ++v) inverse(u, v) -= 1.0 / n;
  return inverse;
}

double from_inverse(const Block& inverse, VertexId u, VertexId v) {
  return inverse(u, u) + inverse(v, v) - 2.0 * inverse(u, v);
}

std::vector<VertexPair> all_pairs(VertexId n) {
  std::vector<VertexPair> pairs;
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = 0; v < n; ++v) pairs.push_back({u, v});
  return pairs;
}

double pair_value(const Graph& graph, VertexId u, VertexId v,
                  ResistanceMethod method = ResistanceMethod::automatic) {
  return pair_resistances(graph, {{u, v}}, {.method = method}, {}).values.at(0);
}

void check_foster(const Graph& graph) {
  const ResistanceAnswer answer = edge_resistances(graph, {}, {});
  CHECK(answer.report.converged());
  const double expected =
      static_cast<double>(graph.vertex_count() - connected_components(graph).count);
  CHECK(certified(answer.report, "foster_expected") == expected);
  CHECK(certified(answer.report, "foster_sum") == Approx(expected).epsilon(1e-10));
  const auto share = spanning_edge_centrality(graph, answer.values);
  for (const double s : share) REQUIRE((s > 0.0 && s <= 1.0 + 1e-12));
}

}  // namespace

TEST_CASE("a single pair of a small graph is exact at any contrast") {
  // A triangle at the end of a chain, over 16 decades.
  const Graph graph =
      graph_from_edges(5, {{0, 1, 1e8}, {1, 2, 1e-8}, {2, 3, 3.0}, {3, 4, 1e8}, {2, 4, 1e-8}});
  const ResistanceAnswer answer = pair_resistances(graph, {{0, 4}}, {}, {});
  INFO(answer.report.sentence);
  const double around = 1.0 / 3.0 + 1e-8;
  CHECK(answer.report.converged());
  CHECK(answer.values[0] == Approx(1e-8 + 1e8 + around / (1.0 + around * 1e-8)).epsilon(1e-15));
}

TEST_CASE("wires in series add, wires in parallel add their conductances") {
  // 0 -2- 1 -4- 2 -8- 3, closed by 3 -1- 0
  const Graph ring = graph_from_edges(4, {{0, 1, 2.0}, {1, 2, 4.0}, {2, 3, 8.0}, {3, 0, 1.0}});
  for (const auto method :
       {ResistanceMethod::automatic, ResistanceMethod::factor, ResistanceMethod::solves}) {
    const double series = 0.5 + 0.25 + 0.125;
    CHECK(pair_value(ring, 0, 3, method) == Approx(1.0 / (1.0 + 1.0 / series)));
    CHECK(pair_value(ring, 0, 2, method) == Approx(1.0 / (1.0 / 0.75 + 1.0 / 1.125)));
    CHECK(pair_value(path_graph(9), 1, 8, method) == Approx(7.0));
    CHECK(pair_value(complete_graph(10), 3, 7, method) == Approx(0.2));
    CHECK(pair_value(star_graph(50), 3, 7, method) == Approx(2.0));
  }
  // A tree: the length of the path. K(2,3): 2 → 3 middle vertices → 2.
  Rng rng(3);
  const Graph tree = random_tree(200, rng);
  for (const double r : edge_resistances(tree, {}, {}).values) CHECK(r == Approx(1.0));
  const Graph bipartite = graph_from_edges(5, {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}});
  CHECK(pair_value(bipartite, 0, 1) == Approx(2.0 / 3.0));
}

TEST_CASE("every query agrees with the dense pseudo-inverse of random graphs") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const auto n = static_cast<VertexId>(5 + 37 * (seed - 1));  // up to 190
    const Graph graph = random_graph(n, static_cast<int>(n * (seed % 3) * 2), seed);
    const Block inverse = dense_pseudoinverse(graph);
    const auto pairs = all_pairs(n);
    for (const auto method : {ResistanceMethod::factor, ResistanceMethod::solves}) {
      const ResistanceAnswer answer = pair_resistances(graph, pairs, {.method = method}, {});
      REQUIRE(answer.report.converged());
      for (std::size_t i = 0; i < pairs.size(); ++i)
        REQUIRE(answer.values[i] ==
                Approx(from_inverse(inverse, pairs[i].u, pairs[i].v)).epsilon(1e-8).margin(1e-12));
    }
    const auto edges = edge_resistances(graph, {}, {}).values;
    std::size_t e = 0;
    for (VertexId u = 0; u < n; ++u)
      for (const VertexId v : graph.neighbors(u))
        if (v > u) REQUIRE(edges[e++] == Approx(from_inverse(inverse, u, v)).epsilon(1e-9));
    const auto diagonal = pseudoinverse_diagonal(graph, {}, {}).values;
    const auto from = resistances_from(graph, n / 2, {}, {}).values;
    double trace = 0.0;
    for (VertexId v = 0; v < n; ++v) {
      REQUIRE(diagonal[index(v)] == Approx(inverse(v, v)).epsilon(1e-8));
      REQUIRE(from[index(v)] ==
              Approx(from_inverse(inverse, n / 2, v)).epsilon(1e-9).margin(1e-14));
      trace += inverse(v, v);
    }
    const auto totals = total_resistances(graph, {}, {}).values;
    REQUIRE(totals.size() == 1);
    CHECK(totals[0] == Approx(n * trace).epsilon(1e-9));
  }
}

TEST_CASE("resistance is a metric, and more wires never raise it") {
  const Graph graph = random_graph(30, 20, 8);
  const auto r = pair_resistances(graph, all_pairs(30), {}, {}).values;
  const auto value = [&](VertexId u, VertexId v) { return r[index(u * 30 + v)]; };
  for (VertexId u = 0; u < 30; ++u) {
    CHECK(value(u, u) == 0.0);
    for (VertexId v = 0; v < 30; ++v) {
      CHECK(value(u, v) == Approx(value(v, u)));
      for (VertexId x = 0; x < 30; ++x) REQUIRE(value(u, v) <= value(u, x) + value(x, v) + 1e-12);
    }
  }
  std::vector<Edge> edges{{0, 29, 0.5}};
  for (VertexId u = 0; u < 30; ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (v > u) edges.push_back({u, v, w});
    });
  const auto stronger = pair_resistances(graph_from_edges(30, edges), all_pairs(30), {}, {}).values;
  for (std::size_t i = 0; i < r.size(); ++i) REQUIRE(stronger[i] <= r[i] + 1e-12);
}

TEST_CASE("components are apart: infinite between, identities of their own, isolated vertices") {
  const Graph graph = random_graph(60, 40, 5, 3);  // v belongs to part v mod 3
  const Graph with_isolated = Graph(
      [&] {
        std::vector<EdgeIndex> offsets(graph.offset_array().begin(), graph.offset_array().end());
        offsets.insert(offsets.end(), 2, offsets.back());
        return offsets;
      }(),
      {graph.neighbor_array().begin(), graph.neighbor_array().end()},
      {graph.weight_array().begin(), graph.weight_array().end()});
  for (const auto method : {ResistanceMethod::factor, ResistanceMethod::solves}) {
    const auto r = pair_resistances(with_isolated, {{0, 3}, {0, 1}, {60, 61}, {61, 61}, {5, 8}},
                                    {.method = method}, {})
                       .values;
    CHECK(std::isfinite(r[0]));
    CHECK(r[1] == infinity);
    CHECK(r[2] == infinity);
    CHECK(r[3] == 0.0);
    CHECK(r[4] > 0.0);
  }
  check_foster(with_isolated);
  const auto diagonal = pseudoinverse_diagonal(with_isolated, {}, {}).values;
  CHECK(diagonal[60] == 0.0);
  const auto totals = total_resistances(with_isolated, {}, {}).values;
  REQUIRE(totals.size() == 5);
  CHECK(totals[3] == 0.0);
  double trace = 0.0;
  for (VertexId v = 0; v < 60; v += 3) trace += diagonal[index(v)];
  CHECK(totals[0] == Approx(20.0 * trace));
  const auto from = resistances_from(with_isolated, 61, {}, {}).values;
  CHECK(from[61] == 0.0);
  CHECK(from[0] == infinity);
  const Graph none;
  CHECK(edge_resistances(none, {}, {}).values.empty());
  CHECK(total_resistances(none, {}, {}).values.empty());
  CHECK(pseudoinverse_diagonal(Graph({0, 0}, {}, {}), {}, {}).values == std::vector<double>{0.0});
}

TEST_CASE("weights of any ratio keep their digits") {
  // A ring of two paths whose wires span 40 decades: series and parallel, exactly known.
  std::vector<Edge> edges;
  std::vector<double> lengths;
  for (VertexId v = 0; v < 40; ++v) {
    const double weight = std::pow(10.0, (v * 17) % 41 - 20);
    edges.push_back({v, (v + 1) % 40, weight});
    lengths.push_back(1.0 / weight);
  }
  const Graph ring = graph_from_edges(40, edges);
  const auto found = edge_resistances(ring, {}, {}).values;
  std::size_t e = 0;
  for (VertexId u = 0; u < 40; ++u) {
    for (const VertexId v : ring.neighbors(u)) {
      if (v < u) continue;
      const VertexId start = v == u + 1 ? u : v;
      double rest = 0.0;
      for (std::size_t i = 0; i < 40; ++i) rest += i == index(start) ? 0.0 : lengths[i];
      CHECK(found[e++] == Approx(1.0 / (1.0 / lengths[index(start)] + 1.0 / rest)).epsilon(1e-12));
    }
  }
  // Scaling by a power of two scales every resistance, to the bit.
  Rng rng(9);
  const Graph grid = with_log_uniform_weights(grid_graph(20, 20), 1.0, 1e8, rng);
  const auto one = edge_resistances(grid, {}, {}).values;
  const auto scaled = edge_resistances(renamed(grid, identity_order(400), 0x1p300), {}, {}).values;
  for (std::size_t i = 0; i < one.size(); ++i) REQUIRE(scaled[i] == std::ldexp(one[i], -300));
  check_foster(grid);
}

TEST_CASE("a factor is weighed against solves by the cost model") {
  const Graph grid = grid_graph(10, 10);
  const std::vector<VertexPair> pairs{{0, 99}, {3, 50}};
  const auto used = [&] { return pair_resistances(grid, pairs, {}, on_threads(1)).report.used; };
  CHECK(used() == "factor");
  const CostsInUse costs({.resistance_entry = 0.0, .unnoticed_exact = 0.0});
  CHECK(used() == "solves");
}

// Ordering it takes ten times as long as the solves of a few pairs, and the factor is refused then.
TEST_CASE("a graph with hubs is not ordered for a few pairs") {
  Rng rng(5);
  const Graph graph = rmat_graph(14, 10, rng);
  std::vector<VertexPair> pairs = edge_pairs(graph);
  pairs.resize(10);
  const ResistanceAnswer few = pair_resistances(graph, pairs);
  CHECK(few.report.used == "solves");
  CHECK(few.report.sentence.find("factor of") == std::string::npos);
  const ResistanceAnswer exact =
      pair_resistances(graph, pairs, {.method = ResistanceMethod::factor});
  for (std::size_t i = 0; i < pairs.size(); ++i)
    CHECK_THAT(few.values[i], Catch::WithinRel(exact.values[i], 1e-9));
}

TEST_CASE("solves prove how far off they may be") {
  Rng rng(4);
  const Graph graph = with_log_uniform_weights(grid_graph(40, 40), 1.0, 100.0, rng);
  std::vector<VertexPair> far, star;
  for (VertexId v = 0; v < 20; ++v) far.push_back({v, 1599 - 3 * v});
  for (VertexId v = 1; v < 30; ++v) star.push_back({0, 50 * v});
  for (const auto& pairs : {far, star}) {
    const auto exact = pair_resistances(graph, pairs, {.method = ResistanceMethod::factor}, {});
    CHECK(exact.error_bound.empty());
    for (const double tolerance : {1e-2, 1e-5, 1e-10}) {
      const auto found = pair_resistances(
          graph, pairs, {.method = ResistanceMethod::solves, .tolerance = tolerance}, {});
      REQUIRE(found.error_bound.size() == pairs.size());
      double worst = 0.0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        worst = std::max(worst, found.error_bound[i]);
        REQUIRE(std::abs(found.values[i] - exact.values[i]) <=
                found.error_bound[i] + 1e-12 * exact.values[i]);
      }
      CHECK(certified(found.report, "error_bound") == worst);
      CHECK(worst < 100.0 * tolerance);
    }
  }
}

TEST_CASE("the same bytes at any number of threads, also where blocks are shared") {
  Rng rng(2);
  const Graph dense = erdos_renyi_graph(650, 0.06, rng);
  for (const Graph& graph : {grid_graph(70, 70), dense}) {
    const auto pairs = std::vector<VertexPair>{{0, 5}, {17, 300}, {9, 640}, {3, 33}};
    const auto run = [&](int threads) {
      const RunContext context = on_threads(threads);
      auto values = edge_resistances(graph, {}, context).values;
      const auto more = pair_resistances(graph, pairs, {}, context).values;
      const auto diagonal = pseudoinverse_diagonal(graph, {}, context).values;
      values.insert(values.end(), more.begin(), more.end());
      values.insert(values.end(), diagonal.begin(), diagonal.end());
      return values;
    };
    CHECK(run(1) == run(3));
  }
}

TEST_CASE("what cannot be done is said") {
  const Graph graph = grid_graph(12, 12);
  const auto code = [](auto&& call) { return error_of(call)->code(); };
  CHECK(code([&] { pair_resistances(graph, {{0, 144}}, {}, {}); }) == ErrorCode::bad_data);
  CHECK(code([&] { resistances_from(graph, -1, {}, {}); }) == ErrorCode::bad_data);
  CHECK(code([&] { edge_resistances(graph, {.tolerance = 0.0}, {}); }) == ErrorCode::usage);
  CHECK(code([&] { edge_resistances(graph, {.method = ResistanceMethod::solves}, {}); }) ==
        ErrorCode::usage);
  CHECK(code([&] { edge_resistances(graph, {.most_bytes = 1000.0}, {}); }) ==
        ErrorCode::out_of_memory);
  CHECK(code([&] { spanning_edge_centrality(graph, {1.0}); }) == ErrorCode::usage);
  std::atomic<bool> cancel = true;
  RunContext run;
  run.cancel = &cancel;
  const ResistanceAnswer stopped = edge_resistances(graph, {}, run);
  CHECK(stopped.report.outcome == Outcome::cancelled);
  CHECK(stopped.values.empty());
  CHECK(pair_resistances(graph, {{0, 1}}, {}, run).report.outcome == Outcome::cancelled);
}

TEST_CASE("a factored network solves any number of columns, grounded at its roots") {
  // Two components and an isolated vertex; weights eight decades apart.
  Rng rng(4);
  const Graph strip = with_log_uniform_weights(grid_graph(60, 20), 1e-4, 1e4, rng);
  std::vector<Edge> edges = {{1200, 1201, 3.0}, {1201, 1202, 0.5}, {1200, 1202, 7.0}};
  for (VertexId u = 0; u < 1200; ++u)
    strip.visit_row(u, [&](VertexId v, double w) {
      if (u < v) edges.push_back({u, v, w});
    });
  const Graph graph = graph_from_edges(1204, edges);
  const auto factor = make_network_factor(graph, on_threads(1));
  const std::vector<VertexId> roots = factor->roots();
  REQUIRE(roots.size() == 3);
  for (const std::int64_t columns : {1, 3, 4, 5, 9}) {
    CAPTURE(columns);
    Block b(1204, columns), x, other(7, 2);
    for (double& value : std::span(b.data(), b.values().size())) value = rng.normal();
    factor->solve(b, x, on_threads(1));
    factor->solve(b, other, on_threads(4));
    CHECK(x == other);
    double worst = 0.0;
    for (VertexId v = 0; v < 1204; ++v) {
      const bool root = std::ranges::find(roots, v) != roots.end();
      for (std::int64_t j = 0; j < columns; ++j) {
        double left = b(v, j), size = std::abs(b(v, j));
        graph.visit_row(v, [&](VertexId u, double w) {
          left -= w * (x(v, j) - x(u, j));
          size += w * (std::abs(x(v, j)) + std::abs(x(u, j)));
        });
        if (root) CHECK(x(v, j) == 0.0);
        if (!root) worst = std::max(worst, std::abs(left) / size);
      }
    }
    CHECK(worst < 1e-13);
  }
}

TEST_CASE("what a factor holds at most is known before it is made") {
  const auto size_of = [](const Graph& graph, int threads) {
    FactorSize size;
    make_network_factor(graph, on_threads(threads), [&](const FactorSize& counted) {
      size = counted;
      return false;
    });
    return size;
  };
  // A complete graph is one block: 40 × 40 twice, and the pairs of its rows.
  std::vector<Edge> edges;
  for (VertexId u = 0; u < 40; ++u)
    for (VertexId v = u + 1; v < 40; ++v) edges.push_back({u, v, 1.0});
  const FactorPeaks dense = size_of(graph_from_edges(40, edges), 1).peaks;
  CHECK(dense.made == 8.0 * (2 * 40 * 40 + 40 * 39 / 2));
  CHECK(dense.selected == dense.made);
  // Subtrees side by side hold more, and all hold the factor.
  const Graph grid = grid_graph(70, 60);
  const FactorSize one = size_of(grid, 1), four = size_of(grid, 4);
  CHECK(one.nonzeros == four.nonzeros);
  CHECK(one.peaks.made > 8.0 * one.nonzeros);
  CHECK(one.peaks.selected > 8.0 * one.nonzeros);
  CHECK(four.peaks.made >= one.peaks.made);
  CHECK(four.peaks.selected >= one.peaks.selected);
}

TEST_CASE("full resistance matrices of the reference graphs") {
  for (const char* name : {"karate", "dolphins", "football", "polbooks"}) {
    const Block expected =
        shared_block("reference/graphs/" + std::string(name) + ".effective_resistance.csv");
    const auto graph = shared_largest_component(name);
    if (!graph || expected.rows() == 0) {
      WARN("skipped: ../shared is absent");
      return;
    }
    INFO(name);
    REQUIRE(expected.rows() == graph->vertex_count());
    const auto pairs = all_pairs(graph->vertex_count());
    const auto found = pair_resistances(*graph, pairs, {}, {}).values;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      REQUIRE(found[i] == Approx(expected(pairs[i].u, pairs[i].v)).epsilon(1e-10).margin(1e-12));
    const auto factor = make_network_factor(*graph, {});
    const auto from = resistances_from(*graph, 7, {}, {}).values;
    for (std::size_t v = 0; v < from.size(); ++v)
      REQUIRE(from[v] == Approx(expected(7, static_cast<VertexId>(v))).epsilon(1e-10));
    check_foster(*graph);
  }
}

TEST_CASE("pairs of the larger reference graphs, and Foster's sum on each", "[large]") {
  for (const char* name : {"eu-core", "news_2cl_1", "news_3cl_1_0.1", "polblogs", "yeast_ppi"}) {
    const auto file =
        shared_path("reference/graphs/" + std::string(name) + ".effective_resistance_pairs.csv");
    const auto graph = shared_largest_component(name);
    if (!graph || !file) {
      WARN("skipped: ../shared is absent");
      return;
    }
    INFO(name);
    std::vector<VertexPair> pairs;
    std::vector<double> expected;
    std::string text = read_file(*file);
    const TemporaryDirectory dir;
    for (const auto& row : read_numbers(dir.file("rows", text.substr(text.find('\n') + 1)))) {
      pairs.push_back({static_cast<VertexId>(row[0]), static_cast<VertexId>(row[1])});
      expected.push_back(row[2]);
    }
    REQUIRE(pairs.size() > 190);
    for (const auto method : {ResistanceMethod::factor, ResistanceMethod::solves}) {
      const auto found = pair_resistances(*graph, pairs, {.method = method}, {}).values;
      for (std::size_t i = 0; i < pairs.size(); ++i)
        REQUIRE(found[i] == Approx(expected[i]).epsilon(1e-8));
    }
    check_foster(*graph);
  }
}
