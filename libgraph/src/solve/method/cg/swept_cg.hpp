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
// first. A product costs what one with A does, each entry being used twice: with t = (P − Wᵀ)⁻¹ p,
// Ã p = t + (P − W)⁻¹ (p − (2P − D) t).
//
// Only Wᵀ is stored, by rows: the later neighbors of each vertex, which on a social network are the
// few vertices of many neighbors, so that both sweeps stay in the cache. The descending one pulls
// from them what a row needs; the ascending one pushes to them what a row has become.
//
// Rows go by color, so that no two of one color are neighbors: those of a color are worked on in
// any order and on all threads with the same bytes. Where the entries of a color are many, the
// ascending sweep cuts it in two parts, which push to sums of their own. On graphs without an order
// of their own, where conjugate gradients win, colors cost no iterations.
//
//   SweptSystem split(system, threads);
//   … rows split.vertex(r) of b; split.forward(b̃) … split.apply(p, q, …) … split.backward(x) …
//
// O(n + m) to make; 12 bytes for each edge with a weight, 4 for others, 36 for each row.

#include <cstdint>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

class SweptSystem {
 public:
  SweptSystem(const GroundedLaplacian& system, int threads);

  VertexId size() const { return static_cast<VertexId>(vertex_.size()); }
  VertexId vertex(VertexId row) const { return vertex_[static_cast<std::size_t>(row)]; }
  const std::vector<double>& pivots() const { return pivot_; }  // P, by rows

  // Row-major blocks of size() × columns, 1 … group_width of them. The bytes are the same on one
  // thread and more; where there will never be more than one, threads = 0 cuts no color, which is a
  // little faster and sums in another order.
  //
  // y = Ã x.
  void apply(const double* x, double* y, std::int64_t columns, int threads,
             std::vector<double>& scratch) const;
  // x = (P − W)⁻¹ x and x = (P − Wᵀ)⁻¹ x, in place.
  void forward(double* x, std::int64_t columns, int threads) const;
  void backward(double* x, std::int64_t columns, int threads) const;
  // y = (P − W) x and y = (P − Wᵀ) x. The first takes memory of the size of y, if it is cut, unless
  // it is given some.
  bool is_cut(int threads) const { return cut_ && threads > 0; }
  void undo_forward(const double* x, double* y, std::int64_t columns, int threads,
                    double* scratch = nullptr) const;
  void undo_backward(const double* x, double* y, std::int64_t columns, int threads) const;

 private:
  friend class FloatSplit;
  template <int Width>
  struct Kernels;
  // Rows [begin, end), of which those from `cut` on push to the second sums.
  struct Color {
    VertexId begin, cut, end;
  };

  void sort_rows(const std::vector<std::uint8_t>& color, const std::vector<VertexId>& later);
  void fill(const Graph& graph, const std::vector<std::uint8_t>& color, int threads);
  void cut_colors();
  void find_pivots(const GroundedLaplacian& system, int threads);

  std::vector<VertexId> vertex_;  // of each row
  std::vector<Color> colors_;
  bool cut_ = false;                              // is any color
  std::vector<double> pivot_, inverse_, excess_;  // P, P⁻¹ and 2 − P⁻¹D, by rows
  std::vector<EdgeIndex> offset_;                 // Wᵀ by rows
  HugeArray<VertexId> column_;
  HugeArray<double> weight_;  // empty: all 1
};

}  // namespace gssl::solve
