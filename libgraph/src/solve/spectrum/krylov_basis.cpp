#include "krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

constexpr std::int64_t W = block_width;
// A column that shrank by more than this is orthogonalized again after it is normalized.
constexpr double much = 1e-3;
// What rounding leaves of a column that lies in the span of the basis.
constexpr double nothing = 1e-11;
constexpr int most_repetitions = 8;

// h += vᵀ w over `rows` rows.
void add_cross_product(const double* v, const double* w, std::int64_t rows, double* h) {
  double sum[W][W] = {};
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t p = 0; p < W; ++p)
      for (std::int64_t q = 0; q < W; ++q) sum[p][q] += v[W * r + p] * w[W * r + q];
  for (std::int64_t p = 0; p < W; ++p)
    for (std::int64_t q = 0; q < W; ++q) h[W * p + q] += sum[p][q];
}

// w −= v h over `rows` rows.
void subtract_product(const double* v, const double* h, std::int64_t rows, double* w) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t p = 0; p < W; ++p)
      for (std::int64_t q = 0; q < W; ++q) w[W * r + q] -= v[W * r + p] * h[W * p + q];
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
  const std::vector<double> sums = sums_over_rows(
      a.rows(), W * W, threads, [&](std::int64_t begin, std::int64_t end, double* h) {
        add_cross_product(a.data() + begin * W, b.data() + begin * W, end - begin, h);
      });
  SmallSquare product;
  for (std::int64_t p = 0; p < W; ++p)
    for (std::int64_t q = 0; q < W; ++q)
      product[static_cast<std::size_t>(p)][static_cast<std::size_t>(q)] =
          sums[static_cast<std::size_t>(W * p + q)];
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
    for (std::int64_t v = begin; v < end; ++v) {
      double* out = y.data() + v * s.columns();
      for (std::int64_t i = 0; i < s.rows(); ++i) {
        const double value = x(v, i);
        const double* row = s.data() + i * s.columns();
        for (std::int64_t j = 0; j < s.columns(); ++j) out[j] += value * row[j];
      }
    }
  });
  return y;
}

KrylovBasis::KrylovBasis(const Block& locked) : rows_(locked.rows()) {
  for (std::int64_t first = 0; first < locked.columns(); first += W) {
    Block block(rows_, W);
    for (std::int64_t v = 0; v < rows_; ++v)
      for (std::int64_t j = first; j < std::min(first + W, locked.columns()); ++j)
        block(v, j - first) = locked(v, j);
    blocks_.push_back(std::move(block));
    ++locked_;
  }
}

Block KrylovBasis::project(Block& w, int threads) const {
  const auto count = static_cast<std::int64_t>(blocks_.size());
  const std::vector<double> h = sums_over_rows(
      rows_, count * W * W, threads, [&](std::int64_t begin, std::int64_t end, double* sums) {
        for (std::int64_t b = 0; b < count; ++b)
          add_cross_product(blocks_[static_cast<std::size_t>(b)].data() + begin * W,
                            w.data() + begin * W, end - begin, sums + b * W * W);
      });
  parallel_blocks(rows_, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = 0; b < count; ++b)
      subtract_product(blocks_[static_cast<std::size_t>(b)].data() + begin * W,
                       h.data() + b * W * W, end - begin, w.data() + begin * W);
  });
  Block coefficients(columns(), W);
  std::copy(h.begin() + locked_ * W * W, h.end(), coefficients.data());
  return coefficients;
}

// Modified Gram–Schmidt, each column twice.
SmallSquare KrylovBasis::orthonormalize(Block& w, double scale, const RunContext& run,
                                        std::uint64_t& stream) const {
  const int threads = run.thread_count();
  SmallSquare r{};
  for (int repetition = 0;; ++repetition) {
    GSSL_ASSERT(repetition < most_repetitions);
    SmallSquare now{};
    bool again = false;
    for (std::int64_t c = 0; c < W; ++c) {
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
        const Block fresh = random_block(rows_, run, stream++);
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

Block KrylovBasis::times(const Block& s, int threads) const {
  GSSL_ASSERT(s.rows() == columns());
  Block y(rows_, s.columns());
  const std::int64_t c = s.columns();
  parallel_blocks(rows_, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = 0; i < s.rows(); ++i) {
      const Block& block = blocks_[static_cast<std::size_t>(locked_ + i / W)];
      const double* row = s.data() + i * c;
      for (std::int64_t v = begin; v < end; ++v) {
        const double value = block(v, i % W);
        double* out = y.data() + v * c;
        for (std::int64_t j = 0; j < c; ++j) out[j] += value * row[j];
      }
    }
  });
  return y;
}

void KrylovBasis::rotate(const Block& s, int threads) {
  GSSL_ASSERT(s.columns() % W == 0);
  std::vector<Block> turned;
  for (std::int64_t first = 0; first < s.columns(); first += W) {
    Block part(s.rows(), W);
    for (std::int64_t i = 0; i < s.rows(); ++i)
      for (std::int64_t j = 0; j < W; ++j) part(i, j) = s(i, first + j);
    turned.push_back(times(part, threads));
  }
  blocks_.erase(blocks_.begin() + locked_, blocks_.end());
  for (Block& block : turned) blocks_.push_back(std::move(block));
}

Block random_block(std::int64_t rows, const RunContext& run, std::uint64_t stream) {
  Block block(rows, W);
  Rng rng = run.rng(stream);
  for (std::int64_t i = 0; i < rows * W; ++i) block.data()[i] = 2.0 * rng.uniform() - 1.0;
  return block;
}

}  // namespace gssl::solve
