#include "gssl/linalg/grounded_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "graph/support/component_search.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/trusted_graph.hpp"
#include "product_rows.hpp"
#include "trusted_system.hpp"

namespace gssl {

GroundedLaplacian::GroundedLaplacian(std::shared_ptr<const Graph> graph, std::vector<double> ground)
    : graph_(std::move(graph)), ground_(std::move(ground)) {
  if (graph_ == nullptr)
    throw Error(ErrorCode::usage, "grounded Laplacian: a null graph: must be a graph");
  const auto n = static_cast<std::size_t>(size());
  if (ground_.empty()) ground_.assign(n, 0.0);
  if (ground_.size() != n)
    throw Error(ErrorCode::bad_data, "ground: " + std::to_string(ground_.size()) + " values for " +
                                         std::to_string(n) +
                                         " vertices: must be one for each vertex, or none");
  components_ = connected_components(*graph_);
  finish_construction();
}

GroundedLaplacian::GroundedLaplacian(std::shared_ptr<const Graph> graph, std::vector<double> ground,
                                     Components components)
    : graph_(std::move(graph)), ground_(std::move(ground)), components_(std::move(components)) {
  finish_construction();
}

void GroundedLaplacian::finish_construction() {
  diagonal_.resize(ground_.size());
  singular_.assign(static_cast<std::size_t>(components_.count), true);
  for (VertexId v = 0; v < size(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double g = ground_[i];
    if (!(std::isfinite(g) && g >= 0.0))
      throw Error(ErrorCode::bad_data, "ground of vertex " + std::to_string(v) + ": " +
                                           std::to_string(g) + ": must be finite and >= 0");
    diagonal_[i] = graph_->weighted_degree(v) + g;
    if (!std::isfinite(diagonal_[i]))
      throw Error(ErrorCode::bad_data,
                  "vertex " + std::to_string(v) +
                      ": its weights add up to more than a double holds: scale the weights down");
    if (g > 0.0) singular_[static_cast<std::size_t>(components_.of[i])] = false;
  }
  singular_count_ = 0;
  for (const bool s : singular_) singular_count_ += s ? 1 : 0;
}

void GroundedLaplacian::apply_rows(const double* x, double* y, std::int64_t columns,
                                   std::int64_t begin, std::int64_t end) const {
  product_rows(*graph_, diagonal_.data(), x, y + begin * columns, columns, begin, end);
}

void GroundedLaplacian::apply(const Block& x, Block& y, int threads) const {
  if (&x == &y || x.rows() != size())
    throw Error(ErrorCode::usage, "grounded Laplacian: x of " + std::to_string(x.rows()) +
                                      " rows: must have one for each of the " +
                                      std::to_string(size()) +
                                      " vertices, and y must be another block");
  if (y.rows() != x.rows() || y.columns() != x.columns()) y = Block(x.rows(), x.columns());
  parallel_blocks(size(), threads, [&](std::int64_t begin, std::int64_t end) {
    apply_rows(x.data(), y.data(), x.columns(), begin, end);
  });
}

GroundedLaplacian GroundedLaplacian::with_extra_ground(const std::vector<double>& extra) const {
  if (extra.size() != ground_.size())
    throw Error(ErrorCode::bad_data, "extra ground: " + std::to_string(extra.size()) +
                                         " values for " + std::to_string(ground_.size()) +
                                         " vertices: must be one for each vertex");
  GroundedLaplacian sum(*this);
  for (std::size_t v = 0; v < extra.size(); ++v) sum.ground_[v] += extra[v];
  sum.finish_construction();
  return sum;
}

GroundedLaplacian GroundedLaplacian::with_weights(std::vector<double> weights,
                                                  std::vector<double> ground) const {
  const std::size_t entries = graph_->neighbor_array().size();
  if (ground.empty()) ground.assign(ground_.size(), 0.0);
  if (weights.size() != entries || ground.size() != ground_.size())
    throw Error(ErrorCode::bad_data,
                "other weights: " + std::to_string(weights.size()) + " for " +
                    std::to_string(entries) + " entries and " + std::to_string(ground.size()) +
                    " grounds for " + std::to_string(size()) + " vertices: must be one for each");
  for (const double w : weights)
    if (!(std::isfinite(w) && w > 0.0))
      throw Error(ErrorCode::bad_data,
                  "other weights: " + std::to_string(w) + ": must be finite and > 0");
  return {std::make_shared<const Graph>(TrustedGraph::with_weights(*graph_, std::move(weights))),
          std::move(ground), components_};
}

Block DirichletProblem::right_hand_side(const Block& values) const {
  if (values.rows() != static_cast<std::int64_t>(labeled.size()))
    throw Error(ErrorCode::bad_data, "values: " + std::to_string(values.rows()) + " rows for " +
                                         std::to_string(labeled.size()) +
                                         " labeled vertices: must be one for each");
  Block b(static_cast<std::int64_t>(free_vertices.size()), values.columns());
  for (std::int64_t r = 0; r < b.rows(); ++r) {
    const std::span<double> out = b.row(r);
    const auto begin = static_cast<std::size_t>(coupling_offset[static_cast<std::size_t>(r)]);
    const auto end = static_cast<std::size_t>(coupling_offset[static_cast<std::size_t>(r) + 1]);
    for (std::size_t e = begin; e < end; ++e) {
      const std::span<const double> value = values.row(coupling_label[e]);
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += coupling_weight[e] * value[k];
    }
  }
  return b;
}

namespace {

// The mark of the i-th labeled vertex. Of the others it is no_vertex, while the search runs their
// component, and in the end their row, or no_vertex where no label reaches.
constexpr VertexId labeled_mark(std::size_t i) {
  return static_cast<VertexId>(-2) - static_cast<VertexId>(i);
}
constexpr VertexId label_row(VertexId mark) { return -2 - mark; }

std::vector<VertexId> mark_labeled(const Graph& graph, const std::vector<VertexId>& labeled) {
  const VertexId n = graph.vertex_count();
  std::vector<VertexId> mark(static_cast<std::size_t>(n), no_vertex);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled[i];
    if (v < 0 || v >= n)
      throw Error(ErrorCode::bad_data, "labeled vertex " + std::to_string(v) + ": must be in [0, " +
                                           std::to_string(n) + ")");
    if (mark[static_cast<std::size_t>(v)] != no_vertex)
      throw Error(ErrorCode::bad_data,
                  "labeled vertex " + std::to_string(v) + ": given twice: must be distinct");
    mark[static_cast<std::size_t>(v)] = labeled_mark(i);
  }
  return mark;
}

// The unlabeled vertices, by whether an edge path leads from them to a label: those are the rows.
struct FreeRows {
  std::vector<VertexId> vertices;   // row → vertex
  std::vector<VertexId> unreached;  // the others
  std::vector<VertexId> mark;       // of each vertex of the graph
  Components components;            // of the rows, once the labeled vertices are gone
};

FreeRows find_free_rows(const Graph& graph, const std::vector<VertexId>& labeled) {
  Components all;
  all.of = mark_labeled(graph, labeled);
  std::vector<char> reached;
  detail::find_components(graph, all, [&](VertexId k) {
    reached.resize(static_cast<std::size_t>(k) + 1, 0);
    reached.back() = 1;
  });
  reached.resize(static_cast<std::size_t>(all.count), 0);
  FreeRows rows;
  std::vector<VertexId> number(reached.size(), no_vertex);
  VertexId free = 0;
  for (std::size_t k = 0; k < reached.size(); ++k) {
    if (reached[k] == 0) continue;
    number[k] = rows.components.count++;
    rows.components.sizes.push_back(all.sizes[k]);
    free += all.sizes[k];
  }
  rows.vertices.reserve(static_cast<std::size_t>(free));
  rows.components.of.reserve(static_cast<std::size_t>(free));
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    VertexId& mark = all.of[static_cast<std::size_t>(v)];
    if (mark < 0) continue;
    const VertexId component = number[static_cast<std::size_t>(mark)];
    mark = component == no_vertex ? no_vertex : static_cast<VertexId>(rows.vertices.size());
    if (component == no_vertex) {
      rows.unreached.push_back(v);
    } else {
      rows.vertices.push_back(v);
      rows.components.of.push_back(component);
    }
  }
  rows.mark = std::move(all.of);
  return rows;
}

}  // namespace

