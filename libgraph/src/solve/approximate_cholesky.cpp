#include "approximate_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gssl/core/parallel.hpp"
#include "sampled_elimination.hpp"

namespace gssl::solve {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

class ApproximateCholesky final : public Preconditioner {
 public:
  ApproximateCholesky(const GroundedLaplacian& system, std::uint64_t seed)
      : factor_(eliminate_by_sampling(system, Rng(seed))) {
    // The factor of D^-1/2 A D^-1/2 has entries of about 1 whatever the weights are.
    const std::vector<double>& diagonal = system.diagonal();
    inverse_pivot_.reserve(factor_.pivot.size());
    for (std::size_t k = 0; k < factor_.order.size(); ++k) {
      const double own = diagonal[index(factor_.order[k])];
      inverse_pivot_.push_back(static_cast<float>(own / factor_.pivot[k]));
      for (auto e = index(factor_.start[k]); e < index(factor_.start[k + 1]); ++e)
        factor_.value[e] *= static_cast<float>(std::sqrt(own / diagonal[index(factor_.row[e])]));
    }
    factor_.pivot = {};
  }

  void apply(const float* r, float* z, std::int64_t columns, int,
             std::vector<float>&) const override {
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

  bool scaled() const override { return true; }

  std::size_t memory_bytes() const override {
    return factor_.order.size() * (sizeof(VertexId) + sizeof(std::int64_t) + sizeof(float)) +
           factor_.row.size() * (sizeof(VertexId) + sizeof(float));
  }

 private:
  static constexpr int widest = 8;
  static constexpr std::int64_t ahead = 24;  // entries whose rows are fetched early

  template <int Width>
  void solve(const float* r, float* z, std::int64_t stride) const {
    const auto n = static_cast<std::int64_t>(factor_.order.size());
    const VertexId* row = factor_.row.data();
    const float* value = factor_.value.data();
    for (std::int64_t v = 0; v < n; ++v)
      for (int c = 0; c < Width; ++c) z[v * stride + c] = r[v * stride + c];
    const std::int64_t last = factor_.start.back() - 1;
    for (std::int64_t k = 0; k < n; ++k) {
      const float* own = z + factor_.order[index(k)] * stride;
      float x[Width];
      for (int c = 0; c < Width; ++c) x[c] = own[c];
      for (std::int64_t e = factor_.start[index(k)]; e < factor_.start[index(k) + 1]; ++e) {
        __builtin_prefetch(z + row[std::min(e + ahead, last)] * stride, 1);
        float* other = z + row[e] * stride;
        const float w = value[e];
        for (int c = 0; c < Width; ++c) other[c] += w * x[c];
      }
    }
    for (std::int64_t k = n - 1; k >= 0; --k) {
      float* own = z + factor_.order[index(k)] * stride;
      float x[Width];
      for (int c = 0; c < Width; ++c) x[c] = own[c] * inverse_pivot_[index(k)];
      for (std::int64_t e = factor_.start[index(k) + 1]; e-- > factor_.start[index(k)];) {
        __builtin_prefetch(z + row[std::max<std::int64_t>(e - ahead, 0)] * stride);
        const float* other = z + row[e] * stride;
        const float w = value[e];
        for (int c = 0; c < Width; ++c) x[c] += w * other[c];
      }
      for (int c = 0; c < Width; ++c) own[c] = x[c];
    }
  }

  SampledFactor factor_;
  std::vector<float> inverse_pivot_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_approximate_cholesky(const GroundedLaplacian& system,
                                                          std::uint64_t seed) {
  return std::make_unique<ApproximateCholesky>(system, seed);
}

}  // namespace gssl::solve
