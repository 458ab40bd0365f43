#include "gssl/linalg/laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

// Entries whose rows are fetched early.
constexpr EdgeIndex ahead = 16;

void check_length(const Graph& graph, std::int64_t length, const char* what) {
  if (length != graph.vertex_count())
    throw Error(ErrorCode::usage, std::string("laplacian: ") + what + " has " +
                                      std::to_string(length) + " rows; the graph has " +
                                      std::to_string(graph.vertex_count()) + " vertices");
}

// Σ over edges {u, v}, u < v, of term(u, v, w).
template <class Term>
double sum_over_edges(const Graph& graph, int threads, Term term) {
  return blocked_sum(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    double sum = 0.0;
    for (auto u = static_cast<VertexId>(begin); u < end; ++u)
      graph.visit_row(u, [&](VertexId v, double w) {
        if (u < v) sum += term(u, v, w);
      });
    return sum;
  });
}

// What the neighbor's value is multiplied by (besides the weight), and what the sum is.
struct Scaling {
  std::vector<double> diagonal;  // of the Laplacian
  std::vector<double> row;       // empty: 1
  std::vector<double> column;    // empty: 1
};

Scaling scaling_of(const Graph& graph, LaplacianKind kind, int threads) {
  std::vector<double> degrees = weighted_degrees(graph, threads);
  if (kind == LaplacianKind::combinatorial) return {std::move(degrees), {}, {}};
  const bool symmetric = kind == LaplacianKind::symmetric;
  Scaling scaling{degrees, degrees, {}};
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    const bool isolated = degrees[v] == 0.0;
    scaling.diagonal[v] = isolated ? 0.0 : 1.0;
    scaling.row[v] = isolated ? 0.0 : 1.0 / (symmetric ? std::sqrt(degrees[v]) : degrees[v]);
  }
  if (symmetric) scaling.column = scaling.row;
  return scaling;
}

}  // namespace

std::vector<double> weighted_degrees(const Graph& graph, int threads) {
  std::vector<double> degrees(static_cast<std::size_t>(graph.vertex_count()));
  parallel_blocks(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      degrees[static_cast<std::size_t>(v)] = graph.weighted_degree(static_cast<VertexId>(v));
  });
  return degrees;
}

void apply_laplacian(const Graph& graph, LaplacianKind kind, const Block& x, Block& y,
                     int threads) {
  check_length(graph, x.rows(), "x");
  if (y.rows() != x.rows() || y.columns() != x.columns()) y = Block(x.rows(), x.columns());
  const Scaling scaling = scaling_of(graph, kind, threads);
  const std::int64_t columns = x.columns();
  const EdgeIndex last = 2 * graph.edge_count() - 1;
  parallel_blocks(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> sum(static_cast<std::size_t>(columns));
    for (std::int64_t u = begin; u < end; ++u) {
      const auto at = static_cast<std::size_t>(u);
      std::fill(sum.begin(), sum.end(), 0.0);
      for (EdgeIndex e = graph.row_begin(static_cast<VertexId>(u));
           e < graph.row_end(static_cast<VertexId>(u)); ++e) {
        const VertexId v = graph.neighbor_at(e),
                       soon = graph.neighbor_at(std::min(e + ahead, last));
        for (std::int64_t c = 0; c < columns; c += 8) __builtin_prefetch(x.row(soon).data() + c);
        double w = graph.weight_at(e);
        if (!scaling.column.empty()) {
          __builtin_prefetch(scaling.column.data() + soon);
          w *= scaling.column[static_cast<std::size_t>(v)];
        }
        const double* row = x.row(v).data();
        for (std::int64_t c = 0; c < columns; ++c) sum[static_cast<std::size_t>(c)] += w * row[c];
      }
      const double scale = scaling.row.empty() ? 1.0 : scaling.row[at];
      for (std::int64_t c = 0; c < columns; ++c)
        y(u, c) = scaling.diagonal[at] * x(u, c) - scale * sum[static_cast<std::size_t>(c)];
    }
  });
}

double quadratic_form(const Graph& graph, std::span<const double> u, int threads) {
  check_length(graph, static_cast<std::int64_t>(u.size()), "u");
  return sum_over_edges(graph, threads, [u](VertexId a, VertexId b, double w) {
    const double difference = u[static_cast<std::size_t>(a)] - u[static_cast<std::size_t>(b)];
    return w * difference * difference;
  });
}

double cut_value(const Graph& graph, std::span<const int> labels, int threads) {
  check_length(graph, static_cast<std::int64_t>(labels.size()), "the labeling");
  for (std::size_t v = 0; v < labels.size(); ++v)
    if (labels[v] != 1 && labels[v] != -1)
      throw Error(ErrorCode::usage, "laplacian: label " + std::to_string(labels[v]) +
                                        " of vertex " + std::to_string(v) + ": must be -1 or 1");
  return sum_over_edges(graph, threads, [labels](VertexId a, VertexId b, double w) {
    return labels[static_cast<std::size_t>(a)] == labels[static_cast<std::size_t>(b)] ? 0.0 : w;
  });
}

}  // namespace gssl
