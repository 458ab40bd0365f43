#include "block_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/memory/free_memory.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "linalg/block_kernels.hpp"

namespace gssl::solve {
namespace {

// The iteration aims lower than the limit: pairs of several runs are put together in the end.
constexpr double margin = 0.5;
// What a prediction may be off by; more is rounding, which later steps may or may not mend.
constexpr double most_strict = 1e4;
// Eigenvalues of the operator this far apart leave the smaller ones few digits.
constexpr double widest = 1e7;
// An inverse with larger entries has no squares that a double holds.
constexpr double most_entry = 1e150;
// A predicted residual that stays far off is computed anew after so many steps.
constexpr std::int64_t steps_to_refresh = 8;
// Pairs that are all zero but for rounding are looked at after so many.
constexpr std::int64_t steps_to_retry = 4;
// A predicted residual of so many times its limit need not be exact.
constexpr double far_off = 100.0;
// Multiplications that a run that was cancelled still makes to show what it found: a moment's work.
constexpr double last_products = 5e8;
// Blocks of so many values stand beside what making the operator has left in the heap.
constexpr std::int64_t many_values = std::int64_t{1} << 20;
// Eigenvalues this near each other, relative, may be copies of one.
constexpr double copies_apart = 1e-3;

std::int64_t whole_blocks(std::int64_t columns) {
  return (columns + widest_block - 1) / widest_block * widest_block;
}

// For the inverse more columns save a few steps, which cost what orthogonalization to them would,
// and take the memory. A narrow block needs more columns for one power of the operator.
std::int64_t basis_limit(std::int64_t wanted, std::int64_t width) {
  if (width == widest_block) return whole_blocks(std::max<std::int64_t>(2 * wanted + 2, 20));
  return whole_blocks(wanted + std::max<std::int64_t>(wanted, 28));
}

// One run from random vectors, orthogonal to `locked`.
class LanczosRun {
 public:
  LanczosRun(const ConnectedLaplacian& laplacian, SpectralOperator& a, const Block& locked,
             const LanczosOptions& options, const RunContext& run, std::uint64_t& stream)
      : laplacian_(laplacian),
        a_(a),
        options_(options),
        run_(run),
        stream_(stream),
        width_(a.block_width()),
        limit_(basis_limit(options.wanted, width_)),
        locked_(locked),
        basis_(locked, width_, options.orthogonality),
        t_(limit_, limit_) {}

  RitzPairs find() {
    Block next = random_block(laplacian_.size(), width_, run_, stream_++);
    basis_.orthogonalize(next, threads());
    basis_.orthonormalize(next, 0.0, run_, stream_);
    double strictness = 1.0;
    int misses = 0;
    for (steps_ = 0;;) {
      basis_.append(std::move(next));
      if (run_.should_stop()) return interrupted();
      if (steps_ >= options_.max_steps) return exhausted();
      next = extend();
      if (run_.should_stop()) return interrupted();
      ++steps_;
      if (overflowed_)
        return options_.stop_if_too_wide ? unsuitable(&RitzPairs::too_wide) : exhausted();
      const std::int64_t m = basis_.columns();
      if (m >= options_.wanted) {
        solve_projected();
        const double last = std::abs(ritz_value(options_.wanted - 1));
        if (options_.stop_if_too_wide && last * widest < ritz_value(0))
          return unsuitable(&RitzPairs::too_wide);
        if (options_.stop_below > 0.0 && a_.value_of(last) < options_.stop_below)
          return unsuitable(&RitzPairs::too_narrow);
        const double worst = predicted_excess(next);
        if (worst * strictness <= 1.0) {
          if (!keep_best(m)) return interrupted();
          RitzPairs pairs = look(options_.wanted);
          const double excess = worst_excess(pairs);
          if (excess <= 1.0 || ++misses == options_.most_misses) {
            next = Block();  // memory is shortest here
            pairs.vectors = basis_.release(options_.wanted, threads());
            return finished(std::move(pairs));
          }
          // The prediction was off by this factor; ask for more next time.
          strictness = std::min(most_strict,
                                std::max(2.0 * strictness, 1.2 * excess / std::max(worst, 1e-300)));
        }
        if (steps_ % steps_to_retry == 0 &&
            a_.value_of(last) <= spectrum_rounding * laplacian_.bound()) {
          // Not told from 0, nor from each other by A; M may still tell which are best.
          RitzPairs pairs = exhausted();
          if (pairs.outcome == Outcome::converged) return pairs;
        }
        run_.report_progress("eigenpairs", progress_fraction(worst));
      } else {
        run_.report_progress("eigenpairs");
      }
      if (basis_.columns() + width_ > limit_ && !keep_best(m - 2 * widest_block))
        return interrupted();
    }
  }

