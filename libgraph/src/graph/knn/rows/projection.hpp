#pragma once
// Fewer columns that bound distances from below. With orthonormal directions P, found from a sample
// so that they hold most of its variance, and r the length of what they leave of a row,
//   ‖x − y‖² ≥ ‖Px − Py‖² + (r_x − r_y)²,
// so a row becomes its `directions` coordinates and r. How much that saves depends on the data, and
// is estimated before it is done.

#include <string>
#include <vector>

#include "row_space.hpp"

namespace gssl::knn {

class Projection {
 public:
  static constexpr int directions = 64;
  // Of the rows of apply(), in 2⁻²⁴ of their length: what rounding does to r where it is small.
  static constexpr double relative_error = 64.0;

  // Precondition: l2, at least one row. Subspace iteration on at most 1024 rows (Halko, Martinsson
  // and Tropp 2011, doi:10.1137/090771806). Directions past the rank are any.
  explicit Projection(const RowSpace& rows);

  RowSpace apply(const RowSpace& rows, int threads) const;

  // Share of the sample's variance in the directions.
  double explained() const { return explained_; }
  // Estimated time of a search for k neighbors with the projection by that without. O(1) in n.
  double relative_cost(const RowSpace& rows, int k) const;

 private:
  void project(const RowSpace& rows, VertexId i, double* scratch, double* out) const;

  std::vector<double> middle_;
  std::vector<double> basis_;  // columns × directions
  double explained_ = 0.0;
};

}  // namespace gssl::knn
