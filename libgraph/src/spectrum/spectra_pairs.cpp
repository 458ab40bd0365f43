// Eigen's products on several threads add in another order for another number of threads.
#define EIGEN_DONT_PARALLELIZE

#include "spectra_pairs.hpp"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/QR>
#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"

namespace gssl::solve {
namespace {

// What a factor may take; beyond that only products are made.
constexpr double most_factor_flops = 2e11;
constexpr double most_factor_entries = 3e8;
// An eigenvalue below the last one found by more than this, relative to it, was missed.
constexpr double spectra_copies_apart = 1e-8;

struct Stopped {};

// bound − M: the largest eigenvalues belong to the smallest ones of M.
class Reflected final : public SpectralOperator {
 public:
  explicit Reflected(const ConnectedLaplacian& laplacian) : laplacian_(laplacian) {}

  void apply(const Block& x, Block& y, const RunContext& run) override {
    laplacian_.apply(x, y, run.thread_count());
    for (std::int64_t v = 0; v < x.rows(); ++v)
      for (std::int64_t c = 0; c < x.columns(); ++c)
        y(v, c) = laplacian_.bound() * x(v, c) - y(v, c);
  }
  std::int64_t block_width() const override { return 1; }
  double value_of(double theta) const override { return laplacian_.bound() - theta; }

 private:
  const ConnectedLaplacian& laplacian_;
};

// An operator on what is orthogonal to some vectors, as Spectra asks for it.
class Deflated {
 public:
  using Scalar = double;

  Deflated(SpectralOperator& a, const Block& locked, const RunContext& run)
      : a_(a), locked_(locked), run_(run), x_(locked.rows(), 1) {}

  Eigen::Index rows() const { return locked_.rows(); }
  Eigen::Index cols() const { return locked_.rows(); }

  // Throws Stopped.
  void perform_op(const double* in, double* out) const {
    std::copy(in, in + rows(), x_.data());
    project(x_);
    if (run_.should_stop()) throw Stopped{};
    a_.apply(x_, y_, run_);
    project(y_);
    std::copy(y_.data(), y_.data() + rows(), out);
  }

 private:
  void project(Block& x) const {
    for (std::int64_t j = 0; j < locked_.columns(); ++j) {
      double dot = 0.0;
      for (std::int64_t v = 0; v < locked_.rows(); ++v) dot += locked_(v, j) * x(v, 0);
      for (std::int64_t v = 0; v < locked_.rows(); ++v) x(v, 0) -= dot * locked_(v, j);
    }
  }

  SpectralOperator& a_;
  const Block& locked_;
  const RunContext& run_;
  mutable Block x_, y_;
};

// Orthonormal columns for the span of x off `locked`.
Block orthonormal_off(const Block& locked, const Block& x) {
  const auto rows = static_cast<Eigen::Index>(x.rows());
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> off(locked.data(), rows, locked.columns());
  Eigen::MatrixXd part = Eigen::Map<const Rows>(x.data(), rows, x.columns());
  for (int twice = 0; twice < 2; ++twice) part -= off * (off.transpose() * part);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(part);
  const Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(rows, x.columns());
  Block orthonormal(x.rows(), x.columns());
  Eigen::Map<Rows>(orthonormal.data(), rows, x.columns()) = q;
  return orthonormal;
}

// The pairs of `found` in these places.
RitzPairs taken(const RitzPairs& found, const std::vector<std::int64_t>& places) {
  RitzPairs some;
  some.vectors = Block(found.vectors.rows(), std::ssize(places));
  for (std::size_t j = 0; j < places.size(); ++j) {
    some.values.push_back(found.values[static_cast<std::size_t>(places[j])]);
    some.residuals.push_back(found.residuals[static_cast<std::size_t>(places[j])]);
    for (std::int64_t v = 0; v < some.vectors.rows(); ++v)
      some.vectors(v, static_cast<std::int64_t>(j)) = found.vectors(v, places[j]);
  }
  return some;
}

// One answer of Spectra after the other, each off what was found before.
class SpectraRuns {
 public:
  SpectraRuns(const ConnectedLaplacian& laplacian, SpectralOperator& a, std::int64_t wanted,
              double tolerance, const RunContext& run)
      : laplacian_(laplacian), a_(a), wanted_(wanted), tolerance_(tolerance), run_(run) {}

