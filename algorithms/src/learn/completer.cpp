#include "gssl/learn/completer.hpp"

#include <numeric>
#include <span>

#include "gssl/core/index.hpp"

namespace gssl {

double Cells::mean() const {
  if (value.empty()) return 0.0;
  return std::accumulate(value.begin(), value.end(), 0.0) / static_cast<double>(value.size());
}

double Completion::value(std::int64_t row, std::int64_t column) const {
  double sum = mean + row_bias[index(row)] + column_bias[index(column)];
  const std::span<const double> left = u.row(row), right = v.row(column);
  for (std::size_t k = 0; k < left.size(); ++k) sum += left[k] * right[k];
  return sum;
}

}  // namespace gssl
