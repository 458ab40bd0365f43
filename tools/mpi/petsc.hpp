#pragma once
// PETSc objects that free themselves, and its error codes as exceptions.
//
//   Handle<Vec> x;
//   check(MatCreateVecs(matrix, x.out(), nullptr));
//
// An error of PETSc is a bug of ours or a lack of memory that one rank may see alone: it ends the
// job (together.hpp).

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <petscksp.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace gssl::mpi {

inline void check(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw std::runtime_error(std::string("PETSc: ") + (text != nullptr ? text : "unknown error"));
}

inline PetscErrorCode destroy(Vec* vec) { return VecDestroy(vec); }
inline PetscErrorCode destroy(Mat* mat) { return MatDestroy(mat); }
inline PetscErrorCode destroy(KSP* ksp) { return KSPDestroy(ksp); }

template <class Object>
class Handle {
 public:
  Handle() = default;
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    reset();
    object_ = std::exchange(other.object_, nullptr);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator Object() const { return object_; }
  Object* out() {
    reset();
    return &object_;
  }
  void reset() {
    if (object_ != nullptr) destroy(&object_);
    object_ = nullptr;
  }

 private:
  Object object_ = nullptr;
};

// The entries of a vector that this rank has, to be read for the life of the object.
class ReadEntries {
 public:
  explicit ReadEntries(Vec vec) : vec_(vec) { check(VecGetArrayRead(vec, &values_)); }
  ~ReadEntries() { VecRestoreArrayRead(vec_, &values_); }
  ReadEntries(const ReadEntries&) = delete;
  ReadEntries& operator=(const ReadEntries&) = delete;
  double operator[](std::size_t i) const { return values_[i]; }
  const double* data() const { return values_; }

 private:
  Vec vec_;
  const PetscScalar* values_ = nullptr;
};

// The same, to be written.
class OwnEntries {
 public:
  explicit OwnEntries(Vec vec) : vec_(vec) { check(VecGetArray(vec, &values_)); }
  ~OwnEntries() { VecRestoreArray(vec_, &values_); }
  OwnEntries(const OwnEntries&) = delete;
  OwnEntries& operator=(const OwnEntries&) = delete;
  double& operator[](std::size_t i) const { return values_[i]; }
  double* data() const { return values_; }

 private:
  Vec vec_;
  PetscScalar* values_ = nullptr;
};

}  // namespace gssl::mpi
