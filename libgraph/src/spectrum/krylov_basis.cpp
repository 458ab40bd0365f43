#include "krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "basis_kernels.hpp"
#include "core/memory/free_memory.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/residual.hpp"

namespace gssl::solve {
namespace {

// A column that shrank by more than this is orthogonalized again after it is normalized.
constexpr double much = 1e-3;
// What basis_rounding leaves of a column that lies in the span of the basis.
constexpr double nothing = 1e-11;
// A column that keeps more than this has lost nothing.
constexpr double enough = 0.1;
constexpr int most_repetitions = 8;
// What a block may lack in orthogonality to the basis where that is not wanted to all digits, and
// what it lacks at best.
constexpr double most_blur = 1e-11;
constexpr double basis_rounding = 1e-15;
// A Cholesky factorization of the Gram matrix orthonormalizes columns that keep this part of their
// length beside those before them, and this part of the length they had.
constexpr double least_pivot = 1e-4;
constexpr double least_length = 1e-6;
// Rows that are turned at a time, so that those of the whole basis stay in cache.
constexpr std::int64_t turned_rows = 512;
// The blocks of a basis of so many values leave holes in the heap that the vectors do not fit.
constexpr std::int64_t many_basis_values = std::int64_t{1} << 19;

// The upper triangle r with rᵀr = g. Returns the smallest part of its length that a column keeps
// beside those before it; 0 if that is too little, or too little of `scale`.
double cholesky(const SmallSquare& g, std::size_t width, double scale, SmallSquare& r) {
  r = {};
  double kept = 1.0;
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      double left = g[i][j];
      for (std::size_t k = 0; k < i; ++k) left -= r[k][i] * r[k][j];
      if (i < j) {
        r[i][j] = left / r[i][i];
      } else {
        if (!(left > least_pivot * least_pivot * g[j][j])) return 0.0;
        r[j][j] = std::sqrt(left);
        if (!(r[j][j] > least_length * scale)) return 0.0;
        kept = std::min(kept, r[j][j] / std::sqrt(g[j][j]));
      }
    }
  }
  return kept;
}

