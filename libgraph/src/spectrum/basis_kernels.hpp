#pragma once
// Products of tall blocks by rows, for the widest vectors the processor has. `width` is 2 or 4.
//
//   add_cross_product(width, v, count, w, rows, h);   // h += vᵀ w
//   subtract_product(width, v, count, h, rows, w);    // w −= v h
//   add_product(v, count, s, columns, rows, out);     // out += v s

#include <cstdint>

namespace gssl::solve {

// v is rows × count, w rows × width, h count × width.
void add_cross_product(std::int64_t width, const double* v, std::int64_t count, const double* w,
                       std::int64_t rows, double* h);
void subtract_product(std::int64_t width, const double* v, std::int64_t count, const double* h,
                      std::int64_t rows, double* w);

// v is rows × count, s count × columns, out rows × columns.
void add_product(const double* v, std::int64_t count, const double* s, std::int64_t columns,
                 std::int64_t rows, double* out);

}  // namespace gssl::solve
