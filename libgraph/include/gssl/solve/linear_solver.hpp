#pragma once
// A X = B for a grounded Laplacian and a block of right-hand sides, by whichever method.
//
//   auto solver = gssl::make_solver(system, {.kind = gssl::SolverKind::automatic}, run);
//   gssl::Block x;
//   gssl::SolveReport report = solver->solve(b, x, run);
//   auto [solver, report, seconds] = gssl::make_solver_and_solve(system, options, b, x, run);
//
// Every kind takes the same steps: (1) vertices are put in breadth-first order where that
// brings neighbors together; (2) each component without ground is pinned at one vertex, and its
// columns of B lose their mean, so that the answer is the minimum-norm one, L⁺b (how much of B was
// lost is report.inconsistency); (3) vertices of degree ≤ 2 and rounds of degree ≤ 4 are eliminated
// exactly, which alone solves forests and cycles in O(n); (4) the kind asked for solves what is
// left; (5) the residual is recomputed from b − Ax on the whole system, and refined while that
// helps. Where weights span decades, rounding may keep the residual of an exact answer above the
// tolerance: then (6) the error itself is bounded, with a factor that never subtracts if the
// elimination has left anything and the factor is affordable (kinds automatic and cholesky). An
// answer with max|x − A⁻¹b| ≤ tolerance·max|x| in every column is converged, too, and says so.
// A solver is prepared once and may be used often, also from several threads at once. A system that
// is null is ErrorCode::usage.
//
// CHOLMOD, where `cholesky` is it, calls BLAS. While a factor is made or solves, OpenBLAS has one
// thread in the whole process, so that the bytes do not depend on how many it has; afterwards what
// it had before. A program whose other threads use OpenBLAS at that time sees them slower.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl {

enum class SolverKind {
  automatic,              // chooses and says what and why
  cholesky,               // sparse direct factorization
  approximate_cholesky,   // conjugate gradients preconditioned by randomized elimination
  multigrid,              // conjugate gradients preconditioned by aggregation multigrid
  conjugate_gradient,     // conjugate gradients preconditioned by the diagonal
  consensus,              // each vertex takes its neighbours' mean, in order (Gauss–Seidel)
  asynchronous_consensus  // the same on all threads with no order; bytes differ from run to run
};
template <>
inline constexpr auto names_of<SolverKind> =
    enum_names<SolverKind>("solver", {"automatic", "cholesky", "approximate-cholesky", "multigrid",
                                      "cg", "consensus", "async-consensus"});

// "automatic", "cholesky", "approximate-cholesky", "multigrid", "cg", "consensus",
// "async-consensus"
std::string_view to_string(SolverKind kind);
std::vector<std::string> solver_kind_names();  // all of them, in this order
// Throws ErrorCode::usage listing the names.
SolverKind parse_solver_kind(std::string_view name);

struct SolverOptions {
  SolverKind kind = SolverKind::automatic;
  double tolerance = 1e-10;  // stop at ‖b−Ax‖₂ ≤ tolerance·‖b‖₂ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the kind (cg 10n+1000, consensus 10⁷); ≥ 0
  bool eliminate = true;            // remove vertices of degree ≤ 4 first, where that pays
  std::int64_t columns = 0;  // right-hand sides to expect, which `automatic` weighs; 0: unknown
  // Systems with other weights to expect through updated(), which `automatic` weighs: an order of
  // elimination serves them all, and weights far from these are harder for an iteration. ≥ 0
  std::int64_t updates = 0;
  // Whether a solve says how large the error is behind its residual (SystemReport). Methods other
  // than conjugate gradients take one more column for it.
  bool estimates_error = true;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  // b is n×c; x is resized to it. If x comes in with that shape and `warm_start` is set it is the
  // initial guess. Throws ErrorCode::bad_data if b has the wrong shape or is not finite, or if the
  // answer would not be.
  virtual SolveReport solve(const Block& b, Block& x, const RunContext& run = {},
                            bool warm_start = false) const = 0;

  // A solver for a system that differs in weights and ground alone. It keeps what this one
  // prepared: the order of the vertices, the order of a factorization, a preconditioner. The answer
  // is as good; after a small change it comes as fast, after a large one it takes more iterations
  // than a fresh solver, or each solve() prepares anew because what was kept broke down. Throws
  // ErrorCode::bad_data if the graphs differ in more than weights.
  virtual std::unique_ptr<LinearSolver> updated(std::shared_ptr<const GroundedLaplacian> system,
                                                const RunContext& run = {}) const = 0;
};

// Prepares (analyses, factors) for `system`, which is kept by shared ownership.
std::unique_ptr<LinearSolver> make_solver(std::shared_ptr<const GroundedLaplacian> system,
                                          const SolverOptions& options = {},
                                          const RunContext& run = {});
std::unique_ptr<LinearSolver> make_solver(GroundedLaplacian system,
                                          const SolverOptions& options = {},
                                          const RunContext& run = {});

// The same and the first solve at once. `automatic` then chooses by how conjugate gradients get on
// with these right-hand sides instead of any, and where there is one column begins with them: often
// nothing else is needed. x is resized to b. Throws as LinearSolver::solve() does.
struct FirstSolve {
  std::unique_ptr<LinearSolver> solver;  // for more
  SolveReport report;
  double setup_seconds = 0.0;  // of the time that both took
};
FirstSolve make_solver_and_solve(std::shared_ptr<const GroundedLaplacian> system,
                                 const SolverOptions& options, const Block& b, Block& x,
                                 const RunContext& run = {});

}  // namespace gssl
