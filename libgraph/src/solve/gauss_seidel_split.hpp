#pragma once
// Symmetric Gauss–Seidel as a change of variables (Eisenstat 1981, doi:10.1137/0902001). With
// A = D − W − Wᵀ, W being what lies below the diagonal, conjugate gradients on
//
//   Ã x̃ = b̃,   Ã = (D − W)⁻¹ A (D − Wᵀ)⁻¹,   x̃ = (D − Wᵀ) x,   b̃ = (D − W)⁻¹ b
//
// preconditioned by D⁻¹ make the steps of those on A preconditioned by (D − W) D⁻¹ (D − Wᵀ): about
// half as many as with the diagonal alone. A product costs what one with A does, each entry being
// visited once: with t = (D − Wᵀ)⁻¹ p,  Ã p = t + (D − W)⁻¹ (p − D t).
//
// Rows go by color, so that no two of one color are neighbors: those of a color are worked on in
// any order and on all threads with the same bytes. On graphs without an order of their own, where
// conjugate gradients win, colors cost no iterations.
//
//   GaussSeidelSplit split(system, threads);
//   … rows split.vertex(r) of b; split.forward(b̃) … split.apply(p, q, …) … split.backward(x) …
//
// O(n + m) to make; 24 bytes for each edge with a weight, 8 for others, 36 for each row.

#include <cstdint>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"
#include "huge_array.hpp"

namespace gssl::solve {

class GaussSeidelSplit {
 public:
  GaussSeidelSplit(const GroundedLaplacian& system, int threads);

  VertexId size() const { return static_cast<VertexId>(vertex_.size()); }
  VertexId vertex(VertexId row) const { return vertex_[static_cast<std::size_t>(row)]; }
  const std::vector<double>& diagonal() const { return diagonal_; }  // D, by rows

  // Row-major blocks of size() × columns, 1 … group_width of them. y = Ã x.
  void apply(const double* x, double* y, std::int64_t columns, int threads,
             std::vector<double>& scratch) const;
  // x = (D − W)⁻¹ x and x = (D − Wᵀ)⁻¹ x, in place.
  void forward(double* x, std::int64_t columns, int threads) const {
    sweep(below_, true, x, columns, threads);
  }
  void backward(double* x, std::int64_t columns, int threads) const {
    sweep(above_, false, x, columns, threads);
  }
  // y = (D − W) x and y = (D − Wᵀ) x.
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
  template <class Body>
  void each_color(bool ascending, int threads, Body&& body) const;
  void sweep(const Half& half, bool ascending, double* x, std::int64_t columns, int threads) const;
  void multiply(const Half& half, const double* x, double* y, std::int64_t columns,
                int threads) const;

  std::vector<VertexId> vertex_;       // of each row
  std::vector<VertexId> color_begin_;  // rows of each color, and the end
  std::vector<double> diagonal_, inverse_;
  Half below_, above_;
};

}  // namespace gssl::solve
