// CHOLMOD (Chen, Davis, Hager and Rajamanickam 2008, doi:10.1145/1391989.1391995). The other half
// of cholesky.hpp, used without SuiteSparse, is cholesky_eigen.cpp.
#ifdef GSSL_WITH_SUITESPARSE

#include "cholesky.hpp"

#include <cholmod.h>
#include <dlfcn.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "factor/fill_order.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// OpenBLAS splits sums by its thread count. It may or may not be the BLAS behind CHOLMOD, so it is
// looked up at run time. The setting is the process's: OpenBLAS 0.3.21 knows no other. While one of
// these lives BLAS has one thread; the last one to go gives back what the first one found, since
// the program around us has a use for BLAS of its own.
class OneBlasThread {
 public:
  OneBlasThread() {
    const std::lock_guard lock(mutex_);
    if (users_++ > 0 || blas().get == nullptr) return;
    found_ = blas().get();
    blas().set(1);
  }
  ~OneBlasThread() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0 && blas().get != nullptr) blas().set(found_);
  }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  struct Blas {
    int (*get)();  // null where the BLAS is not OpenBLAS
    void (*set)(int);
  };
  static const Blas& blas() {
    static const Blas functions = [] {
      Blas found{reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads")),
                 reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))};
      if (found.set == nullptr) found.get = nullptr;
      return found;
    }();
    return functions;
  }

  inline static std::mutex mutex_;
  inline static int users_ = 0;
  inline static int found_ = 1;
};

// CHOLMOD adds up its blocks on four threads of OpenMP, whatever the caller allows; on one it takes
// half the time for a thousand rows, and no more for ten thousand. While this lives, loops that the
// calling thread begins have one thread.
class OneThread {
 public:
  OneThread() : levels_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~OneThread() { omp_set_max_active_levels(levels_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int levels_;
};

// A workspace of CHOLMOD; each call of ours has its own, so calls may overlap.
class Workspace {
 public:
  Workspace() {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.postorder = 1;
    common_.supernodal = CHOLMOD_AUTO;
    common_.quick_return_if_not_posdef = 1;
  }
  ~Workspace() { cholmod_l_finish(&common_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  cholmod_common* get() { return &common_; }
  bool out_of_memory() const {
    return common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE;
  }

 private:
  cholmod_common common_;
};

// The types of CHOLMOD with their own way of being freed.
template <class Type, int (*Free)(Type**, cholmod_common*)>
class Owned {
 public:
  Owned(Type* object, Workspace& workspace) : object_(object), workspace_(workspace) {}
  ~Owned() { Free(&object_, workspace_.get()); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Type* get() const { return object_; }
  Type* operator->() const { return object_; }

 private:
  Type* object_;
  Workspace& workspace_;
};
using OwnedSparse = Owned<cholmod_sparse, cholmod_l_free_sparse>;
using OwnedDense = Owned<cholmod_dense, cholmod_l_free_dense>;

[[noreturn]] void throw_out_of_memory(std::int64_t rows, std::int64_t columns) {
  throw Error(ErrorCode::out_of_memory,
              "cholesky: " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                  " columns do not fit the memory: use the solver cg, which needs no factor");
}

// The lower triangle by columns, which is the upper one by rows: diagonal first, then ascending.
cholmod_sparse* lower_triangle(const GroundedLaplacian& system, double diagonal_factor,
                               Workspace& workspace) {
  const Graph& graph = system.graph();
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  cholmod_sparse* a =
      cholmod_l_allocate_sparse(n, n, n + static_cast<std::size_t>(graph.edge_count()), 1, 1, -1,
                                CHOLMOD_REAL, workspace.get());
  if (a == nullptr) return nullptr;
  auto* start = static_cast<SuiteSparse_long*>(a->p);
  auto* row = static_cast<SuiteSparse_long*>(a->i);
  auto* value = static_cast<double*>(a->x);
  SuiteSparse_long next = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    start[v] = next;
    row[next] = v;
    value[next++] = diagonal_factor * system.diagonal()[static_cast<std::size_t>(v)];
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u <= v) return;
      row[next] = u;
      value[next++] = -w;
    });
  }
  start[n] = next;
  return a;
}

// The order and the pattern of a factor without its numbers, which all systems of one pattern
// share.
class Analysis {
 public:
  explicit Analysis(const cholmod_factor* factor) {
    factor_ = cholmod_l_copy_factor(const_cast<cholmod_factor*>(factor), workspace_.get());
  }
  ~Analysis() { cholmod_l_free_factor(&factor_, workspace_.get()); }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  // Null if there is no memory. Several threads may ask at once: copying only reads.
  cholmod_factor* copy(Workspace& workspace) const {
    return factor_ == nullptr ? nullptr : cholmod_l_copy_factor(factor_, workspace.get());
  }

