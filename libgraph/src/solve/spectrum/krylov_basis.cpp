#include "krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "../block_kernels.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// A column that shrank by more than this is orthogonalized again after it is normalized.
constexpr double much = 1e-3;
// What rounding leaves of a column that lies in the span of the basis.
constexpr double nothing = 1e-11;
constexpr int most_repetitions = 8;
// What a block may lack in orthogonality to the basis, and what it lacks at best.
constexpr double most_blur = 1e-11;
constexpr double rounding = 1e-15;
// A Cholesky factorization of the Gram matrix orthonormalizes columns that keep this part of their
// length beside those before them, and this part of the length they had.
constexpr double least_pivot = 1e-4;
constexpr double least_length = 1e-6;
// Rows that are turned at a time, so that those of the whole basis stay in cache.
constexpr std::int64_t turned_rows = 512;

// Calls body with the width as a constant, so that the compiler unrolls its loops.
template <class Body>
void with_width(std::int64_t width, Body&& body) {
  switch (width) {
    case 1: return body(std::integral_constant<std::int64_t, 1>());
    case 2: return body(std::integral_constant<std::int64_t, 2>());
    case 3: return body(std::integral_constant<std::int64_t, 3>());
    default: return body(std::integral_constant<std::int64_t, 4>());
  }
}

// h += vᵀ w over `rows` rows.
template <std::int64_t W>
void add_cross_product(const double* v, const double* w, std::int64_t rows, double* h) {
  double sum[W][W] = {};
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t p = 0; p < W; ++p)
      for (std::int64_t q = 0; q < W; ++q) sum[p][q] += v[W * r + p] * w[W * r + q];
  for (std::int64_t p = 0; p < W; ++p)
    for (std::int64_t q = 0; q < W; ++q) h[W * p + q] += sum[p][q];
}

// w −= v h over `rows` rows.
template <std::int64_t W>
void subtract_product(const double* v, const double* h, std::int64_t rows, double* w) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t p = 0; p < W; ++p)
      for (std::int64_t q = 0; q < W; ++q) w[W * r + q] -= v[W * r + p] * h[W * p + q];
}

// out += row·s for s of rows × columns.
void add_row_product(const double* row, std::int64_t rows, const double* s, std::int64_t columns,
                     double* out) {
  for (std::int64_t i = 0; i < rows; ++i, s += columns)
    for (std::int64_t j = 0; j < columns; ++j) out[j] += row[i] * s[j];
}

// The upper triangle r with rᵀr = g; false if a column has too little of its own, or of `scale`.
bool cholesky(const SmallSquare& g, std::size_t width, double scale, SmallSquare& r) {
  r = {};
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      double left = g[i][j];
      for (std::size_t k = 0; k < i; ++k) left -= r[k][i] * r[k][j];
      if (i < j) {
        r[i][j] = left / r[i][i];
      } else {
        if (!(left > least_pivot * least_pivot * g[j][j])) return false;
        r[j][j] = std::sqrt(left);
        if (!(r[j][j] > least_length * scale)) return false;
      }
    }
  }
  return true;
}

SmallSquare product(const SmallSquare& a, const SmallSquare& b) {
  SmallSquare c{};
  for (std::size_t i = 0; i < widest_block; ++i)
    for (std::size_t k = 0; k < widest_block; ++k)
      for (std::size_t j = 0; j < widest_block; ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// w ← w r⁻¹
void divide(Block& w, const SmallSquare& r, int threads) {
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
  with_width(w.columns(), [&](auto constant) {
    constexpr std::int64_t W = constant;
    parallel_blocks(w.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        double* row = w.data() + v * W;
        for (std::size_t j = W; j-- > 0;) {
          double sum = 0.0;
          for (std::size_t i = 0; i <= j; ++i) sum += row[i] * inverse[i][j];
          row[j] = sum;
        }
      }
    });
  });
}

// w = q r by two Cholesky factorizations (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015,
// doi:10.1553/etna_vol44s306); false, and w as it was, if that would lose digits.
bool orthonormalize_by_gram(Block& w, double scale, int threads, SmallSquare& r) {
  const auto width = static_cast<std::size_t>(w.columns());
  if (!cholesky(cross_product(w, w, threads), width, scale, r)) return false;
  divide(w, r, threads);
  SmallSquare second;
  const bool nearly_orthonormal = cholesky(cross_product(w, w, threads), width, 0.0, second);
  GSSL_ASSERT(nearly_orthonormal);
  divide(w, second, threads);
  r = product(second, r);
  return true;
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

}  // namespace

