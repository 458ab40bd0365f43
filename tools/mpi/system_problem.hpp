#pragma once
// What the learners of distributed_fit.hpp share: the problem, right-hand sides, the solve of all
// columns, and the last step from scores to a fit.

#include <functional>
#include <utility>
#include <vector>

#include "distributed_fit.hpp"
#include "gssl/core/index.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"

namespace gssl::mpi {

// What every learner starts from.
struct DistributedProblem {
  const DistributedGraph& graph;
  const DistributedComponents& components;
  const DistributedLabels& given;
  Preconditioning kind;
  const RunContext& run;
  const Communicator& ranks;
  std::vector<char> reached;  // own rows with a label in their component
  int columns = 1;            // classes, or 1 for real targets

  bool regression() const { return given.own.is_regression(); }
  std::size_t rows() const { return index(graph.rows()); }
  std::vector<VertexStatus> status() const {
    std::vector<VertexId> unreached;
    for (VertexId v = 0; v < graph.rows(); ++v)
      if (reached[index(v)] == 0) unreached.push_back(v);
    return detail::vertex_status(graph.rows(), given.own, unreached);
  }
  // The target of given vertex i in a column.
  double target(std::size_t i, int column) const {
    if (regression()) return given.own.target_of()[i];
    return given.own.class_of()[i] == column ? 1.0 : 0.0;
  }
};

// Fills b of one column; the entries are those of system.rows().
using RightHandSide = std::function<std::vector<double>(int column)>;

struct SolvedColumns {
  Block values;  // system rows × columns
  Report report;
  double entrywise = 0.0;
};

// Columns 0 … solved−1 of A X = B. With `one_implied` the rows of X, columns 0 … solved, sum to one:
// of these the column with the longest right-hand side is what the others leave. Its residual is
// minus the sum of theirs, so that they are solved as much better as makes it meet the tolerance,
// too, and it is told with them.
SolvedColumns solve_columns(const DistributedProblem& problem, DistributedSystem& system,
                            int solved, bool one_implied, DistributedSolverOptions options,
                            const RightHandSide& b);

DistributedFit finish(const DistributedProblem& problem, Block scores, detail::GivenLabels labels,
                      SolvedColumns solved);

template <class Options>
DistributedSolverOptions solver_options(const Options& options) {
  return {.tolerance = options.tolerance, .max_iterations = options.max_iterations};
}

// A column with one number for each given vertex, zero elsewhere.
template <class Value>
RightHandSide sources(const DistributedProblem& problem, const DistributedSystem& system,
                      Value&& value) {
  std::vector<std::int64_t> place(problem.rows(), -1);
  for (std::size_t i = 0; i < system.rows().size(); ++i)
    place[index(system.rows()[i])] = std::int64_t(i);
  return [&problem, &system, place = std::move(place), value](int column) {
    std::vector<double> b(system.rows().size(), 0.0);
    const std::vector<VertexId>& vertices = problem.given.own.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (place[index(vertices[i])] >= 0) b[index(place[index(vertices[i])])] = value(i, column);
    return b;
  };
}

// The learner of distributed_poisson.cpp.
DistributedFit fit_poisson(const DistributedProblem& problem, const PoissonOptions& options);

}  // namespace gssl::mpi