 private:
  int threads() const { return run_.thread_count(); }

  double progress_fraction(double worst) {
    first_worst_ = std::max(first_worst_, worst);
    return solve::progress_fraction(first_worst_, worst);
  }

  // A times the last block, made orthogonal to the basis; its coefficients join t, what is left of
  // it is r.
  Block extend() {
    Block w = basis_.spare();
    const std::int64_t m = basis_.columns();
    a_.apply(basis_.last(), w, run_);
    if (run_.should_stop()) return w;
    const Block h = basis_.orthogonalize(w, threads());
    overflowed_ =
        !std::ranges::all_of(h.values(), [](double c) { return std::abs(c) < most_entry; });
    if (overflowed_) return w;
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < width_; ++j) {
        const std::int64_t column = m - width_ + j;
        // The square of the last block is computed from both sides.
        const double value =
            i < m - width_ ? h(i, j) : (h(i, j) + h(column, i - (m - width_))) / 2.0;
        t_(i, column) = t_(column, i) = value;
        scale_ = std::max(scale_, std::abs(value));
      }
    }
    r_ = basis_.orthonormalize(w, scale_, run_, stream_);
    known_ = m;
    return w;
  }

  RitzPairs unsuitable(bool RitzPairs::*why) const {
    RitzPairs none;
    none.steps = steps_;
    none.*why = true;
    return none;
  }

