#include "complete/biases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gssl::detail {
namespace {

constexpr int most_rounds = 10'000;
constexpr double last_change = 1e-12;

// The best biases of one side given those of the other; returns the largest change.
double update_side(const Cells& cells, const CellIndex& index,
                   const std::vector<std::int32_t>& other_of, const std::vector<double>& other,
                   double mean, double lambda, std::vector<double>& bias) {
  double change = 0.0;
  for (std::size_t r = 0; r < bias.size(); ++r) {
    double sum = 0.0;
    for (std::int64_t i = index.offset[r]; i < index.offset[r + 1]; ++i) {
      const auto cell = static_cast<std::size_t>(index.order[static_cast<std::size_t>(i)]);
      sum += cells.value[cell] - mean - other[static_cast<std::size_t>(other_of[cell])];
    }
    const double next = sum / (static_cast<double>(index.offset[r + 1] - index.offset[r]) + lambda);
    change = std::max(change, std::abs(next - bias[r]));
    bias[r] = next;
  }
  return change;
}

double square_sum(const std::vector<double>& x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}

}  // namespace

void fit_biases(const Cells& cells, double lambda, const RunContext& run, Completion& completion) {
  const CellIndex rows = by_row(cells), columns = by_column(cells);
  completion.mean = cells.mean();
  double largest = 0.0;
  for (const double a : cells.value) largest = std::max(largest, std::abs(a - completion.mean));
  for (int round = 0; round < most_rounds && !run.should_stop(); ++round) {
    const double by_columns = update_side(cells, columns, cells.row, completion.row_bias,
                                          completion.mean, lambda, completion.column_bias);
    const double by_rows = update_side(cells, rows, cells.column, completion.column_bias,
                                       completion.mean, lambda, completion.row_bias);
    if (std::max(by_rows, by_columns) <= last_change * largest) break;
  }
  const Cells left = without_biases(cells, completion);
  const double objective = square_sum(left.value) + lambda * (square_sum(completion.row_bias) +
                                                              square_sum(completion.column_bias));
  completion.report.certificates.push_back({"bias_objective", {objective}});
}

Cells without_biases(const Cells& cells, const Completion& completion) {
  Cells left = cells;
  for (std::size_t i = 0; i < left.value.size(); ++i)
    left.value[i] -= completion.mean + completion.row_bias[static_cast<std::size_t>(cells.row[i])] +
                     completion.column_bias[static_cast<std::size_t>(cells.column[i])];
  return left;
}

Cells take_biases(const Cells& cells, bool biases, double lambda, const RunContext& run,
                  Completion& completion) {
  completion.row_bias.assign(static_cast<std::size_t>(cells.rows), 0.0);
  completion.column_bias.assign(static_cast<std::size_t>(cells.columns), 0.0);
  if (!biases) return cells;
  fit_biases(cells, lambda, run, completion);
  return without_biases(cells, completion);
}

}  // namespace gssl::detail
