#include "gssl/linalg/laplacian_rows.hpp"

#include <cmath>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {
namespace {

// Row u: diagonal(u) in its place among −w·scale(u, v).
template <class Diagonal, class Scale>
SparseRows make_rows(const Graph& graph, int threads, Diagonal diagonal, Scale scale) {
  const VertexId n = graph.vertex_count();
  SparseRows rows;
  rows.offsets.resize(index(n) + 1);
  for (std::size_t v = 0; v <= index(n); ++v)
    rows.offsets[v] = graph.offset_array()[v] + static_cast<EdgeIndex>(v);
  rows.columns.resize(static_cast<std::size_t>(rows.offsets[index(n)]));
  rows.values.resize(rows.columns.size());
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto u = static_cast<VertexId>(begin); u < end; ++u) {
      auto place = static_cast<std::size_t>(rows.offsets[index(u)]);
      const auto put = [&](VertexId column, double value) {
        rows.columns[place] = column;
        rows.values[place++] = value;
      };
      bool below = true;  // the diagonal is still to come
      graph.visit_row(u, [&](VertexId v, double w) {
        if (below && v > u) {
          put(u, diagonal(u));
          below = false;
        }
        put(v, -w * scale(u, v));
      });
      if (below) put(u, diagonal(u));
    }
  });
  return rows;
}

}  // namespace

SparseRows laplacian_rows(const Graph& graph, LaplacianKind kind, int threads) {
  const std::vector<double> degree = weighted_degrees(graph, threads);
  const auto one = [&](VertexId v) { return degree[index(v)] == 0.0 ? 0.0 : 1.0; };
  switch (kind) {
    case LaplacianKind::symmetric: {
      std::vector<double> root(degree.size());
      for (std::size_t v = 0; v < root.size(); ++v) root[v] = std::sqrt(degree[v]);
      return make_rows(graph, threads, one, [&](VertexId u, VertexId v) {
        return 1.0 / root[index(u)] / root[index(v)];
      });
    }
    case LaplacianKind::random_walk:
      return make_rows(graph, threads, one,
                       [&](VertexId u, VertexId) { return 1.0 / degree[index(u)]; });
    case LaplacianKind::combinatorial: break;
  }
  return make_rows(
      graph, threads, [&](VertexId v) { return degree[index(v)]; },
      [](VertexId, VertexId) { return 1.0; });
}

SparseRows laplacian_rows(const Graph& graph, std::span<const double> ground, int threads) {
  if (static_cast<std::int64_t>(ground.size()) != graph.vertex_count())
    throw Error(ErrorCode::bad_data, "ground: " + std::to_string(ground.size()) + " values for " +
                                         std::to_string(graph.vertex_count()) +
                                         " vertices: must be one for each");
  for (std::size_t v = 0; v < ground.size(); ++v)
    if (!(std::isfinite(ground[v]) && ground[v] >= 0.0))
      throw Error(ErrorCode::bad_data, "ground of vertex " + std::to_string(v) + ": " +
                                           to_text(ground[v]) + ": must be finite and >= 0");
  const std::vector<double> degree = weighted_degrees(graph, threads);
  return make_rows(
      graph, threads, [&](VertexId v) { return degree[index(v)] + ground[index(v)]; },
      [](VertexId, VertexId) { return 1.0; });
}

}  // namespace gssl
