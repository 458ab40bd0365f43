#include "online/rank_one_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

// Changes after which the pairs are computed anew.
constexpr std::int64_t most_changes = 256;
// Of the norm of the matrix: what is smaller changes nothing.
constexpr double negligible = 1e-15;

// 1 + ρ Σ u_j²/(d_j − origin − offset).
double secular(std::span<const double> d, std::span<const double> u, double rho, double origin,
               double offset) {
  double sum = 0.0;
  for (std::size_t j = 0; j < d.size(); ++j) sum += u[j] * u[j] / ((d[j] - origin) - offset);
  return 1.0 + rho * sum;
}

// Zero of a function that rises from `low` to `high`, to the last bit of the offset.
template <class Function>
double bisect(double low, double high, Function&& value) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) break;
    (value(middle) < 0.0 ? low : high) = middle;
    if (high - low <=
        std::numeric_limits<double>::epsilon() * std::min(std::abs(low), std::abs(high)))
      break;
  }
  return 0.5 * (low + high);
}

// A rotation of two directions of equal value puts all of u into the second.
void rotate(Block& q, std::size_t i, std::size_t j, std::vector<double>& u) {
  const double length = std::hypot(u[i], u[j]), c = u[j] / length, s = u[i] / length;
  for (std::int64_t r = 0; r < q.rows(); ++r) {
    const double a = q(r, static_cast<std::int64_t>(i)), b = q(r, static_cast<std::int64_t>(j));
    q(r, static_cast<std::int64_t>(i)) = c * a - s * b;
    q(r, static_cast<std::int64_t>(j)) = s * a + c * b;
  }
  u[i] = 0.0;
  u[j] = length;
}

// |û_j| whose roots are exactly these: û_j² = Π_i (λ_i − d_j)/Π_{i≠j} (d_i − d_j)/ρ.
std::vector<double> exact_entries(std::span<const double> d, const SecularRoots& roots,
                                  double rho) {
  std::vector<double> entries;
  for (std::size_t j = 0; j < d.size(); ++j) {
    double product = ((d[roots.origin[j]] - d[j]) + roots.offset[j]) / rho;
    for (std::size_t i = 0; i < d.size(); ++i)
      if (i != j) product *= ((d[roots.origin[i]] - d[j]) + roots.offset[i]) / (d[i] - d[j]);
    entries.push_back(std::sqrt(std::max(0.0, product)));
  }
  return entries;
}

// columns ← columns · V, V the vectors of D + ρûûᵀ.
Block turned(const Block& q, const std::vector<std::size_t>& columns, std::span<const double> d,
             std::span<const double> u, const SecularRoots& roots, double rho) {
  const std::vector<double> entries = exact_entries(d, roots, rho);
  const std::size_t k = d.size();
  Block v(static_cast<std::int64_t>(k), static_cast<std::int64_t>(k));
  for (std::size_t i = 0; i < k; ++i) {
    double square = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      const double below = (d[j] - d[roots.origin[i]]) - roots.offset[i];
      const double entry = std::copysign(entries[j], u[j]) / below;
      v(static_cast<std::int64_t>(j), static_cast<std::int64_t>(i)) = entry;
      square += entry * entry;
    }
    for (std::size_t j = 0; j < k; ++j)
      v(static_cast<std::int64_t>(j), static_cast<std::int64_t>(i)) /= std::sqrt(square);
  }
  Block result(q.rows(), static_cast<std::int64_t>(k));
  for (std::int64_t r = 0; r < q.rows(); ++r)
    for (std::size_t j = 0; j < k; ++j) {
      const double f = q(r, static_cast<std::int64_t>(columns[j]));
      const std::span<const double> from = v.row(static_cast<std::int64_t>(j));
      const std::span<double> to = result.row(r);
      for (std::size_t i = 0; i < k; ++i) to[i] += f * from[i];
    }
  return result;
}

}  // namespace

SecularRoots secular_roots(std::span<const double> d, std::span<const double> u, double rho) {
  SecularRoots roots;
  double square = 0.0;
  for (const double x : u) square += x * x;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const bool last = i + 1 == d.size();
    const double gap = last ? rho * square : d[i + 1] - d[i];
    // The nearer pole is the origin, so that the distance to it keeps its digits.
    const bool upper = !last && secular(d, u, rho, d[i], 0.5 * gap) < 0.0;
    const std::size_t origin = upper ? i + 1 : i;
    const auto value = [&](double offset) { return secular(d, u, rho, d[origin], offset); };
    roots.origin.push_back(origin);
    roots.offset.push_back(upper ? bisect(-0.5 * gap, 0.0, value)
                                 : bisect(0.0, last ? gap : 0.5 * gap, value));
  }
  return roots;
}

