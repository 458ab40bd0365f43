#pragma once
// Loops over the values of a row-major block of at most group_width columns. The number of columns is
// a template argument, so that the compiler unrolls the loop over them.

#include <array>
#include <cstdint>
#include <type_traits>

namespace gssl::solve {

// Columns of a group: more of them share a pass, fewer keep their rows in the cache.
inline constexpr std::int64_t group_width = 5;

// Calls body with `columns`, 1 … group_width, as a type.
template <class Body>
void with_width(std::int64_t columns, Body&& body) {
  switch (columns) {
    case 1: return body(std::integral_constant<int, 1>{});
    case 2: return body(std::integral_constant<int, 2>{});
    case 3: return body(std::integral_constant<int, 3>{});
    case 4: return body(std::integral_constant<int, 4>{});
    case group_width: return body(std::integral_constant<int, group_width>{});
  }
}

// Calls body(v, k, i) for each value of the rows [begin, end), where i is its place. The loop has a
// copy of the body: what it captures by value stays in registers, whatever is stored.
template <class Body>
void each_value(std::int64_t columns, std::int64_t begin, std::int64_t end, const Body& body) {
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    const Body own = body;
    for (std::int64_t v = begin; v < end; ++v)
      for (int k = 0; k < Width; ++k) own(v, k, v * Width + k);
  });
}

// The same with a body that returns an array of numbers, which are added to sum[k],
// sum[columns + k], ….
template <class Body>
void sum_values(std::int64_t columns, std::int64_t begin, std::int64_t end, double* sum,
                const Body& body) {
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    const Body own = body;
    using Terms = decltype(own(begin, begin, begin));
    std::array<Terms, Width> total{};
    for (std::int64_t v = begin; v < end; ++v)
      for (int k = 0; k < Width; ++k) {
        const Terms terms = own(v, k, v * Width + k);
        for (std::size_t t = 0; t < terms.size(); ++t) total[k][t] += terms[t];
      }
    for (int k = 0; k < Width; ++k)
      for (std::size_t t = 0; t < total[k].size(); ++t) sum[t * Width + k] += total[k][t];
  });
}

}  // namespace gssl::solve
