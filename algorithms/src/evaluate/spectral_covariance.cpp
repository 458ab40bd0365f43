#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>

#include "evaluate/covariance.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// Eigenvalues below this part of the mean weighted degree are known no better than so: pieces that
// hang by less count as if they hung by this.
constexpr double known_part = 1e-10;

// Of the inverse, each of which costs O(k²).
constexpr Eigen::Index columns_between_stops = 64;

class SpectralCovariance final : public Covariance {
 public:
  // Of no use when it was stopped.
  SpectralCovariance(const CovarianceProblem& problem, const ComponentSpectrum& pairs,
                     const RunContext& run)
      : pairs_(pairs), row_of_(static_cast<std::size_t>(problem.graph.vertex_count()), no_vertex) {
    GSSL_ASSERT(problem.variance > 0.0);
    for (std::size_t r = 0; r < pairs.vertex_of.size(); ++r)
      row_of_[static_cast<std::size_t>(pairs.vertex_of[r])] = static_cast<VertexId>(r);
    std::vector<double> values = pairs.spectrum.values;
    double degrees = 0.0;
    for (VertexId v = 0; v < problem.graph.vertex_count(); ++v)
      degrees += problem.graph.weighted_degree(v);
    const double least = known_part * degrees / problem.graph.vertex_count();
    for (std::size_t j = static_cast<std::size_t>(pairs.spectrum.zero_count); j < values.size();
         ++j)
      values[j] = std::max(values[j], least);
    const auto k = static_cast<Eigen::Index>(values.size());
    Eigen::MatrixXd inverse = Eigen::Map<const Eigen::VectorXd>(values.data(), k).asDiagonal();
    for (const VertexId v : problem.labeled) {
      if (row(v) == no_vertex) continue;
      if (run.should_stop()) return;
      inverse.noalias() += coordinates(v) * coordinates(v).transpose() / problem.variance;
    }
    // Positive definite: the null pair of a component with a label is not 0 at the label.
    const Eigen::LLT<Eigen::MatrixXd> factor(inverse);
    if (factor.info() != Eigen::Success) {
      throw Error(ErrorCode::bad_data,
                  "covariance of the eigenpairs: singular to working precision; raise noise");
    }
    matrix_ = Eigen::MatrixXd::Identity(k, k);
    for (Eigen::Index j = 0; j < k && !run.should_stop(); j += columns_between_stops)
      factor.solveInPlace(matrix_.middleCols(j, std::min(columns_between_stops, k - j)));
    sum_ = Eigen::VectorXd::Zero(k);
    for (const VertexId v : pairs.vertex_of) sum_ += coordinates(v);
  }

  bool moments(std::span<const VertexId> vertices, const RunContext& run,
               Moments& moments) override {
    run.report_progress("covariance");
    parallel_blocks(
        static_cast<std::int64_t>(vertices.size()), run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end && !run.should_stop(); ++i) {
            const VertexId v = vertices[static_cast<std::size_t>(i)];
            const auto at_v = coordinates(v);
            const Eigen::VectorXd image = matrix_ * at_v;
            const auto at = static_cast<std::size_t>(v);
            moments.variance[at] = at_v.dot(image);
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
  VertexId row(VertexId v) const { return row_of_[static_cast<std::size_t>(v)]; }

  Eigen::Map<const Eigen::VectorXd> coordinates(VertexId v) const {
    const std::span<const double> values = pairs_.spectrum.vectors.row(row(v));
    return {values.data(), static_cast<Eigen::Index>(values.size())};
  }

  std::vector<double> expanded(const Eigen::VectorXd& x, int threads) const {
    std::vector<double> y(row_of_.size(), 0.0);
    parallel_blocks(static_cast<std::int64_t>(pairs_.vertex_of.size()), threads,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t r = begin; r < end; ++r) {
                        const VertexId v = pairs_.vertex_of[static_cast<std::size_t>(r)];
                        y[static_cast<std::size_t>(v)] = coordinates(v).dot(x);
                      }
                    });
    return y;
  }

  const ComponentSpectrum& pairs_;
  std::vector<VertexId> row_of_;  // vertex → row of the pairs, or no_vertex
  Eigen::MatrixXd matrix_;        // M
  Eigen::VectorXd sum_;           // Vᵀ1
};

}  // namespace

std::unique_ptr<Covariance> spectral_covariance(const CovarianceProblem& problem,
                                                const ComponentSpectrum& pairs,
                                                const RunContext& run) {
  auto made = std::make_unique<SpectralCovariance>(problem, pairs, run);
  if (run.should_stop()) return nullptr;
  return made;
}

void add_spectral_diagonal(const ComponentSpectrum& pairs, std::vector<double>& diagonal) {
  for (std::size_t r = 0; r < pairs.vertex_of.size(); ++r) {
    double& sum = diagonal[static_cast<std::size_t>(pairs.vertex_of[r])];
    const std::span<const double> row = pairs.spectrum.vectors.row(static_cast<std::int64_t>(r));
    for (std::size_t j = 0; j < row.size(); ++j)
      if (pairs.spectrum.values[j] > 0.0) sum += row[j] * row[j] / pairs.spectrum.values[j];
  }
}

}  // namespace gssl::detail
