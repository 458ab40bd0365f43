#pragma once
// Prices of classes at which each class gets the size asked for. Internal: not installed.
//
// At given prices the rows choose (a threshold, a projection) and the classes get shares. The
// prices wanted minimize a convex function, the dual, whose gradient is size − share.

#include <functional>
#include <vector>

#include "gssl/core/run_context.hpp"

namespace gssl::detail {

// The dual at some prices. Summed over blocks of rows, then Σ price·size is added to `value`.
struct PriceDual {
  double value = 0.0;
  std::vector<double> share;
  std::vector<double> curvature;  // row-major K×K: the Hessian
  static PriceDual zero(std::size_t classes) {
    return {0.0, std::vector<double>(classes, 0.0), std::vector<double>(classes * classes, 0.0)};
  }
  PriceDual& operator+=(const PriceDual& other);
};

struct PriceSearch {
  double unit = 1.0;         // a price that matters; curvatures are about Σ size/unit
  double reach = 1.0;        // units beyond which the quadratic model knows nothing
  double damping = 0.0;      // times the error: steps stay finite where no row is split
  double precision = 1e-10;  // of the shares, relative to the sum of the sizes
};

// Of so many classes of one row the curvature has every pair. A row that is shared by more adds to
// the diagonal alone for the rest: the step is then a little shorter than Newton's, and a row costs
// O(K + most_paired_classes²) and not K².
inline constexpr std::size_t most_paired_classes = 64;

// Rows to sum in one block: enough that the K×K curvature of a block costs no more than its rows.
std::int64_t rows_of_block(std::size_t classes);

// Damped Newton from the prices that come in, until shares meet sizes to the precision, no step
// gains, or the run is to stop; the prices are then the best so far. O(K³) a step, beside the
// dual, which may return anything once the run is to stop.
void find_prices(const std::function<PriceDual(const std::vector<double>& price)>& dual_at,
                 const std::vector<double>& size, const PriceSearch& search, const RunContext& run,
                 std::vector<double>& price);

}  // namespace gssl::detail