SmallSquare cross_product(const Block& a, const Block& b, int threads) {
  SmallSquare product{};
  with_width(a.columns(), [&](auto constant) {
    constexpr std::int64_t W = constant;
    const std::vector<double> sums = sums_over_rows(
        a.rows(), W * W, threads, [&](std::int64_t begin, std::int64_t end, double* h) {
          add_cross_product<W>(a.data() + begin * W, b.data() + begin * W, end - begin, h);
        });
    for (std::size_t p = 0; p < W; ++p)
      for (std::size_t q = 0; q < W; ++q) product[p][q] = sums[W * p + q];
  });
  return product;
}

Block gram(const Block& a, const Block& b, int threads) {
  const std::int64_t p = a.columns(), q = b.columns();
  const std::vector<double> sums = sums_over_rows(
      a.rows(), p * q, threads, [&](std::int64_t begin, std::int64_t end, double* h) {
        for (std::int64_t v = begin; v < end; ++v) {
          const double* right = b.data() + v * q;
          for (std::int64_t i = 0; i < p; ++i) {
            const double left = a(v, i);
            for (std::int64_t j = 0; j < q; ++j) h[i * q + j] += left * right[j];
          }
        }
      });
  Block product(p, q);
  std::copy(sums.begin(), sums.end(), product.data());
  return product;
}

Block rotated(const Block& x, const Block& s, int threads) {
  GSSL_ASSERT(x.columns() == s.rows());
  Block y(x.rows(), s.columns());
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      add_row_product(x.data() + v * s.rows(), s.rows(), s.data(), s.columns(),
                      y.data() + v * s.columns());
  });
  return y;
}

void rotate(Block& x, const Block& s, int threads) {
  const std::int64_t c = x.columns();
  GSSL_ASSERT(s.rows() == c && s.columns() == c);
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> row(static_cast<std::size_t>(c));
    for (std::int64_t v = begin; v < end; ++v) {
      std::fill(row.begin(), row.end(), 0.0);
      add_row_product(x.data() + v * c, c, s.data(), c, row.data());
      std::copy(row.begin(), row.end(), x.data() + v * c);
    }
  });
}

KrylovBasis::KrylovBasis(const Block& locked, std::int64_t width)
    : rows_(locked.rows()), width_(width), newest_blur_(rounding), previous_blur_(rounding) {
  GSSL_ASSERT(width >= 1 && width <= widest_block);
  for (std::int64_t first = 0; first < locked.columns(); first += width) {
    Block block(rows_, width);
    for (std::int64_t v = 0; v < rows_; ++v)
      for (std::int64_t j = first; j < std::min(first + width, locked.columns()); ++j)
        block(v, j - first) = locked(v, j);
    blocks_.push_back(std::move(block));
    ++locked_;
  }
}

