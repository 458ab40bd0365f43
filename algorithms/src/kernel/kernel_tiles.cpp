#include "kernel/kernel_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/row_map.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {
namespace {

using Kind = KernelTerm::Kind;

constexpr std::int64_t tile_rows = 256;
constexpr std::int64_t tile_columns = 256;

// Distances do not change with the origin, and are the more exact the nearer it is.
bool is_shift_invariant(const KernelTerm& term) {
  return !any_term(
      term, [](const KernelTerm& t) { return t.is_of_products() && t.kind != Kind::gaussian; });
}

std::vector<double> column_means(const Points& points) {
  std::vector<double> mean(gssl::index(points.columns()), 0.0);
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) { mean[gssl::index(c)] += x; });
  for (double& m : mean) m /= static_cast<double>(std::max<VertexId>(points.rows(), 1));
  return mean;
}

// Space of one tile. Each thread keeps those it is done with, since fresh pages for every tile would
// cost more than its products; mapped kernels take one within another.
template <class Real>
class TileSpace {
 public:
  TileSpace() {
    if (spare().empty()) {
      space_ = std::make_unique_for_overwrite<Real[]>(gssl::index(tile_rows * tile_columns));
    } else {
      space_ = std::move(spare().back());
      spare().pop_back();
    }
  }
  ~TileSpace() { spare().push_back(std::move(space_)); }
  TileSpace(const TileSpace&) = delete;
  TileSpace& operator=(const TileSpace&) = delete;

  Real* data() { return space_.get(); }

 private:
  static std::vector<std::unique_ptr<Real[]>>& spare() {
    thread_local std::vector<std::unique_ptr<Real[]>> kept;
    return kept;
  }
  std::unique_ptr<Real[]> space_;
};

template <class Real>
Real integer_power(Real x, int n) {
  Real result = 1;
  for (; n > 0; n >>= 1, x *= x)
    if ((n & 1) != 0) result *= x;
  return result;
}

// Σ_{i ≤ degree} v^i / i!, from the last term inward.
template <class Real>
Real truncated_exponential(Real v, int degree) {
  Real sum = 1;
  for (int i = degree; i >= 1; --i) sum = 1 + sum * v / static_cast<Real>(i);
  return sum;
}

}  // namespace

template <class Real>
KernelTiles<Real>::KernelTiles(const KernelTerm& term, const Points& a, const Points& b,
                               const RunContext& run)
    : term_(term), b_count_(b.rows()), same_(&a == &b) {
  if (a.columns() != b.columns())
    throw Error(ErrorCode::bad_data, "kernel: rows of " + std::to_string(a.columns()) +
                                         " columns and of " + std::to_string(b.columns()) +
                                         ": must be as many");
  of_products_ = any_term(term_, [](const KernelTerm& t) { return t.is_of_products(); });
  if (of_products_) {
    const bool sparse = held_sparse(a) && held_sparse(b);
    std::vector<double> shift;
    if (!sparse && is_shift_invariant(term_)) shift = column_means(b);
    b_ = RowFrame<Real>(b, shift, sparse, run.thread_count());
    if (!same_) a_ = RowFrame<Real>(a, shift, sparse, run.thread_count());
  }
  any_term(term_, [&](const KernelTerm& t) {
    if (t.kind == Kind::set) {
      check_sets(a);
      check_sets(b);
    } else if (t.kind == Kind::normalize) {
      Diagonals& both = diagonals_[&t];
      both.b = KernelTiles<double>::diagonal(t.terms[0], b, run);
      both.a = same_ ? both.b : KernelTiles<double>::diagonal(t.terms[0], a, run);
    } else if (t.kind == Kind::mapped || t.kind == Kind::form) {
      add_mapped(t, a, b, run);
    } else if (t.kind > Kind::set && t.kind < Kind::mapped) {
      row_kernels_[&t] = make_row_kernel(t, a, b);
    }
    return false;
  });
}

template <class Real>
void KernelTiles<Real>::add_mapped(const KernelTerm& term, const Points& a, const Points& b,
                                   const RunContext& run) {
  const RowMap map(term);
  Mapped& both = mapped_[&term];
  both.b = map.apply(b, run);
  if (!same_) both.a = map.apply(a, run);
  both.tiles = std::make_unique<KernelTiles>(map.inner(), same_ ? both.b : both.a, both.b, run);
}