 private:
  Workspace workspace_;
  cholmod_factor* factor_ = nullptr;
};

class CholmodCholesky final : public ReducedSolver {
 public:
  CholmodCholesky(SharedSystem system, const std::function<bool(const FactorEstimate&)>& accept,
                  const RunContext& run)
      : system_(std::move(system)) {
    const auto order = fill_reducing_order(system_->graph(), run);
    if (!order) return;
    std::vector<SuiteSparse_long> position(order->begin(), order->end());
    const OwnedSparse a(lower_triangle(*system_, 1.0, workspace_), workspace_);
    if (a.get() == nullptr) throw_out_of_memory(system_->size(), 0);
    factor_ = cholmod_l_analyze_p(a.get(), position.data(), nullptr, 0, workspace_.get());
    if (factor_ == nullptr) throw_out_of_memory(system_->size(), 0);
    if (accept && !accept({workspace_.get()->lnz, workspace_.get()->fl})) return;
    analysis_ = std::make_shared<const Analysis>(factor_);
    factor_numbers();
  }
  // Factors `system` in the order found for `other`, whose pattern it has.
  CholmodCholesky(SharedSystem system, const CholmodCholesky& other)
      : system_(std::move(system)), analysis_(other.analysis_) {
    factor_ = analysis_->copy(workspace_);
    if (factor_ == nullptr) throw_out_of_memory(system_->size(), 0);
    factor_numbers();
  }
  ~CholmodCholesky() override { cholmod_l_free_factor(&factor_, workspace_.get()); }
  CholmodCholesky(const CholmodCholesky&) = delete;
  CholmodCholesky& operator=(const CholmodCholesky&) = delete;

  bool usable() const { return positive_; }

  std::unique_ptr<ReducedSolver> updated(SharedSystem system, const RunContext&) const override {
    auto solver = std::make_unique<CholmodCholesky>(std::move(system), *this);
    if (!solver->usable()) return nullptr;
    return solver;
  }

  // Groups of columns, side by side on the threads: a solve reads the whole factor for each group.
  InnerResult solve(const Block& b, Block& x, const std::vector<double>&,
                    const RunContext& run) const override {
    const OneBlasThread one_blas_thread;
    std::atomic<bool> all = true;
    parallel_blocks(
        b.columns(), run.thread_count(),
        [&](std::int64_t first, std::int64_t last) {
          if (run.should_stop()) {
            all = false;
          } else {
            solve_columns(b, x, first, last);
          }
        },
        b.columns() < many_columns ? group_width : wide_group);
    return all ? InnerResult{} : stopped(run);
  }

 private:
  static constexpr std::int64_t group_width = 5;
  // With so many columns there are enough groups for the threads, and in wide ones BLAS takes a
  // fraction of the time for each.
  static constexpr std::int64_t many_columns = 64;
  static constexpr std::int64_t wide_group = 32;

  void factor_numbers() {
    const OneBlasThread one_blas_thread;
    const OneThread one_thread;
    for (const double diagonal_factor : diagonal_factors) {
      const OwnedSparse a(lower_triangle(*system_, diagonal_factor, workspace_), workspace_);
      if (a.get() == nullptr) throw_out_of_memory(system_->size(), 0);
      cholmod_l_factorize(a.get(), factor_, workspace_.get());
      if (workspace_.out_of_memory()) throw_out_of_memory(system_->size(), 0);
      positive_ = workspace_.get()->status == CHOLMOD_OK && factor_->minor == factor_->n;
      if (positive_) return;
    }
  }

  void solve_columns(const Block& b, Block& x, std::int64_t first, std::int64_t last) const {
    const std::int64_t n = b.rows(), c = last - first;
    Workspace workspace;
    OwnedDense right(
        cholmod_l_allocate_dense(static_cast<std::size_t>(n), static_cast<std::size_t>(c),
                                 static_cast<std::size_t>(n), CHOLMOD_REAL, workspace.get()),
        workspace);
    if (right.get() == nullptr) throw_out_of_memory(n, c);
    auto* by_column = static_cast<double*>(right->x);
    for (std::int64_t v = 0; v < n; ++v)
      for (std::int64_t k = 0; k < c; ++k) by_column[k * n + v] = b(v, first + k);
    OwnedDense answer(cholmod_l_solve(CHOLMOD_A, factor_, right.get(), workspace.get()), workspace);
    if (answer.get() == nullptr) throw_out_of_memory(n, c);
    const auto* found = static_cast<const double*>(answer->x);
    for (std::int64_t v = 0; v < n; ++v)
      for (std::int64_t k = 0; k < c; ++k) x(v, first + k) = found[k * n + v];
  }

  SharedSystem system_;
  std::shared_ptr<const Analysis> analysis_;
  Workspace workspace_;  // of the factor
  cholmod_factor* factor_ = nullptr;
  bool positive_ = false;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_cholesky(
    SharedSystem system, const std::function<bool(const FactorEstimate&)>& accept,
    const RunContext& run) {
  auto solver = std::make_unique<CholmodCholesky>(std::move(system), accept, run);
  if (!solver->usable()) return nullptr;
  return solver;
}

}  // namespace gssl::solve

#endif  // GSSL_WITH_SUITESPARSE
