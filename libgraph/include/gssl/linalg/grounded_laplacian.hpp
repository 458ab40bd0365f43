#pragma once
// The one matrix: A = L(G) + diag(g), g ≥ 0, a resistor network whose vertex v is tied to earth by
// conductance g_v. A is symmetric positive semidefinite, and singular exactly on the components of
// G that hold no ground.
//
//   gssl::GroundedLaplacian a(graph, ground);      // shares the graph
//   a.apply(x, y, threads);                        // y = A x, all columns in one pass
//   a.singular_components();                       // components with no ground
//
//   gssl::DirichletProblem p = gssl::make_dirichlet_problem(graph, labeled);
//   gssl::Block b = p.right_hand_side(values);     // values at the labeled vertices, one row each
//
// apply: O(c(n + m)) time, no memory. Construction: O(n + m).

#include <memory>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

class GroundedLaplacian {
 public:
  // `ground` has one finite value ≥ 0 for each vertex, or is empty (no ground). Throws
  // ErrorCode::bad_data naming the vertex otherwise, and ErrorCode::usage without a graph.
  GroundedLaplacian(std::shared_ptr<const Graph> graph, std::vector<double> ground);
  GroundedLaplacian(Graph graph, std::vector<double> ground)
      : GroundedLaplacian(std::make_shared<const Graph>(std::move(graph)), std::move(ground)) {}

  VertexId size() const { return graph_->vertex_count(); }
  const Graph& graph() const { return *graph_; }
  std::shared_ptr<const Graph> shared_graph() const { return graph_; }
  const std::vector<double>& ground() const { return ground_; }      // always size() long
  const std::vector<double>& diagonal() const { return diagonal_; }  // weighted degree + ground

  // y = A x for n×c blocks; y is resized. Same bytes at any thread count. Throws ErrorCode::usage
  // unless x has a row for each vertex and y is another block.
  void apply(const Block& x, Block& y, int threads = 1) const;

  // Rows [begin, end) of y = A x for row-major arrays of `columns` columns; nothing is allocated. A
  // solver calls it from its own loop over rows to fuse a product with the vector work around it.
  void apply_rows(const double* x, double* y, std::int64_t columns, std::int64_t begin,
                  std::int64_t end) const;

  const Components& components() const { return components_; }
  // singular()[k]: component k has no ground.
  const std::vector<bool>& singular() const { return singular_; }
  VertexId singular_count() const { return singular_count_; }

  // The same graph with `extra` added to the ground.
  GroundedLaplacian with_extra_ground(const std::vector<double>& extra) const;

  // The same edges with other weights, one for each entry of neighbor_array(), and another ground,
  // one value for each vertex or none as for the constructor; for solves that change the weights
  // step by step. O(n + m), without looking for components again. Precondition: both entries of an
  // edge are equal. Throws ErrorCode::bad_data on a weight that is not finite and > 0, and as the
  // constructor on the ground.
  GroundedLaplacian with_weights(std::vector<double> weights, std::vector<double> ground) const;

 private:
  friend struct TrustedSystem;
  GroundedLaplacian(std::shared_ptr<const Graph> graph, std::vector<double> ground,
                    Components components);

  void finish_construction();  // diagonal and singular components, from graph and ground

  std::shared_ptr<const Graph> graph_;
  std::vector<double> ground_;
  std::vector<double> diagonal_;
  Components components_;
  std::vector<bool> singular_;
  VertexId singular_count_ = 0;
};

// Potentials fixed at some vertices, free elsewhere, no current injected: L_uu x_u = W_uℓ y_ℓ.
// The free vertices of components that touch no labeled vertex are left out (`unreached`).
struct DirichletProblem {
  GroundedLaplacian system;             // on the free vertices, in ascending order of vertex id
  std::vector<VertexId> free_vertices;  // row of the system → vertex
  std::vector<VertexId> unreached;      // vertices with no labeled vertex in their component
  std::vector<VertexId> labeled;        // as given: row of `values` → vertex
  // Row r of the right-hand side adds coupling_weight[e] · values.row(coupling_label[e]) for e in
  // [coupling_offset[r], coupling_offset[r+1]).
  std::vector<EdgeIndex> coupling_offset;
  std::vector<VertexId> coupling_label;
  std::vector<double> coupling_weight;

  // W_uℓ · values: values is labeled.size() × c; the result free_vertices.size() × c.
  Block right_hand_side(const Block& values) const;
};

// `labeled`: distinct vertices. Throws ErrorCode::bad_data on a repeated or unknown one. O(n + m).
DirichletProblem make_dirichlet_problem(const Graph& graph, const std::vector<VertexId>& labeled);

}  // namespace gssl