  RitzPairs find() {
    const Block null_vector = laplacian_.null_vector();
    RitzPairs found;
    found.vectors = Block(null_vector.rows(), 0);
    while (true) {
      const std::int64_t missing = wanted_ - std::ssize(found.values);
      const Block locked = joined(null_vector, found.vectors);
      const RitzPairs next = good_pairs(std::max<std::int64_t>(missing, 1), locked);
      const bool lower =
          missing > 0 || (!next.values.empty() &&
                          next.values.front() < found.values.back() * (1.0 - spectra_copies_apart));
      if (next.values.empty() || !lower) break;
      found =
          rayleigh_ritz(laplacian_, joined(found.vectors, next.vectors), run_.thread_count(), {});
      std::vector<std::int64_t> first(
          static_cast<std::size_t>(std::min(wanted_, std::ssize(found.values))));
      std::iota(first.begin(), first.end(), std::int64_t{0});
      found = taken(found, first);
    }
    if (std::ssize(found.values) < wanted_) found.outcome = Outcome::iteration_limit;
    found.steps = steps_;
    return found;
  }

 private:
  // What Spectra calls converged by its own estimate, which a multiple eigenvalue can deceive, and
  // is so by the residual.
  RitzPairs good_pairs(std::int64_t count, const Block& locked) {
    const Block x = spectra_vectors(count, locked);
    if (x.columns() == 0) return {};
    const RitzPairs all =
        rayleigh_ritz(laplacian_, orthonormal_off(locked, x), run_.thread_count(), {});
    std::vector<std::int64_t> good;
    for (std::int64_t j = 0; j < std::ssize(all.values); ++j) {
      const auto i = static_cast<std::size_t>(j);
      if (all.residuals[i] <= residual_limit(laplacian_, tolerance_, all.values[i]))
        good.push_back(j);
    }
    return taken(all, good);
  }

  // Where one eigenvalue has most copies, the steps are rounding alone, and Spectra may give up on
  // their tridiagonal matrix; another number of them is another matrix.
  Block spectra_vectors(std::int64_t count, const Block& locked) {
    for (const std::int64_t more : {20, 13, 34}) {
      try {
        return vectors_of_steps(2 * count + more, count, locked);
      } catch (const Error&) {
        throw;  // ours
      } catch (const std::runtime_error&) {
        // "TridiagEigen: eigen decomposition failed"
      }
    }
    return {laplacian_.null_vector().rows(), 0};
  }

  Block vectors_of_steps(std::int64_t steps, std::int64_t count, const Block& locked) {
    Deflated op(a_, locked, run_);
    const Eigen::Index basis = std::min<Eigen::Index>(op.rows(), steps);
    Spectra::SymEigsSolver<Deflated> solver(op, count, basis);
    solver.init();
    // Its residual is that of the operator, relative to the eigenvalue; ours that of M.
    solver.compute(Spectra::SortRule::LargestAlge, most_rounds,
                   std::clamp(1e-2 * tolerance_, 1e-14, 1e-8));
    steps_ += solver.num_operations();
    const Eigen::MatrixXd found = solver.eigenvectors();
    Block x(op.rows(), found.cols());
    for (Eigen::Index v = 0; v < found.rows(); ++v)
      for (Eigen::Index j = 0; j < found.cols(); ++j) x(v, j) = found(v, j);
    return x;
  }

  static constexpr Eigen::Index most_rounds = 1000;

  const ConnectedLaplacian& laplacian_;
  SpectralOperator& a_;
  std::int64_t wanted_;
  double tolerance_;
  const RunContext& run_;
  std::int64_t steps_ = 0;
};

}  // namespace

FoundPairs spectra_pairs(const ConnectedLaplacian& laplacian, std::int64_t wanted,
                         const SpectrumOptions& options, const RunContext& run) {
  FoundPairs found{{}, "spectra", "as asked, on the inverse by a factor", {}};
  std::unique_ptr<SpectralOperator> a =
      make_exact_inverse(laplacian, 0.0, run, [](const FactorSize& factor) {
        return factor.flops <= most_factor_flops && factor.nonzeros <= most_factor_entries;
      });
  if (a == nullptr) {
    found.reason = "as asked, on products alone";
    a = std::make_unique<Reflected>(laplacian);
  }
  try {
    found.pairs = SpectraRuns(laplacian, *a, wanted, options.tolerance, run).find();
  } catch (const Stopped&) {
    found.pairs = {};
    found.pairs.outcome = run.stop_reason();
  }
  return found;
}

}  // namespace gssl::solve
