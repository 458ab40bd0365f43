#pragma once
// Prices of classes at which each class gets the size asked for. Internal: not installed.
//
// At given prices the rows choose (a threshold, a projection) and the classes get shares. The
// prices wanted minimize a convex function, the dual, whose gradient is size − share.

#include <functional>
#include <vector>

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
  double unit = 1.0;     // a price that matters; curvatures are about Σ size/unit
  double reach = 1.0;    // units beyond which the quadratic model knows nothing
  double damping = 0.0;  // times the error: steps stay finite where no row is split
};

// Damped Newton from the prices that come in, until shares meet sizes to 1e-10 of their sum or no
// step gains. O(K³) a step, beside the dual.
void find_prices(const std::function<PriceDual(const std::vector<double>& price)>& dual_at,
                 const std::vector<double>& size, const PriceSearch& search,
                 std::vector<double>& price);

}  // namespace gssl::detail
