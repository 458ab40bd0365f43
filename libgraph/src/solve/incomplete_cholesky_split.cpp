#include "incomplete_cholesky_split.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <ranges>

#include "../linalg/row_product.hpp"
#include "column_loops.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// Rows of one color that are worth a thread.
constexpr std::int64_t rows_of_a_thread = 1024;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// A pivot of rounding alone, as of the last vertex of a component with a weak ground, would be of
// any size: none is less than this share of the diagonal.
constexpr double least_pivot = 0.01;
// Degrees from here on count as equal.
constexpr EdgeIndex most_degree = 255;
// So many vertices lie between what is fetched early and its use.
constexpr std::size_t ahead = 16;

// These vertices by key(v), which is in [0, keys); in the order given where it is the same.
template <class Vertices, class Key>
std::vector<VertexId> sort_by(const Vertices& vertices, std::size_t keys, Key&& key) {
  std::vector<VertexId> next(keys + 1, 0), order(std::ranges::size(vertices));
  for (const VertexId v : vertices) ++next[key(v) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const VertexId v : vertices) order[index(next[key(v)]++)] = v;
  return order;
}

auto all_vertices(const Graph& graph) {
  return std::views::iota(VertexId{0}, graph.vertex_count());
}

// The least color that no neighbor took before, from few neighbors to many: sweeps do best by
// vertices that come before their neighbors, and those of few neighbors are most in number.
std::vector<VertexId> greedy_colors(const Graph& graph) {
  constexpr VertexId bits = 64;
  static_assert(no_vertex < 0);
  const std::vector<VertexId> order = sort_by(all_vertices(graph), most_degree + 1, [&](auto v) {
    return index(std::min(most_degree, graph.degree(v)));
  });
  std::vector<VertexId> color(order.size(), no_vertex);
  std::vector<VertexId> taken_by;  // the vertex that last saw each color from `bits` on
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place + 2 * ahead < order.size())
      __builtin_prefetch(graph.offset_array().data() + order[place + 2 * ahead]);
    if (place + ahead < order.size())
      __builtin_prefetch(graph.neighbors(order[place + ahead]).data());
    const VertexId v = order[place];
    std::uint64_t taken = 0;
    for (const VertexId u : graph.neighbors(v)) {
      // Whether u has a color, and a low one, is anybody's guess: that must be no branch.
      const VertexId c = color[index(u)];
      taken |= std::uint64_t{static_cast<std::uint32_t>(c) < bits} << (c & (bits - 1));
      if (c >= bits) taken_by[index(c - bits)] = v;
    }
    if (~taken != 0) {
      color[index(v)] = std::countr_one(taken);
      continue;
    }
    const auto least = std::ranges::find_if(taken_by, [v](VertexId by) { return by != v; });
    color[index(v)] = bits + static_cast<VertexId>(least - taken_by.begin());
    if (least == taken_by.end()) taken_by.push_back(no_vertex);
  }
  return color;
}

// Rows color by color, in each from many neighbors to few, so that what is read most lies together,
// and then by how many of them come before: loops of one length follow each other, in both halves.
std::vector<VertexId> order_by_color(const Graph& graph, const std::vector<VertexId>& color,
                                     VertexId colors, const std::vector<VertexId>& before) {
  const auto capped = [](EdgeIndex count) { return index(std::min(most_degree, count)); };
  const std::vector<VertexId> order = sort_by(all_vertices(graph), most_degree + 1,
                                              [&](auto v) { return capped(before[index(v)]); });
  return sort_by(order, index(colors) * (most_degree + 1), [&](auto v) {
    return index(color[index(v)]) * (most_degree + 1) + most_degree - capped(graph.degree(v));
  });
}

}  // namespace

template <int Width>
struct IncompleteCholeskySplit::Kernels {
  struct Row {
    double value[Width];
  };

