#include "online/cell_exponential.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"

namespace gssl::detail {
namespace {

// A cell whose square outside of the span is less adds no dimension.
constexpr double no_rest = 1e-12;
// e^700 is near the largest double.
constexpr double largest_exponent = 700.0;

}  // namespace

CellExponential::CellExponential(double log_start, Products products, const Record& record)
    : CellExponential(log_start, std::move(products)) {
  const std::vector<std::int64_t>& cells = record.long_integers("basis");
  const std::vector<double>& entries = record.reals("cholesky");
  eigen_ = RankOneEigen(record.child("exponent"));
  const std::size_t r = cells.size() / 2;
  if (cells.size() % 2 != 0 || entries.size() != r * (r + 1) / 2 ||
      static_cast<std::size_t>(eigen_.size()) != r)
    throw Error(ErrorCode::bad_data, "meg: basis, factor and exponent differ in size");
  auto from = entries.begin();
  for (std::size_t i = 0; i < r; ++i) {
    basis_.push_back({cells[2 * i], cells[2 * i + 1]});
    rows_.emplace_back(from, from + static_cast<std::ptrdiff_t>(i) + 1);
    from += static_cast<std::ptrdiff_t>(i) + 1;
  }
}

void CellExponential::save(Record& record) const {
  std::vector<std::int64_t> cells;
  std::vector<double> entries;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    cells.push_back(basis_[i].row);
    cells.push_back(basis_[i].column);
    entries.insert(entries.end(), rows_[i].begin(), rows_[i].end());
  }
  record.put("basis", cells);
  record.put("cholesky", entries);
  Record exponent;
  eigen_.save(exponent);
  record.put("exponent", exponent);
}

double CellExponential::look_at(const CellPlace& cell) {
  cell_ = cell;
  z_.clear();
  const double square = products_(cell, cell);
  rest_ = square;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    double sum = products_(basis_[i], cell);
    for (std::size_t j = 0; j < i; ++j) sum -= rows_[i][j] * z_[j];
    z_.push_back(sum / rows_[i][i]);
    rest_ -= z_.back() * z_.back();
  }
  std::vector<double> terms;
  for (std::int64_t k = 0; k < eigen_.size(); ++k) {
    double along = 0.0;
    for (std::size_t r = 0; r < z_.size(); ++r)
      along += eigen_.vectors()(static_cast<std::int64_t>(r), k) * z_[r];
    const double value = std::clamp(eigen_.values()[static_cast<std::size_t>(k)], -largest_exponent,
                                    largest_exponent);
    terms.push_back(std::expm1(value) * along * along);
  }
  std::ranges::sort(terms, {}, [](double x) { return std::abs(x); });
  double sum = square;
  for (const double term : terms) sum += term;
  return std::exp(log_start_) * sum - 1.0;
}

void CellExponential::add(double amount) {
  if (rest_ >= no_rest) {
    z_.push_back(std::sqrt(rest_));
    rows_.push_back(z_);
    basis_.push_back(cell_);
    eigen_.pad();
  }
  eigen_.add(amount, z_);
}

}  // namespace gssl::detail
