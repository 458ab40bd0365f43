#pragma once
// A grounded Laplacian on some rows of a distributed graph, multiplied without a matrix: the graph
// holds 4 bytes an arc, and a matrix of PETSc 12 more.
//
//   DistributedSystem system(graph, is_row, ground, ranks);       // collective
//   system.multiply(x, y);                                        // y = Ax, of the rows of this rank
//
// Row v is kept where is_row[v]; its diagonal is the weight of all its arcs, to whatever vertex,
// plus ground[v] ≥ 0. The matrix must be positive definite: every component of kept rows needs an
// arc out of it or a ground.

#include <cstdint>
#include <optional>
#include <vector>

#include "communicator.hpp"
#include "distributed_graph.hpp"
#include "ghost_update.hpp"

namespace gssl::mpi {

class DistributedSystem {
 public:
  // `graph` must outlive this. Throws, on every rank, ErrorCode::out_of_memory where the rows exceed
  // PetscInt, naming what helps.
  DistributedSystem(const DistributedGraph& graph, const std::vector<char>& is_row,
                    const std::vector<double>& ground, const Communicator& ranks);

  // Own vertices that are rows, ascending: entry i of a column is that of rows()[i].
  const std::vector<VertexId>& rows() const { return rows_; }
  const std::vector<double>& diagonal() const { return diagonal_; }
  std::int64_t size() const { return size_; }              // over all ranks
  std::int64_t widest_row() const { return widest_row_; }  // arcs of a row at most, over all ranks
  const DistributedGraph& graph() const { return graph_; }

  // Collective; O(arcs), with messages of 8 bytes a ghost that is a row. Keeps 8 bytes a vertex and
  // 32 a ghost from the first product on.
  void multiply(const double* x, double* y);

 private:
  const DistributedGraph& graph_;
  const Communicator& ranks_;
  std::vector<VertexId> rows_;
  std::vector<double> diagonal_;
  std::int64_t size_ = 0;
  std::int64_t widest_row_ = 0;
  std::optional<GhostUpdate> update_;  // from the first product on
  std::vector<double> values_;  // x on own vertices, 0 where they are no rows, then on ghosts
};

// Refuses numbers that a PetscInt of `bits` does not hold: rows of the matrix, and entries of one
// rank.
void check_index_limits(std::int64_t rows, std::int64_t most_entries, int bits);

}  // namespace gssl::mpi