  // Calls body(v, sums) for the rows [begin, end).
  template <class Body>
  static void each_row(const Half& half, const double* x, std::int64_t begin, std::int64_t end,
                       Body&& body) {
    if (half.weight.empty()) {
      each_row_of<true>(half, x, begin, end, body);
    } else {
      each_row_of<false>(half, x, begin, end, body);
    }
  }

  template <bool Unit, class Body>
  static void each_row_of(const Half& half, const double* x, std::int64_t begin, std::int64_t end,
                          Body&& body) {
    const RowProduct<Width, Unit> row(half.column.data(), half.weight.data(), half.offset.back(), x,
                                      Width);
    for (std::int64_t v = begin; v < end; ++v) {
      Row sum{};
      row.add(half.offset[index(v)], half.offset[index(v) + 1], sum.value);
      body(v, sum);
    }
  }
};

IncompleteCholeskySplit::IncompleteCholeskySplit(const GroundedLaplacian& system, int threads) {
  const Graph& graph = system.graph();
  const VertexId n = graph.vertex_count();
  const std::vector<VertexId> color = greedy_colors(graph);
  const VertexId colors = n == 0 ? 0 : 1 + std::ranges::max(color);
  color_begin_.assign(index(colors) + 1, 0);
  for (const VertexId c : color) ++color_begin_[index(c) + 1];
  std::partial_sum(color_begin_.begin(), color_begin_.end(), color_begin_.begin());
  // How many neighbors of each vertex come before it.
  std::vector<VertexId> before(index(n));
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
      VertexId lower = 0;
      for (const VertexId u : graph.neighbors(v))
        lower += color[index(u)] < color[index(v)] ? 1 : 0;
      before[index(v)] = lower;
    }
  });
  vertex_ = order_by_color(graph, color, colors, before);
  std::vector<VertexId> row(index(n));
  for (VertexId r = 0; r < n; ++r) row[index(vertex_[index(r)])] = r;
  pivot_.resize(index(n));
  for (Half* half : {&below_, &above_}) half->offset.assign(index(n) + 1, 0);
  for (VertexId v = 0; v < n; ++v) {
    const std::size_t r = index(row[index(v)]);
    pivot_[r] = system.diagonal()[index(v)];  // for now
    below_.offset[r + 1] = before[index(v)];
    above_.offset[r + 1] = graph.degree(v) - before[index(v)];
  }
  for (Half* half : {&below_, &above_}) {
    std::partial_sum(half->offset.begin(), half->offset.end(), half->offset.begin());
    half->column = HugeArray<VertexId>(index(half->offset.back()));
    if (!graph.has_unit_weights()) half->weight = HugeArray<double>(half->column.size());
  }
  fill(graph, row, threads);
  find_pivots(threads);
}

// Each row is parted beside the halves, where the two ends can stay in registers.
void IncompleteCholeskySplit::fill(const Graph& graph, const std::vector<VertexId>& row,
                                   int threads) {
  parallel_blocks(size(), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<VertexId> column[2];
    std::vector<double> weight[2];
    for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
      const VertexId r = row[index(v)];
      const auto degree = index(graph.degree(v));
      if (column[0].size() < degree)
        for (const int side : {0, 1})
          column[side].resize(2 * degree), weight[side].resize(2 * degree);
      std::size_t low = 0, high = 0;
      VertexId* low_column = column[0].data();
      VertexId* high_column = column[1].data();
      double* low_weight = weight[0].data();
      double* high_weight = weight[1].data();
      graph.visit_row(v, [&](VertexId u, double w) {
        const VertexId to = row[index(u)];
        low_column[low] = high_column[high] = to;
        low_weight[low] = high_weight[high] = w;
        low += to < r ? 1 : 0;
        high += to < r ? 0 : 1;
      });
      const auto put = [&](Half& half, std::size_t count, const VertexId* columns,
                           const double* weights) {
        const EdgeIndex to = half.offset[index(r)];
        std::copy_n(columns, count, half.column.data() + to);
        if (!half.weight.empty()) std::copy_n(weights, count, half.weight.data() + to);
      };
      put(below_, low, low_column, low_weight);
      put(above_, high, high_column, high_weight);
    }
  });
}

