#pragma once
// The matrix W = exp(h₀I + η Σ y_s x_s x_sᵀ) of matrix exponentiated gradient, over cells whose
// inner products are known and nothing else. Internal: not installed.
//
//   CellExponential w(h0, kappa);       // kappa(a, b) = x_a · x_b, of cells by any pair of numbers
//   double y = w.look_at({3, 7});       // xᵀWx − 1
//   w.add(0.1);                         // η·y for the cell looked at
//
// x enters by its coordinates z in the span of the cells added so far, R z = (kappa(s, x))_s with R
// the Cholesky factor of their Gram matrix. O(r²) to look, O(r²) and a product of r×r to add, for r
// the dimension of that span.

#include <functional>
#include <vector>

#include "gssl/data/record.hpp"
#include "online/rank_one_eigen.hpp"

namespace gssl::detail {

struct CellPlace {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

class CellExponential {
 public:
  using Products = std::function<double(const CellPlace&, const CellPlace&)>;

  CellExponential(double log_start, Products products)
      : log_start_(log_start), products_(std::move(products)) {}
  CellExponential(double log_start, Products products, const Record& record);
  void save(Record& record) const;

  double look_at(const CellPlace& cell);
  void add(double amount);

  std::int64_t dimension() const { return eigen_.size(); }
  const RankOneEigen& eigen() const { return eigen_; }

 private:
  double log_start_;
  Products products_;
  std::vector<CellPlace> basis_;           // cells that added a dimension
  std::vector<std::vector<double>> rows_;  // of R
  RankOneEigen eigen_;
  CellPlace cell_;         // looked at last
  std::vector<double> z_;  // its coordinates
  double rest_ = 0.0;      // square of what is not in the span
};

}  // namespace gssl::detail
