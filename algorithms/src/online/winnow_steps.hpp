#pragma once
// What Winnow does with its weights after a mistake. Internal: not installed.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "online/hypothesis.hpp"
#include "online/linear_row.hpp"
#include "online/share_kernels.hpp"

namespace gssl::detail {

inline constexpr double winnow_largest = 0x1p900, winnow_least = 0x1p-900;

inline void check_unit_features(const char* learner, const Instance& instance) {
  bool outside = false;
  for (const double x : instance.values) outside |= !(x >= 0.0 && x <= 1.0);
  if (!outside) return;
  for (const double x : instance.values)
    if (!(x >= 0.0 && x <= 1.0))
      throw Error(ErrorCode::bad_data, std::string(learner) + ": feature " + to_text(x) +
                                           ": must be in [0, 1]; rescale the columns");
}

// α^{±x_i} of a row, α and 1/α where x_i is 1.
class WinnowFactors {
 public:
  explicit WinnowFactors(double alpha) : alpha_(alpha), logarithm_(std::log(alpha)) {}

  std::span<const double> of(std::span<const double> x, double direction) {
    factors_.resize(x.size());
    powers(direction * logarithm_, x, factors_);
    const double whole = direction > 0.0 ? alpha_ : 1.0 / alpha_;
    for (std::size_t e = 0; e < x.size(); ++e) factors_[e] = x[e] == 1.0 ? whole : factors_[e];
    return factors_;
  }

 private:
  double alpha_, logarithm_;
  std::vector<double> factors_;
};

// w_i ← w_i·α^{x_i·direction}, held within 2^±900, which ends what is proved; whether a weight
// moved.
inline bool multiply(const LinearRow& row, WinnowFactors& factors, double direction,
                     std::vector<double>& weights, LinearHypothesis& hypothesis, bool& held) {
  hypothesis.before_change([&] { return LinearHypothesis::Function{.weights = weights}; });
  const double* factor = factors.of(row.values(), direction).data();
  bool any = false;
  row.visit([&](std::size_t i, double x) {
    const double before = weights[i], by = *factor++;
    if (x == 0.0 || before == 0.0) return;
    weights[i] = std::clamp(before * by, winnow_least, winnow_largest);
    held = held || weights[i] == winnow_least || weights[i] == winnow_largest;
    if (hypothesis.averages()) hypothesis.moved(i, weights[i] - before);
    any = any || weights[i] != before;
  });
  return any;
}

// w_i ← 0 where x_i > 0; whether a weight moved.
inline bool eliminate(const LinearRow& row, std::vector<double>& weights,
                      LinearHypothesis& hypothesis) {
  hypothesis.before_change([&] { return LinearHypothesis::Function{.weights = weights}; });
  bool any = false;
  row.visit([&](std::size_t i, double x) {
    if (x == 0.0 || weights[i] == 0.0) return;
    if (hypothesis.averages()) hypothesis.moved(i, -weights[i]);
    weights[i] = 0.0;
    any = true;
  });
  return any;
}

}  // namespace gssl::detail
