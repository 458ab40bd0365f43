#include "peers.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>

#include "scipy_peer.hpp"
#include "whole_matrix.hpp"

#ifdef GSSL_BENCH_CHOLMOD
#include <cholmod.h>
#endif
#ifdef GSSL_BENCH_HYPRE
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>
#endif

namespace gssl::bench {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using SparseByColumn = Eigen::SparseMatrix<double>;

class EigenLdlt final : public Peer {
 public:
  void load(const GroundedLaplacian& system) override { a_ = whole_matrix<SparseByColumn>(system); }
  void set_up(double) override {
    solver_.compute(a_);
    if (solver_.info() != Eigen::Success) throw std::runtime_error("factorization failed");
  }
  std::int64_t solve(const Eigen::MatrixXd& b, Eigen::MatrixXd& x) override {
    x = solver_.solve(b);
    return 0;
  }

 private:
  SparseByColumn a_;
  Eigen::SimplicialLDLT<SparseByColumn, Eigen::Lower> solver_;
};

template <class Preconditioner>
class EigenGradient final : public Peer {
 public:
  void load(const GroundedLaplacian& system) override { a_ = whole_matrix<Sparse>(system); }
  void set_up(double tolerance) override {
    solver_.setTolerance(tolerance);
    solver_.setMaxIterations(1'000'000);
    solver_.compute(a_);
    if (solver_.info() != Eigen::Success) throw std::runtime_error("preconditioner failed");
  }
  std::int64_t solve(const Eigen::MatrixXd& b, Eigen::MatrixXd& x) override {
    Eigen::Index most = 0;
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      x.col(j) = solver_.solve(b.col(j));
      most = std::max(most, solver_.iterations());
    }
    return most;
  }

 private:
  Sparse a_;
  Eigen::ConjugateGradient<Sparse, Eigen::Lower | Eigen::Upper, Preconditioner> solver_;
};

#ifdef GSSL_BENCH_CHOLMOD
class Cholmod final : public Peer {
 public:
  Cholmod() {
    cholmod_l_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_AMD;
    common_.print = 0;
  }
  ~Cholmod() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_free_sparse(&a_, &common_);
    cholmod_l_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  void load(const GroundedLaplacian& system) override {
    const auto n = static_cast<std::size_t>(system.size());
    const Graph& graph = system.graph();
    a_ = cholmod_l_allocate_sparse(n, n, n + static_cast<std::size_t>(graph.edge_count()), 1, 1, -1,
                                   CHOLMOD_REAL, &common_);
    check(a_);
    auto* start = static_cast<SuiteSparse_long*>(a_->p);
    auto* row = static_cast<SuiteSparse_long*>(a_->i);
    auto* value = static_cast<double*>(a_->x);
    SuiteSparse_long next = 0;
    for (VertexId v = 0; v < system.size(); ++v) {
      start[v] = next;
      row[next] = v;
      value[next++] = system.diagonal()[static_cast<std::size_t>(v)];
      graph.visit_row(v, [&](VertexId u, double w) {
        if (u < v) return;
        row[next] = u;
        value[next++] = -w;
      });
    }
    start[n] = next;
  }
  void set_up(double) override {
    factor_ = cholmod_l_analyze(a_, &common_);
    check(factor_);
    cholmod_l_factorize(a_, factor_, &common_);
    check(factor_);
    if (common_.status != CHOLMOD_OK) throw std::runtime_error("a pivot is not positive");
  }
  std::int64_t solve(const Eigen::MatrixXd& b, Eigen::MatrixXd& x) override {
    const auto rows = static_cast<std::size_t>(b.rows());
    const auto columns = static_cast<std::size_t>(b.cols());
    cholmod_dense right{};
    right.nrow = right.d = rows;
    right.ncol = columns;
    right.nzmax = rows * columns;
    right.x = const_cast<double*>(b.data());
    right.xtype = CHOLMOD_REAL;
    cholmod_dense* answer = cholmod_l_solve(CHOLMOD_A, factor_, &right, &common_);
    check(answer);
    std::copy_n(static_cast<const double*>(answer->x), rows * columns, x.data());
    cholmod_l_free_dense(&answer, &common_);
    return 0;
  }

 private:
  void check(const void* made) const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE)
      throw std::bad_alloc();
    if (made == nullptr) throw std::runtime_error("CHOLMOD failed");
  }

  cholmod_common common_{};
  cholmod_sparse* a_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};
#endif

