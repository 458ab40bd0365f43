#pragma once
// L or L_sym of a connected graph as a symmetric operator M, with what is known of its spectrum:
// the null vector and a bound above. L_rw has the eigenvalues of L_sym.
//
//   ConnectedLaplacian m(graph, LaplacianKind::symmetric);
//   m.apply(x, y, threads);                 // y = M x

#include <memory>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/types.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "krylov_basis.hpp"

namespace gssl::solve {

class ConnectedLaplacian {
 public:
  // `graph` is connected and has at least 2 vertices.
  ConnectedLaplacian(std::shared_ptr<const Graph> graph, LaplacianKind kind);

  // Row r is row order[r] of this one.
  ConnectedLaplacian in_order(const std::vector<VertexId>& order, int threads) const;

  std::int64_t size() const { return system_->size(); }
  const std::shared_ptr<const GroundedLaplacian>& system() const { return system_; }
  bool normalized() const { return !root_degree_.empty(); }
  const std::vector<double>& root_degree() const { return root_degree_; }  // empty for L
  double bound() const { return bound_; }  // no eigenvalue is larger
  double scale() const { return scale_; }  // 1, or the mean weighted degree for L
  Block null_vector() const;               // n×1 of norm 1

  void apply(const Block& x, Block& y, int threads) const;
  // The same without a copy of x, which is scaled meanwhile and comes back with another rounding.
  void apply_scaling(Block& x, Block& y, int threads) const;
  // (M x)ᵀ M x for up to widest_block columns, without a block for M x; x as there.
  SmallSquare product_squares(Block& x, int threads) const;

 private:
  std::shared_ptr<const GroundedLaplacian> system_;
  std::vector<double> root_degree_;
  double bound_ = 0.0;
  double scale_ = 1.0;
};

// b(v, ·) *= factor[v], or /= with `divide`.
void scale_rows(Block& b, const std::vector<double>& factor, bool divide, int threads);

}  // namespace gssl::solve
