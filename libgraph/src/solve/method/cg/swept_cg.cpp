#include "swept_cg.hpp"

#include <algorithm>
#include <numeric>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "linalg/column_loops.hpp"
#include "linalg/double_lanes.hpp"
#include "linalg/row_product.hpp"

namespace gssl::solve {
namespace {

// Rows of one color that are worth a thread, and entries of one that are worth two.
constexpr std::int64_t rows_of_a_thread = 1024;
constexpr EdgeIndex entries_of_two = 1 << 16;

// A pivot of rounding alone, as of the last vertex of a component with a weak ground, would be of
// any size: none is less than this share of the diagonal.
constexpr double least_pivot = 0.01;
// Degrees from here on count as equal.
constexpr EdgeIndex most_degree = 255;
// So many vertices lie between what is fetched early and its use.
constexpr std::size_t rows_ahead = 16;

// Colors take a byte each, so that those of a million vertices are at hand. A vertex whose
// neighbors have all the colors there are is alone in one of its own.
constexpr std::uint8_t alone = 254;
constexpr std::uint8_t none = 255;

// Calls body(later), where later(u) says whether neighbor u comes after v; those alone in their
// colors go by number.
template <class Body>
void with_later(const std::vector<std::uint8_t>& color, VertexId v, Body&& body) {
  if (const std::uint8_t own = color[index(v)]; own < alone) {
    body([=, c = color.data()](VertexId u) { return c[u] > own; });
  } else {
    body([=, c = color.data()](VertexId u) { return c[u] == alone && u > v; });
  }
}

// How many neighbors of each vertex come after it.
std::vector<VertexId> count_later(const Graph& graph, const std::vector<std::uint8_t>& color,
                                  int threads) {
  std::vector<VertexId> count(color.size());
  parallel_blocks(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto v = static_cast<VertexId>(begin); v < end; ++v)
      with_later(color, v, [&](auto&& later) {
        VertexId sum = 0;
        for (const VertexId u : graph.neighbors(v)) sum += later(u) ? 1 : 0;
        count[index(v)] = sum;
      });
  });
  return count;
}

// By degree, and by number where that is the same.
std::vector<VertexId> few_neighbors_first(const Graph& graph) {
  const VertexId n = graph.vertex_count();
  const auto key = [&](VertexId v) { return index(std::min(most_degree, graph.degree(v))); };
  std::vector<VertexId> next(most_degree + 2, 0), order(index(n));
  for (VertexId v = 0; v < n; ++v) ++next[key(v) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (VertexId v = 0; v < n; ++v) order[index(next[key(v)]++)] = v;
  return order;
}

// The least color that no neighbor took before, in this order: sweeps do best by vertices that come
// before their neighbors, and those of few neighbors are most in number.
std::vector<std::uint8_t> greedy_colors(const Graph& graph) {
  const std::vector<VertexId> order = few_neighbors_first(graph);
  std::vector<std::uint8_t> color(order.size(), none);
  std::vector<VertexId> taken_by(none + 1, no_vertex);  // the vertex that last saw each color
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place + 2 * rows_ahead < order.size())
      __builtin_prefetch(graph.offset_array().data() + order[place + 2 * rows_ahead]);
    if (place + rows_ahead < order.size())
      __builtin_prefetch(graph.neighbors(order[place + rows_ahead]).data());
    const VertexId v = order[place];
    for (const VertexId u : graph.neighbors(v)) taken_by[color[index(u)]] = v;
    std::uint8_t least = 0;
    while (least < alone && taken_by[least] == v) ++least;
    color[index(v)] = least;
  }
  return color;
}

}  // namespace

template <int Width>
struct SweptSystem::Kernels {
  struct Row {
    double value[Width];
  };
  // Entries whose rows are fetched early.
  static constexpr EdgeIndex early = 32;

  // Calls body(v, sums over Wᵀ x) for all rows, color after color from the last one.
  template <class Body>
  static void descend(const SweptSystem& split, const double* x, int threads, Body&& body) {
    for (std::size_t c = split.colors_.size(); c-- > 0;) {
      const Color& color = split.colors_[c];
      parallel_blocks(
          color.end - color.begin, threads,
          [&](std::int64_t begin, std::int64_t end) {
            each_row(split, x, color.begin + begin, color.begin + end, body);
          },
          rows_of_a_thread);
    }
  }

