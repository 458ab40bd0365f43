#pragma once
// The entries of a DistributedSystem as a PETSc matrix, for preconditioners that look at them.
//
//   const AssembledMatrix entries(system, ranks);  // collective
//   KSPSetOperators(ksp, product, entries.matrix());

#include <cstdint>
#include <vector>

#include "distributed_system.hpp"
#include "petsc.hpp"

namespace gssl::mpi {

class AssembledMatrix {
 public:
  // Whether PetscInt counts the entries of every rank. Collective.
  static bool fits(const DistributedSystem& system, const Communicator& ranks);

  // 12 bytes an arc and 20 a row with a PETSc of 32 bits, 16 and 32 with one of 64. Throws, on every
  // rank, ErrorCode::out_of_memory where the entries of one exceed PetscInt, naming what helps.
  AssembledMatrix(const DistributedSystem& system, const Communicator& ranks);
  AssembledMatrix(const AssembledMatrix&) = delete;  // the matrix has no entries of its own
  AssembledMatrix& operator=(const AssembledMatrix&) = delete;
  ~AssembledMatrix() = default;

  Mat matrix() const { return matrix_; }

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
  Entries own_, others_;  // in columns of this rank, and in those of others; the matrix is on them
  Handle<Mat> matrix_;    // before they are
};

}  // namespace gssl::mpi
