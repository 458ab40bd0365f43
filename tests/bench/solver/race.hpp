#pragma once
// One harmonic problem solved by one method in a child process, timed, and checked by recomputing
// b − Ax for every column.
//
// Timed: everything from the grounded Laplacian and the right-hand sides in memory to the answer.
// A peer gets its own copy of the matrix first, untimed. With K one-hot columns our solvers solve
// K−1, take the last as 1 minus their sum and correct it if it misses the tolerance; peers solve K.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "../harness/measure.hpp"
#include "gssl/core/block.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::bench {

struct Problem {
  std::string graph;
  std::uint64_t seed = 1;
  double edges = 0.0;  // of the whole graph
  std::shared_ptr<const GroundedLaplacian> system;
  Block b;
  bool one_hot = false;  // the columns of b belong to values that sum to 1
};

// `labels` random vertices hold values of the rows of the identity matrix (columns > 1) or 0 and 1
// in turn (one column).
Problem make_problem(const std::string& name, const Graph& graph, VertexId labels, int columns,
                     std::uint64_t seed);

struct RaceOptions {
  double tolerance = 1e-8;
  double time_limit = 60.0;  // CPU seconds a thread; wall four times that
  double gigabytes = 14.0;
  int repeats = 1;  // the fastest counts
};

// Figures that are not there are 0.
struct Row {
  std::string graph;
  std::uint64_t seed = 0;
  std::int64_t columns = 0;
  std::string method;
  bool peer = false;
  int threads = 1;
  std::string status;  // "solved", "missed", "timed out", "out of memory", "failed", "skipped"
  std::string note;
  double setup_seconds = 0.0;
  double solve_seconds = 0.0;
  double total_seconds = 0.0;
  double cpu_seconds = 0.0;
  double ratio = 0.0;      // total ÷ that of the peer with the least CPU time
  double cpu_ratio = 0.0;  // the same of cpu: what remains to be trusted on a busy machine
  double spmv = 0.0;       // total in sparse matrix-vector products on one thread
  std::int64_t iterations = 0;
  double bytes_per_edge = 0.0;  // growth of the peak resident memory
  double residual = 0.0;        // largest ‖b−Ax‖₂/‖b‖₂ of a column
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Row, graph, seed, columns, method, peer, threads, status, note,
                                   setup_seconds, solve_seconds, total_seconds, cpu_seconds, ratio,
                                   cpu_ratio, spmv, iterations, bytes_per_edge, residual)

Row race_ours(const Problem& problem, SolverKind kind, int threads, const RaceOptions& options);
Row race_peer(const Problem& problem, const std::string& peer, const RaceOptions& options);

// Seconds of one product with one column on one thread.
double measure_spmv(const Problem& problem);

// `threads` from now on, for so many seconds.
RunContext run_context(int threads, double seconds);

// ‖b−Ax‖₂/‖b‖₂ of each column; 1e300 in place of what is not finite. ‖x‖₂ of a column with b = 0.
std::vector<double> residuals(const GroundedLaplacian& system, const Block& b, const Block& x);

}  // namespace gssl::bench