  // The same for the rows [begin, end) in any order.
  template <class Body>
  static void each_row(const SweptSystem& split, const double* x, std::int64_t begin,
                       std::int64_t end, Body&& body) {
    const auto loop = [&](const auto& product) {
      for (std::int64_t v = begin; v < end; ++v) {
        Row sum{};
        product.add(split.offset_[index(v)], split.offset_[index(v) + 1], sum.value);
        body(v, sum);
      }
    };
    const VertexId* column = split.column_.data();
    const double* weight = split.weight_.data();
    const EdgeIndex entries = split.offset_.back();
    if (split.weight_.empty()) {
      loop(RowProduct<Width, true>(column, weight, entries, x, Width));
    } else {
      loop(RowProduct<Width, false>(column, weight, entries, x, Width));
    }
  }

  // Calls take(v, sum, pushed) for all rows, color after color, where sum is what came together in
  // sums[v] and, unless that is null, second[v], and adds weight(w)·pushed to the sums of the later
  // neighbors.
  template <class Weight, class Take>
  static void ascend(const SweptSystem& split, double* sums, double* second, int threads,
                     Weight&& weight, Take&& take) {
    const auto push = [&](std::int64_t begin, std::int64_t end, double* to) {
      if (split.weight_.empty()) {
        push_rows(
            split, sums, second, begin, end, to, [](EdgeIndex) { return 1.0; }, take);
      } else {
        push_rows(
            split, sums, second, begin, end, to,
            [&, w = split.weight_.data()](EdgeIndex e) { return weight(w[e]); }, take);
      }
    };
    for (const Color& color : split.colors_) {
      if (second == nullptr || color.cut == color.end) {
        push(color.begin, color.end, sums);
        continue;
      }
      parallel_blocks(
          2, threads,
          [&](std::int64_t part, std::int64_t) {
            part == 0 ? push(color.begin, color.cut, sums) : push(color.cut, color.end, second);
          },
          1);
    }
  }

  // to += w·row, two values at a time: a store for each is what this waits for.
  static void add_row(double w, const Row& row, double* to) {
    int k = 0;
    for (Pair sum, own; k + 2 <= Width; k += 2) {
      load(sum, to + k);
      load(own, row.value + k);
      store(to + k, sum + w * own);
    }
    if (k < Width) to[k] += w * row.value[k];
  }

  template <class Weight, class Take>
  static void push_rows(const SweptSystem& split, const double* sums, const double* second,
                        std::int64_t begin, std::int64_t end, double* to, Weight&& weight,
                        Take&& take) {
    const VertexId* column = split.column_.data();
    const EdgeIndex last = split.offset_.back() - 1;
    for (std::int64_t v = begin; v < end; ++v) {
      Row sum, out;
      for (int k = 0; k < Width; ++k) sum.value[k] = sums[v * Width + k];
      if (second != nullptr)
        for (int k = 0; k < Width; ++k) sum.value[k] += second[v * Width + k];
      take(v, sum, out);
      for (EdgeIndex e = split.offset_[index(v)]; e < split.offset_[index(v) + 1]; ++e) {
        if constexpr (Width > 1) {
          const double* soon = to + std::int64_t{column[std::min(e + early, last)]} * Width;
          __builtin_prefetch(soon, 1);
          if constexpr (Width > 4) __builtin_prefetch(soon + Width - 1, 1);
        }
        double* other = to + std::int64_t{column[e]} * Width;
        add_row(weight(e), out, other);
      }
    }
  }
};

namespace {

constexpr auto as_it_is = [](double weight) { return weight; };

}  // namespace

SweptSystem::SweptSystem(const GroundedLaplacian& system, int threads)
    : vertex_(index(system.size())), offset_(vertex_.size() + 1, 0) {
  const Graph& graph = system.graph();
  const std::vector<std::uint8_t> color = greedy_colors(graph);
  sort_rows(color, count_later(graph, color, threads));
  fill(graph, color, threads);
  cut_colors();
  find_pivots(system, threads);
}