std::vector<double> KrylovBasis::project(Block& w, int threads) const {
  const auto count = static_cast<std::int64_t>(blocks_.size());
  std::vector<double> h;
  with_width(width_, [&](auto constant) {
    constexpr std::int64_t W = constant;
    h = sums_over_rows(
        rows_, count * W * W, threads, [&](std::int64_t begin, std::int64_t end, double* sums) {
          for (std::int64_t b = 0; b < count; ++b)
            add_cross_product<W>(blocks_[static_cast<std::size_t>(b)].data() + begin * W,
                                 w.data() + begin * W, end - begin, sums + b * W * W);
        });
    parallel_blocks(rows_, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = 0; b < count; ++b)
        subtract_product<W>(blocks_[static_cast<std::size_t>(b)].data() + begin * W,
                            h.data() + b * W * W, end - begin, w.data() + begin * W);
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
  if (!(blur <= most_blur)) {
    const std::vector<double> more = project(w, threads);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] += more[i];
    blur = rounding;
  }
  previous_blur_ = std::exchange(newest_blur_, blur);
  Block coefficients(columns(), width_);
  std::copy(h.begin() + locked_ * width_ * width_, h.end(), coefficients.data());
  return coefficients;
}

// By the Gram matrix where that is safe, else by modified Gram–Schmidt, each column twice.
SmallSquare KrylovBasis::orthonormalize(Block& w, double scale, const RunContext& run,
                                        std::uint64_t& stream) const {
  const int threads = run.thread_count();
  SmallSquare r{};
  if (orthonormalize_by_gram(w, scale, threads, r)) return r;
  for (int repetition = 0;; ++repetition) {
    GSSL_ASSERT(repetition < most_repetitions);
    SmallSquare now{};
    bool again = false;
    for (std::int64_t c = 0; c < width_; ++c) {
      const auto at = static_cast<std::size_t>(c);
      double before = 0.0;
      for (int pass = 0; pass < 3; ++pass) {  // the third only measures
        const std::vector<double> dots = sums_over_rows(
            rows_, c + 1, threads, [&](std::int64_t begin, std::int64_t end, double* sums) {
              for (std::int64_t v = begin; v < end; ++v)
                for (std::int64_t i = 0; i <= c; ++i) sums[i] += w(v, i) * w(v, c);
            });
        const double norm = std::sqrt(dots[at]);
        if (pass == 0) before = norm;
        if (pass == 2) now[at][at] = norm;
        if (pass == 2 || c == 0) continue;
        for (std::size_t i = 0; i < at; ++i) now[i][at] += dots[i];
        parallel_blocks(rows_, threads, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t v = begin; v < end; ++v)
            for (std::int64_t i = 0; i < c; ++i)
              w(v, c) -= dots[static_cast<std::size_t>(i)] * w(v, i);
        });
      }
      // The first repetition says what w had; later ones work on columns of norm about 1.
      const bool empty = !(now[at][at] > (repetition == 0 ? nothing * scale : much));
      if (empty) {
        const Block fresh = random_block(rows_, width_, run, stream++);
        for (std::int64_t v = 0; v < rows_; ++v) w(v, c) = fresh(v, 0);
        for (auto& row : now) row[at] = 0.0;
        again = true;
        double squares = 0.0;
        for (std::int64_t v = 0; v < rows_; ++v) squares += w(v, c) * w(v, c);
        before = std::sqrt(squares);
      }
      const double norm = empty ? before : now[at][at];
      if (norm < much * (repetition == 0 ? std::max(before, scale) : before)) again = true;
      for (std::int64_t v = 0; v < rows_; ++v) w(v, c) /= norm;
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
    const Block& block = blocks_[static_cast<std::size_t>(locked_ + i / width_)];
    for (std::int64_t v = begin; v < end; ++v)
      add_row_product(block.data() + v * width_, width_, s.data() + i * c, c,
                      out + (v - begin) * c);
  }
}

Block KrylovBasis::times(const Block& s, int threads) const {
  GSSL_ASSERT(s.rows() == columns());
  Block y(rows_, s.columns());
  parallel_blocks(
      rows_, threads,
      [&](std::int64_t begin, std::int64_t end) {
        add_rows(s, begin, end, y.data() + begin * s.columns());
      },
      turned_rows);
  return y;
}

void KrylovBasis::rotate(const Block& s, int threads) {
  GSSL_ASSERT(s.rows() == columns() && s.columns() % width_ == 0 && s.columns() <= columns());
  const std::int64_t c = s.columns();
  parallel_blocks(
      rows_, threads,
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> turned(static_cast<std::size_t>((end - begin) * c), 0.0);
        add_rows(s, begin, end, turned.data());
        for (std::int64_t v = begin; v < end; ++v)
          for (std::int64_t j = 0; j < c; ++j)
            blocks_[static_cast<std::size_t>(locked_ + j / width_)](v, j % width_) =
                turned[static_cast<std::size_t>((v - begin) * c + j)];
      },
      turned_rows);
  blocks_.resize(static_cast<std::size_t>(locked_ + c / width_));
  newest_blur_ = previous_blur_ = most_blur;
}

Block random_block(std::int64_t rows, std::int64_t width, const RunContext& run,
                   std::uint64_t stream) {
  Block block(rows, width);
  Rng rng = run.rng(stream);
  for (std::int64_t i = 0; i < rows * width; ++i) block.data()[i] = 2.0 * rng.uniform() - 1.0;
  return block;
}

}  // namespace gssl::solve
