#pragma once
// Small dense products in registers, for the widest vectors the processor has. Matrices are by
// columns; `lda` is the distance between columns.
//
//   multiply_add(m, n, k, a, lda, b, ldb_row, ldb_column, c, ldc);   // c += a·b
//
// m must be a multiple of 8: callers pad their columns. Each entry of c adds its k products in
// order, so that any split of rows and columns among threads gives the same bytes.

#include <cstdint>

namespace gssl::solve {

// c is m×n, a is m×k, b is k×n with entry (l, j) at b[l·b_row + j·b_column].
void multiply_add(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
                  const double* b, std::int64_t b_row, std::int64_t b_column, double* c,
                  std::int64_t ldc);

// y += f·x, x·y and the sum of x, all of length n; no padding asked.
void add_multiple(std::int64_t n, double f, const double* x, double* y);
double dot(std::int64_t n, const double* x, const double* y);
double sum(std::int64_t n, const double* x);

}  // namespace gssl::solve