// Rows color by color, in each from many later neighbors to few: what is used most lies together,
// and loops of one length follow each other.
void SweptSystem::sort_rows(const std::vector<std::uint8_t>& color,
                            const std::vector<VertexId>& later) {
  constexpr std::size_t lengths = most_degree + 1;
  const auto key = [&](std::size_t v) {
    const auto count = color[v] == alone ? 0 : std::min<EdgeIndex>(most_degree, later[v]);
    return color[v] * lengths + most_degree - index(count);
  };
  std::vector<VertexId> next(none * lengths + 1, 0);
  for (std::size_t v = 0; v < color.size(); ++v) ++next[key(v) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  VertexId r = 0;
  for (std::size_t c = 0; c < alone && r < size(); ++c) {
    const VertexId end = next[(c + 1) * lengths];
    colors_.push_back({r, end, end});
    r = end;
  }
  for (; r < size(); ++r) colors_.push_back({r, r + 1, r + 1});
  for (std::size_t v = 0; v < color.size(); ++v)
    vertex_[index(next[key(v)]++)] = static_cast<VertexId>(v);
  for (std::size_t i = 0; i < vertex_.size(); ++i)
    offset_[i + 1] = offset_[i] + later[index(vertex_[i])];
}

// Fills in the rows.
void SweptSystem::fill(const Graph& graph, const std::vector<std::uint8_t>& color, int threads) {
  std::vector<VertexId> row(vertex_.size());
  for (VertexId r = 0; r < size(); ++r) row[index(vertex_[index(r)])] = r;
  column_ = HugeArray<VertexId>(index(offset_.back()));
  const bool weighted = !graph.has_unit_weights();
  if (weighted) weight_ = HugeArray<double>(column_.size());
  parallel_blocks(size(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
      const VertexId r = row[index(v)];
      if (v + static_cast<VertexId>(rows_ahead) < size()) {
        const EdgeIndex to = offset_[index(row[index(v) + rows_ahead])];
        __builtin_prefetch(column_.data() + to, 1);
        if (weighted) __builtin_prefetch(weight_.data() + to, 1);
      }
      VertexId* column = column_.data() + offset_[index(r)];
      const EdgeIndex count = offset_[index(r) + 1] - offset_[index(r)];
      with_later(color, v, [&](auto&& later) {
        EdgeIndex kept = 0;
        // Whether one is kept is anybody's guess: that must be no branch.
        for (EdgeIndex e = graph.row_begin(v); kept < count; ++e) {
          const VertexId u = graph.neighbor_at(e);
          column[kept] = u;
          if (weighted) weight_.data()[offset_[index(r)] + kept] = graph.weight_at(e);
          kept += later(u) ? 1 : 0;
        }
      });
      for (EdgeIndex i = 0; i < count; ++i) column[i] = row[index(column[i])];
    }
  });
}

// Where half of the entries of a color that has many lie before.
void SweptSystem::cut_colors() {
  for (Color& color : colors_) {
    const EdgeIndex first = offset_[index(color.begin)], last = offset_[index(color.end)];
    if (last - first < entries_of_two) continue;
    const auto half = std::lower_bound(offset_.begin() + color.begin, offset_.begin() + color.end,
                                       first + (last - first) / 2);
    color.cut = static_cast<VertexId>(half - offset_.begin());
    cut_ = cut_ || color.cut < color.end;
  }
}

// An elimination that made no entries beside the diagonal would leave these pivots.
void SweptSystem::find_pivots(const GroundedLaplacian& system, int threads) {
  const std::size_t n = vertex_.size();
  inverse_.resize(n);
  excess_.resize(n);
  pivot_.assign(n, 0.0);  // at first what is taken from the diagonal
  std::vector<double> second(cut_ ? n : 0, 0.0);
  using K = Kernels<1>;
  K::ascend(
      *this, pivot_.data(), cut_ ? second.data() : nullptr, threads, [](double w) { return w * w; },
      [&](std::int64_t r, const K::Row& gone, K::Row& pushed) {
        const double d = system.diagonal()[index(vertex_[index(r)])];
        const double p = pivot_[index(r)] = std::max(d - gone.value[0], least_pivot * d);
        pushed.value[0] = inverse_[index(r)] = 1.0 / p;
        excess_[index(r)] = 2.0 - d / p;
      });
}

