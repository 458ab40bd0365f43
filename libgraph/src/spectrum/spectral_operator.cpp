#include "spectral_operator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "factor/float_factor.hpp"
#include "factor/structure.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/ground_vertex.hpp"
#include "gssl/solve/cost_model.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "krylov_basis.hpp"
#include "linalg/block_kernels.hpp"

namespace gssl::solve {
namespace {

// p(L_sym) = D^½ p(L_rw) D^-½, and a product with L_rw = D⁻¹L scales rows once, not every entry.
class Filter final : public SpectralOperator {
 public:
  Filter(const ConnectedLaplacian& laplacian, FilterShape shape)
      : laplacian_(laplacian), shape_(shape) {
    GSSL_ASSERT(shape.degree >= 1 && shape.edge > 0.0 && shape.edge < laplacian.bound());
  }

  // The recurrence of Zhou and Saad (2007), scaled so that p(0) = 1.
  void apply(const Block& x, Block& y, const RunContext& run) override {
    const int threads = run.thread_count();
    const double center = (laplacian_.bound() + shape_.edge) / 2.0;
    const double half_width = (laplacian_.bound() - shape_.edge) / 2.0;
    const double first = half_width / center;
    Block before = x;
    if (laplacian_.normalized()) scale_rows(before, laplacian_.root_degree(), true, threads);
    // y = first/half_width·(center − M) x
    step(before, y, first / half_width, center, 0.0, threads);
    double sigma = first;
    for (int i = 2; i <= shape_.degree; ++i) {
      if (run.should_stop()) break;
      const double next = 1.0 / (2.0 / first - sigma);
      step(y, before, 2.0 * next / half_width, center, sigma * next, threads);
      std::swap(y, before);
      sigma = next;
    }
    if (laplacian_.normalized()) scale_rows(y, laplacian_.root_degree(), false, threads);
  }

  // One column would need the fewest products, and could not see a double eigenvalue.
  std::int64_t block_width() const override { return 2; }

  // θ = T((center − λ)/half_width)/T(center/half_width), T the Chebyshev polynomial.
  double value_of(double theta) const override {
    const double center = (laplacian_.bound() + shape_.edge) / 2.0;
    const double half_width = (laplacian_.bound() - shape_.edge) / 2.0;
    const double at_zero = shape_.degree * std::acosh(center / half_width);
    const double exponent = at_zero + std::log(theta);  // of T, about
    if (exponent <= 0.0) return shape_.edge;
    return center - half_width * std::cosh(exponent / shape_.degree);
  }

 private:
  // out ← factor·(center − M) x − keep·out
  void step(const Block& x, Block& out, double factor, double center, double keep, int threads) {
    const GroundedLaplacian& l = *laplacian_.system();
    const bool fresh = out.rows() != x.rows() || out.columns() != x.columns();
    if (fresh) out = Block(x.rows(), x.columns());
    if (product_.rows() != x.rows() || product_.columns() != x.columns())
      product_ = Block(x.rows(), x.columns());
    const std::int64_t c = x.columns();
    parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      l.apply_rows(x.data(), product_.data(), c, begin, end);
      for (std::int64_t v = begin; v < end; ++v) {
        const double divisor =
            laplacian_.normalized() ? l.diagonal()[static_cast<std::size_t>(v)] : 1.0;
        const double* own = x.data() + v * c;
        const double* product = product_.data() + v * c;
        double* row = out.data() + v * c;
        for (std::int64_t k = 0; k < c; ++k) {
          const double old = keep == 0.0 ? 0.0 : keep * row[k];
          row[k] = factor * (center * own[k] - product[k] / divisor) - old;
        }
      }
    });
  }

  const ConnectedLaplacian& laplacian_;
  FilterShape shape_;
  Block product_;
};

// shift for L, shift·d for L_sym: D^½ (L + shift·D)⁻¹ D^½ = (L_sym + shift)⁻¹.
std::vector<double> shifted_ground(const ConnectedLaplacian& laplacian, double shift) {
  std::vector<double> ground = laplacian.system()->diagonal();
  for (double& g : ground) g = laplacian.normalized() ? shift * g : shift;
  return ground;
}

// (L + shift)⁻¹, or L⁺ for shift 0; for L_sym D^½ (L + shift·D)⁻¹ D^½, which maps z^⊥ to itself up
// to a multiple of z that the caller projects away.
class InverseOperator : public SpectralOperator {
 public:
  InverseOperator(const ConnectedLaplacian& laplacian, double shift)
      : laplacian_(laplacian), shift_(shift) {}

  void apply(const Block& x, Block& y, const RunContext& run) override {
    const int threads = run.thread_count();
    y = x;
    if (laplacian_.normalized()) scale_rows(y, laplacian_.root_degree(), false, threads);
    solve(y, run);
    if (shift_ > 0.0) {
      if (laplacian_.normalized()) scale_rows(y, laplacian_.root_degree(), false, threads);
      return;
    }
    const std::int64_t c = y.columns();
    std::vector<double> mean;
    column_sums(y.rows(), c, threads, mean, [&](std::int64_t begin, std::int64_t end, double* sum) {
      for (std::int64_t v = begin; v < end; ++v)
        for (std::int64_t j = 0; j < c; ++j) sum[j] += y.data()[v * c + j];
    });
    for (double& value : mean) value /= static_cast<double>(y.rows());
    parallel_blocks(y.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        const double f =
            laplacian_.normalized() ? laplacian_.root_degree()[static_cast<std::size_t>(v)] : 1.0;
        double* row = y.data() + v * c;
        for (std::int64_t j = 0; j < c; ++j)
          row[j] = f * (row[j] - mean[static_cast<std::size_t>(j)]);
      }
    });
  }

  // A factor is read once for all columns.
  std::int64_t block_width() const override { return 4; }
  double value_of(double theta) const override { return 1.0 / theta - shift_; }

 protected:
  // b becomes the solution; without a shift L⁺b up to a constant, for a b that adds up to zero but
  // for rounding.
  virtual void solve(Block& b, const RunContext& run) = 0;

  const ConnectedLaplacian& laplacian_;

 private:
  double shift_;
};

