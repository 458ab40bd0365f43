#include "proven_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// A sum in twice the digits of a double (Dekker 1971, doi:10.1007/BF01397083).
struct DoubleSum {
  double high = 0.0, low = 0.0;

  void add(double value) {
    const double sum = high + value, part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    low += std::fma(a, b, -product);
    add(product);
  }
  double value() const { return high + low; }
};

double largest(const Block& x, std::int64_t column) {
  double most = 0.0;
  for (std::int64_t v = 0; v < x.rows(); ++v) most = std::max(most, std::abs(x(v, column)));
  return most;
}

// NaN counts as more than anything.
double worse(double a, double b) { return b <= a ? a : b; }

}  // namespace

Block exact_residual(const GroundedLaplacian& a, const Block& b, const Block& x, int threads) {
  const std::int64_t c = b.columns();
  Block r(b.rows(), c);
  parallel_blocks(b.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto v = static_cast<VertexId>(begin); v < end; ++v)
      for (std::int64_t j = 0; j < c; ++j) {
        DoubleSum sum;
        sum.add(b(v, j));
        sum.add_product(-a.ground()[static_cast<std::size_t>(v)], x(v, j));
        a.graph().visit_row(v, [&](VertexId u, double w) {
          sum.add_product(w, x(u, j));
          sum.add_product(-w, x(v, j));
        });
        r(v, j) = sum.value();
      }
  });
  return r;
}

ProvenError prove_error(const GroundedLaplacian& system, const Block& b, const Block& x,
                        const std::function<Block(const Block&)>& solve,
                        const std::function<void(Block&)>& center, int threads) {
  const std::int64_t n = x.rows(), c = x.columns();
  const Block r = exact_residual(system, b, x, threads);
  Block sides(n, 3 * c);
  for (std::int64_t v = 0; v < n; ++v)
    for (std::int64_t j = 0; j < c; ++j) {
      sides(v, j) = r(v, j);
      sides(v, c + j) = std::abs(r(v, j));
      sides(v, 2 * c + j) = std::abs(b(v, j));
    }
  const Block found = solve(sides);
  Block error(n, c);
  for (std::int64_t v = 0; v < n; ++v)
    for (std::int64_t j = 0; j < c; ++j) error(v, j) = found(v, j);
  center(error);

  const double gamma =
      2.0 * (static_cast<double>(n) + 8.0) * std::numeric_limits<double>::epsilon();
  // A mean taken away adds its own error to that of every entry.
  const double own = system.singular_count() > 0 ? 2.0 * gamma : gamma;
  ProvenError proven;
  for (std::int64_t j = 0; j < c; ++j) {
    const double size = largest(x, j);
    if (size == 0.0 && largest(b, j) == 0.0) continue;
    const double afterwards = largest(error, j) + own * largest(found, c + j);
    const double beforehand = own * largest(found, 2 * c + j);
    proven.relative = worse(proven.relative, std::min(afterwards, beforehand) / size);
    double hidden = 0.0, energy = 0.0;
    for (std::int64_t v = 0; v < n; ++v) {
      hidden += r(v, j) * error(v, j);
      energy += b(v, j) * x(v, j);
    }
    proven.energy = worse(proven.energy, std::sqrt(std::max(0.0, hidden) / energy));
  }
  return proven;
}

}  // namespace gssl::solve
