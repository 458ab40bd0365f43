#include "diffusion.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

ChebyshevSeries decay_series(double z, double tolerance, std::int64_t most) {
  ChebyshevSeries series;
  if (z == 0.0) return {{1.0}, 0.0};
  // Far enough out, e^{−z} I_k(z) ≤ exp(−k²/(2(z + k))) is far below any tolerance.
  const double digits = 2.0 * (-std::log(tolerance) + 40.0);
  const double terms = digits / 2.0 + std::sqrt(digits * digits / 4.0 + digits * z) + 20.0;
  if (!(terms < 1e4 + 10.0 * static_cast<double>(most)))
    throw Error(ErrorCode::usage, "kernel diffusion: time x largest eigenvalue " +
                                      to_text(2.0 * z) + " would take some " +
                                      to_text(std::floor(terms)) +
                                      " products with the Laplacian: make time smaller, or take "
                                      "the normalized one");
  const auto start = static_cast<std::int64_t>(terms);
  // Miller's backward recurrence I_{k−1} = I_{k+1} + (2k/z) I_k for the ratios I_k/I_{k−1}, none of
  // which overflows for any z, normalized by e^z = I_0 + 2 Σ I_k.
  std::vector<double> bessel(static_cast<std::size_t>(start) + 1, 0.0);  // over I_0
  double ratio = 0.0;
  for (std::int64_t k = start; k > 0; --k) {
    ratio = 1.0 / (2.0 * static_cast<double>(k) / z + ratio);
    bessel[static_cast<std::size_t>(k)] = ratio;
  }
  bessel[0] = 1.0;
  for (std::size_t k = 1; k < bessel.size(); ++k) bessel[k] *= bessel[k - 1];
  double sum = 0.0;
  for (std::size_t k = bessel.size(); k-- > 1;) sum += 2.0 * bessel[k];
  sum += bessel[0];
  // Terms from the far end, until what is cut would be too much.
  std::int64_t last = start;
  while (last > 0) {
    const double next = 2.0 * bessel[static_cast<std::size_t>(last)] / sum;
    if (series.error_bound + next > tolerance && last < most) break;
    series.error_bound += next;
    --last;
  }
  for (std::int64_t k = 0; k <= last; ++k) {
    const double c = (k == 0 ? 1.0 : 2.0) * bessel[static_cast<std::size_t>(k)] / sum;
    series.coefficients.push_back(k % 2 == 0 ? c : -c);
  }
  return series;
}

bool apply_series(const ChebyshevSeries& series, double largest_eigenvalue,
                  const std::function<void(const Block&, Block&)>& apply,
                  const std::function<bool()>& stop, const Block& x, Block& result) {
  const std::size_t size = x.values().size();
  const double scale = largest_eigenvalue > 0.0 ? 2.0 / largest_eigenvalue : 0.0;
  const bool tiny = std::isinf(scale);  // two steps, each of which a double holds
  Block before = x, now, product;       // T_{k−1}x, T_k x
  result = Block(x.rows(), x.columns());
  for (std::size_t i = 0; i < size; ++i) result.data()[i] = series.coefficients[0] * x.data()[i];
  for (std::size_t k = 1; k < series.coefficients.size(); ++k) {
    if (stop()) return false;
    // T_1 = y, T_{k+1} = 2 y T_k − T_{k−1} with y = 2L/λ − I.
    const Block& latest = k == 1 ? before : now;
    apply(latest, product);
    for (std::size_t i = 0; i < size; ++i) {
      const double scaled =
          tiny ? product.data()[i] / largest_eigenvalue * 2.0 : scale * product.data()[i];
      const double y = scaled - latest.data()[i];
      product.data()[i] = k == 1 ? y : 2.0 * y - before.data()[i];
      result.data()[i] += series.coefficients[k] * product.data()[i];
    }
    if (k > 1) std::swap(before, now);
    std::swap(now, product);
  }
  return true;
}

}  // namespace gssl::detail