SmallSquare product(const SmallSquare& a, const SmallSquare& b) {
  SmallSquare c{};
  for (std::size_t i = 0; i < widest_block; ++i)
    for (std::size_t k = 0; k < widest_block; ++k)
      for (std::size_t j = 0; j < widest_block; ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// Sums of `width` numbers over all rows: body(begin, end, sums).
template <class Body>
std::vector<double> sums_over_rows(std::int64_t rows, std::int64_t width, int threads,
                                   Body&& body) {
  const std::int64_t blocks = detail::block_count(rows, parallel_block);
  std::vector<double> partial(static_cast<std::size_t>(blocks * width), 0.0);
  parallel_blocks(rows, threads, [&](std::int64_t begin, std::int64_t end) {
    body(begin, end, partial.data() + begin / parallel_block * width);
  });
  std::vector<double> total(static_cast<std::size_t>(width), 0.0);
  for (std::size_t i = 0; i < partial.size(); ++i)
    total[i % static_cast<std::size_t>(width)] += partial[i];
  return total;
}

// The width × width numbers row by row.
SmallSquare square_of(const std::vector<double>& numbers, std::size_t width) {
  SmallSquare square{};
  for (std::size_t p = 0; p < width; ++p)
    for (std::size_t q = 0; q < width; ++q) square[p][q] = numbers[p * width + q];
  return square;
}

// w ← w r⁻¹; returns wᵀ w.
SmallSquare divide(Block& w, const SmallSquare& r, int threads) {
  const auto width = static_cast<std::size_t>(w.columns());
  SmallSquare inverse{};
  for (std::size_t j = 0; j < width; ++j) {
    inverse[j][j] = 1.0 / r[j][j];
    for (std::size_t i = j; i-- > 0;) {
      double sum = 0.0;
      for (std::size_t k = i + 1; k <= j; ++k) sum += r[i][k] * inverse[k][j];
      inverse[i][j] = -sum / r[i][i];
    }
  }
  const std::vector<double> sums =
      sums_over_rows(w.rows(), w.columns() * w.columns(), threads,
                     [&](std::int64_t begin, std::int64_t end, double* gram) {
                       for (std::int64_t v = begin; v < end; ++v) {
                         const std::span<double> row = w.row(v);
                         for (std::size_t j = width; j-- > 0;) {
                           double sum = 0.0;
                           for (std::size_t i = 0; i <= j; ++i) sum += row[i] * inverse[i][j];
                           row[j] = sum;
                         }
                       }
                       const double* rows = w.data() + begin * w.columns();
                       add_cross_product(w.columns(), rows, w.columns(), rows, end - begin, gram);
                     });
  return square_of(sums, width);
}

// w = q r by two Cholesky factorizations (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015,
// doi:10.1553/etna_vol44s306). Returns what cholesky() does; 0, and w as it was, if that would lose
// digits.
double orthonormalize_by_gram(Block& w, double scale, int threads, SmallSquare& r) {
  const auto width = static_cast<std::size_t>(w.columns());
  const double kept = cholesky(cross_product(w, w, threads), width, scale, r);
  if (kept == 0.0) return kept;
  SmallSquare second;
  const double nearly_all = cholesky(divide(w, r, threads), width, 0.0, second);
  GSSL_ASSERT(nearly_all > 0.0);
  divide(w, second, threads);
  r = product(second, r);
  return kept;
}

}  // namespace

SmallSquare cross_product(const Block& a, const Block& b, int threads) {
  const Block product = gram(a, b, threads);
  SmallSquare square{};
  for (std::int64_t p = 0; p < product.rows(); ++p)
    for (std::int64_t q = 0; q < product.columns(); ++q)
      square[static_cast<std::size_t>(p)][static_cast<std::size_t>(q)] = product(p, q);
  return square;
}

Block gram(const Block& a, const Block& b, int threads) {
  const std::int64_t p = a.columns(), q = b.columns();
  const std::vector<double> sums = sums_over_rows(
      a.rows(), p * q, threads, [&](std::int64_t begin, std::int64_t end, double* h) {
        const double *left = a.data() + begin * p, *right = b.data() + begin * q;
        if (q == 2 || q == 4) return add_cross_product(q, left, p, right, end - begin, h);
        for (; begin < end; ++begin, left += p, right += q)
          for (std::int64_t i = 0; i < p; ++i)
            for (std::int64_t j = 0; j < q; ++j) h[i * q + j] += left[i] * right[j];
      });
  Block product(p, q);
  std::copy(sums.begin(), sums.end(), product.data());
  return product;
}

Block rotated(const Block& x, const Block& s, int threads) {
  GSSL_ASSERT(x.columns() == s.rows());
  Block y(x.rows(), s.columns());
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    add_product(x.data() + begin * s.rows(), s.rows(), s.data(), s.columns(), end - begin,
                y.data() + begin * s.columns());
  });
  return y;
}

void rotate(Block& x, const Block& s, int threads) {
  const std::int64_t c = x.columns();
  GSSL_ASSERT(s.rows() == c && s.columns() == c);
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> turned(static_cast<std::size_t>((end - begin) * c), 0.0);
    add_product(x.data() + begin * c, c, s.data(), c, end - begin, turned.data());
    std::copy(turned.begin(), turned.end(), x.data() + begin * c);
  });
}

KrylovBasis::KrylovBasis(const Block& locked, std::int64_t width, Orthogonality orthogonality)
    : width_(width),
      most_blur_(orthogonality == Orthogonality::full ? 0.0 : most_blur),
      newest_blur_(basis_rounding),
      previous_blur_(basis_rounding),
      locked_(locked) {
  GSSL_ASSERT(width == 2 || width == 4);
}

