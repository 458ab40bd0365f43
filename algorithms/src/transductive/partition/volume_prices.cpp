#include "volume_prices.hpp"

#include <algorithm>
#include <cmath>

#include "class_prices.hpp"
#include "gssl/core/parallel.hpp"
#include "support/largest.hpp"

namespace gssl::detail {

namespace {

// ε, as a share of the largest difference within a row, falls from 0.3 to 1.5e-5. Its prices are
// the start for the next ε, and no more. Prices of values that were much the same are as good a
// start as those of 0.1, and then ε may fall faster.
constexpr double first_share = 0.3;
constexpr double cooling = 1.0 / 3.0;
constexpr int levels = 10;
constexpr int first_known = 3;
constexpr int known_stride = 3;
constexpr double on_the_way = 1e-3;
// Between the prices at which one vertex and the next change their class all are alike: to split a
// vertex there, of which a part is wanted, takes very many steps and changes nothing.
constexpr double close_enough = 1.0;  // vertices

class SmoothedDual {
 public:
  SmoothedDual(const Block& value, std::span<const VertexId> vertices,
               const std::vector<int>& classes, const std::vector<double>& volume,
               const RunContext& run)
      : value_(value), vertices_(vertices), classes_(classes), volume_(volume), run_(run) {}

  std::size_t size() const { return classes_.size(); }

  // Largest difference within a row: the unit of ε.
  double spread() const {
    return blocked_sum(static_cast<std::int64_t>(vertices_.size()), run_.thread_count(),
                       [&](std::int64_t begin, std::int64_t end) {
                         Largest spread;
                         for (std::int64_t i = begin; i < end; ++i) {
                           double low = entry(i, 0);
                           double high = low;
                           for (std::size_t k = 1; k < size(); ++k) {
                             low = std::min(low, entry(i, k));
                             high = std::max(high, entry(i, k));
                           }
                           spread += Largest{high - low};
                         }
                         return spread;
                       })
        .value;
  }

  // The softmax of temperature ε in place of the maximum. Anything once the run is to stop.
  PriceDual at(const std::vector<double>& price, double epsilon) const {
    const std::size_t classes = size();
    PriceDual dual = blocked_sum(
        static_cast<std::int64_t>(vertices_.size()), run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          PriceDual sum = PriceDual::zero(classes);
          std::vector<double> soft(classes);
          std::vector<std::size_t> live(classes);  // classes whose share is not below e^-40
          for (std::int64_t i = begin; i < end; ++i) {
            if ((i - begin) % rows_between_stops == 0 && run_.should_stop()) break;
            add_row(i, price, epsilon, soft, live, sum);
          }
          return sum;
        },
        rows_of_block(classes));
    if (dual.share.empty()) dual = PriceDual::zero(classes);
    for (std::size_t k = 0; k < classes; ++k) dual.value += price[k] * volume_[k];
    for (double& entry : dual.curvature) entry /= epsilon;
    return dual;
  }

 private:
  static constexpr std::int64_t rows_between_stops = 256;

  double entry(std::int64_t i, std::size_t k) const {
    return value_(vertices_[static_cast<std::size_t>(i)], classes_[k]);
  }

  void add_row(std::int64_t i, const std::vector<double>& price, double epsilon,
               std::vector<double>& soft, std::vector<std::size_t>& live, PriceDual& sum) const {
    const std::size_t classes = size();
    const double* row = value_.row(vertices_[static_cast<std::size_t>(i)]).data();
    double top = row[classes_[0]] - price[0];
    for (std::size_t k = 0; k < classes; ++k)
      top = std::max(top, soft[k] = row[classes_[k]] - price[k]);
    const double least = top - 40.0 * epsilon;
    std::size_t count = 0;
    double total = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      if (soft[k] < least) continue;
      live[count++] = k;
      total += soft[k] = std::exp((soft[k] - top) / epsilon);
    }
    sum.value += top;
    if (count == 1) {
      sum.share[live[0]] += 1.0;
      return;
    }
    sum.value += epsilon * std::log(total);
    for (std::size_t a = 0; a < count; ++a) soft[live[a]] /= total;
    const std::size_t paired = std::min(count, most_paired_classes);
    const auto larger = [&](std::size_t a, std::size_t b) {
      return soft[a] != soft[b] ? soft[a] > soft[b] : a < b;
    };
    if (paired < count)
      std::nth_element(live.begin(), live.begin() + static_cast<std::ptrdiff_t>(paired),
                       live.begin() + static_cast<std::ptrdiff_t>(count), larger);
    for (std::size_t a = 0; a < count; ++a) {
      const std::size_t k = live[a];
      double* pairs = sum.curvature.data() + k * classes;
      sum.share[k] += soft[k];
      pairs[k] += soft[k];
      if (a >= paired) {
        pairs[k] -= soft[k] * soft[k];
        continue;
      }
      for (std::size_t b = 0; b < paired; ++b) pairs[live[b]] -= soft[k] * soft[live[b]];
    }
  }

  const Block& value_;
  std::span<const VertexId> vertices_;
  const std::vector<int>& classes_;
  const std::vector<double>& volume_;
  const RunContext& run_;
};

}  // namespace

std::vector<double> volume_prices(const Block& value, std::span<const VertexId> vertices,
                                  const std::vector<int>& classes,
                                  const std::vector<double>& volume, const RunContext& run,
                                  std::vector<double> price) {
  const bool known = std::ranges::any_of(price, [](double p) { return p != 0.0; });
  price.resize(classes.size(), 0.0);
  const SmoothedDual problem(value, vertices, classes, volume, run);
  const double spread = problem.spread();
  if (!(spread > 0.0)) return price;
  const auto count = static_cast<double>(vertices.size());
  for (int level = known ? first_known : 0; level < levels && !run.should_stop();
       level += known ? known_stride : 1) {
    const double epsilon = first_share * std::pow(cooling, level) * spread;
    find_prices([&](const std::vector<double>& at) { return problem.at(at, epsilon); }, volume,
                {.unit = epsilon,
                 .reach = 10.0,
                 .damping = 1e-6,
                 .precision = level + 1 < levels ? on_the_way : close_enough / count},
                run, price);
  }
  double mean = 0.0;
  for (const double p : price) mean += p / static_cast<double>(price.size());
  for (double& p : price) p -= mean;
  return price;
}

}  // namespace gssl::detail
