// Wide diameters and resistive covers of graphs whose answer is known, and the bounds made of them.

#include <cmath>

#include "algorithms/online_graph_support.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/network/resistive_cover.hpp"
#include "gssl/network/wide_diameter.hpp"
#include "gssl/online/seminorm.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("wide diameters of known graphs", "[wide-diameter]") {
  const auto check = [](const Graph& graph, std::int64_t paths, std::int64_t length) {
    const WideDiameter found = wide_diameter(graph);
    CHECK(found.paths == paths);
    CHECK(found.length == length);
  };
  check(path_graph(7), 1, 6);
  check(cycle_graph(7), 2, 6);  // neighbors: 1 and 6 edges
  check(complete_graph(6), 5, 2);
  check(star_graph(5), 1, 2);
  check(GraphBuilder(1).finish(), 0, 0);
}

TEST_CASE("the bound of the notes for prototypical clusters", "[wide-diameter]") {
  // c cliques of m, ℓ cut edges: M ≤ c + 4ℓ·2/(m − 1) = c + 8ℓ/(m − 1).
  const WideDiameter clique = wide_diameter(complete_graph(12));
  CHECK(wide_diameter_bound(5, clique, 4.0) == Approx(5.0 + 8.0 * 4.0 / 11.0));
  CHECK(tuned_exponent(clique, 4.0) == 2.0);  // kΔ/Φ = 5.5 ≤ e²
  CHECK(wide_diameter_bound(5, clique, 0.0) == 5.0);
  // kΔ/Φ = 100: p = c/(c − 1) with c = ln 100.
  const double c = std::log(100.0), e2 = std::exp(2.0);
  CHECK(tuned_exponent({1, 100}, 1.0) == Approx(c / (c - 1.0)));
  CHECK(wide_diameter_bound(1, {1, 100}, 1.0) == Approx(1.0 + 4.0 * e2 * (c - 1.0)));
  CHECK(tuned_exponent({1, 100}, 0.0) == 1.05);
}

TEST_CASE("mistakes on prototypical clusters are at most c + 8l/(m - 1)", "[wide-diameter]") {
  // Six cliques of m vertices, labels by turns, and l edges between cliques of different labels.
  constexpr VertexId c = 6;
  for (const VertexId m : {5, 20})
    for (const int cut : {4, 16, 64})
      for (const double p : {2.0, 1.5}) {
        Rng rng(static_cast<std::uint64_t>(m * cut));
        GraphBuilder builder(c * m);
        for (VertexId k = 0; k < c; ++k)
          for (VertexId i = 0; i < m; ++i)
            for (VertexId j = 0; j < i; ++j) builder.add(k * m + i, k * m + j);
        for (int e = 0; e < cut; ++e) {
          const auto from = static_cast<VertexId>(rng.below(c));
          const auto to = static_cast<VertexId>((from + 1 + 2 * rng.below(3)) % c);
          builder.add(from * m + static_cast<VertexId>(rng.below(m)),
                      to * m + static_cast<VertexId>(rng.below(m)));
        }
        std::vector<int> label;
        for (VertexId v = 0; v < c * m; ++v) label.push_back(v / m % 2);
        // Edges drawn twice have weight 2, so that they count twice in the cut.
        const auto session =
            SeminormLearner({.p = p, .tolerance = 1e-9})
                .start(vertex_setting(std::move(builder).finish(1)), on_threads(1));
        const VertexRun run = play(*session, shuffled_order(c * m, 7), label);
        INFO("m " << m << ", l " << cut << ", p " << p);
        if (p == 2.0) CHECK(static_cast<double>(run.report.mistakes) <= c + 8.0 * cut / (m - 1.0));
        CHECK(static_cast<double>(run.report.mistakes) <= *run.report.bound);
      }
}

TEST_CASE("a resistive cover is within its radius, and far from its centers before",
          "[wide-diameter]") {
  const Graph graph = random_graph(40, 50, 3, 2);
  ResistiveCover cover(graph, on_threads(1));
  CHECK(std::isinf(cover.radius()));
  for (int k = 1; k <= 40; ++k) {
    cover.add_center();
    if (k > 6 && k < 38) continue;
    std::vector<double> nearest(40, INFINITY);
    for (const VertexId center : cover.centers()) {
      const std::vector<double> r = resistances_from(graph, center, {}, on_threads(1)).values;
      for (std::size_t v = 0; v < 40; ++v) nearest[v] = std::min(nearest[v], r[v]);
    }
    double radius = 0.0;
    for (const double r : nearest) radius = std::max(radius, r);
    if (k == 1)
      CHECK(std::isinf(cover.radius()));  // the other component
    else
      CHECK(cover.radius() == Approx(radius).margin(1e-12));
  }
  CHECK(cover.radius() == 0.0);
  cover.add_center();
  CHECK(cover.centers().size() == 40);
  CHECK(best_cover_bound(cover, 0.0, 40).centers == 2);
}

TEST_CASE("what the wide diameter refuses", "[wide-diameter]") {
  CHECK(error_of([] { wide_diameter(path_graph(301)); })->code() == ErrorCode::usage);
  CHECK(error_of([] { wide_diameter(GraphBuilder(2).finish()); })->code() == ErrorCode::bad_data);
  CHECK(error_of([] { wide_diameter_bound(0, {1, 1}, 1.0); })->code() == ErrorCode::usage);
  CHECK(error_of([] { tuned_exponent({0, 0}, 1.0); })->code() == ErrorCode::usage);
}

TEST_CASE("some pairs of a graph of any size bound its wide diameter from below",
          "[wide-diameter]") {
  const auto check = [](const Graph& graph, std::int64_t paths, std::int64_t least,
                        std::int64_t most) {
    const WideDiameter found = wide_diameter_at_least(graph, 16);
    CHECK(found.paths == paths);
    CHECK(found.length >= least);
    CHECK(found.length <= most);
  };
  check(path_graph(5000), 1, 4999, 4999);
  check(cycle_graph(1001), 2, 501, 1000);  // 500 and 501 edges between the farthest vertices
  check(complete_graph(310), 309, 2, 2);
  check(GraphBuilder(1).finish(), 0, 0, 0);
  const Graph small = random_graph(60, 200, 4);
  const WideDiameter whole = wide_diameter(small);
  check(small, whole.paths, 1, whole.length);
  CHECK(error_of([&] { wide_diameter_at_least(small, 0); })->code() == ErrorCode::usage);
}

TEST_CASE("seminorm:p=auto takes components of any size", "[wide-diameter]") {
  // A path of 5000 vertices: k = 1, Δ = 4999.
  const double c = std::log(4999.0);
  const auto session = SeminormLearner({.p = 0.0}).start(vertex_setting(path_graph(5000)));
  session->predict({.first = 10});
  session->update({.value = 1.0});
  session->predict({.first = 4000});
  session->update({.value = 0.0});
  const OnlineReport report = session->report();
  const auto value = [&](const std::string& name) {
    for (const Certificate& one : report.certificates)
      if (one.name == name) return one.values.front();
    return -1.0;
  };
  CHECK(value("exponent") == Approx(c / (c - 1.0)));
  CHECK(value("path_length_at_least") == 4999.0);
  CHECK(value("paths") == 1.0);
  CHECK(value("path_length") == -1.0);
}
