#include "approximate_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "sampled_elimination.hpp"

namespace gssl::solve {
namespace {

// Where the smallest pivot multiplies a rounding error by more than this, floats are too coarse.
constexpr double most_gain = 1e5;

// Calls body(columns) on those within each range, and on the rest.
template <class Factor, class Body>
void each_part(Factor& factor, Body&& body) {
  for (auto& columns : factor.within) body(columns);
  body(factor.rest);
}

// In floats, for the system scaled by its diagonal; or in doubles, as it is.
template <class Real>
class ApproximateCholesky final : public Preconditioner {
 public:
  ApproximateCholesky(SampledFactor factor, VertexId rows)
      : first_(std::move(factor.first)), inverse_unit_(static_cast<Real>(1.0 / factor.unit)) {
    if (first_.empty()) first_.push_back(0);
    first_.push_back(rows);
    for (SampledColumns& columns : factor.within) within_.emplace_back(std::move(columns));
    rest_ = Part(std::move(factor.rest));
  }

  void apply(const Real* r, Real* z, std::int64_t columns, int threads,
             std::vector<Real>&) const override {
    static constexpr auto kernels = []<int... Width>(std::integer_sequence<int, Width...>) {
      return std::array{&ApproximateCholesky::solve<Width + 1>...};
    }
    (std::make_integer_sequence<int, widest>{});
    const std::int64_t passes = (columns + widest - 1) / widest;
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      const std::int64_t first = pass * columns / passes;
      const std::int64_t width = (pass + 1) * columns / passes - first;
      (this->*kernels[index(width - 1)])(r + first, z + first, columns, threads);
    }
  }

  bool needs_double() const override { return std::is_same_v<Real, double>; }
  bool scaled() const override { return !needs_double(); }

 private:
  static constexpr int widest = 8;
  static constexpr std::int64_t ahead = 24;  // entries whose rows are fetched early

  // Columns of the factor.
  struct Part {
    std::vector<VertexId> order, row;
    std::vector<std::int64_t> start;
    std::vector<float> weight;
    std::vector<Real> inverse_pivot;

    Part() = default;
    explicit Part(SampledColumns columns)
        : order(std::move(columns.order)),
          row(std::move(columns.row)),
          start(std::move(columns.start)),
          weight(std::move(columns.weight)) {
      inverse_pivot.reserve(columns.pivot.size());
      for (const double pivot : columns.pivot)
        inverse_pivot.push_back(static_cast<Real>(1.0 / pivot));
    }
  };

  // The ranges share no row, before their columns and after those of the rest alike.
  template <int Width>
  void solve(const Real* r, Real* z, std::int64_t stride, int threads) const {
    const auto ranges = static_cast<std::int64_t>(first_.size()) - 1;
    parallel_blocks(
        ranges, threads,
        [&](std::int64_t range, std::int64_t) {
          for (std::int64_t v = first_[index(range)]; v < first_[index(range + 1)]; ++v)
            for (int c = 0; c < Width; ++c) z[v * stride + c] = r[v * stride + c] * inverse_unit_;
          if (!within_.empty()) forward<Width>(within_[index(range)], z, stride);
        },
        1);
    forward<Width>(rest_, z, stride);
    backward<Width>(rest_, z, stride);
    parallel_blocks(
        static_cast<std::int64_t>(within_.size()), threads,
        [&](std::int64_t range, std::int64_t) {
          // The last range first: on one thread it is the one still in the cache.
          backward<Width>(within_[within_.size() - 1 - index(range)], z, stride);
        },
        1);
  }

  // L y = z with y in place of z.
  template <int Width>
  static void forward(const Part& part, Real* z, std::int64_t stride) {
    const auto n = static_cast<std::int64_t>(part.order.size());
    const std::int64_t last = part.start.back() - 1;
    const VertexId* row = part.row.data();
    const float* weight = part.weight.data();
    for (std::int64_t k = 0; k < n; ++k) {
      const Real* own = z + part.order[index(k)] * stride;
      const Real inverse = part.inverse_pivot[index(k)];
      Real x[Width];
      for (int c = 0; c < Width; ++c) x[c] = own[c] * inverse;
      for (std::int64_t e = part.start[index(k)]; e < part.start[index(k) + 1]; ++e) {
        __builtin_prefetch(z + row[std::min(e + ahead, last)] * stride, 1);
        Real* other = z + row[e] * stride;
        const auto w = static_cast<Real>(weight[e]);
        for (int c = 0; c < Width; ++c) other[c] += w * x[c];
      }
    }
  }

  // D Lᵀ x = z with x in place of z.
  template <int Width>
  static void backward(const Part& part, Real* z, std::int64_t stride) {
    const VertexId* row = part.row.data();
    const float* weight = part.weight.data();
    for (auto k = static_cast<std::int64_t>(part.order.size()) - 1; k >= 0; --k) {
      Real* own = z + part.order[index(k)] * stride;
      const Real inverse = part.inverse_pivot[index(k)];
      Real x[Width];
      for (int c = 0; c < Width; ++c) x[c] = own[c];
      for (std::int64_t e = part.start[index(k) + 1]; e-- > part.start[index(k)];) {
        __builtin_prefetch(z + row[std::max<std::int64_t>(e - ahead, 0)] * stride);
        const Real* other = z + row[e] * stride;
        const auto w = static_cast<Real>(weight[e]);
        for (int c = 0; c < Width; ++c) x[c] += w * other[c];
      }
      for (int c = 0; c < Width; ++c) own[c] = x[c] * inverse;
    }
  }

  std::vector<VertexId> first_;  // row of each range, or of all; and their end
  std::vector<Part> within_;
  Part rest_;
  Real inverse_unit_;
};

// How much the smallest pivot of the scaled system multiplies an error.
double largest_gain(const SampledFactor& factor, const std::vector<double>& diagonal) {
  double most = 0.0;
  each_part(factor, [&](const SampledColumns& columns) {
    for (std::size_t k = 0; k < columns.order.size(); ++k)
      most = std::max(most, diagonal[index(columns.order[k])] / factor.unit / columns.pivot[k]);
  });
  return most;
}

// From a factor of A to one of D^-1/2 A D^-1/2, where entries are of about 1 whatever they were.
void scale(SampledFactor& factor, const std::vector<double>& diagonal) {
  const auto root = [&](VertexId v) { return std::sqrt(factor.unit / diagonal[index(v)]); };
  each_part(factor, [&](SampledColumns& columns) {
    for (std::size_t k = 0; k < columns.order.size(); ++k) {
      const double own = root(columns.order[k]);
      columns.pivot[k] *= own * own;
      for (auto e = index(columns.start[k]); e < index(columns.start[k + 1]); ++e)
        columns.weight[e] = static_cast<float>(columns.weight[e] * own * root(columns.row[e]));
    }
  });
  factor.unit = 1.0;
}

}  // namespace

std::unique_ptr<Preconditioner> make_approximate_cholesky(const GroundedLaplacian& system,
                                                          std::uint64_t seed, int threads,
                                                          const RunContext& run) {
  SampledFactor factor = eliminate_by_sampling(system, seed, threads, run);
  if (run.should_stop()) return nullptr;
  if (largest_gain(factor, system.diagonal()) > most_gain)
    return std::make_unique<ApproximateCholesky<double>>(std::move(factor), system.size());
  scale(factor, system.diagonal());
  return std::make_unique<ApproximateCholesky<float>>(std::move(factor), system.size());
}

}  // namespace gssl::solve