std::vector<double> KrylovBasis::project(Block& w, int threads) const {
  // The locked columns count as the first block.
  const auto each = [&](auto&& body) {
    body(locked_, std::int64_t{0});
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      body(blocks_[b], locked_.columns() + static_cast<std::int64_t>(b) * width_);
  };
  std::vector<double> h = sums_over_rows(
      rows(), (locked_.columns() + columns()) * width_, threads,
      [&](std::int64_t begin, std::int64_t end, double* sums) {
        each([&](const Block& block, std::int64_t first) {
          add_cross_product(width_, block.data() + begin * block.columns(), block.columns(),
                            w.data() + begin * width_, end - begin, sums + first * width_);
        });
      });
  parallel_blocks(rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    each([&](const Block& block, std::int64_t first) {
      subtract_product(width_, block.data() + begin * block.columns(), block.columns(),
                       h.data() + first * width_, end - begin, w.data() + begin * width_);
    });
  });
  return h;
}

// What the last two blocks lack in orthogonality goes into w with the coefficients of w on them,
// the only large ones (Simon 1984, doi:10.1090/S0025-5718-1984-0725988-X).
Block KrylovBasis::orthogonalize(Block& w, int threads) {
  std::vector<double> h = project(w, threads);
  const std::vector<double> left = column_norms(w, threads);
  const auto width = static_cast<std::size_t>(width_);
  double ratio = 0.0;
  for (std::size_t c = 0; c < width; ++c) {
    double lost = 0.0;
    for (std::size_t i = c; i < h.size(); i += width) lost += h[i] * h[i];
    const double share = std::sqrt(lost) / left[c];
    ratio = std::isnan(share) ? ratio : std::max(ratio, share);
  }
  double blur = (1.0 + ratio) * std::max(newest_blur_, previous_blur_);
  if (!(blur <= most_blur_)) {
    const std::vector<double> more = project(w, threads);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] += more[i];
    blur = basis_rounding;
  }
  previous_blur_ = std::exchange(newest_blur_, blur);
  Block coefficients(columns(), width_);
  std::copy(h.begin() + locked_.columns() * width_, h.end(), coefficients.data());
  return coefficients;
}

// A column that keeps little beside the others lacks as much more of orthogonality to the basis.
SmallSquare KrylovBasis::orthonormalize(Block& w, double scale, const RunContext& run,
                                        std::uint64_t& stream) const {
  const int threads = run.thread_count();
  SmallSquare r{};
  const double kept = orthonormalize_by_gram(w, scale, threads, r);
  if (kept == 0.0) r = orthonormalize_by_columns(w, scale, run, stream);
  if (most_blur_ == 0.0 && kept < enough) {
    project(w, threads);
    SmallSquare nearly_one;
    const double nearly_all = orthonormalize_by_gram(w, 0.0, threads, nearly_one);
    GSSL_ASSERT(nearly_all > 0.0);
  }
  return r;
}

// By modified Gram–Schmidt, each column twice.
SmallSquare KrylovBasis::orthonormalize_by_columns(Block& w, double scale, const RunContext& run,
                                                   std::uint64_t& stream) const {
  const int threads = run.thread_count();
  SmallSquare r{};
  for (int repetition = 0;; ++repetition) {
    GSSL_ASSERT(repetition < most_repetitions);
    SmallSquare now{};
    bool again = false;
    for (std::int64_t c = 0; c < width_; ++c) {
      const auto at = static_cast<std::size_t>(c);
      double before = 0.0;
      for (int pass = 0; pass < 3; ++pass) {  // the third only measures
        const std::vector<double> dots = sums_over_rows(
            rows(), c + 1, threads, [&](std::int64_t begin, std::int64_t end, double* sums) {
              for (std::int64_t v = begin; v < end; ++v)
                for (std::int64_t i = 0; i <= c; ++i) sums[i] += w(v, i) * w(v, c);
            });
        const double norm = std::sqrt(dots[at]);
        if (pass == 0) before = norm;
        if (pass == 2) now[at][at] = norm;
        if (pass == 2 || c == 0) continue;
        for (std::size_t i = 0; i < at; ++i) now[i][at] += dots[i];
        parallel_blocks(rows(), threads, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t v = begin; v < end; ++v)
            for (std::int64_t i = 0; i < c; ++i)
              w(v, c) -= dots[static_cast<std::size_t>(i)] * w(v, i);
        });
      }
      // The first repetition says what w had; later ones work on columns of norm about 1.
      const bool empty = !(now[at][at] > (repetition == 0 ? nothing * scale : much));
      if (empty) {
        const Block fresh = random_block(rows(), width_, run, stream++);
        for (std::int64_t v = 0; v < rows(); ++v) w(v, c) = fresh(v, 0);
        for (auto& row : now) row[at] = 0.0;
        again = true;
        double squares = 0.0;
        for (std::int64_t v = 0; v < rows(); ++v) squares += w(v, c) * w(v, c);
        before = std::sqrt(squares);
      }
      const double norm = empty ? before : now[at][at];
      if (norm < much * (repetition == 0 ? std::max(before, scale) : before)) again = true;
      for (std::int64_t v = 0; v < rows(); ++v) w(v, c) /= norm;
    }
    if (repetition == 0) r = now;
    if (!again) return r;
    project(w, threads);
  }
}