// Calls body(begin, end) for blocks of rows, those of one color together and color after color.
template <class Body>
void IncompleteCholeskySplit::each_color(bool ascending, int threads, Body&& body) const {
  const std::size_t colors = color_begin_.size() - 1;
  for (std::size_t i = 0; i < colors; ++i) {
    const std::size_t c = ascending ? i : colors - 1 - i;
    const std::int64_t first = color_begin_[c];
    parallel_blocks(
        color_begin_[c + 1] - first, threads,
        [&](std::int64_t begin, std::int64_t end) { body(first + begin, first + end); },
        rows_of_a_thread);
  }
}

// An elimination that made no entries beside the diagonal would leave these pivots.
void IncompleteCholeskySplit::find_pivots(int threads) {
  inverse_.resize(pivot_.size());
  excess_.resize(pivot_.size());
  each_color(true, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      double gone = 0.0;
      for (EdgeIndex e = below_.offset[index(v)]; e < below_.offset[index(v) + 1]; ++e) {
        const double w = below_.weight.empty() ? 1.0 : below_.weight.data()[e];
        gone += w * w * inverse_[index(below_.column.data()[e])];
      }
      const double d = pivot_[index(v)];
      const double p = pivot_[index(v)] = std::max(d - gone, least_pivot * d);
      inverse_[index(v)] = 1.0 / p;
      excess_[index(v)] = 2.0 - d / p;
    }
  });
}

void IncompleteCholeskySplit::apply(const double* x, double* y, std::int64_t columns, int threads,
                                    std::vector<double>& scratch) const {
  const std::int64_t length = size() * columns;
  if (scratch.size() < 2 * index(length)) scratch.resize(2 * index(length));
  double* t = scratch.data();
  double* s = t + length;
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    each_color(false, threads, [&](std::int64_t begin, std::int64_t end) {
      K::each_row(above_, t, begin, end, [&](std::int64_t v, const typename K::Row& sum) {
        const double* in = x + v * Width;
        const double inverse = inverse_[index(v)];
        for (int k = 0; k < Width; ++k) t[v * Width + k] = inverse * (in[k] + sum.value[k]);
      });
    });
    each_color(true, threads, [&](std::int64_t begin, std::int64_t end) {
      K::each_row(below_, s, begin, end, [&](std::int64_t v, const typename K::Row& sum) {
        const double* in = x + v * Width;
        const double inverse = inverse_[index(v)];
        const double excess = excess_[index(v)];
        for (int k = 0; k < Width; ++k) {
          const double own = t[v * Width + k];
          const double value = inverse * (in[k] + sum.value[k]) - excess * own;
          s[v * Width + k] = value;
          y[v * Width + k] = own + value;
        }
      });
    });
  });
}

// x = (P − half)⁻¹ x, in place.
void IncompleteCholeskySplit::sweep(const Half& half, bool ascending, double* x,
                                    std::int64_t columns, int threads) const {
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    each_color(ascending, threads, [&](std::int64_t begin, std::int64_t end) {
      K::each_row(half, x, begin, end, [&](std::int64_t v, const typename K::Row& sum) {
        double* own = x + v * Width;
        for (int k = 0; k < Width; ++k) own[k] = inverse_[index(v)] * (own[k] + sum.value[k]);
      });
    });
  });
}

// y = (P − half) x.
void IncompleteCholeskySplit::multiply(const Half& half, const double* x, double* y,
                                       std::int64_t columns, int threads) const {
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    parallel_blocks(size(), threads, [&](std::int64_t begin, std::int64_t end) {
      K::each_row(half, x, begin, end, [&](std::int64_t v, const typename K::Row& sum) {
        for (int k = 0; k < Width; ++k)
          y[v * Width + k] = pivot_[index(v)] * x[v * Width + k] - sum.value[k];
      });
    });
  });
}

}  // namespace gssl::solve
