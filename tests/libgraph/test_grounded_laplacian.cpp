#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/linalg/residual.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

std::vector<Edge> random_edges(VertexId n, int count, bool weighted, Rng& rng) {
  std::vector<Edge> edges;
  while (static_cast<int>(edges.size()) < count) {
    const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    if (u != v) edges.push_back({u, v, weighted ? 0.1 + rng.uniform() : 1.0});
  }
  return edges;
}

// The definition, entry by entry.
Block slow_apply(const GroundedLaplacian& a, const Block& x) {
  Block y(x.rows(), x.columns());
  for (VertexId v = 0; v < a.size(); ++v)
    for (std::int64_t k = 0; k < x.columns(); ++k) {
      y(v, k) = a.ground()[static_cast<std::size_t>(v)] * x(v, k);
      a.graph().visit_row(v, [&](VertexId u, double w) { y(v, k) += w * (x(v, k) - x(u, k)); });
    }
  return y;
}

}  // namespace

TEST_CASE("apply is the definition at every width, with and without weights") {
  Rng rng(5);
  const VertexId n = 300;
  for (const bool weighted : {false, true}) {
    std::vector<double> ground(static_cast<std::size_t>(n));
    for (double& g : ground) g = rng.uniform();
    Graph graph = graph_from_edges(n, random_edges(n, 900, weighted, rng),
                                   {.duplicates = DuplicatePolicy::max});
    CHECK(graph.has_unit_weights() == !weighted);
    const GroundedLaplacian a(std::move(graph), ground);
    for (const std::int64_t c : {1, 2, 3, 7, 8, 10, 16, 17, 33, 50}) {
      Block x(n, c), y;
      for (VertexId v = 0; v < n; ++v)
        for (double& value : x.row(v)) value = rng.normal();
      a.apply(x, y);
      CHECK(test::max_difference(y, slow_apply(a, x)) < 1e-11);
    }
  }
}

TEST_CASE("apply gives the same bytes on one thread and four") {
  Rng rng(6);
  const VertexId n = 20000;
  const GroundedLaplacian a(graph_from_edges(n, random_edges(n, 60000, true, rng)), {});
  Block x(n, 3), one, four;
  for (VertexId v = 0; v < n; ++v)
    for (double& value : x.row(v)) value = rng.normal();
  a.apply(x, one, 1);
  a.apply(x, four, 4);
  CHECK(one == four);
}

TEST_CASE("the hub of a star of 200,000 loses no more digits than its leaves") {
  const VertexId n = 200'000;
  std::vector<Edge> edges;
  for (VertexId v = 1; v < n; ++v) edges.push_back({0, v, 0.2});
  const GroundedLaplacian a(graph_from_edges(n, edges), {});
  CHECK(std::abs(a.diagonal()[0] - 0.2 * (n - 1)) < 1e-13 * 0.2 * n);
  Block y;
  a.apply(Block(n, 1, 0.7), y);
  CHECK(std::abs(y(0, 0)) < 2e-13 * 0.2 * n);
}

TEST_CASE("constants lie in the kernel of a network without ground") {
  Rng rng(7);
  const GroundedLaplacian a(graph_from_edges(50, random_edges(50, 200, true, rng)), {});
  Block y;
  a.apply(Block(50, 1, 1.0), y);
  CHECK(test::max_difference(y, Block(50, 1)) < 1e-13);
}

TEST_CASE("components without ground are singular, and extra ground mends them") {
  // 0 − 1 (earth at 1)   2 − 3   4
  const GroundedLaplacian a(graph_from_edges(5, {{0, 1}, {2, 3}}), {0, 1, 0, 0, 0});
  CHECK(a.singular_count() == 2);
  CHECK(a.singular() == std::vector<bool>{false, true, true});
  const GroundedLaplacian b = a.with_extra_ground({0, 0, 2, 0, 1});
  CHECK(b.singular_count() == 0);
  CHECK(b.diagonal() == std::vector<double>{1, 2, 3, 1, 1});
  CHECK(a.diagonal() == std::vector<double>{1, 2, 1, 1, 0});
}

TEST_CASE("a ground that is negative, infinite, not a number or of wrong length is refused") {
  for (const double bad : {-1.0, HUGE_VAL, std::nan("")}) {
    const auto error = test::error_of([&] {
      GroundedLaplacian(graph_from_edges(2, {{0, 1}}), {0.0, bad});
    });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK(std::string(error->what()).find("vertex 1") != std::string::npos);
  }
  CHECK(test::error_of([] { GroundedLaplacian(graph_from_edges(2, {{0, 1}}), {1.0}); }));
}

TEST_CASE("other weights on the same edges are a system like one made from them") {
  // 0 −2− 1 −3− 2     3 −5− 4, earth at 1 and later at 3
  const std::vector<Edge> edges{{0, 1, 2.0}, {1, 2, 3.0}, {3, 4, 5.0}};
  const GroundedLaplacian a(graph_from_edges(5, edges), {0, 1, 0, 0, 0});
  const GroundedLaplacian b = a.with_weights({7, 7, 4, 4, 6, 6}, {0, 0, 0, 0.5, 0});
  CHECK(b.graph().weight(0, 1) == 7.0);
  CHECK(b.graph().weight(2, 1) == 4.0);
  CHECK(b.diagonal() == std::vector<double>{7, 11, 4, 6.5, 6});
  CHECK(b.singular() == std::vector<bool>{true, false});
  CHECK(b.components().of == a.components().of);
  CHECK(a.graph().weight(0, 1) == 2.0);
  Block x(5, 1), product, expected;
  for (VertexId v = 0; v < 5; ++v) x(v, 0) = v * v - 1.5;
  b.apply(x, product);
  GroundedLaplacian(graph_from_edges(5, {{0, 1, 7.0}, {1, 2, 4.0}, {3, 4, 6.0}}), {0, 0, 0, 0.5, 0})
      .apply(x, expected);
  CHECK(product == expected);
}