RankOneEigen::RankOneEigen(const Record& record)
    : a_(record.block("matrix")),
      values_(record.reals("values", a_.rows())),
      vectors_(record.block("vectors")),
      changes_(record.integer("changes")) {
  if (a_.columns() != a_.rows() || vectors_.rows() != a_.rows() || vectors_.columns() != a_.rows())
    throw Error(ErrorCode::bad_data, "eigenpairs: a matrix that is not square");
}

void RankOneEigen::save(Record& record) const {
  record.put("matrix", a_);
  record.put("values", values_);
  record.put("vectors", vectors_);
  record.put("changes", changes_);
}

void RankOneEigen::pad() {
  const std::int64_t n = size();
  Block a(n + 1, n + 1), q(n + 1, n + 1);
  const auto place =
      static_cast<std::int64_t>(std::ranges::lower_bound(values_, 0.0) - values_.begin());
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < n; ++c) {
      a(r, c) = a_(r, c);
      q(r, c < place ? c : c + 1) = vectors_(r, c);
    }
  q(n, place) = 1.0;
  values_.insert(values_.begin() + place, 0.0);
  a_ = std::move(a);
  vectors_ = std::move(q);
}

void RankOneEigen::add(double rho, std::span<const double> z) {
  for (std::int64_t r = 0; r < size(); ++r)
    for (std::int64_t c = 0; c < size(); ++c) a_(r, c) += rho * z[index(r)] * z[index(c)];
  if (++changes_ < most_changes) return change_pairs(rho, z);
  changes_ = 0;
  DenseEigen pairs = dense_eigen(a_);
  values_ = std::move(pairs.values);
  vectors_ = std::move(pairs.vectors);
}

// For ρ < 0 the pairs of −A + |ρ|zzᵀ, which are those of A − |ρ|zzᵀ in reverse.
void RankOneEigen::change_pairs(double rho, std::span<const double> z) {
  const auto n = index(size());
  const double sign = rho < 0.0 ? -1.0 : 1.0;
  std::vector<std::size_t> order(n);  // ascending in sign·value
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (sign < 0.0) std::ranges::reverse(order);
  std::vector<double> u(n, 0.0);
  double square = 0.0, norm = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t r = 0; r < n; ++r)
      u[j] += vectors_(static_cast<std::int64_t>(r), static_cast<std::int64_t>(j)) * z[r];
    square += u[j] * u[j];
    norm = std::max(norm, std::abs(values_[j]));
  }
  norm += std::abs(rho) * square;
  const double small = negligible * norm;
  std::vector<std::size_t> touched;
  std::vector<double> d, uk;
  for (const std::size_t j : order) {
    if (std::abs(rho) * std::abs(u[j]) * std::sqrt(square) <= small) continue;
    if (!d.empty() && sign * values_[j] - d.back() <= small) {
      rotate(vectors_, touched.back(), j, u);
      touched.pop_back();
      d.pop_back();
      uk.pop_back();
    }
    touched.push_back(j);
    d.push_back(sign * values_[j]);
    uk.push_back(u[j]);
  }
  const SecularRoots roots = secular_roots(d, uk, std::abs(rho));
  const Block changed = turned(vectors_, touched, d, uk, roots, std::abs(rho));
  for (std::size_t i = 0; i < touched.size(); ++i) {
    values_[touched[i]] = sign * (d[roots.origin[i]] + roots.offset[i]);
    for (std::size_t r = 0; r < n; ++r)
      vectors_(static_cast<std::int64_t>(r), static_cast<std::int64_t>(touched[i])) =
          changed(static_cast<std::int64_t>(r), static_cast<std::int64_t>(i));
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t j) { return values_[j]; });
  Block sorted(size(), size());
  std::vector<double> values(n);
  for (std::size_t j = 0; j < n; ++j) {
    values[j] = values_[order[j]];
    for (std::int64_t r = 0; r < size(); ++r)
      sorted(r, static_cast<std::int64_t>(j)) = vectors_(r, static_cast<std::int64_t>(order[j]));
  }
  values_ = std::move(values);
  vectors_ = std::move(sorted);
}

double RankOneEigen::residual() const {
  double largest = 0.0;
  for (std::int64_t r = 0; r < size(); ++r)
    for (std::int64_t c = 0; c < size(); ++c) {
      double sum = -vectors_(r, c) * values_[index(c)];
      for (std::int64_t k = 0; k < size(); ++k) sum += a_(r, k) * vectors_(k, c);
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

}  // namespace gssl::detail