#ifdef GSSL_BENCH_HYPRE
// hypre's recommended BoomerAMG (HMIS, extended+i interpolation) with a symmetric smoother.
class Hypre final : public Peer {
 public:
  Hypre() {
    // One process, which should look for no network.
    setenv("OMPI_MCA_btl", "self", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
    MPI_Init(nullptr, nullptr);
    HYPRE_Init();
  }
  ~Hypre() override {
    HYPRE_ParCSRPCGDestroy(pcg_);
    HYPRE_BoomerAMGDestroy(amg_);
    HYPRE_IJVectorDestroy(x_);
    HYPRE_IJVectorDestroy(b_);
    HYPRE_IJMatrixDestroy(a_);
    HYPRE_Finalize();
    MPI_Finalize();
  }
  Hypre(const Hypre&) = delete;
  Hypre& operator=(const Hypre&) = delete;

  void load(const GroundedLaplacian& system) override {
    const HYPRE_Int last = system.size() - 1;
    Sparse whole = whole_matrix<Sparse>(system);
    std::vector<HYPRE_Int> lengths(static_cast<std::size_t>(system.size()));
    rows_.resize(lengths.size());
    for (HYPRE_Int v = 0; v <= last; ++v) {
      rows_[static_cast<std::size_t>(v)] = v;
      lengths[static_cast<std::size_t>(v)] =
          whole.outerIndexPtr()[v + 1] - whole.outerIndexPtr()[v];
    }
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, last, 0, last, &a_);
    HYPRE_IJMatrixSetObjectType(a_, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(a_, lengths.data());
    HYPRE_IJMatrixInitialize(a_);
    HYPRE_IJMatrixSetValues(a_, last + 1, lengths.data(), rows_.data(), whole.innerIndexPtr(),
                            whole.valuePtr());
    HYPRE_IJMatrixAssemble(a_);
    HYPRE_IJMatrixGetObject(a_, reinterpret_cast<void**>(&matrix_));
    for (const auto& [vector, object] : {std::pair{&b_, &right_}, std::pair{&x_, &left_}}) {
      HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, last, vector);
      HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR);
      HYPRE_IJVectorInitialize(*vector);
      HYPRE_IJVectorAssemble(*vector);
      HYPRE_IJVectorGetObject(*vector, reinterpret_cast<void**>(object));
    }
  }
  void set_up(double tolerance) override {
    HYPRE_BoomerAMGCreate(&amg_);
    HYPRE_BoomerAMGSetCoarsenType(amg_, 10);
    HYPRE_BoomerAMGSetInterpType(amg_, 6);
    HYPRE_BoomerAMGSetPMaxElmts(amg_, 4);
    HYPRE_BoomerAMGSetRelaxType(amg_, 6);
    HYPRE_BoomerAMGSetMaxIter(amg_, 1);
    HYPRE_BoomerAMGSetTol(amg_, 0.0);
    HYPRE_ParCSRPCGCreate(MPI_COMM_SELF, &pcg_);
    HYPRE_PCGSetMaxIter(pcg_, 10'000);
    HYPRE_PCGSetTol(pcg_, tolerance);
    HYPRE_PCGSetTwoNorm(pcg_, 1);
    HYPRE_ParCSRPCGSetPrecond(pcg_, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg_);
    HYPRE_ParCSRPCGSetup(pcg_, matrix_, right_, left_);
  }
  std::int64_t solve(const Eigen::MatrixXd& b, Eigen::MatrixXd& x) override {
    const auto n = static_cast<HYPRE_Int>(b.rows());
    HYPRE_Int most = 0;
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      x.col(j).setZero();
      HYPRE_IJVectorSetValues(b_, n, rows_.data(), b.col(j).data());
      HYPRE_IJVectorSetValues(x_, n, rows_.data(), x.col(j).data());
      HYPRE_ParCSRPCGSolve(pcg_, matrix_, right_, left_);
      HYPRE_IJVectorGetValues(x_, n, rows_.data(), x.col(j).data());
      HYPRE_Int iterations = 0;
      HYPRE_PCGGetNumIterations(pcg_, &iterations);
      most = std::max(most, iterations);
    }
    return most;
  }

 private:
  std::vector<HYPRE_Int> rows_;
  HYPRE_IJMatrix a_ = nullptr;
  HYPRE_IJVector b_ = nullptr, x_ = nullptr;
  HYPRE_ParCSRMatrix matrix_ = nullptr;
  HYPRE_ParVector right_ = nullptr, left_ = nullptr;
  HYPRE_Solver amg_ = nullptr, pcg_ = nullptr;
};
#endif

template <class Type>
std::unique_ptr<Peer> make() {
  return std::make_unique<Type>();
}

using Jacobi = Eigen::DiagonalPreconditioner<double>;
using IncompleteCholesky = Eigen::IncompleteCholesky<double>;

const std::vector<std::pair<std::string, std::unique_ptr<Peer> (*)()>> table{
#ifdef GSSL_BENCH_CHOLMOD
    {"cholmod", make<Cholmod>},
#endif
    {"ldlt", make<EigenLdlt>},
    {"cg", make<EigenGradient<Jacobi>>},
    {"cg-ic", make<EigenGradient<IncompleteCholesky>>},
#ifdef GSSL_BENCH_HYPRE
    {"hypre", make<Hypre>},
#endif
};

}  // namespace

const std::vector<std::string>& peer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, maker] : table) list.push_back(name);
    list.insert(list.end(), scipy_names().begin(), scipy_names().end());
    return list;
  }();
  return names;
}

const std::map<std::string, std::string>& absent_peers() {
  static const std::map<std::string, std::string> packages = [] {
    std::map<std::string, std::string> all{{"cholmod", "libsuitesparse-dev"},
                                           {"hypre", "libhypre-dev"},
                                           {"scipy-cg", "python3-scipy"},
                                           {"scipy-splu", "python3-scipy"}};
    for (const std::string& name : peer_names()) all.erase(name);
    return all;
  }();
  return packages;
}

std::unique_ptr<Peer> make_peer(const std::string& name) {
  for (const auto& [known, maker] : table)
    if (known == name) return maker();
  return nullptr;
}

}  // namespace gssl::bench
