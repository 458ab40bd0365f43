// The half of cholesky.hpp that runs without SuiteSparse: Eigen's simplicial LDLᵀ.
#ifndef GSSL_WITH_SUITESPARSE

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <new>
#include <utility>

#include "cholesky.hpp"
#include "gssl/core/error.hpp"

namespace gssl::solve {
namespace {

using Index = std::int64_t;
using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

// The lower triangle by columns, which is the upper one by rows.
Sparse lower_triangle(const GroundedLaplacian& system, double diagonal_factor) {
  const Graph& graph = system.graph();
  Sparse a(system.size(), system.size());
  a.reserve(system.size() + graph.edge_count());
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    a.startVec(v);
    a.insertBack(v, v) = diagonal_factor * system.diagonal()[static_cast<std::size_t>(v)];
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u > v) a.insertBack(u, v) = -w;
    });
  }
  a.finalize();
  return a;
}

class Factorization
    : public Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<Index>> {
 public:
  // Squares of the column counts add up to the work.
  FactorEstimate estimate() const {
    FactorEstimate size;
    for (Index column = 0; column < m_nonZerosPerCol.size(); ++column) {
      const auto count = static_cast<double>(m_nonZerosPerCol[column] + 1);
      size.nonzeros += count;
      size.flops += count * count;
    }
    return size;
  }
};

class EigenCholesky final : public ReducedSolver {
 public:
  EigenCholesky(const GroundedLaplacian& system,
                const std::function<bool(const FactorEstimate&)>& accept) {
    factor_.analyzePattern(lower_triangle(system, 1.0));
    if (accept && !accept(factor_.estimate())) return;
    for (const double diagonal_factor : diagonal_factors) {
      factor_.factorize(lower_triangle(system, diagonal_factor));
      usable_ = factor_.info() == Eigen::Success && (factor_.vectorD().array() > 0.0).all();
      if (usable_) return;
    }
  }

  bool usable() const { return usable_; }

  std::unique_ptr<ReducedSolver> updated(SharedSystem system, const RunContext&) const override {
    return make_cholesky(std::move(system));
  }

  InnerResult solve(const Block& b, Block& x, const std::vector<double>&,
                    const RunContext& run) const override {
    if (run.should_stop()) return stopped(run);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const RowMajor> right(b.data(), b.rows(), b.columns());
    const Eigen::MatrixXd answer = factor_.solve(Eigen::MatrixXd(right));
    Eigen::Map<RowMajor>(x.data(), x.rows(), x.columns()) = answer;
    return {};
  }

 private:
  Factorization factor_;
  bool usable_ = false;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_cholesky(
    SharedSystem system, const std::function<bool(const FactorEstimate&)>& accept,
    const RunContext& run) try {
  if (run.should_stop()) return nullptr;
  auto solver = std::make_unique<EigenCholesky>(*system, accept);
  if (!solver->usable()) return nullptr;
  return solver;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory,
              "cholesky: the factor of " + std::to_string(system->size()) +
                  " rows does not fit the memory: use the solver cg, which needs no factor");
}

}  // namespace gssl::solve

#endif  // GSSL_WITH_SUITESPARSE
