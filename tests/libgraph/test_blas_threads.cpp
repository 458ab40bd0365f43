// A factorization leaves the program's BLAS as it was.
#include <dlfcn.h>

#include "gssl/graph/generators.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "support/catch.hpp"

using namespace gssl;

namespace {

struct OpenBlas {
  int (*get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  void (*set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT,
                                                           "openblas_set_num_threads"));
};

// The answer of a factorization large enough for dense blocks, with so many threads of BLAS.
Block solve_beside(const OpenBlas& blas, int blas_threads, int threads) {
  blas.set(blas_threads);
  const Graph graph = grid_graph(60, 60);
  Block b(graph.vertex_count(), 12);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t k = 0; k < b.columns(); ++k) b(v, k) = static_cast<double>((v * 7 + k) % 11);
  RunContext run;
  run.threads = threads;
  const auto solver = make_solver(
      GroundedLaplacian(graph, std::vector<double>(static_cast<std::size_t>(b.rows()), 0.01)),
      {.kind = SolverKind::cholesky, .eliminate = false}, run);
  CHECK(blas.get() == blas_threads);
  Block x;
  CHECK(solver->solve(b, x, run).outcome == Outcome::converged);
  CHECK(blas.get() == blas_threads);
  return x;
}

}  // namespace

TEST_CASE("a factorization gives BLAS its threads back, and its bytes do not depend on them") {
  const OpenBlas blas;
  if (blas.get == nullptr || blas.set == nullptr) {
    WARN("skipped: BLAS is not OpenBLAS");
    return;
  }
  const int before = blas.get();
  const Block one = solve_beside(blas, 1, 1);
  CHECK(solve_beside(blas, 3, 1) == one);
  CHECK(solve_beside(blas, 3, 4) == one);
  blas.set(before);
}
