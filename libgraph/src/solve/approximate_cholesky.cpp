#include "approximate_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "sampled_elimination.hpp"

namespace gssl::solve {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Where the smallest pivot multiplies a rounding error by more than this, floats are too coarse.
constexpr double most_gain = 1e5;

// In floats, for the system scaled by its diagonal; or in doubles, as it is.
template <class Real>
class ApproximateCholesky final : public Preconditioner {
 public:
  explicit ApproximateCholesky(SampledFactor factor)
      : factor_(std::move(factor)), inverse_unit_(static_cast<Real>(1.0 / factor_.unit)) {
    inverse_pivot_.reserve(factor_.pivot.size());
    for (const double pivot : factor_.pivot)
      inverse_pivot_.push_back(static_cast<Real>(1.0 / pivot));
    std::vector<double>().swap(factor_.pivot);
  }

  void apply(const Real* r, Real* z, std::int64_t columns, int, std::vector<Real>&) const override {
    static constexpr auto kernels = []<int... Width>(std::integer_sequence<int, Width...>) {
      return std::array{&ApproximateCholesky::solve<Width + 1>...};
    }
    (std::make_integer_sequence<int, widest>{});
    const std::int64_t passes = (columns + widest - 1) / widest;
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      const std::int64_t first = pass * columns / passes;
      const std::int64_t width = (pass + 1) * columns / passes - first;
      (this->*kernels[index(width - 1)])(r + first, z + first, columns);
    }
  }

  bool needs_double() const override { return std::is_same_v<Real, double>; }
  bool scaled() const override { return !needs_double(); }

  std::size_t memory_bytes() const override {
    return factor_.order.size() * (sizeof(VertexId) + sizeof(std::int64_t) + sizeof(Real)) +
           factor_.row.size() * (sizeof(VertexId) + sizeof(float));
  }

 private:
  static constexpr int widest = 8;
  static constexpr std::int64_t ahead = 24;  // entries whose rows are fetched early

  // L y = r with y in place of r, then D Lᵀ z = y.
  template <int Width>
  void solve(const Real* r, Real* z, std::int64_t stride) const {
    const auto n = static_cast<std::int64_t>(factor_.order.size());
    const std::int64_t last = factor_.start.back() - 1;
    const VertexId* row = factor_.row.data();
    const float* weight = factor_.weight.data();
    for (std::int64_t v = 0; v < n; ++v)
      for (int c = 0; c < Width; ++c) z[v * stride + c] = r[v * stride + c] * inverse_unit_;
    for (std::int64_t k = 0; k < n; ++k) {
      const Real* own = z + factor_.order[index(k)] * stride;
      const Real inverse = inverse_pivot_[index(k)];
      Real x[Width];
      for (int c = 0; c < Width; ++c) x[c] = own[c] * inverse;
      for (std::int64_t e = factor_.start[index(k)]; e < factor_.start[index(k) + 1]; ++e) {
        __builtin_prefetch(z + row[std::min(e + ahead, last)] * stride, 1);
        Real* other = z + row[e] * stride;
        const auto w = static_cast<Real>(weight[e]);
        for (int c = 0; c < Width; ++c) other[c] += w * x[c];
      }
    }
    for (std::int64_t k = n - 1; k >= 0; --k) {
      Real* own = z + factor_.order[index(k)] * stride;
      const Real inverse = inverse_pivot_[index(k)];
      Real x[Width];
      for (int c = 0; c < Width; ++c) x[c] = own[c];
      for (std::int64_t e = factor_.start[index(k) + 1]; e-- > factor_.start[index(k)];) {
        __builtin_prefetch(z + row[std::max<std::int64_t>(e - ahead, 0)] * stride);
        const Real* other = z + row[e] * stride;
        const auto w = static_cast<Real>(weight[e]);
        for (int c = 0; c < Width; ++c) x[c] += w * other[c];
      }
      for (int c = 0; c < Width; ++c) own[c] = x[c] * inverse;
    }
  }

  SampledFactor factor_;
  Real inverse_unit_;
  std::vector<Real> inverse_pivot_;
};

// How much the smallest pivot of the scaled system multiplies an error.
double largest_gain(const SampledFactor& factor, const std::vector<double>& diagonal) {
  double most = 0.0;
  for (std::size_t k = 0; k < factor.order.size(); ++k)
    most = std::max(most, diagonal[index(factor.order[k])] / factor.unit / factor.pivot[k]);
  return most;
}

// From a factor of A to one of D^-1/2 A D^-1/2, where entries are of about 1 whatever they were.
void scale(SampledFactor& factor, const std::vector<double>& diagonal) {
  const auto root = [&](VertexId v) { return std::sqrt(factor.unit / diagonal[index(v)]); };
  for (std::size_t k = 0; k < factor.order.size(); ++k) {
    const double own = root(factor.order[k]);
    factor.pivot[k] *= own * own;
    for (auto e = index(factor.start[k]); e < index(factor.start[k + 1]); ++e)
      factor.weight[e] = static_cast<float>(factor.weight[e] * own * root(factor.row[e]));
  }
  factor.unit = 1.0;
}

}  // namespace

std::unique_ptr<Preconditioner> make_approximate_cholesky(const GroundedLaplacian& system,
                                                          std::uint64_t seed) {
  SampledFactor factor = eliminate_by_sampling(system, Rng(seed));
  if (largest_gain(factor, system.diagonal()) > most_gain)
    return std::make_unique<ApproximateCholesky<double>>(std::move(factor));
  scale(factor, system.diagonal());
  return std::make_unique<ApproximateCholesky<float>>(std::move(factor));
}

}  // namespace gssl::solve