template <class Real>
void KernelTiles<Real>::rows(std::span<const std::int32_t> which, TileColumns columns, Real* out,
                             std::int64_t stride, const RunContext& run) const {
  std::vector<Real*> to;
  for (std::int64_t i = 0; i < std::ssize(which); ++i) to.push_back(out + i * stride);
  rows(which, columns, to, run);
}

template <class Real>
void KernelTiles<Real>::rows(std::span<const std::int32_t> which, TileColumns columns,
                             std::span<Real* const> to, const RunContext& run) const {
  const std::int64_t width = columns.count < 0 ? b_count_ - columns.first : columns.count;
  const std::int64_t count = std::ssize(which);
  const RowFrame<Real> some = of_products_ ? (same_ ? b_ : a_).gather(which) : RowFrame<Real>();
  const std::int64_t across = (width + tile_columns - 1) / tile_columns;
  const std::int64_t down = (count + tile_rows - 1) / tile_rows;
  parallel_blocks(
      across * down, run.thread_count(),
      [&](std::int64_t index, std::int64_t) {
        if (run.should_stop()) return;  // thousands of tiles need not throw
        const std::int64_t top = index / across * tile_rows;
        const std::int64_t left = index % across * tile_columns;
        const std::int64_t height = std::min(tile_rows, count - top);
        const std::int64_t wide = std::min(tile_columns, width - left);
        TileSpace<Real> space;
        Real* const products = space.data();
        Tile tile{which.subspan(gssl::index(top), gssl::index(height)),
                  columns.first + left,
                  wide,
                  nullptr,
                  {}};
        if (of_products_) {
          some.products(top, height, b_, tile.begin, wide, products, wide);
          tile.products = products;
          tile.row_squares =
              std::span(some.squares()).subspan(gssl::index(top), gssl::index(height));
        }
        std::vector<Real> entries(term_.is_of_products() ? 0 : gssl::index(height * wide));
        Real* values = entries.empty() ? products : entries.data();
        fill(term_, tile, values);
        for (std::int64_t i = 0; i < height; ++i) {
          Real* row = to[gssl::index(top + i)] + left;
          if (!copy_finite(values + i * wide, wide, row))
            throw Error(ErrorCode::bad_data,
                        "kernel " + to_text(term_) + ": an entry of row " +
                            std::to_string(tile.rows[gssl::index(i)]) +
                            " overflows: standardize the columns, or take smaller options");
        }
      },
      1);
  run.throw_if_stopped("kernel", "before its entries were known");
}

template <class Real>
void KernelTiles<Real>::fill(const KernelTerm& term, const Tile& tile, Real* out) const {
  const std::int64_t size = std::ssize(tile.rows) * tile.columns;
  if (term.is_of_products()) {
    map_products(term, tile, out);
  } else if (term.kind == Kind::constant) {
    std::fill_n(out, size, static_cast<Real>(term.scale));
  } else if (term.kind == Kind::sum || term.kind == Kind::product) {
    fill(term.terms[0], tile, out);
    std::vector<Real> next(gssl::index(size));
    for (std::size_t k = 1; k < term.terms.size(); ++k) {
      fill(term.terms[k], tile, next.data());
      for (std::int64_t i = 0; i < size; ++i)
        out[i] =
            term.kind == Kind::sum ? out[i] + next[gssl::index(i)] : out[i] * next[gssl::index(i)];
    }
  } else if (term.kind == Kind::power) {
    fill(term.terms[0], tile, out);
    for (std::int64_t i = 0; i < size; ++i) out[i] = integer_power(out[i], term.degree);
  } else if (term.kind == Kind::normalize) {
    normalize(term, tile, out);
  } else if (term.kind == Kind::mapped || term.kind == Kind::form) {
    RunContext alone;
    alone.threads = 1;
    mapped_.at(&term).tiles->rows(tile.rows, {tile.begin, tile.columns}, out, tile.columns, alone);
  } else {
    std::vector<double> row(gssl::index(tile.columns));
    for (std::int64_t i = 0; i < std::ssize(tile.rows); ++i) {
      row_kernels_.at(&term)->row(tile.rows[gssl::index(i)], tile.begin, row);
      std::ranges::transform(row, out + i * tile.columns,
                             [](double v) { return static_cast<Real>(v); });
    }
  }
}