void KrylovBasis::add_rows(const Block& s, std::int64_t begin, std::int64_t end,
                           double* out) const {
  const std::int64_t c = s.columns();
  for (std::int64_t i = 0; i < s.rows(); i += width_) {
    const Block& block = blocks_[static_cast<std::size_t>(i / width_)];
    add_product(block.data() + begin * width_, width_, s.data() + i * c, c, end - begin, out);
  }
}

Block KrylovBasis::spare() {
  if (spares_.empty()) return {};
  Block block = std::move(spares_.back());
  spares_.pop_back();
  return block;
}

void KrylovBasis::truncate(std::int64_t count) {
  for (; columns() > count; blocks_.pop_back()) recycle(std::move(blocks_.back()));
}

Block KrylovBasis::release(std::int64_t count, int threads) {
  GSSL_ASSERT(count <= columns());
  const std::int64_t blocks = std::ssize(blocks_) + std::ssize(spares_);
  const bool is_large = rows() * blocks * width_ >= many_basis_values;
  spares_.clear();
  blocks_.resize(static_cast<std::size_t>((count + width_ - 1) / width_));
  if (is_large) return_free_memory();
  Block found(rows(), count);
  parallel_blocks(rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      for (std::int64_t j = 0; j < count; ++j)
        found(v, j) = blocks_[static_cast<std::size_t>(j / width_)](v, j % width_);
  });
  blocks_.clear();
  if (is_large) return_free_memory();
  return found;
}

Block KrylovBasis::times(const Block& s, int threads) const {
  GSSL_ASSERT(s.rows() == columns());
  Block y(rows(), s.columns());
  parallel_blocks(
      rows(), threads,
      [&](std::int64_t begin, std::int64_t end) {
        add_rows(s, begin, end, y.data() + begin * s.columns());
      },
      turned_rows);
  return y;
}

bool KrylovBasis::rotate(const Block& s, const RunContext& run) {
  GSSL_ASSERT(s.rows() == columns() && s.columns() % width_ == 0 && s.columns() <= columns());
  const std::int64_t c = s.columns();
  parallel_blocks(
      rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        if (run.cancelled()) return;
        std::vector<double> turned(static_cast<std::size_t>((end - begin) * c), 0.0);
        add_rows(s, begin, end, turned.data());
        for (std::int64_t v = begin; v < end; ++v)
          for (std::int64_t j = 0; j < c; ++j)
            blocks_[static_cast<std::size_t>(j / width_)](v, j % width_) =
                turned[static_cast<std::size_t>((v - begin) * c + j)];
      },
      turned_rows);
  truncate(c);
  newest_blur_ = previous_blur_ = most_blur;
  return !run.cancelled();
}

Block random_block(std::int64_t rows, std::int64_t width, const RunContext& run,
                   std::uint64_t stream) {
  Block block(rows, width);
  Rng rng = run.rng(stream);
  for (std::int64_t i = 0; i < rows * width; ++i) block.data()[i] = 2.0 * rng.uniform() - 1.0;
  return block;
}

}  // namespace gssl::solve
