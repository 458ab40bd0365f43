#include "batch/parzen/bandwidth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t most_asked = 1000;
constexpr int steps = 8;  // on each side of the first guess, by √2
using Candidates = std::array<double, 2 * steps + 1>;

// Mean variance of a column within classes; weights count.
double variance_within(const WindowedRows& rows) {
  const auto classes = static_cast<std::int64_t>(rows.class_weight.size());
  const std::int64_t columns = rows.points.columns();
  Block sums(classes, columns);
  double squares = 0.0, total = 0.0;
  for (VertexId r = 0; r < rows.points.rows(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    total += rows.weights[i];
    rows.points.visit_row(r, [&](std::int64_t c, double x) {
      sums(rows.class_of[i], c) += rows.weights[i] * x;
      squares += rows.weights[i] * x * x;
    });
  }
  for (std::int64_t k = 0; k < classes; ++k) {
    const double weight = rows.class_weight[static_cast<std::size_t>(k)];
    if (weight <= 0.0) continue;
    for (const double sum : sums.row(k)) squares -= sum * sum / weight;
  }
  return std::max(0.0, squares) / (total * static_cast<double>(std::max<std::int64_t>(1, columns)));
}

// ln Σ_i w_i exp(−d_i²/2h²) for each h, over the squared distances d_i² of other rows.
void add_likelihoods(const std::vector<double>& square, const std::vector<double>& weight,
                     const Candidates& h, double columns, Candidates& sum) {
  const double nearest = *std::ranges::min_element(square);
  double total = 0.0;
  for (const double w : weight) total += w;
  for (std::size_t c = 0; c < h.size(); ++c) {
    const double scale = -0.5 / (h[c] * h[c]);
    double density = 0.0;
    for (std::size_t i = 0; i < square.size(); ++i)
      density += weight[i] * std::exp(scale * (square[i] - nearest));
    sum[c] += scale * nearest + std::log(density / total) - columns * std::log(h[c]);
  }
}

}  // namespace

double chosen_bandwidth(const WindowedRows& rows, ParzenWindow window, const RunContext& run) {
  const double shape = window == ParzenWindow::box ? std::sqrt(12.0) : 1.0;
  const std::int64_t n = rows.points.rows();
  double copies = 0.0;
  for (const double w : rows.weights) copies += w;
  const double variance = variance_within(rows);
  if (!(variance > 0.0)) return shape;
  const auto columns = static_cast<double>(rows.points.columns());
  const double guess =
      std::sqrt(variance) * std::pow(4.0 / ((columns + 2.0) * copies), 1.0 / (columns + 4.0));
  Candidates h{};
  for (std::size_t c = 0; c < h.size(); ++c)
    h[c] = guess * std::pow(2.0, 0.5 * (static_cast<double>(c) - steps));
  const TrainingRows training = all_rows(rows.points, rows.points.is_sparse());
  const std::int64_t asked = std::min(n, most_asked);
  std::vector<Candidates> of_row(static_cast<std::size_t>(asked), Candidates{});
  parallel_blocks(
      asked, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> square, weight;
        for (std::int64_t q = begin; q < end; ++q) {
          run.throw_if_stopped("parzen", "before its bandwidth was chosen");
          const std::int64_t here = q * n / asked;
          square.clear();
          weight.clear();
          for (std::int64_t r = 0; r < n; ++r) {
            const auto i = static_cast<std::size_t>(r);
            if (rows.class_of[i] != rows.class_of[static_cast<std::size_t>(here)]) continue;
            // A row of weight w has w − 1 copies.
            const double others = rows.weights[i] - (r == here ? 1.0 : 0.0);
            if (others <= 0.0) continue;
            double sum = 0.0;
            visit_differences(training.row(here), training.row(r), [&](double d) {
              sum += d * d;
              return true;
            });
            square.push_back(sum);
            weight.push_back(others);
          }
          if (!square.empty())
            add_likelihoods(square, weight, h, columns, of_row[static_cast<std::size_t>(q)]);
        }
      },
      8);
  Candidates sum{};
  for (std::int64_t q = 0; q < asked; ++q) {
    const double weight = rows.weights[static_cast<std::size_t>(q * n / asked)];
    for (std::size_t c = 0; c < h.size(); ++c)
      sum[c] += weight * of_row[static_cast<std::size_t>(q)][c];
  }
  const auto best = std::ranges::max_element(sum) - sum.begin();
  return shape * h[static_cast<std::size_t>(best)];
}

}  // namespace gssl::detail
