#pragma once
// A grounded Laplacian on some rows of a distributed graph, as a PETSc matrix, and its solver.
//
//   DistributedSystem system(graph, is_row, ground, ranks);       // collective
//   DistributedSolver solver(system, {.tolerance = 1e-10}, run, ranks);
//   std::vector<double> x = solver.solve(b);                      // of the rows of this rank
//   solver.report();                                              // true residuals
//
// Row v is kept where is_row[v]; its diagonal is the weight of all its arcs, to whatever vertex,
// plus ground[v] ≥ 0. The matrix must be positive definite: every component of kept rows needs an
// arc out of it or a ground.

#include <cstdint>
#include <vector>

#include "communicator.hpp"
#include "distributed_graph.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "petsc.hpp"

namespace gssl::mpi {

class DistributedSystem {
 public:
  // Throws, on every rank, ErrorCode::out_of_memory where the numbers exceed PetscInt, naming what
  // helps.
  DistributedSystem(const DistributedGraph& graph, const std::vector<char>& is_row,
                    const std::vector<double>& ground, const Communicator& ranks);

  DistributedSystem(const DistributedSystem&) = delete;  // the matrix has no entries of its own
  DistributedSystem& operator=(const DistributedSystem&) = delete;
  ~DistributedSystem() = default;

  Mat matrix() const { return matrix_; }
  // Own vertices that are rows, ascending: entry i of a column is that of rows()[i].
  const std::vector<VertexId>& rows() const { return rows_; }
  const std::vector<double>& diagonal() const { return diagonal_; }
  std::int64_t size() const { return size_; }              // over all ranks
  std::int64_t widest_row() const { return widest_row_; }  // arcs of a row at most, over all ranks

  // Entries of the rows of this rank, of some of their columns.
  struct Entries {
    std::vector<PetscInt> offsets;
    std::vector<PetscInt> columns;
    std::vector<PetscScalar> values;

    void reserve(std::int64_t rows, std::int64_t count);
    void put(std::int64_t column, double value) {
      columns.push_back(static_cast<PetscInt>(column));
      values.push_back(value);
    }
    void end_row() { offsets.push_back(static_cast<PetscInt>(columns.size())); }
  };

 private:
  std::vector<VertexId> rows_;
  std::vector<double> diagonal_;
  std::int64_t size_ = 0;
  std::int64_t widest_row_ = 0;
  Entries own_, others_;  // in columns of this rank, and in those of others; the matrix is on them
  Handle<Mat> matrix_;    // before they are
};

// Refuses numbers that a PetscInt of `bits` does not hold: rows of the matrix, and entries of one
// rank.
void check_index_limits(std::int64_t rows, std::int64_t most_entries, int bits);

}  // namespace gssl::mpi
