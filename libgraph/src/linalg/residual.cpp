#include "gssl/linalg/residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "block_kernels.hpp"

namespace gssl {
namespace {

// Sums of squares in this range have lost no digit to overflow or underflow.
constexpr double least_sum = 1e-280, largest_sum = 1e280;

// ‖·‖₂ of entry(v) over the rows, scaled by the largest.
template <class Entry>
double scaled_norm(std::int64_t rows, Entry&& entry) {
  double largest = 0.0, sum = 0.0;
  for (std::int64_t v = 0; v < rows; ++v) {
    const double size = std::abs(entry(v));
    if (!std::isfinite(size)) return size;
    largest = std::max(largest, size);
  }
  if (largest == 0.0) return 0.0;
  for (std::int64_t v = 0; v < rows; ++v) {
    const double share = entry(v) / largest;
    sum += share * share;
  }
  return largest * std::sqrt(sum);
}

// Their roots; those out of range are of entry(v, k), looked at again.
template <class Entry>
std::vector<double> norms_of_squares(std::int64_t rows, const std::vector<double>& squares,
                                     Entry&& entry) {
  std::vector<double> norms;
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const bool in_range = squares[k] >= least_sum && squares[k] <= largest_sum;
    norms.push_back(in_range ? std::sqrt(squares[k]) : scaled_norm(rows, [&](std::int64_t v) {
      return entry(v, static_cast<std::int64_t>(k));
    }));
  }
  return norms;
}

// ‖·‖₂ of entry(v, k) over the rows v for every column k.
template <class Entry>
std::vector<double> norms_of(std::int64_t rows, std::int64_t columns, int threads, Entry&& entry) {
  std::vector<double> squares;
  solve::column_sums(rows, columns, threads, squares,
                     [&](std::int64_t begin, std::int64_t end, double* sum) {
                       for (std::int64_t v = begin; v < end; ++v)
                         for (std::int64_t k = 0; k < columns; ++k) {
                           const double value = entry(v, k);
                           sum[k] += value * value;
                         }
                     });
  return norms_of_squares(rows, squares, entry);
}

}  // namespace

std::vector<double> column_norms(const Block& b, int threads) {
  const double* const values = b.data();
  const std::int64_t c = b.columns();
  return norms_of(b.rows(), c, threads,
                  [values, c](std::int64_t v, std::int64_t k) { return values[v * c + k]; });
}

std::vector<double> residual(const GroundedLaplacian& a, const Block& b, const Block& x, Block& r,
                             int threads) {
  const std::int64_t c = b.columns();
  if (r.rows() != b.rows() || r.columns() != c) r = Block(b.rows(), c);
  std::vector<double> squares;
  solve::column_sums(b.rows(), c, threads, squares,
                     [&](std::int64_t begin, std::int64_t end, double* sum) {
                       a.apply_rows(x.data(), r.data(), c, begin, end);
                       for (std::int64_t v = begin; v < end; ++v) {
                         double* row = r.data() + v * c;
                         const double* given = b.data() + v * c;
                         for (std::int64_t k = 0; k < c; ++k) {
                           row[k] = given[k] - row[k];
                           sum[k] += row[k] * row[k];
                         }
                       }
                     });
  return norms_of_squares(b.rows(), squares,
                          [&](std::int64_t v, std::int64_t k) { return r(v, k); });
}

std::vector<double> residual_norms(const Block& b, const Block& product, int threads) {
  return norms_of(b.rows(), b.columns(), threads,
                  [&](std::int64_t v, std::int64_t k) { return b(v, k) - product(v, k); });
}

double worst_ratio(const std::vector<double>& norms, const std::vector<double>& targets) {
  double worst = 0.0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    const double ratio = norms[j] == 0.0 ? 0.0 : norms[j] / targets[j];
    if (!(ratio <= worst)) worst = ratio;
  }
  return worst;
}

}  // namespace gssl
