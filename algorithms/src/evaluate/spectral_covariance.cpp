#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "evaluate/covariance.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

class SpectralCovariance final : public Covariance {
 public:
  SpectralCovariance(const CovarianceProblem& problem, const Spectrum& spectrum,
                     const Components& components)
      : vectors_(spectrum.vectors) {
    GSSL_ASSERT(problem.variance > 0.0);
    std::vector<bool> reached(static_cast<std::size_t>(components.count), false);
    for (const VertexId v : problem.labeled)
      reached[static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)])] = true;
    for (std::size_t j = 0; j < spectrum.values.size(); ++j)
      if (reached[static_cast<std::size_t>(spectrum.component_of[j])]) used_.push_back(j);

    const auto k = static_cast<Eigen::Index>(used_.size());
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(k, k);
    for (Eigen::Index j = 0; j < k; ++j)
      inverse(j, j) = spectrum.values[used_[static_cast<std::size_t>(j)]];
    for (const VertexId v : problem.labeled) {
      const Eigen::VectorXd row = coordinates(v);
      inverse.noalias() += row * row.transpose() / problem.variance;
    }
    // Positive definite: the null pair of a component with a label is not 0 at the label.
    const Eigen::LLT<Eigen::MatrixXd> factor(inverse);
    if (factor.info() != Eigen::Success) {
      throw Error(ErrorCode::bad_data,
                  "covariance of the eigenpairs: singular to working precision; raise noise");
    }
    matrix_ = factor.solve(Eigen::MatrixXd::Identity(k, k));
    sum_ = Eigen::VectorXd::Zero(k);
    for (VertexId v = 0; v < vectors_.rows(); ++v) sum_ += coordinates(v);
  }

  bool moments(std::span<const VertexId> vertices, const RunContext& run,
               Moments& moments) override {
    run.report_progress("covariance");
    parallel_blocks(
        static_cast<std::int64_t>(vertices.size()), run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end && !run.should_stop(); ++i) {
            const VertexId v = vertices[static_cast<std::size_t>(i)];
            const Eigen::VectorXd row = coordinates(v);
            const Eigen::VectorXd image = matrix_ * row;
            const auto at = static_cast<std::size_t>(v);
            moments.variance[at] = row.dot(image);
            moments.square[at] = image.squaredNorm();
            moments.sum[at] = sum_.dot(image);
          }
        },
        256);
    return !run.should_stop();
  }

  CovarianceColumn column(VertexId v, const RunContext& run) override {
    const Eigen::VectorXd image = matrix_ * coordinates(v);
    const int threads = run.thread_count();
    return {expanded(image, threads), expanded(matrix_ * image, threads)};
  }

  void condition(VertexId v, const CovarianceColumn&, double delta) override {
    const Eigen::VectorXd image = matrix_ * coordinates(v);
    matrix_.noalias() -= image * image.transpose() / delta;
  }

 private:
  Eigen::VectorXd coordinates(VertexId v) const {
    Eigen::VectorXd row(static_cast<Eigen::Index>(used_.size()));
    const std::span<const double> all = vectors_.row(v);
    for (std::size_t j = 0; j < used_.size(); ++j)
      row(static_cast<Eigen::Index>(j)) = all[used_[j]];
    return row;
  }

  std::vector<double> expanded(const Eigen::VectorXd& x, int threads) const {
    std::vector<double> y(static_cast<std::size_t>(vectors_.rows()));
    parallel_blocks(vectors_.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r)
        y[static_cast<std::size_t>(r)] = coordinates(static_cast<VertexId>(r)).dot(x);
    });
    return y;
  }

  const Block& vectors_;
  std::vector<std::size_t> used_;  // pairs on components that hold a label
  Eigen::MatrixXd matrix_;         // M
  Eigen::VectorXd sum_;            // Vᵀ1
};

}  // namespace

std::unique_ptr<Covariance> spectral_covariance(const CovarianceProblem& problem,
                                                const Spectrum& spectrum,
                                                const Components& components) {
  return std::make_unique<SpectralCovariance>(problem, spectrum, components);
}

void add_spectral_diagonal(const Spectrum& spectrum, const std::vector<bool>& chosen,
                           std::vector<double>& diagonal) {
  for (std::size_t j = 0; j < spectrum.values.size(); ++j) {
    const double value = spectrum.values[j];
    if (!(value > 0.0) || !chosen[static_cast<std::size_t>(spectrum.component_of[j])]) continue;
    for (std::size_t v = 0; v < diagonal.size(); ++v) {
      const double entry =
          spectrum.vectors(static_cast<std::int64_t>(v), static_cast<std::int64_t>(j));
      diagonal[v] += entry * entry / value;
    }
  }
}

}  // namespace gssl::detail
