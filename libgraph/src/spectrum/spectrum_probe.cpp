#include "spectrum_probe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/dense.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/residual.hpp"
#include "krylov_basis.hpp"
#include "linalg/block_kernels.hpp"

namespace gssl::solve {
namespace {

constexpr std::uint64_t probe_stream = 1'000'000;

double norm_of(const Block& x, int threads) { return column_norms(x, threads).front(); }

// x ← x − z (zᵀ x)
void remove_part(Block& x, const Block& z, int threads) {
  const double part = gram(z, x, threads)(0, 0);
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) x(v, 0) -= part * z(v, 0);
  });
}

}  // namespace

double SpectrumEstimate::value_at(double count) const {
  const auto above = std::lower_bound(counts.begin(), counts.end(), count);
  const std::size_t i = static_cast<std::size_t>(above - counts.begin());
  if (i == counts.size()) return nodes.back();
  if (i == 0 && first_is_eigenvalue) return nodes.front();
  // Below the first node as in the plane, where the count grows with the eigenvalue.
  if (i == 0) return nodes.front() * count / counts.front();
  const double step = std::log(counts[i] / counts[i - 1]);
  const double share = step > 0.0 ? std::log(count / counts[i - 1]) / step : 1.0;
  return nodes[i - 1] * std::pow(nodes[i] / nodes[i - 1], share);
}

SpectrumProbe::SpectrumProbe(const ConnectedLaplacian& laplacian, const RunContext& run)
    : laplacian_(laplacian),
      run_(run),
      z_(laplacian.null_vector()),
      now_(laplacian.size(), 1),
      before_(laplacian.size(), 1),
      next_(laplacian.size(), 1) {
  Rng rng = run.rng(probe_stream);
  for (std::int64_t v = 0; v < now_.rows(); ++v) now_(v, 0) = rng.normal();
  remove_part(now_, z_, run.thread_count());
  beta_ = norm_of(now_, run.thread_count());
}

void SpectrumProbe::advance(int steps) {
  while (std::ssize(diagonal_) < steps && beta_ > 1e-10 * laplacian_.bound() && !run_.should_stop())
    step();
}

void SpectrumProbe::step() {
  const int threads = run_.thread_count();
  const std::int64_t n = now_.rows();
  const double old = diagonal_.empty() ? 0.0 : beta_;
  if (!diagonal_.empty()) beside_.push_back(beta_);
  // M = S L S, S = D^-½ for L_sym: the product is S times one with L, on a scaled copy.
  const bool normalized = laplacian_.normalized();
  const double* root = laplacian_.root_degree().data();
  Block copy;
  if (normalized) copy = Block(n, 1);
  const Block& x = normalized ? copy : now_;
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      now_.data()[v] /= beta_;
      if (normalized) copy.data()[v] = now_.data()[v] / root[v];
    }
  });
  std::vector<double> dots;  // of the product with this vector and with z
  column_sums(n, 2, threads, dots, [&](std::int64_t begin, std::int64_t end, double* sum) {
    laplacian_.system()->apply_rows(x.data(), next_.data(), 1, begin, end);
    double along_now = 0.0, along_z = 0.0;
    for (std::int64_t v = begin; v < end; ++v) {
      double& value = next_.data()[v];
      if (normalized) value /= root[v];
      along_now += now_.data()[v] * value;
      along_z += z_.data()[v] * value;
    }
    sum[0] = along_now;
    sum[1] = along_z;
  });
  const double alpha = dots[0];
  diagonal_.push_back(alpha);
  // What lies along z, of this and the last vector, comes from rounding alone.
  const double part = dots[1];
  std::vector<double> squares;
  column_sums(n, 1, threads, squares, [&](std::int64_t begin, std::int64_t end, double* sum) {
    for (std::int64_t v = begin; v < end; ++v) {
      double& value = next_.data()[v];
      value -= alpha * now_.data()[v] + old * before_.data()[v] + part * z_.data()[v];
      *sum += value * value;
    }
  });
  std::swap(before_, now_);
  std::swap(now_, next_);
  beta_ = std::sqrt(squares[0]);
}

SpectrumEstimate SpectrumProbe::estimate() const {
  const auto n = static_cast<double>(now_.rows());
  SpectrumEstimate nothing_seen{{laplacian_.bound()}, {n}};
  if (diagonal_.empty()) return nothing_seen;
  const std::int64_t made = std::ssize(diagonal_);
  Block t(made, made);
  for (std::int64_t i = 0; i < made; ++i) {
    t(i, i) = diagonal_[static_cast<std::size_t>(i)];
    if (i > 0) t(i, i - 1) = t(i - 1, i) = beside_[static_cast<std::size_t>(i - 1)];
  }
  const DenseEigen pairs = dense_eigen(t);
  SpectrumEstimate estimate;
  double sum = 0.0;
  for (std::int64_t i = 0; i < made; ++i) {
    const double weight = pairs.vectors(0, i) * pairs.vectors(0, i);
    const double value = pairs.values[static_cast<std::size_t>(i)];
    if (!(value > 0.0)) continue;
    estimate.nodes.push_back(value);
    // A node stands for the eigenvalues around it: half of them lie below.
    estimate.counts.push_back(std::max(0.5, (sum + weight / 2.0) * (n - 1.0)));
    sum += weight;
  }
  if (estimate.nodes.empty()) return nothing_seen;
  estimate.first_is_eigenvalue =
      beta_ * std::abs(pairs.vectors(made - 1, 0)) < 0.1 * estimate.nodes[0];
  return estimate;
}

}  // namespace gssl::solve