DirichletProblem make_dirichlet_problem(const Graph& graph, const std::vector<VertexId>& labeled) {
  FreeRows found = find_free_rows(graph, labeled);
  const std::vector<VertexId>& mark = found.mark;
  const std::vector<VertexId>& free_vertices = found.vertices;
  const std::size_t rows = free_vertices.size();
  std::vector<EdgeIndex> offsets(rows + 1, 0), coupling_offset(rows + 1, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    EdgeIndex inside = 0, outside = 0;
    for (const VertexId u : graph.neighbors(free_vertices[r]))
      ++(mark[static_cast<std::size_t>(u)] >= 0 ? inside : outside);
    offsets[r + 1] = offsets[r] + inside;
    coupling_offset[r + 1] = coupling_offset[r] + outside;
  }

  std::vector<VertexId> neighbors(static_cast<std::size_t>(offsets[rows]));
  std::vector<double> weights(graph.has_unit_weights() ? 0 : neighbors.size());
  std::vector<VertexId> coupling_label(static_cast<std::size_t>(coupling_offset[rows]));
  std::vector<double> coupling_weight(coupling_label.size());
  std::vector<double> ground(rows, 0.0);
  std::size_t next = 0, next_coupling = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    graph.visit_row(free_vertices[r], [&](VertexId u, double w) {
      const VertexId m = mark[static_cast<std::size_t>(u)];
      if (m >= 0) {
        if (!weights.empty()) weights[next] = w;
        neighbors[next++] = m;
      } else {
        coupling_label[next_coupling] = label_row(m);
        coupling_weight[next_coupling++] = w;
        ground[r] += w;
      }
    });
  }
  return {TrustedSystem::make(std::make_shared<const Graph>(TrustedGraph::make(
                                  std::move(offsets), std::move(neighbors), std::move(weights))),
                              std::move(ground), std::move(found.components)),
          std::move(found.vertices),
          std::move(found.unreached),
          labeled,
          std::move(coupling_offset),
          std::move(coupling_label),
          std::move(coupling_weight)};
}

}  // namespace gssl
