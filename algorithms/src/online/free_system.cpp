#include "online/free_system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t most_steps = 100'000;
// Steps without a smaller residual after which rounding is what is left.
constexpr std::int64_t patience = 200;
constexpr std::int64_t steps_between_looks = 4;

// Σ weight(i) p[neighbor i], in four partial sums that do not wait for each other.
template <class Weight>
double gathered(std::span<const VertexId> neighbors, const double* p, Weight&& weight) {
  double sums[4] = {};
  const std::size_t count = neighbors.size();
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t j = 0; j < 4; ++j) sums[j] += weight(i + j) * p[index(neighbors[i + j])];
  for (; i < count; ++i) sums[0] += weight(i) * p[index(neighbors[i])];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

// Pᵀ A P, P the indicators of the pieces on free vertices, and its solves.
class FreeSystem::Coarse {
 public:
  Coarse(const FreeSystem& system, std::span<const VertexId> free,
         const std::vector<double>& is_free) {
    std::int32_t count = 0;
    for (const VertexId v : free) count = std::max(count, system.grouped_.piece(v) + 1);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
    for (const VertexId v : free) {
      const std::int32_t a = system.grouped_.piece(v);
      matrix(a, a) += system.degree_[index(v)];
      system.graph_.visit_row(v, [&](VertexId u, double weight) {
        if (is_free[index(u)] != 0.0) matrix(a, system.grouped_.piece(u)) -= weight;
      });
    }
    for (std::int32_t a = 0; a < count; ++a)
      if (matrix(a, a) == 0.0) matrix(a, a) = 1.0;
    factor_.compute(matrix);
    value_.setZero(count);
  }

  bool works() const { return factor_.info() == Eigen::Success; }
  // (Pᵀ A P)⁻¹ of the sums that were added.
  double& sum(std::int32_t piece) { return value_[piece]; }
  void begin() { value_.setZero(); }
  void solve() { factor_.solveInPlace(value_); }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd value_;
};

FreeSystem::FreeSystem(const GroupedGraph& grouped, const std::vector<double>& degree)
    : grouped_(grouped),
      graph_(grouped.graph()),
      degree_(degree),
      p_(degree.size(), 0.0),
      q_(degree.size(), 0.0),
      z_(degree.size(), 0.0) {}

FreeSystem::~FreeSystem() = default;

// q = A p; p·q.
double FreeSystem::multiply(std::span<const VertexId> free) {
  const std::span<const EdgeIndex> offsets = graph_.offset_array();
  const std::span<const VertexId> neighbors = graph_.neighbor_array();
  const double* const p = p_.data();
  const double* const weights = graph_.has_unit_weights() ? nullptr : graph_.weight_array().data();
  double product = 0.0;
  EdgeIndex entries = 0;
  for (const VertexId v : free) {
    const EdgeIndex begin = offsets[index(v)], count = offsets[index(v) + 1] - begin;
    const auto row = neighbors.subspan(index(begin), index(count));
    const double around =
        weights == nullptr
            ? gathered(row, p, [](std::size_t) { return 1.0; })
            : gathered(row, p, [here = weights + begin](std::size_t i) { return here[i]; });
    const double sum = degree_[index(v)] * p[index(v)] - around;
    q_[index(v)] = sum;
    product += sum * p[index(v)];
    entries += count;
  }
  work_ += static_cast<double>(entries);
  return product;
}

// z = (D⁻¹ + P (Pᵀ A P)⁻¹ Pᵀ) r; r·z.
double FreeSystem::precondition(std::span<const VertexId> free, const std::vector<double>& r) {
  if (coarse_) {
    coarse_->begin();
    for (const VertexId v : free) coarse_->sum(grouped_.piece(v)) += r[index(v)];
    coarse_->solve();
  }
  double product = 0.0;
  for (const VertexId v : free) {
    z_[index(v)] = r[index(v)] / degree_[index(v)];
    if (coarse_) z_[index(v)] += coarse_->sum(grouped_.piece(v));
    product += r[index(v)] * z_[index(v)];
  }
  return product;
}

// x += length·p, r −= length·q; the largest |r_u| / d_u then.
double FreeSystem::advance(std::span<const VertexId> free, double length, std::vector<double>& r,
                           std::vector<double>& x) const {
  double largest = 0.0;
  for (const VertexId v : free) {
    x[index(v)] += length * p_[index(v)];
    r[index(v)] -= length * q_[index(v)];
    largest = std::max(largest, std::abs(r[index(v)]) / degree_[index(v)]);
  }
  return largest;
}

bool FreeSystem::solve(std::span<const VertexId> free, std::vector<double>& r,
                       std::vector<double>& x, const Enough& enough, const RunContext& run) {
  // Zero again however the solve ends.
  struct Clear {
    std::span<const VertexId> free;
    std::vector<double>& p;
    ~Clear() {
      for (const VertexId v : free) p[index(v)] = 0.0;
    }
  } const clear{free, p_};
  double ratio = 0.0;
  for (const VertexId v : free) ratio = std::max(ratio, std::abs(r[index(v)]) / degree_[index(v)]);
  if (enough(ratio)) return true;
  for (const VertexId v : free) p_[index(v)] = 1.0;
  coarse_ = std::make_unique<Coarse>(*this, free, p_);
  if (!coarse_->works()) coarse_.reset();
  double before = 1.0, least = HUGE_VAL;
  std::int64_t since_least = 0;
  for (std::int64_t step = 0; step < most_steps && since_least < patience; ++step) {
    if (step % steps_between_looks == 0)
      run.throw_if_stopped("seminorm", "before the values were known");
    const double now = precondition(free, r);
    since_least = now < least ? 0 : since_least + 1;
    least = std::min(least, now);
    const double beta = step == 0 ? 0.0 : now / before;
    for (const VertexId v : free)
      p_[index(v)] = z_[index(v)] + (step == 0 ? 0.0 : beta * p_[index(v)]);
    const double curvature = multiply(free);
    if (!(curvature > 0.0)) return false;
    before = now;
    if (enough(advance(free, now / curvature, r, x))) return true;
  }
  return false;
}

}  // namespace gssl::detail