  void solve_projected() {
    const std::int64_t m = basis_.columns();
    Block t(m, m);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < m; ++j) t(i, j) = t_(i, j);
    projected_ = dense_eigen(t);
  }

  // Ritz pair j, the largest first.
  double ritz_value(std::int64_t j) const {
    return projected_.values[projected_.values.size() - 1 - static_cast<std::size_t>(j)];
  }
  double ritz_entry(std::int64_t i, std::int64_t j) const {
    return projected_.vectors(i, projected_.vectors.columns() - 1 - j);
  }

  // A y − θ y = next·r·s for the part s of y in the last block, and (M − λ) y ≈ −M (A y − θ y)/θ:
  // exact for the inverse, about right for a filter. Residual over limit, the largest of those
  // wanted. While it is far off, the product of a block some steps ago will do.
  double predicted_excess(Block& next) {
    const double about = excess_with_squares();
    if (std::isfinite(about) && about > far_off && steps_ % steps_to_refresh != 0) return about;
    squares_ = laplacian_.product_squares(next, threads());
    return excess_with_squares();
  }

  double excess_with_squares() const {
    const std::int64_t before = basis_.columns() - width_;
    const auto width = static_cast<std::size_t>(width_);
    double worst = 0.0;
    for (std::int64_t j = 0; j < options_.wanted; ++j) {
      const double theta = ritz_value(j);
      if (!(theta > 0.0)) return std::numeric_limits<double>::infinity();
      std::array<double, widest_block> rs{};
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t k = i; k < width; ++k)
          rs[i] += r_[i][k] * ritz_entry(before + static_cast<std::int64_t>(k), j);
      double squares = 0.0;
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t k = 0; k < width; ++k) squares += rs[i] * squares_[i][k] * rs[k];
      const double residual = std::sqrt(std::max(squares, 0.0)) / theta;
      worst = std::max(
          worst, residual / residual_limit(laplacian_, options_.tolerance, a_.value_of(theta)));
    }
    return worst / margin;
  }

  Block ritz_coefficients(std::int64_t count) const {
    const std::int64_t m = basis_.columns();
    Block s(m, count);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < count; ++j) s(i, j) = ritz_entry(i, j);
    return s;
  }

  // The first columns of the basis, which are Ritz vectors: Rayleigh quotients and residuals, block
  // by block. The vectors stay where they are.
  RitzPairs look(std::int64_t count) {
    RitzPairs pairs;
    Block product = basis_.spare();
    for (std::int64_t first = 0; first < count; first += width_) {
      Block& x = basis_.block(first / width_);
      laplacian_.apply_scaling(x, product, threads());
      const SmallSquare squares = cross_product(x, product, threads());
      std::vector<double> values;
      for (std::int64_t j = 0; j < std::min(width_, count - first); ++j)
        values.push_back(squares[static_cast<std::size_t>(j)][static_cast<std::size_t>(j)]);
      const std::vector<double> norms = residual_norms(x, values, locked_, product, threads());
      pairs.values.insert(pairs.values.end(), values.begin(), values.end());
      pairs.residuals.insert(pairs.residuals.end(), norms.begin(),
                             norms.begin() + std::ssize(values));
    }
    basis_.recycle(std::move(product));
    return pairs;
  }

  double worst_excess(const RitzPairs& pairs) const {
    double worst = 0.0;
    for (std::size_t j = 0; j < pairs.values.size(); ++j)
      worst = std::max(worst, pairs.residuals[j] /
                                  residual_limit(laplacian_, options_.tolerance, pairs.values[j]));
    return worst / margin;
  }

  // Keeps the best part of the basis, up to so many columns; `next` stays orthogonal to it, and the
  // coupling of the two comes out of the next step. False if the run was cancelled in between.
  bool keep_best(std::int64_t most) {
    const std::int64_t m = basis_.columns();
    const std::int64_t keep =
        std::min(whole_blocks(options_.wanted + (m - options_.wanted) / 3), most);
    known_ = 0;
    if (!basis_.rotate(ritz_coefficients(keep), run_)) return false;
    known_ = keep;
    t_ = Block(limit_, limit_);
    for (std::int64_t i = 0; i < keep; ++i) t_(i, i) = ritz_value(i);
    return true;
  }

  // The first pairs of the part of the basis whose projection is known. Time that is up leaves them
  // all, since they are what it was given for; who cancels waits for the end.
  RitzPairs interrupted() {
    auto count = static_cast<double>(std::min(options_.wanted, known_));
    if (run_.cancelled() && known_ > 0)
      count = std::min(count, last_products / static_cast<double>(laplacian_.size() * known_));
    return best_known(static_cast<std::int64_t>(count));
  }

  RitzPairs best_known(std::int64_t count) {
    RitzPairs pairs;
    if (count > 0) {
      basis_.truncate(known_);
      solve_projected();
      RunContext to_the_end = run_;
      to_the_end.cancel = nullptr;
      basis_.rotate(ritz_coefficients((count + width_ - 1) / width_ * width_), to_the_end);
      pairs = look(count);
      pairs.vectors = basis_.release(count, threads());
    }
    pairs = finished(std::move(pairs));
    if (count < options_.wanted) pairs.outcome = run_.stop_reason();
    return pairs;
  }

  // The best pairs in the basis so far, filled up with random directions if it is too small.
  RitzPairs exhausted() {
    while (basis_.columns() < options_.wanted) {
      Block fresh = random_block(laplacian_.size(), width_, run_, stream_++);
      basis_.orthogonalize(fresh, threads());
      basis_.orthonormalize(fresh, 0.0, run_, stream_);
      basis_.append(std::move(fresh));
    }
    Block all(basis_.columns(), basis_.columns());
    for (std::int64_t i = 0; i < all.rows(); ++i) all(i, i) = 1.0;
    RitzPairs pairs = rayleigh_ritz(laplacian_, basis_.times(all, threads()), threads(), locked_);
    const auto wanted = static_cast<std::size_t>(options_.wanted);
    pairs.values.resize(wanted);
    pairs.residuals.resize(wanted);
    pairs.vectors = columns_of(pairs.vectors, 0, options_.wanted);
    return finished(std::move(pairs));
  }

  RitzPairs finished(RitzPairs pairs) const {
    pairs.steps = steps_;
    pairs.outcome = worst_excess(pairs) <= 1.0 ? Outcome::converged
                    : run_.should_stop()       ? run_.stop_reason()
                                               : Outcome::iteration_limit;
    return pairs;
  }

  const ConnectedLaplacian& laplacian_;
  SpectralOperator& a_;
  const LanczosOptions& options_;
  const RunContext& run_;
  std::uint64_t& stream_;
  std::int64_t width_;
  std::int64_t limit_;
  const Block& locked_;
  KrylovBasis basis_;
  Block t_;                 // basisᵀ A basis
  std::int64_t known_ = 0;  // leading columns of the basis that t has
  SmallSquare r_{};
  SmallSquare squares_{};  // (M next)ᵀ M next of this block or one before
  double scale_ = 0.0;     // largest entry of t
  bool overflowed_ = false;
  double first_worst_ = 0.0;
  DenseEigen projected_;
  std::int64_t steps_ = 0;
};

