#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
constexpr LaplacianKind kinds[] = {LaplacianKind::combinatorial, LaplacianKind::symmetric,
                                   LaplacianKind::random_walk};

Graph random_graph(VertexId n, int count, Rng& rng) {
  std::vector<Edge> list;
  const auto size = static_cast<std::uint64_t>(n);
  for (int i = 0; i < count; ++i)
    list.push_back({static_cast<VertexId>(rng.below(size)), static_cast<VertexId>(rng.below(size)),
                    0.1 + rng.uniform()});
  return graph_from_edges(n, list);
}

Block random_block(std::int64_t n, std::int64_t c, Rng& rng) {
  Block block(n, c);
  for (std::int64_t i = 0; i < n * c; ++i) block.data()[i] = rng.normal();
  return block;
}

TEST_CASE("each Laplacian equals its dense matrix, zero rows for isolated vertices included") {
  Rng rng(5);
  const Graph graph = random_graph(30, 40, rng);  // some vertices stay alone
  const Block x = random_block(30, 3, rng);
  for (const auto kind : kinds) {
    Block expected(30, 3), y;
    for (VertexId u = 0; u < 30; ++u)
      for (VertexId v = 0; v < 30; ++v) {
        const double du = graph.weighted_degree(u), dv = graph.weighted_degree(v);
        double entry = (u == v ? du : 0.0) - graph.weight(u, v);
        if (kind == LaplacianKind::symmetric && entry != 0.0) entry /= std::sqrt(du * dv);
        if (kind == LaplacianKind::random_walk && entry != 0.0) entry /= du;
        for (int c = 0; c < 3; ++c) expected(u, c) += entry * x(v, c);
      }
    apply_laplacian(graph, kind, x, y);
    CHECK(test::max_difference(y, expected) < 1e-12);
  }
}

TEST_CASE("the Laplacian of a constant is zero and its energy is the quadratic form") {
  Rng rng(6);
  const Graph graph = random_graph(50, 120, rng);
  Block y;
  for (const auto kind : {LaplacianKind::combinatorial, LaplacianKind::random_walk}) {
    apply_laplacian(graph, kind, Block(50, 1, 1.0), y);
    CHECK(test::max_difference(y, Block(50, 1)) < 1e-13);
  }
  const Block u = random_block(50, 1, rng);
  apply_laplacian(graph, LaplacianKind::combinatorial, u, y);
  double energy = 0.0;
  for (int v = 0; v < 50; ++v) energy += u(v, 0) * y(v, 0);
  CHECK(quadratic_form(graph, u.values()) == Approx(energy));
  CHECK(energy > 0.0);
}

TEST_CASE("the cut of a labeling is a quarter of its energy") {
  const Graph graph = barbell_graph(4);
  const std::vector<int> labels = {-1, -1, -1, -1, 1, 1, 1, 1};
  CHECK(cut_value(graph, labels) == 1.0);
  CHECK(quadratic_form(graph, std::vector<double>(labels.begin(), labels.end())) == 4.0);
  CHECK(cut_value(graph, std::vector<int>{1, -1, -1, -1, -1, -1, -1, -1}) == 3.0);
}

TEST_CASE("Laplacians give the same bytes on any number of threads") {
  Rng rng(7);
  const Graph graph = random_graph(10000, 30000, rng);
  const Block x = random_block(10000, 2, rng);
  for (const auto kind : kinds) {
    Block one, four;
    apply_laplacian(graph, kind, x, one, 1);
    apply_laplacian(graph, kind, x, four, 4);
    CHECK(one == four);
  }
  const auto u = x.values().first(10000);
  CHECK(quadratic_form(graph, u, 1) == quadratic_form(graph, u, 4));
}

TEST_CASE("wrong shapes and labels are refused") {
  const Graph graph = path_graph(3);
  Block y;
  const auto refused = [](auto call) {
    const auto error = test::error_of(call);
    return error && error->code() == ErrorCode::usage;
  };
  CHECK(refused([&] { apply_laplacian(graph, kinds[0], Block(2, 1), y); }));
  CHECK(refused([&] { quadratic_form(graph, std::vector<double>(4)); }));
  CHECK(refused([&] { cut_value(graph, std::vector<int>{1, 0, 1}); }));
}

}  // namespace
