#include "volume_projection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "class_prices.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// Projects y on the simplex; returns the number of positive entries. Sums are taken in order of
// size, so that the order of classes changes nothing.
std::size_t to_simplex(std::vector<double>& y, std::vector<double>& sorted) {
  const auto top = static_cast<std::size_t>(std::ranges::max_element(y) - y.begin());
  double second = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < y.size(); ++k)
    if (k != top) second = std::max(second, y[k]);
  if (y[top] - second >= 1.0) {  // a corner, as most are in the end
    std::ranges::fill(y, 0.0);
    y[top] = 1.0;
    return 1;
  }
  sorted = y;
  std::ranges::sort(sorted, std::greater<>());
  double sum = 0.0, threshold = 0.0;
  std::size_t live = 0;
  while (live < sorted.size()) {
    const double next = (sum + sorted[live] - 1.0) / static_cast<double>(live + 1);
    if (!(sorted[live] > next)) break;
    sum += sorted[live++];
    threshold = next;
  }
  for (double& value : y) value = std::max(0.0, value - threshold);
  return live;
}

class SimplexProjection {
 public:
  SimplexProjection(const Block& z, std::span<const VertexId> rows,
                    const std::vector<double>& weight, const std::vector<int>& classes,
                    const std::vector<double>& size, const RunContext& run)
      : z_(z), rows_(rows), weight_(weight), classes_(classes), size_(size), run_(run) {}

  // The projection of row r at these prices.
  std::size_t row(VertexId r, const std::vector<double>& price, std::vector<double>& y,
                  std::vector<double>& scratch) const {
    const double weight = weight_[static_cast<std::size_t>(r)];
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = z_(r, classes_[i]) - price[i] / weight;
    return to_simplex(y, scratch);
  }

  // Anything once the run is to stop.
  PriceDual at(const std::vector<double>& price) const {
    const std::size_t classes = classes_.size();
    PriceDual dual = blocked_sum(
        static_cast<std::int64_t>(rows_.size()), run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          PriceDual sum = PriceDual::zero(classes);
          std::vector<double> y(classes), scratch;
          for (std::int64_t i = begin; i < end; ++i) {
            if ((i - begin) % rows_between_stops == 0 && run_.should_stop()) break;
            add_row(rows_[static_cast<std::size_t>(i)], price, y, scratch, sum);
          }
          return sum;
        },
        rows_of_block(classes));
    if (dual.share.empty()) dual = PriceDual::zero(classes);
    for (std::size_t k = 0; k < classes; ++k) dual.value += price[k] * size_[k];
    return dual;
  }

 private:
  static constexpr std::int64_t rows_between_stops = 256;

  void add_row(VertexId r, const std::vector<double>& price, std::vector<double>& y,
               std::vector<double>& scratch, PriceDual& sum) const {
    const std::size_t classes = classes_.size();
    const double weight = weight_[static_cast<std::size_t>(r)];
    const std::size_t live = row(r, price, y, scratch);
    const bool paired = live <= most_paired_classes;
    for (std::size_t k = 0; k < classes; ++k) {
      if (!(y[k] > 0.0)) continue;
      sum.value += y[k] * (weight * (z_(r, classes_[k]) - 0.5 * y[k]) - price[k]);
      sum.share[k] += y[k];
      if (live == 1) break;
      sum.curvature[k * classes + k] += 1.0 / weight;
      for (std::size_t j = paired ? 0 : k; j < (paired ? classes : k + 1); ++j)
        if (y[j] > 0.0)
          sum.curvature[k * classes + j] -= 1.0 / (weight * static_cast<double>(live));
    }
  }

  const Block& z_;
  std::span<const VertexId> rows_;
  const std::vector<double>& weight_;
  const std::vector<int>& classes_;
  const std::vector<double>& size_;
  const RunContext& run_;
};

}  // namespace

void project_to_volumes(Block& z, std::span<const VertexId> rows, const std::vector<double>& weight,
                        const std::vector<int>& classes, const std::vector<double>& size,
                        std::vector<double>& price, const RunContext& run) {
  const int threads = run.thread_count();
  const SimplexProjection problem(z, rows, weight, classes, size, run);
  if (!size.empty() && classes.size() > 1 && !rows.empty()) {
    const double mean =
        blocked_sum(static_cast<std::int64_t>(rows.size()), threads,
                    [&](std::int64_t begin, std::int64_t end) {
                      double sum = 0.0;
                      for (std::int64_t i = begin; i < end; ++i)
                        sum += weight[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])];
                      return sum;
                    }) /
        static_cast<double>(rows.size());
    find_prices([&](const std::vector<double>& at) { return problem.at(at); }, size,
                {.unit = mean, .reach = 1.0, .damping = 1e-3}, run, price);
  }
  parallel_blocks(static_cast<std::int64_t>(rows.size()), threads,
                  [&](std::int64_t begin, std::int64_t end) {
                    std::vector<double> y(classes.size()), scratch;
                    for (std::int64_t i = begin; i < end && !run.should_stop(); ++i) {
                      const VertexId r = rows[static_cast<std::size_t>(i)];
                      problem.row(r, price, y, scratch);
                      for (std::size_t k = 0; k < y.size(); ++k) z(r, classes[k]) = y[k];
                    }
                  });
}

}  // namespace gssl::detail