// Whether an eigenvalue has as many copies as a block can show, with another value after them. Each
// value is within its residual of an eigenvalue.
bool may_miss_copies(const RitzPairs& pairs, std::size_t width, double bound) {
  for (std::size_t i = 0; i + width < pairs.values.size(); ++i) {
    const std::size_t last = i + width - 1;
    const double apart = pairs.values[last] - pairs.values[i];
    if (apart <= std::max(copies_apart * pairs.values[i], spectrum_rounding * bound) &&
        apart <= pairs.residuals[i] + pairs.residuals[last] + spectrum_rounding * bound)
      return true;
  }
  return false;
}

}  // namespace

std::int64_t least_rows(std::int64_t wanted) {
  return basis_limit(wanted, 1) + wanted + 4 * widest_block;
}

RitzPairs smallest_pairs(const ConnectedLaplacian& laplacian, SpectralOperator& a,
                         const LanczosOptions& options, const RunContext& run) {
  GSSL_ASSERT(laplacian.size() >= least_rows(options.wanted));
  std::uint64_t stream = 0;
  const std::int64_t width = a.block_width();
  if (laplacian.size() * width >= many_values) return_free_memory();
  const Block null_vector = laplacian.null_vector();
  RitzPairs pairs = LanczosRun(laplacian, a, null_vector, options, run, stream).find();
  if (pairs.too_wide || pairs.too_narrow) return pairs;
  while (pairs.outcome == Outcome::converged &&
         may_miss_copies(pairs, static_cast<std::size_t>(width), laplacian.bound())) {
    LanczosOptions few = options;
    few.stop_if_too_wide = false;
    few.stop_below = 0.0;
    few.wanted = std::min(width, options.wanted);
    const RitzPairs more =
        LanczosRun(laplacian, a, joined(null_vector, pairs.vectors), few, run, stream).find();
    const bool nothing_new =
        more.values.empty() || more.values.front() >= pairs.values.back() * (1.0 - copies_apart) -
                                                          spectrum_rounding * laplacian.bound();
    const std::int64_t steps = pairs.steps + more.steps;
    if (!nothing_new) {
      pairs = rayleigh_ritz(laplacian, joined(pairs.vectors, more.vectors), run.thread_count(), {});
      const auto wanted = static_cast<std::size_t>(options.wanted);
      pairs.values.resize(wanted);
      pairs.residuals.resize(wanted);
      pairs.vectors = columns_of(pairs.vectors, 0, options.wanted);
    }
    pairs.outcome = more.outcome;
    pairs.steps = steps;
    if (nothing_new) break;
  }
  return pairs;
}

}  // namespace gssl::solve
