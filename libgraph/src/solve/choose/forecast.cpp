#include "forecast.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace gssl::solve {
namespace {

// Iterations that one outlier costs.
constexpr double outlier_cost = 2.0;
// So few eigenvalues below the lower edge of the spectrum do not slow conjugate gradients.
constexpr double edge_count = 5.0;

// Fewest steps that a forecast is made from; the factor by which a forecast from at most few_steps
// may be too low. After more steps the probe is nearly over, and nothing is saved by ending it.
constexpr std::size_t fewest_steps = 3;
constexpr std::size_t few_steps = 8;
constexpr double clear_factor = 4.0;
// Where the two readings of the steps asked for are on either side of what counts as few, so many.
constexpr std::int64_t most_steps = 24;

// A preconditioner shows its rate after a few steps.
constexpr std::size_t first_steps = 3;
constexpr std::size_t counted_steps = 2;

// A Ritz value with a relative error below this is a converged eigenvalue, not the lower edge of a
// cluster.
constexpr double settled = 0.1;

struct Node {
  double value = 0.0;
  double count = 0.0;  // eigenvalues it stands for
  double least = 0.0;  // no eigenvalue of its cluster is below this
};

std::vector<Node> quadrature(const CgCoefficients& steps, Start start, double rows) {
  const auto k = static_cast<Eigen::Index>(steps.alpha.size());
  Eigen::VectorXd diagonal(k), beside(std::max<Eigen::Index>(k - 1, 0));
  for (Eigen::Index i = 0; i < k; ++i) {
    const auto s = static_cast<std::size_t>(i);
    diagonal[i] = 1.0 / steps.alpha[s] + (i > 0 ? steps.beta[s - 1] / steps.alpha[s - 1] : 0.0);
    if (i + 1 < k) beside[i] = std::sqrt(steps.beta[s]) / steps.alpha[s];
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  // The off-diagonal entry that the next Lanczos step would add. An eigenvalue is within this, times
  // the last entry of the Ritz vector, of the Ritz value.
  const double coupling = std::sqrt(steps.beta.back()) / steps.alpha.back();
  std::vector<Node> nodes;
  for (Eigen::Index i = 0; i < k; ++i) {
    const double value = solver.eigenvalues()[i];
    Node node{value, std::pow(solver.eigenvectors()(0, i), 2) * rows};
    if (start == Start::given) {
      const double error = coupling * std::abs(solver.eigenvectors()(k - 1, i));
      if (error <= settled * value) node.count = 1.0;
      node.least = value - error;
    }
    nodes.push_back(node);
  }
  return nodes;
}

// The lower edge of the cluster of eigenvalues that `node` stands for, if their number grows as a
// power law from `node` to `next`.
double edge(const Node& node, const Node& next) {
  if (node.count <= edge_count) return node.value;
  const double power = std::log1p(next.count / node.count) / std::log(next.value / node.value);
  return std::max(node.least, node.value * std::pow(edge_count / node.count, 1.0 / power));
}

}  // namespace

double forecast_iterations(const CgCoefficients& found, Start start, double rows,
                           double tolerance) {
  const std::vector<Node> nodes = quadrature(found, start, rows);
  if (!(nodes.front().value > 0.0)) return HUGE_VAL;
  double fewest = HUGE_VAL, outliers = 0.0;
  for (std::size_t j = 0; j + 1 < nodes.size(); ++j) {
    const double condition = nodes.back().value / edge(nodes[j], nodes[j + 1]);
    fewest = std::min(
        fewest, outlier_cost * outliers + 0.5 * std::sqrt(condition) * std::log(2.0 / tolerance));
    outliers += std::max(1.0, nodes[j].count);
  }
  return fewest;
}

namespace {

// A forecast from the steps that probe(most, watch) makes, most of them at most, until watch says
// that they are enough. `few`: the probe ends early where the forecast is surely below it, and goes
// on where it may be on either side (0: neither).
template <class Probe>
double forecast_by(Probe&& probe, std::int64_t steps, double rows, double tolerance, double few,
                   Start start) {
  const auto read = [&](const CgCoefficients& so_far, Start as) {
    return forecast_iterations(so_far, as, rows, tolerance);
  };
  const auto enough = [&](const CgCoefficients& so_far) {
    if (few <= 0.0) return false;
    if (std::ssize(so_far.alpha) >= steps)
      return read(so_far, Start::random) <= few || read(so_far, Start::given) > few;
    return so_far.alpha.size() >= fewest_steps && so_far.alpha.size() <= few_steps &&
           clear_factor * read(so_far, start) <= few;
  };
  const CgCoefficients found = probe(few > 0.0 ? std::max(steps, most_steps) : steps, enough);
  if (found.broken) return HUGE_VAL;
  if (found.ended) return static_cast<double>(found.alpha.size());
  return read(found, start);
}

}  // namespace

double forecast_iterations(const GroundedLaplacian& system, std::int64_t steps, double tolerance,
                           int threads, double few, Start start) {
  const auto probe = [&](std::int64_t most, const CgWatch& enough) {
    return probe_conjugate_gradient(system, nullptr, most, threads, enough);
  };
  return forecast_by(probe, steps, system.size(), tolerance, few, start);
}

double forecast_iterations(const GroundedLaplacian& system, const SweptSystem& split,
                           std::int64_t steps, double tolerance, int threads, double few) {
  const auto probe = [&](std::int64_t most, const CgWatch& enough) {
    return probe_conjugate_gradient(system, split, most, threads, enough);
  };
  return forecast_by(probe, steps, system.size(), tolerance, few, Start::random);
}

double forecast_iterations(const GroundedLaplacian& system, const Preconditioner& preconditioner,
                           double tolerance, int threads) {
  const std::vector<double> residual =
      probe_conjugate_gradient(system, &preconditioner, first_steps + counted_steps, threads, {})
          .residual;
  if (residual.size() < first_steps + counted_steps) return HUGE_VAL;
  const double rate = std::log(residual.back() / residual[first_steps - 1]) / counted_steps;
  return rate < 0.0 ? std::log(tolerance) / rate : HUGE_VAL;
}

}  // namespace gssl::solve