class ExactInverse final : public InverseOperator {
 public:
  explicit ExactInverse(const ConnectedLaplacian& laplacian) : InverseOperator(laplacian, 0.0) {}

  bool factor(const RunContext& run, const std::function<bool(const FactorSize&)>& accept) {
    factor_ = make_network_factor(laplacian_.system()->graph(), run, accept);
    return factor_ != nullptr;
  }

 private:
  void solve(Block& b, const RunContext& run) override {
    const Block currents = b;
    factor_->solve(currents, b, run);
  }

  std::unique_ptr<NetworkFactor> factor_;
};

// In a third of the memory, for a Laplacian in the order of its factor.
class FloatInverse final : public InverseOperator {
 public:
  explicit FloatInverse(const ConnectedLaplacian& laplacian) : InverseOperator(laplacian, 0.0) {}

  bool factor(NetworkStructure structure, const RunContext& run) {
    factor_ = make_float_factor(laplacian_.system()->graph(), std::move(structure), run);
    return factor_ != nullptr;
  }

 private:
  void solve(Block& b, const RunContext& run) override { factor_->solve(b, run); }

  std::unique_ptr<FloatFactor> factor_;
};

// The ground is one more vertex, which is removed last and has no current of its own.
class ShiftedExactInverse final : public InverseOperator {
 public:
  ShiftedExactInverse(const ConnectedLaplacian& laplacian, double shift)
      : InverseOperator(laplacian, shift),
        graph_(with_ground_vertex(laplacian.system()->graph(), shifted_ground(laplacian, shift))) {}

  bool factor(const RunContext& run, const std::function<bool(const FactorSize&)>& accept) {
    factor_ = make_network_factor(graph_, run, accept, graph_.vertex_count() - 1);
    return factor_ != nullptr;
  }

 private:
  void solve(Block& b, const RunContext& run) override {
    const std::int64_t entries = b.rows() * b.columns();
    Block grounded(b.rows() + 1, b.columns()), potentials;
    std::copy(b.data(), b.data() + entries, grounded.data());
    factor_->solve(grounded, potentials, run);
    std::copy(potentials.data(), potentials.data() + entries, b.data());
  }

  Graph graph_;
  std::unique_ptr<NetworkFactor> factor_;
};

template <class Exact, class... Arguments>
std::unique_ptr<SpectralOperator> factored(const RunContext& run,
                                           const std::function<bool(const FactorSize&)>& accept,
                                           const Arguments&... arguments) {
  auto inverse = std::make_unique<Exact>(arguments...);
  if (!inverse->factor(run, accept)) return nullptr;
  return inverse;
}

class IterativeInverse final : public InverseOperator {
 public:
  IterativeInverse(const ConnectedLaplacian& laplacian, double shift, double tolerance,
                   const RunContext& run)
      : InverseOperator(laplacian, shift),
        solver_(make_solver(shift > 0.0 ? std::make_shared<const GroundedLaplacian>(
                                              laplacian.system()->with_extra_ground(
                                                  shifted_ground(laplacian, shift)))
                                        : laplacian.system(),
                            {.tolerance = tolerance,
                             .columns = static_cast<std::int64_t>(cost_model().inverse_columns)},
                            run)) {}

  std::string name(const RunContext& run) const {
    Block none(laplacian_.size(), 1), x;
    return solver_->solve(none, x, run).used;
  }

 private:
  // An answer that misses its tolerance is still a direction; the residuals of the pairs decide.
  void solve(Block& b, const RunContext& run) override {
    Block x;
    solver_->solve(b, x, run);
    b = std::move(x);
  }

  std::unique_ptr<LinearSolver> solver_;
};

}  // namespace

std::unique_ptr<SpectralOperator> make_filter(const ConnectedLaplacian& laplacian,
                                              FilterShape shape) {
  return std::make_unique<Filter>(laplacian, shape);
}

std::unique_ptr<SpectralOperator> make_exact_inverse(
    const ConnectedLaplacian& laplacian, double shift, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept) {
  if (shift > 0.0) return factored<ShiftedExactInverse>(run, accept, laplacian, shift);
  return factored<ExactInverse>(run, accept, laplacian);
}

std::unique_ptr<SpectralOperator> make_ordered_inverse(
    ConnectedLaplacian& laplacian, std::vector<VertexId>& order, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept) {
  std::optional<NetworkStructure> found =
      analyze_network(laplacian.system()->graph(), no_vertex, run);
  if (!found || !accept(found->size) || run.should_stop()) return nullptr;
  NetworkStructure structure = *std::move(found);
  laplacian = laplacian.in_order(structure.order, run.thread_count());
  order = structure.order;
  std::iota(structure.order.begin(), structure.order.end(), VertexId{0});
  structure.position = structure.order;
  auto inverse = std::make_unique<FloatInverse>(laplacian);
  if (!inverse->factor(std::move(structure), run)) return nullptr;
  return inverse;
}

std::unique_ptr<SpectralOperator> make_iterative_inverse(const ConnectedLaplacian& laplacian,
                                                         double shift, double tolerance,
                                                         const RunContext& run, std::string& used) {
  auto inverse = std::make_unique<IterativeInverse>(laplacian, shift, tolerance, run);
  used = inverse->name(run);
  return inverse;
}

}  // namespace gssl::solve
