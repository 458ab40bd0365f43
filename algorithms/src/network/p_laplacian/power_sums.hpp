#pragma once
// Sums of powers over edges that neither overflow nor underflow: everything is taken relative to
// the largest entry, and norms are kept as logarithms. O(m) each; the bytes do not depend on the
// number of threads. Internal: not installed.

#include <cmath>
#include <span>
#include <vector>

namespace gssl::detail {

// base^exponent for base ≥ 0; whole exponents, the usual ones, by multiplication.
class Power {
 public:
  explicit Power(double exponent);
  double operator()(double base) const {
    if (whole_ < 0) return std::pow(base, exponent_);
    double result = 1.0;
    for (int rest = whole_; rest != 0; rest >>= 1, base *= base)
      if ((rest & 1) != 0) result *= base;
    return result;
  }

 private:
  double exponent_;
  int whole_ = -1;
};

// q of 1/p + 1/q = 1.
inline double dual_exponent(double p) { return p / (p - 1.0); }

// max |z|.
double largest(std::span<const double> z, int threads);

// log (Σ w|z|^s)^{1/s}; −∞ if z is zero.
double log_norm(std::span<const double> w, std::span<const double> z, double s, int threads);

// out = max((|z|/max|z|)^exponent, floor).
void relative_powers(std::span<const double> z, double exponent, double floor, int threads,
                     std::vector<double>& out);

// The t > 0 where Σ w|z + t(toward − z)|^s is least, s ≥ 2, up to `accuracy` of its slope at 0;
// at most 4. 0 if the sum does not fall that way; Newton's 1/(s − 1) where rounding hides whether
// it does.
double least_on_line(std::span<const double> w, std::span<const double> z,
                     std::span<const double> toward, double s, double noise, double accuracy,
                     int threads);

}  // namespace gssl::detail
