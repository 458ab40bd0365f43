#include "product_rows.hpp"

#include <array>
#include <utility>

#include "row_product.hpp"

namespace gssl {
namespace {

// The widest block of columns that one pass keeps in registers and first-level cache.
constexpr std::int64_t widest = 16;

// `Width` adjacent columns of arrays with `stride` columns.
template <int Width, bool Unit>
void rows_of_product(const Graph& graph, const double* diagonal, const double* x, double* y,
                     std::int64_t stride, std::int64_t begin, std::int64_t end) {
  const EdgeIndex* offset = graph.offset_array().data();
  const RowProduct<Width, Unit> row(graph.neighbor_array().data(), graph.weight_array().data(),
                                    offset[end], x, stride);
  for (std::int64_t v = begin; v < end; ++v) {
    double sum[Width] = {};
    row.add(offset[v], offset[v + 1], sum);
    const double* own = x + v * stride;
    double* out = y + (v - begin) * stride;
    for (int k = 0; k < Width; ++k) out[k] = diagonal[v] * own[k] - sum[k];
  }
}

using ProductKernel = void (*)(const Graph&, const double*, const double*, double*, std::int64_t,
                               std::int64_t, std::int64_t);

template <bool Unit, int... Index>
constexpr std::array<ProductKernel, sizeof...(Index)> kernel_table(
    std::integer_sequence<int, Index...>) {
  return {&rows_of_product<Index + 1, Unit>...};
}

// Kernel for each width 1, …, widest.
using Widths = std::make_integer_sequence<int, widest>;
constexpr auto unit_kernels = kernel_table<true>(Widths{});
constexpr auto weighted_kernels = kernel_table<false>(Widths{});

}  // namespace

void product_rows(const Graph& graph, const double* diagonal, const double* x, double* y,
                  std::int64_t columns, std::int64_t begin, std::int64_t end) {
  const auto& kernels = graph.has_unit_weights() ? unit_kernels : weighted_kernels;
  const std::int64_t passes = (columns + widest - 1) / widest;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const std::int64_t first = pass * columns / passes;
    const std::int64_t width = (pass + 1) * columns / passes - first;
    kernels[static_cast<std::size_t>(width - 1)](graph, diagonal, x + first, y + first, columns,
                                                 begin, end);
  }
}

}  // namespace gssl
