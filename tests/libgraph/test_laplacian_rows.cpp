#include <algorithm>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/linalg/laplacian_rows.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;

namespace {

constexpr VertexId n = 40;

// Some vertices stay alone.
Graph sparse_random_graph(Rng& rng) {
  std::vector<Edge> list;
  for (int i = 0; i < 50; ++i)
    list.push_back({static_cast<VertexId>(rng.below(n)), static_cast<VertexId>(rng.below(n)),
                    0.1 + rng.uniform()});
  return graph_from_edges(n, list);
}

Block random_block(Rng& rng) {
  Block block(n, 2);
  for (std::int64_t i = 0; i < 2 * n; ++i) block.data()[i] = rng.normal();
  return block;
}

// Rows times x, entry by entry; each row ascends and has its diagonal.
Block product(const SparseRows& rows, const Block& x) {
  Block y(n, 2);
  REQUIRE(rows.offsets.size() == n + 1);
  REQUIRE(rows.columns.size() == static_cast<std::size_t>(rows.offsets[n]));
  REQUIRE(rows.values.size() == rows.columns.size());
  for (std::size_t v = 0; v < n; ++v) {
    const auto begin = rows.columns.begin() + rows.offsets[v];
    const auto end = rows.columns.begin() + rows.offsets[v + 1];
    CHECK(std::adjacent_find(begin, end, std::greater_equal<>()) == end);
    CHECK(std::count(begin, end, static_cast<VertexId>(v)) == 1);
    for (auto e = static_cast<std::size_t>(rows.offsets[v]);
         e < static_cast<std::size_t>(rows.offsets[v + 1]); ++e)
      for (std::int64_t k = 0; k < 2; ++k)
        y(static_cast<std::int64_t>(v), k) += rows.values[e] * x(rows.columns[e], k);
  }
  return y;
}

}  // namespace

TEST_CASE("the rows of each Laplacian are the matrix that the operator applies") {
  Rng rng(6);
  const Graph graph = sparse_random_graph(rng);
  const Block x = random_block(rng);
  for (const auto kind :
       {LaplacianKind::combinatorial, LaplacianKind::symmetric, LaplacianKind::random_walk}) {
    const SparseRows rows = laplacian_rows(graph, kind);
    CHECK(rows.offsets[n] == 2 * graph.edge_count() + n);
    Block y;
    apply_laplacian(graph, kind, x, y);
    CHECK(test::max_difference(product(rows, x), y) < 1e-13);
    CHECK(laplacian_rows(graph, kind, 3).values == rows.values);
  }
  CHECK(laplacian_rows(Graph()).offsets == std::vector<EdgeIndex>{0});
}

TEST_CASE("with a ground the rows are the grounded Laplacian, and a wrong ground is refused") {
  Rng rng(7);
  const Graph graph = sparse_random_graph(rng);
  const Block x = random_block(rng);
  std::vector<double> ground(n, 0.0);
  ground[3] = 2.5;
  Block y;
  GroundedLaplacian(graph, ground).apply(x, y);
  CHECK(test::max_difference(product(laplacian_rows(graph, ground), x), y) < 1e-13);
  std::vector<double> negative = ground;
  negative[4] = -1.0;
  for (const auto& wrong : {std::vector<double>(n - 1, 0.0), negative}) {
    const auto error = test::error_of([&] { laplacian_rows(graph, wrong); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
}
