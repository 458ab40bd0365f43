#pragma once
// An incomplete Cholesky factor that changes only the diagonal, as a change of variables (Eisenstat
// 1981, doi:10.1137/0902001). With A = D − W − Wᵀ, W being what lies below the diagonal, conjugate
// gradients on
//
//   Ã x̃ = b̃,   Ã = (P − W)⁻¹ A (P − Wᵀ)⁻¹,   x̃ = (P − Wᵀ) x,   b̃ = (P − W)⁻¹ b
//
// preconditioned by P⁻¹ make the steps of those on A preconditioned by (P − W) P⁻¹ (P − Wᵀ). With
// P = D that is symmetric Gauss–Seidel; here the pivots P are those for which the product has the
// diagonal of A,  pᵥ = dᵥ − Σ w²ᵤᵥ/pᵤ  over the neighbors u before v (Pommerell's D-ILU, 1992). So
// a vertex whose neighbors all come later is eliminated as exactly as its neighbors' pivots can
// say, and the many vertices of few neighbors, which cost the diagonal most of its steps, come
// first. A product costs what one with A does, each entry being visited once: with t = (P − Wᵀ)⁻¹
// p, Ã p = t + (P − W)⁻¹ (p − (2P − D) t).
//
// Rows go by color, so that no two of one color are neighbors: those of a color are worked on in
// any order and on all threads with the same bytes. On graphs without an order of their own, where
// conjugate gradients win, colors cost no iterations.
//
//   IncompleteCholeskySplit split(system, threads);
//   … rows split.vertex(r) of b; split.forward(b̃) … split.apply(p, q, …) … split.backward(x) …
//
// O(n + m) to make; 24 bytes for each edge with a weight, 8 for others, 44 for each row.

#include <cstdint>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"
#include "huge_array.hpp"

namespace gssl::solve {

class IncompleteCholeskySplit {
 public:
  IncompleteCholeskySplit(const GroundedLaplacian& system, int threads);

  VertexId size() const { return static_cast<VertexId>(vertex_.size()); }
  VertexId vertex(VertexId row) const { return vertex_[static_cast<std::size_t>(row)]; }
  const std::vector<double>& pivots() const { return pivot_; }  // P, by rows

  // Row-major blocks of size() × columns, 1 … group_width of them. y = Ã x.
  void apply(const double* x, double* y, std::int64_t columns, int threads,
             std::vector<double>& scratch) const;
  // x = (P − W)⁻¹ x and x = (P − Wᵀ)⁻¹ x, in place.
  void forward(double* x, std::int64_t columns, int threads) const {
    sweep(below_, true, x, columns, threads);
  }
  void backward(double* x, std::int64_t columns, int threads) const {
    sweep(above_, false, x, columns, threads);
  }
  // y = (P − W) x and y = (P − Wᵀ) x.
  void undo_forward(const double* x, double* y, std::int64_t columns, int threads) const {
    multiply(below_, x, y, columns, threads);
  }
  void undo_backward(const double* x, double* y, std::int64_t columns, int threads) const {
    multiply(above_, x, y, columns, threads);
  }

 private:
  // One half of the matrix, without the diagonal.
  struct Half {
    std::vector<EdgeIndex> offset;
    HugeArray<VertexId> column;
    HugeArray<double> weight;  // empty: all 1
  };
  template <int Width>
  struct Kernels;

  void fill(const Graph& graph, const std::vector<VertexId>& row, int threads);
  void find_pivots(int threads);
  template <class Body>
  void each_color(bool ascending, int threads, Body&& body) const;
  void sweep(const Half& half, bool ascending, double* x, std::int64_t columns, int threads) const;
  void multiply(const Half& half, const double* x, double* y, std::int64_t columns,
                int threads) const;

  std::vector<VertexId> vertex_;                  // of each row
  std::vector<VertexId> color_begin_;             // rows of each color, and the end
  std::vector<double> pivot_, inverse_, excess_;  // P, P⁻¹ and 2 − P⁻¹D, by rows
  Half below_, above_;
};

}  // namespace gssl::solve