void SweptSystem::apply(const double* x, double* y, std::int64_t columns, int threads,
                        std::vector<double>& scratch) const {
  const std::int64_t length = size() * columns;
  const bool cut = cut_ && threads > 0;
  if (scratch.size() < index(length) * (cut ? 2 : 1)) scratch.resize(index(length) * (cut ? 2 : 1));
  double* t = scratch.data();
  double* second = cut ? t + length : nullptr;
  if (cut) std::fill_n(second, length, 0.0);
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    K::descend(*this, t, threads, [&](std::int64_t v, const typename K::Row& sum) {
      const double inverse = inverse_[index(v)];
      for (int k = 0; k < Width; ++k) {
        t[v * Width + k] = inverse * (x[v * Width + k] + sum.value[k]);
        y[v * Width + k] = 0.0;
      }
    });
    K::ascend(*this, y, second, threads, as_it_is,
              [&](std::int64_t v, const typename K::Row& sum, typename K::Row& pushed) {
                const double inverse = inverse_[index(v)];
                const double excess = excess_[index(v)];
                for (int k = 0; k < Width; ++k) {
                  const double own = t[v * Width + k];
                  pushed.value[k] = inverse * (x[v * Width + k] + sum.value[k]) - excess * own;
                  y[v * Width + k] = own + pushed.value[k];
                }
              });
  });
}

void SweptSystem::forward(double* x, std::int64_t columns, int threads) const {
  std::vector<double> second(cut_ && threads > 0 ? index(size() * columns) : 0, 0.0);
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    K::ascend(*this, x, second.empty() ? nullptr : second.data(), threads, as_it_is,
              [&](std::int64_t v, const typename K::Row& sum, typename K::Row& pushed) {
                for (int k = 0; k < Width; ++k)
                  x[v * Width + k] = pushed.value[k] = inverse_[index(v)] * sum.value[k];
              });
  });
}

void SweptSystem::backward(double* x, std::int64_t columns, int threads) const {
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    K::descend(*this, x, threads, [&](std::int64_t v, const typename K::Row& sum) {
      double* own = x + v * Width;
      for (int k = 0; k < Width; ++k) own[k] = inverse_[index(v)] * (own[k] + sum.value[k]);
    });
  });
}

void SweptSystem::undo_forward(const double* x, double* y, std::int64_t columns, int threads,
                               double* scratch) const {
  std::vector<double> own(is_cut(threads) && scratch == nullptr ? index(size() * columns) : 0);
  double* const second = !is_cut(threads) ? nullptr : scratch != nullptr ? scratch : own.data();
  if (second != nullptr) std::fill_n(second, size() * columns, 0.0);
  std::fill_n(y, size() * columns, 0.0);
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    K::ascend(*this, y, second, threads, as_it_is,
              [&](std::int64_t v, const typename K::Row& sum, typename K::Row& pushed) {
                for (int k = 0; k < Width; ++k) {
                  pushed.value[k] = x[v * Width + k];
                  y[v * Width + k] = pivot_[index(v)] * x[v * Width + k] - sum.value[k];
                }
              });
  });
}

void SweptSystem::undo_backward(const double* x, double* y, std::int64_t columns,
                                int threads) const {
  with_width(columns, [&]<int Width>(std::integral_constant<int, Width>) {
    using K = Kernels<Width>;
    parallel_blocks(size(), threads, [&](std::int64_t begin, std::int64_t end) {
      K::each_row(*this, x, begin, end, [&](std::int64_t v, const typename K::Row& sum) {
        for (int k = 0; k < Width; ++k)
          y[v * Width + k] = pivot_[index(v)] * x[v * Width + k] - sum.value[k];
      });
    });
  });
}

}  // namespace gssl::solve