TEST_CASE("other weights of wrong number, sign or size are refused") {
  const GroundedLaplacian a(graph_from_edges(2, {{0, 1, 2.0}}), {1, 0});
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    const auto error = test::error_of([&] { a.with_weights({bad, bad}, {1, 0}); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
  CHECK(test::error_of([&] { a.with_weights({1.0}, {1, 0}); }));
  CHECK(test::error_of([&] { a.with_weights({1.0, 1.0}, {1}); }));
  CHECK(test::error_of([&] { a.with_weights({1.0, 1.0}, {1, -1}); }));
  CHECK(test::error_of([&] { a.with_weights({1e308, 1e308}, {1e308, 0}); }));
}

TEST_CASE("the Dirichlet problem of a path of six, by hand") {
  // 0 −2− 1 −1− [2] −3− 3 −1− 4      5   with 2 and then 0 labeled
  const Graph graph = graph_from_edges(6, {{0, 1, 2.0}, {1, 2, 1.0}, {2, 3, 3.0}, {3, 4, 1.0}});
  const DirichletProblem p = make_dirichlet_problem(graph, {2, 0});
  CHECK(p.free_vertices == std::vector<VertexId>{1, 3, 4});
  CHECK(p.unreached == std::vector<VertexId>{5});
  CHECK(p.system.ground() == std::vector<double>{3.0, 3.0, 0.0});
  CHECK(p.system.diagonal() == std::vector<double>{3.0, 4.0, 1.0});
  CHECK(p.system.graph().edge_count() == 1);
  CHECK(p.system.graph().weight(1, 2) == 1.0);
  Block values(2, 2);
  values(0, 0) = 1.0;   // vertex 2
  values(1, 1) = 10.0;  // vertex 0
  const Block b = p.right_hand_side(values);
  Block expected(3, 2);
  expected(0, 0) = 1.0;
  expected(0, 1) = 20.0;
  expected(1, 0) = 3.0;
  CHECK(b == expected);
}

TEST_CASE("a Dirichlet problem keeps unit weights unstored and refuses odd labels") {
  const Graph graph = graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}});
  CHECK(make_dirichlet_problem(graph, {0}).system.graph().has_unit_weights());
  CHECK(make_dirichlet_problem(graph, {0, 1, 2, 3}).system.size() == 0);
  CHECK(make_dirichlet_problem(graph, {}).unreached.size() == 4);
  CHECK(test::error_of([&] { make_dirichlet_problem(graph, {1, 1}); }));
  CHECK(test::error_of([&] { make_dirichlet_problem(graph, {4}); }));
  CHECK(test::error_of([&] { make_dirichlet_problem(graph, {-1}); }));
}

// 0 — 1 — 2 with weights 1 and 2 and ground 1 at vertex 0: A = [2 −1 0; −1 3 −2; 0 −2 2].
TEST_CASE("the residual of a path of three, by hand") {
  const GroundedLaplacian a(graph_from_edges(3, {{0, 1, 1.0}, {1, 2, 2.0}}), {1, 0, 0});
  Block b(3, 2), x(3, 2), r, product;
  b(0, 0) = 3.0, b(1, 0) = 0.0, b(2, 0) = 4.0;
  x(0, 0) = 1.0;  // A x = (2, −1, 0), which leaves (1, 1, 4); the second column is 0
  const std::vector<double> left = residual(a, b, x, r);
  CHECK(left[0] == Approx(std::sqrt(18.0)));
  CHECK(left[1] == 0.0);
  CHECK(r(2, 0) == 4.0);
  a.apply(x, product);
  CHECK(residual_norms(b, product) == left);
  CHECK(column_norms(b)[0] == 5.0);
  CHECK(worst_ratio(left, column_norms(b)) == Approx(std::sqrt(18.0) / 5.0));
  CHECK(worst_ratio({0.0, 1.0}, {0.0, 0.0}) == std::numeric_limits<double>::infinity());
  CHECK(worst_ratio({}, {}) == 0.0);
}

TEST_CASE("norms neither overflow nor vanish where their squares would") {
  for (const double unit : {1e200, 1e-200}) {
    Block b(2, 1), none(2, 1);
    b(0, 0) = 3.0 * unit, b(1, 0) = 4.0 * unit;
    CHECK(column_norms(b)[0] == Approx(5.0 * unit).epsilon(1e-14));
    CHECK(residual_norms(b, none)[0] == Approx(5.0 * unit).epsilon(1e-14));
    CHECK(column_norms(none)[0] == 0.0);
    const GroundedLaplacian a(graph_from_edges(2, std::vector<Edge>{{0, 1, 1.0}}), {});
    Block r;
    CHECK(residual(a, b, none, r, 1)[0] == Approx(5.0 * unit).epsilon(1e-14));
    b(1, 0) = std::numeric_limits<double>::infinity();
    CHECK(std::isinf(column_norms(b)[0]));
  }
}

TEST_CASE("the residual has the same bytes on one thread and four") {
  Rng rng(4);
  const VertexId n = 20'000;
  const GroundedLaplacian a(graph_from_edges(n, random_edges(n, 60'000, true, rng)), {});
  Block b(n, 3), x(n, 3), r;
  for (std::int64_t i = 0; i < 3 * n; ++i) b.data()[i] = rng.normal(), x.data()[i] = rng.normal();
  const std::vector<double> one = residual(a, b, x, r, 1);
  CHECK(residual(a, b, x, r, 4) == one);
  CHECK(column_norms(r, 4) == one);
}
