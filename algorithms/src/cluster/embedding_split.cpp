#include "embedding_split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gssl/core/dense.hpp"

namespace gssl::detail {
namespace {

std::vector<std::size_t> sorted_order(std::span<const double> value) {
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value[a] < value[b]; });
  return order;
}

// A sum with what rounding took from it, so that a light edge is left when a heavy one is taken
// away again (A. Neumaier 1974, doi:10.1002/zamm.19740540106).
class CarriedSum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

// The k rows that a QR factorization of the transpose with column pivoting takes first.
std::vector<std::int64_t> pivots(const Block& rows) {
  const std::int64_t n = rows.rows(), k = rows.columns();
  Block left = rows;
  std::vector<double> squares(static_cast<std::size_t>(n));
  std::vector<std::int64_t> chosen;
  std::vector<double> direction(static_cast<std::size_t>(k));
  while (static_cast<std::int64_t>(chosen.size()) < k) {
    for (std::int64_t v = 0; v < n; ++v) {
      double sum = 0.0;
      for (const double x : left.row(v)) sum += x * x;
      squares[static_cast<std::size_t>(v)] = sum;
    }
    const auto best = std::max_element(squares.begin(), squares.end());
    const std::int64_t pivot = best - squares.begin();
    chosen.push_back(pivot);
    const double norm = std::sqrt(*best);
    if (norm == 0.0) continue;
    for (std::int64_t j = 0; j < k; ++j)
      direction[static_cast<std::size_t>(j)] = left(pivot, j) / norm;
    for (std::int64_t v = 0; v < n; ++v) {
      double part = 0.0;
      for (std::int64_t j = 0; j < k; ++j)
        part += left(v, j) * direction[static_cast<std::size_t>(j)];
      for (std::int64_t j = 0; j < k; ++j)
        left(v, j) -= part * direction[static_cast<std::size_t>(j)];
    }
  }
  return chosen;
}

}  // namespace

std::vector<int> cluster_qr(const Block& rows) {
  const std::int64_t k = rows.columns();
  const std::vector<std::int64_t> chosen = pivots(rows);
  Block picked(k, k);  // column i: row chosen[i]
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < k; ++j)
      picked(j, i) = rows(chosen[static_cast<std::size_t>(i)], j);
  const Block rotation = nearest_rotation(picked);
  std::vector<int> cluster_of(static_cast<std::size_t>(rows.rows()));
  for (std::int64_t v = 0; v < rows.rows(); ++v) {
    double largest = -1.0;
    for (std::int64_t i = 0; i < k; ++i) {
      double sum = 0.0;
      for (std::int64_t j = 0; j < k; ++j) sum += rows(v, j) * rotation(j, i);
      if (std::abs(sum) <= largest) continue;
      largest = std::abs(sum);
      cluster_of[static_cast<std::size_t>(v)] = static_cast<int>(i);
    }
  }
  return cluster_of;
}

std::vector<int> split_at(std::span<const double> value, double threshold) {
  std::vector<int> side(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) side[i] = value[i] > threshold ? 1 : 0;
  return side;
}

double gap_threshold(std::span<const double> value) {
  std::vector<double> sorted(value.begin(), value.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t margin = std::max<std::size_t>(1, sorted.size() / 10);
  double widest = -1.0, threshold = 0.0;
  for (std::size_t i = margin; i + margin <= sorted.size(); ++i) {
    const double gap = sorted[i] - sorted[i - 1];
    if (gap <= widest) continue;
    widest = gap;
    threshold = std::midpoint(sorted[i - 1], sorted[i]);
  }
  return threshold;
}

double sweep_threshold(const Graph& graph, std::span<const VertexId> vertices,
                       std::span<const double> value, std::span<const double> measure) {
  const std::vector<std::size_t> order = sorted_order(value);
  constexpr std::size_t outside = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> place(static_cast<std::size_t>(graph.vertex_count()), outside);
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(vertices[order[i]])] = i;
  std::vector<double> above(order.size() + 1, 0.0);  // the measure from each place on
  for (std::size_t i = order.size(); i-- > 0;) above[i] = above[i + 1] + measure[order[i]];
  CarriedSum cut;
  double below = 0.0, least = std::numeric_limits<double>::infinity();
  double threshold = 0.0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    below += measure[order[i]];
    graph.visit_row(vertices[order[i]], [&](VertexId u, double w) {
      const std::size_t other = place[static_cast<std::size_t>(u)];
      if (other != outside) cut.add(other > i ? w : -w);
    });
    const double low = value[order[i]], high = value[order[i + 1]];
    const double cost = cut.value() / below + cut.value() / above[i + 1];
    if (low == high || !(cost < least)) continue;
    least = cost;
    threshold = std::midpoint(low, high);
  }
  return threshold;
}

}  // namespace gssl::detail