template <class Real>
void KernelTiles<Real>::map_products(const KernelTerm& term, const Tile& tile, Real* out) const {
  const std::int64_t size = std::ssize(tile.rows) * tile.columns;
  const Real* v = tile.products;
  const auto scale = static_cast<Real>(term.scale);
  const auto offset = static_cast<Real>(term.offset);
  const auto map = [&](auto&& of) {
    for (std::int64_t i = 0; i < size; ++i) out[i] = of(v[i]);
  };
  switch (term.kind) {
    case Kind::linear: return map([](Real x) { return x; });
    case Kind::polynomial:
      return map([&](Real x) { return integer_power(offset + scale * x, term.degree); });
    case Kind::series:
      return map([&](Real x) { return truncated_exponential(scale * x, term.degree); });
    case Kind::exponential: return map([&](Real x) { return std::exp(scale * x); });
    case Kind::set: return map([](Real x) { return std::exp2(x); });
    default: break;
  }
  const Real* squares = b_.squares().data() + tile.begin;
  if (out != v) std::copy_n(v, size, out);
  for (std::int64_t i = 0; i < std::ssize(tile.rows); ++i)
    gaussians(scale, tile.row_squares[gssl::index(i)], squares, out + i * tile.columns,
              tile.columns);
}

template <class Real>
void KernelTiles<Real>::normalize(const KernelTerm& term, const Tile& tile, Real* out) const {
  fill(term.terms[0], tile, out);
  const Diagonals& both = diagonals_.at(&term);
  for (std::int64_t i = 0; i < std::ssize(tile.rows); ++i) {
    const double left = both.a[gssl::index(tile.rows[gssl::index(i)])];
    for (std::int64_t j = 0; j < tile.columns; ++j) {
      const double right = both.b[gssl::index(tile.begin + j)];
      const double length = std::sqrt(left) * std::sqrt(right);
      Real& value = out[i * tile.columns + j];
      value = length > 0.0 ? static_cast<Real>(static_cast<double>(value) / length) : Real{0};
    }
  }
}

template <class Real>
std::vector<double> KernelTiles<Real>::diagonal(const KernelTerm& term, const Points& a,
                                                const RunContext& run) {
  constexpr std::int64_t side = 8;
  const KernelTiles<Real> tiles(term, a, a, run);
  std::vector<double> all(gssl::index(a.rows()));
  RunContext alone = run;
  alone.threads = 1;
  parallel_blocks(
      a.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        Real square[side * side];
        for (std::int64_t r = begin; r < end; r += side) {
          const std::int64_t count = std::min(side, end - r);
          std::int32_t which[side];
          std::iota(which, which + count, static_cast<std::int32_t>(r));
          tiles.rows({which, gssl::index(count)}, {r, count}, square, side, alone);
          for (std::int64_t i = 0; i < count; ++i)
            all[gssl::index(r + i)] = static_cast<double>(square[i * side + i]);
        }
      },
      512);
  return all;
}

template class KernelTiles<float>;
template class KernelTiles<double>;

bool fits_float(const KernelTerm& term, const Points& points) {
  // Errors of a float are 6e-8 of the largest number on the way.
  constexpr double most_exponent = 50.0;
  constexpr double most_value = 1e30;
  std::vector<double> mean(gssl::index(points.columns()), 0.0);
  if (is_shift_invariant(term)) mean = column_means(points);
  const double mean_square = std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
  double square = 0.0;
  for (VertexId r = 0; r < points.rows(); ++r) {
    double here = mean_square;
    points.visit_row(
        r, [&](std::int64_t c, double x) { here += x * x - 2.0 * x * mean[gssl::index(c)]; });
    square = std::max(square, here);
  }
  const std::function<double(const KernelTerm&)> size = [&](const KernelTerm& t) -> double {
    switch (t.kind) {
      case Kind::constant: return t.scale;
      case Kind::linear: return square;
      case Kind::polynomial: return std::pow(t.offset + t.scale * square, t.degree);
      case Kind::series:
      case Kind::exponential: return std::exp(t.scale * square);
      case Kind::gaussian: return t.scale * square > most_exponent ? 2.0 * most_value : 1.0;
      case Kind::sum:
      case Kind::product: {
        double all = t.kind == Kind::sum ? 0.0 : 1.0;
        for (const KernelTerm& inner : t.terms)
          all = t.kind == Kind::sum ? all + size(inner) : all * std::max(1.0, size(inner));
        return all;
      }
      case Kind::power: return std::pow(size(t.terms[0]), t.degree);
      case Kind::normalize: return size(t.terms[0]) > most_value ? 2.0 * most_value : 1.0;
      case Kind::mapped:
      case Kind::form: return 2.0 * most_value;  // the size of mapped rows is not known
      default: return 1.0;
    }
  };
  return size(term) <= most_value;
}

}  // namespace gssl::detail
